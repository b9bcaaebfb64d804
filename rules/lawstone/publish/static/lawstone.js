"use strict";
/* Lawstone's page script. Every rule comes from the data beside it: this file knows the core's operators and how to show a board. */
(() => {
  // -- the evaluator: one method an operator; a set of sites is a BigInt with bit s for site s -----------------------------------

  const bit = (site) => 1n << BigInt(site);

  function members(set) {
    const found = [];
    const digits = set.toString(2);
    for (let i = digits.length - 1, site = 0; i >= 0; i--, site++) if (digits[i] === "1") found.push(site);
    return found;
  }

  class Operators {
    constructor(steps) {
      this.steps = {};
      for (const [direction, shifts] of Object.entries(steps)) {
        this.steps[direction] = shifts.map(([by, mask]) => [BigInt(Math.abs(by)), by > 0, BigInt(`0x${mask}`)]);
      }
    }
    sites(hex) { return BigInt(`0x${hex}`); }
    either(...parts) { return parts.reduce((a, b) => a | b); }
    both(...parts) { return parts.reduce((a, b) => a & b); }
    without(a, b) { return a & ~b; }
    step(set, direction) {
      let found = 0n;
      for (const [by, up, mask] of this.steps[direction]) found |= up ? (set & mask) << by : (set & mask) >> by;
      return found;
    }
    flood(seed, through, directions) {
      let reached = 0n;
      let front = seed & through;
      while (front) {
        reached |= front;
        front = directions.reduce((s, d) => s | this.step(front, d), 0n) & through & ~reached;
      }
      return reached;
    }
    some(set) { return set !== 0n; }
    count(set) { return members(set).length; }
    yes() { return true; }
    never() { return false; }
    no(flag) { return !flag; }
    and_(...flags) { return flags.every(Boolean); }
    or_(...flags) { return flags.some(Boolean); }
    number(n) { return n; }
    plus(...parts) { return parts.reduce((a, b) => a + b, 0); }
    minus(a, b) { return Math.max(0, a - b); }
    least(a, b) { return Math.min(a, b); }
    at_most(a, b) { return a <= b; }
    when(flag, a, b) { return flag ? a : b; }
    where(among, holds) { return members(among).reduce((s, x) => (holds(bit(x)) ? s | bit(x) : s), 0n); }
  }

  const OPERANDS = {
    sites: 0, either: -1, both: -1, without: 2, step: 1, flood: 2, some: 1, count: 1, yes: 0, never: 0, no: 1, and_: -1, or_: -1,
    number: 0, plus: -1, minus: 2, least: 2, at_most: 2, when: 3,
  };

  class Scope {
    constructor(values, outer = null, name = "") {
      this.values = values;
      this.outer = outer;
      this.name = name;
      this.known = new Map();
    }
  }

  class Rules {
    constructor(data) {
      this.data = data;
      this.operators = new Operators(data.steps);
    }

    fold(number, scope) {
      let home = scope;
      const bound = this.data.bound[number] || [];
      while (home.outer && !bound.includes(home.name)) home = home.outer;
      if (home.known.has(number)) return home.known.get(number);
      const [op, ...rest] = this.data.terms[number];
      let value;
      if (op === "read") {
        value = home.values[rest[0]];
      } else if (op === "where") {
        const [among, body, name] = rest;
        value = this.operators.where(this.fold(among, home), (x) => this.fold(body, new Scope({ [name]: x }, home, name)));
      } else {
        const operands = OPERANDS[op] < 0 ? rest.length : OPERANDS[op];
        value = this.operators[op](...rest.slice(0, operands).map((n) => this.fold(n, home)), ...rest.slice(operands));
      }
      home.known.set(number, value);
      return value;
    }

    value(index, written) { return this.data.sorts[index] === "sites" ? BigInt(`0x${written}`) : written; }

    state({ values, phase, seat }) {
      return { values: values.map((v, i) => this.value(i, v)), phase, seat, outcome: null };
    }

    start() { return this.state(this.data.start); }

    named(state) { return Object.fromEntries(this.data.variables.map((name, i) => [name, state.values[i]])); }

    turns(state) { return this.data.phases[state.phase]; }

    holds(state, turn) { return this.fold(turn.guard, new Scope(this.named(state))); }

    sizes(choice, due, there) {
      if (choice.freedom === "up to") return [...Array(Math.min(due, there) + 1).keys()];
      if (choice.freedom === "all or none" && due > 0) return due <= there ? [0, due] : [0];
      return due <= there ? [due] : [];
    }

    /* What the next choice of a turn offers after the picks made. */
    offer(state, turn, made) {
      const values = this.named(state);
      made.forEach((set, i) => { values[turn.choices[i].name] = set; });
      const choice = turn.choices[made.length];
      const scope = new Scope(values);
      const among = this.fold(choice.among, scope);
      const due = this.fold(choice.count, scope);
      return { choice, among, due, sizes: this.sizes(choice, due, members(among).length), values };
    }

    /* Every way to go on; null when a required choice cannot be met, so that the picks made are illegal. */
    ways(state, turn, made) {
      if (made.length === turn.choices.length) return [made];
      const { choice, among, sizes } = this.offer(state, turn, made);
      if (!sizes.length) return choice.required || !(made.length || turn.label.length) ? null : [made];
      const found = [];
      const there = members(among);
      const subsets = (from, left, set) => {
        if (left === 0) {
          const way = this.ways(state, turn, [...made, set]);
          if (way) found.push(...way);
          return;
        }
        for (let i = from; i <= there.length - left; i++) subsets(i + 1, left - 1, set | bit(there[i]));
      };
      for (const size of sizes) subsets(0, size, 0n);
      return found.length ? found : null;
    }

    moves(state) {
      if (state.outcome) return [];
      return this.turns(state).flatMap((turn, number) =>
        this.holds(state, turn) ? (this.ways(state, turn, []) || []).map((sites) => ({ turn: number, sites })) : []);
    }

    /* Whether the picks made lead to a legal move; only required later choices can prevent it. */
    leads(state, turn, made) {
      if (!turn.choices.slice(made.length).some((c) => c.required)) return true;
      return this.ways(state, turn, made) !== null;
    }

    play(state, { turn: number, sites }) {
      const turn = this.turns(state)[number];
      const unmet = turn.choices[sites.length];
      const updates = unmet ? unmet.before : turn.updates;
      const before = this.named(state);
      const picks = Object.fromEntries(sites.map((set, i) => [turn.choices[i].name, set]));
      const scope = new Scope({ ...before, ...picks });
      const after = Object.fromEntries(
        this.data.variables.map((n) => [n, n in updates ? this.fold(updates[n], scope) : before[n]]));
      const here = (phase, seat, values, outcome) => ({ values, phase, seat, outcome });
      const list = this.data.variables.map((n) => after[n]);
      if (unmet) return here(state.phase, state.seat, list, { kind: "no rule", winner: null, rule: unmet.rule });
      const judged = new Scope({ ...after, ...picks });
      for (const [flag, rule, result] of turn.endings) {
        if (!this.fold(flag, judged)) continue;
        const winner = { mover: state.seat, opponent: 1 - state.seat, draw: null }[result];
        return here(state.phase, state.seat, list, { kind: winner === null ? "draw" : "win", winner, rule });
      }
      for (const [flag, phase, passes] of turn.next) {
        if (!this.fold(flag, judged)) continue;
        if (!passes) return here(phase, state.seat, list, null);
        return here(phase, 1 - state.seat, this.data.swap.map((i) => list[i]), null);
      }
      throw new Error(`nothing follows a turn of ${state.phase}`);
    }

    /* The part of a clause that fails: its rule and its words. */
    failing(clause, values) {
      const [, , , mode, parts] = clause;
      if (mode === "all") {
        for (const part of parts) if (!this.fold(part[0], new Scope(values))) return this.failing(part, values);
      }
      return clause;
    }

    blame(clause, outside, values) {
      const [, , , mode, parts] = clause;
      const value = (c) => this.fold(c[0], new Scope(values));
      if (mode === "all") {
        for (const part of parts) {
          const v = value(part);
          if (typeof v === "boolean") {
            if (!v) return this.failing(part, values);
          } else if (outside & ~v) return this.blame(part, outside, values);
        }
      }
      if (mode === "first") for (const part of parts) if (value(part)) return this.blame(part, outside, values);
      return clause;
    }

    /* Why picks are not a way to take a turn: the clause, and how many picks were right; null when nothing forbids them. */
    refusal(state, turn, picks) {
      const values = this.named(state);
      for (const clause of turn.why) {
        if (!this.fold(clause[0], new Scope(values))) {
          const [, rule, says] = this.failing(clause, values);
          return { rule, says, depth: 0 };
        }
      }
      for (let depth = 0; depth < Math.min(picks.length, turn.choices.length); depth++) {
        const choice = turn.choices[depth];
        const scope = new Scope(values);
        const outside = picks[depth] & ~this.fold(choice.among, scope);
        if (outside) {
          const [, rule, says] = this.blame(choice.why, outside, values);
          return { rule, says, depth };
        }
        values[choice.name] = picks[depth];
      }
      return null;
    }

    /* The rule that forbids picks, over all turns that the options allow: the one that fails latest. */
    forbids(state, picks, label = null) {
      let best = null;
      for (const turn of this.turns(state)) {
        if (label !== null && turn.label.join(" ") !== label) continue;
        const found = this.refusal(state, turn, picks);
        if (found && (!best || found.depth > best.depth)) best = found;
      }
      return best;
    }

    /* The token on each site that is not empty. */
    cells(state) {
      const values = this.named(state);
      const found = {};
      const put = (token, set) => members(set).forEach((s) => { (found[token] = found[token] || []).push(s); });
      for (const piece of this.data.pieces) {
        if (!piece.owners) { put(piece.tokens[0], values[piece.name]); continue; }
        for (const side of ["mine", "theirs"]) {
          const seat = side === "mine" ? state.seat : 1 - state.seat;
          put(piece.tokens[piece.colour ? this.colourOf(state, values, seat) : seat], values[`${side}.${piece.name}`]);
        }
      }
      return found;
    }

    colourOf(state, values, seat) {
      const flag = this.data["colour flag"];
      const first = flag ? values[flag] : state.seat === 0;
      return seat === state.seat ? (first ? 0 : 1) : (first ? 1 : 0);
    }

    hands(state) {
      const values = this.named(state);
      const found = [];
      for (const piece of this.data.pieces) {
        if (!piece.owners || !(`mine.hand ${piece.name}` in values)) continue;
        for (const seat of [0, 1]) {
          const side = seat === state.seat ? "mine" : "theirs";
          found.push([this.data.players[seat], piece.name, values[`${side}.hand ${piece.name}`]]);
        }
      }
      return found;
    }

    last(state) {
      const set = this.named(state).last;
      return set ? members(set)[0] : null;
    }

    /* The move as it is written, as in engine/notation.py. */
    write(state, turn, sites) {
      const names = this.data.names;
      const told = (set) => members(set).map((s) => names[s])
        .sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : Number(a.slice(1)) - Number(b.slice(1)))).join("");
      const deeds = [];
      const taken = {};
      sites.forEach((set, i) => {
        const { role } = turn.choices[i];
        if (!set) return;
        if (role === "capture" || role === "remove") taken[role] = (taken[role] || 0n) | set;
        else deeds.push([role, set]);
      });
      deeds.push(...Object.entries(taken));
      if (sites.length === turn.choices.length && turn.effects.length) {
        const values = this.named(state);
        sites.forEach((set, i) => { values[turn.choices[i].name] = set; });
        turn.effects.forEach(([role, n]) => { const set = this.fold(n, new Scope(values)); if (set) deeds.push([role, set]); });
      }
      const parts = [];
      let origin = "";
      for (const [role, set] of deeds) {
        const places = told(set);
        if (role === "from") origin = places;
        else if (role === "to") parts.push(origin ? `${origin}-${places}` : places);
        else if (role === "place") parts.push(places);
        else if (role === "capture") parts.push(`${parts.pop() || ""}x${places}`);
        else parts.push(`-${places}`);
      }
      if (origin && !deeds.some(([role]) => role === "to")) parts.unshift(origin);
      const text = parts.join(" ");
      if (!turn.label.length) return text || "pass";
      if (turn.label.every((w) => w.length === 1)) return turn.label.join("").toUpperCase() + text;
      return [...turn.label, text].join(" ").trim();
    }
  }

  // -- the board: parts that the page holds already, set in place ------------------------------------------------------------------

  const SVG = "http://www.w3.org/2000/svg";
  const json = (id) => { const e = document.getElementById(id); return e ? JSON.parse(e.textContent) : null; };
  const labels = json("labels") || {};
  const say = (key, values = {}) => (labels[key] || key).replace(/\{(\w+)\}/g, (_, k) => values[k]);
  const kits = json("kits") || {};

  function make(tag, given = {}, ...inside) {
    const made = document.createElement(tag);
    for (const [key, value] of Object.entries(given)) {
      if (key === "text") made.textContent = value;
      else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
      else made.setAttribute(key, value);
    }
    made.append(...inside);
    return made;
  }

  class Board {
    constructor(svg) {
      this.svg = svg;
      this.kit = kits[svg.dataset.kit];
      const keep = [...svg.children].findIndex((e) => e.tagName === "use") + 1;
      [...svg.children].slice(keep).forEach((e) => e.remove());
      this.layer = document.createElementNS(SVG, "g");
      this.cursor = document.createElementNS(SVG, "g");
      svg.append(this.layer, this.cursor);
    }
    put(layer, name, site) {
      if (!document.getElementById(name)) return;
      const use = document.createElementNS(SVG, "use");
      use.setAttribute("href", `#${name}`);
      use.setAttribute("x", this.kit.at[site][0]);
      use.setAttribute("y", this.kit.at[site][1]);
      layer.append(use);
    }
    show(cells, marks = {}, last = null) {
      this.layer.replaceChildren();
      const on = {};
      for (const [token, sites] of Object.entries(cells)) for (const s of sites) on[s] = token;
      for (const [s, token] of Object.entries(on)) this.put(this.layer, `${this.kit.prefix}-${token}`, s);
      if (last !== null && on[last] && !marks[last]) this.put(this.layer, `${this.kit.prefix}-m-last-${on[last]}`, last);
      for (const [s, mark] of Object.entries(marks)) {
        this.put(this.layer, `${this.kit.prefix}-m-${mark}${on[s] ? `-${on[s]}` : ""}`, s);
      }
      this.on = on;
      const words = Object.entries(cells).map(([token, sites]) => `${this.kit.pieces[token]} ${say("on")} ${sites.map((s) => this.kit.names[s]).join(" ")}`);
      this.svg.querySelector("desc").textContent = words.join("; ") || say("empty-board");
    }
    site(event) {
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
      let best = null;
      let least = (this.kit.reach * 1.05) ** 2;
      this.kit.at.forEach(([x, y], s) => {
        const far = (x - point.x) ** 2 + (y - point.y) ** 2;
        if (far <= least) { best = s; least = far; }
      });
      return best;
    }
  }

  // -- stepping through a game, and two readings on one board ------------------------------------------------------------------------

  function stepper(figure) {
    const data = json(figure.dataset.steps);
    const svg = figure.querySelector("svg");
    if (!data || !svg) return;
    const still = svg.cloneNode(true);
    let board = null;
    let now = data.frames.length - 1;
    let shown = "both";
    const told = make("span", { class: "where", role: "status", "aria-live": "polite" });
    const at = (n) => {
      now = Math.max(0, Math.min(data.frames.length - 1, n));
      board = board || new Board(svg);
      const frame = data.frames[now];
      const marks = {};
      for (const [mark, sites] of Object.entries(frame.k || {})) for (const s of sites) marks[s] = mark;
      if (data.legal && now === data.frames.length - 1) {
        for (const s of data.legal.a) if (shown !== "b") marks[s] = shown === "a" ? "legal" : "a";
        for (const s of data.legal.b) {
          if (shown === "b") marks[s] = "legal";
          else if (shown === "both") marks[s] = marks[s] ? "both" : "b";
        }
      }
      board.show(frame.c, marks, frame.l === undefined ? null : frame.l);
      tell(frame.m);
    };
    const tell = (move) => {
      told.textContent = `${now + 1} / ${data.frames.length}${move ? ` · ${move}` : ""}`;
      told.setAttribute("aria-label", `${say("step-of", { n: now + 1, of: data.frames.length })}${move ? `, ${move}` : ""}`);
      for (const [b, ends] of ends_of) b.setAttribute("aria-disabled", String(now === ends));
    };
    const ends_of = [];
    const button = (sign, label, ends, to) => {
      const made = make("button", { type: "button", text: sign, "aria-label": say(label), title: say(label), onclick: () => at(to()) });
      ends_of.push([made, ends]);
      return made;
    };
    const end = data.frames.length - 1;
    const bar = make("div", { class: "steps", role: "group", "aria-label": say("step-through") });
    if (data.frames.length > 1) {
      bar.append(button("«", "first", 0, () => 0), button("‹", "back", 0, () => now - 1), told, button("›", "next", end, () => now + 1), button("»", "last", end, () => end));
      tell("");
      bar.addEventListener("keydown", (e) => {
        const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: data.frames.length - 1 }[e.key];
        if (to !== undefined) { e.preventDefault(); at(to); }
      });
      figure.insertBefore(bar, figure.querySelector("figcaption"));
    }
    if (data.legal) {
      const name = `reading-${figure.dataset.steps}`;
      const box = make("div", { class: "switch", role: "radiogroup", "aria-label": say("answers") });
      for (const [value, label] of [["a", "reading-a"], ["b", "reading-b"], ["both", "both-readings"]]) {
        const input = make("input", { type: "radio", name, value, onchange: () => { shown = value; at(data.frames.length - 1); } });
        input.checked = value === "both";
        box.append(make("label", {}, input, ` ${say(label)}`));
      }
      figure.insertBefore(box, figure.querySelector("figcaption"));
    }
    figure.still = still;
  }

  // -- play here ---------------------------------------------------------------------------------------------------------------------

  class Table {
    constructor(root) {
      this.root = root;
      this.words = json("play-words") || {};
      this.board = new Board(root.querySelector("svg"));
      this.told = root.querySelector(".told");
      this.bar = root.querySelector(".options");
      this.list = root.querySelector(".moves");
      this.hands = root.querySelector(".hands");
      this.svg = this.board.svg;
      this.at = null;
      this.marking = true;
      this.svg.setAttribute("tabindex", "0");
      this.svg.setAttribute("role", "application");
      this.svg.setAttribute("aria-describedby", "play-keys");
      this.spoken = make("span", { class: "unseen", "aria-live": "assertive" });
      root.append(this.spoken);
      this.svg.addEventListener("click", (e) => this.click(this.board.site(e)));
      this.svg.addEventListener("keydown", (e) => this.key(e));
      this.svg.addEventListener("blur", () => this.board.cursor.replaceChildren());
      const choose = root.querySelector("select");
      if (choose) choose.addEventListener("change", () => this.load(choose.value));
      for (const b of root.querySelectorAll("button[data-do]")) b.addEventListener("click", () => this[b.dataset.do]());
      root.hidden = false;
      this.load(choose ? choose.value : root.dataset.rules);
    }
    load(id) {
      this.rules = new Rules(json(id));
      this.fresh();
    }
    fresh() { this.past = []; this.go(this.rules.start(), null); }
    undo() {
      if (this.label !== null && this.label !== undefined && this.labels.length > 1) { this.begin(); return; }
      if (this.made.length || this.chosen) { this.begin(); return; }
      const before = this.past.pop();
      if (before) { this.state = before.state; this.log.pop(); this.begin(); }
    }
    random() {
      if (this.state.outcome) return;
      const turns = this.rules.turns(this.state).filter((t) => this.rules.holds(this.state, t));
      for (let tries = 0; tries < 200 && turns.length; tries++) {
        const turn = turns[Math.floor(Math.random() * turns.length)];
        const made = [];
        let good = true;
        while (good && made.length < turn.choices.length) {
          const { choice, among, sizes } = this.rules.offer(this.state, turn, made);
          if (!sizes.length) { good = !choice.required && (made.length > 0 || turn.label.length > 0); break; }
          const size = sizes[sizes.length - 1];
          const there = members(among);
          let set = 0n;
          for (let k = 0; k < size; k++) set |= bit(there.splice(Math.floor(Math.random() * there.length), 1)[0]);
          made.push(set);
        }
        if (good && this.rules.leads(this.state, turn, made)) { this.finish(turn, made); return; }
      }
    }
    go(state, move) {
      if (move === null) this.log = [];
      else this.log.push(move);
      this.state = state;
      this.begin();
    }
    begin() {
      this.made = [];
      this.chosen = 0n;
      this.label = null;
      const turns = this.rules.turns(this.state);
      this.labels = [...new Set(turns.map((t) => t.label.join(" ")))];
      if (this.labels.length === 1) [this.label] = this.labels;
      this.more("");
    }
    /* The turns that are still possible after what has been picked. */
    open() {
      if (this.state.outcome || this.label === null) return [];
      return this.rules.turns(this.state).filter((t) => t.label.join(" ") === this.label && this.rules.holds(this.state, t)
        && this.made.length <= t.choices.length && this.rules.refusal(this.state, t, this.made) === null);
    }
    more(message) {
      if (!this.state.outcome && this.label !== null) {
        for (const turn of this.open()) {
          if (turn.choices.length === this.made.length) { this.finish(turn, this.made); return; }
          const { choice, among, sizes, due } = this.rules.offer(this.state, turn, this.made);
          const taking = choice.role === "capture" || choice.role === "remove";
          if (!sizes.length) {
            if (!choice.required && (this.made.length || turn.label.length)) { this.finish(turn, this.made); return; }
          } else if (sizes.length === 1 && (due === 0 || (taking && members(among).length === due))) {
            this.made = [...this.made, due === 0 ? 0n : among];
            this.more(message);
            return;
          }
        }
      }
      this.draw(message);
    }
    finish(turn, made) {
      const number = this.rules.turns(this.state).indexOf(turn);
      const written = this.rules.write(this.state, turn, made);
      const after = this.rules.play(this.state, { turn: number, sites: made });
      this.past.push({ state: this.state });
      this.go(after, written);
    }
    name(word) { return this.words.names?.[word] || word; }
    rule(id) {
      const known = this.words.rules?.[id];
      return make("a", { href: known ? known[1] : "#", text: known ? `${id}: ${known[0]}` : id });
    }
    legal() {
      let found = 0n;
      let due = 1;
      for (const turn of this.open()) {
        if (turn.choices.length <= this.made.length) continue;
        const offer = this.rules.offer(this.state, turn, this.made);
        if (!offer.sizes.length) continue;
        due = Math.max(...offer.sizes);
        for (const s of members(offer.among & ~this.chosen)) {
          if (due > 1 || this.rules.leads(this.state, turn, [...this.made, bit(s)])) found |= bit(s);
        }
      }
      return { found, due };
    }
    draw(message) {
      const { state } = this;
      const { found, due } = this.legal();
      const marks = {};
      if (this.marking) for (const s of members(found)) marks[s] = "legal";
      for (const s of members(this.chosen)) marks[s] = "captured";
      const turn = this.open()[0];
      if (turn) this.made.forEach((set, i) => members(set).forEach((s) => { if (turn.choices[i].role === "from") marks[s] = "from"; else if (turn.choices[i].role !== "capture") marks[s] = "here"; else marks[s] = "captured"; }));
      this.board.show(this.rules.cells(state), marks, this.rules.last(state));
      this.board.svg.querySelector("title").textContent = this.status();
      this.told.replaceChildren(make("strong", { text: this.status() }));
      if (state.outcome) this.told.append(" ", this.rule(state.outcome.rule));
      else if (due > 1) this.told.append(` · ${say("pick-sites", { n: due - members(this.chosen).length })}`);
      if (message) this.told.append(make("p", { class: "refused" }, ...[].concat(message)));
      this.list.textContent = this.log.map((m, i) => `${i + 1}. ${m}`).join("  ");
      this.hands.textContent = this.rules.hands(state).map(([who, what, n]) => `${this.name(who)} ${this.name(what)}: ${n}`).join(" · ");
      this.bar.replaceChildren();
      if (!state.outcome && this.labels.length > 1) {
        this.bar.append(`${say("pick-option")}: `);
        for (const label of this.labels) {
          const pressed = this.label === label;
          this.bar.append(make("button", { type: "button", text: label.length === 1 ? label.toUpperCase() : this.name(label), "aria-pressed": String(pressed), onclick: () => this.option(label) }));
        }
      }
      if (this.open().some((t) => t.choices.length > this.made.length && this.rules.offer(state, t, this.made).sizes.includes(members(this.chosen).length)) && (this.chosen || due > 0)) {
        const sizes = this.open().flatMap((t) => this.rules.offer(state, t, this.made).sizes);
        if (sizes.length > 1) this.bar.append(make("button", { type: "button", text: say("done"), onclick: () => this.commit() }));
      }
    }
    status() {
      const { outcome, seat } = this.state;
      if (!outcome) return `${say("acts")}: ${this.name(this.rules.data.players[seat])}`;
      if (outcome.kind === "win") return say("wins", { player: this.name(this.rules.data.players[outcome.winner]) });
      return say(outcome.kind === "draw" ? "drawn" : "no-rule");
    }
    option(label) {
      this.made = [];
      this.chosen = 0n;
      const turns = this.rules.turns(this.state).filter((t) => t.label.join(" ") === label);
      if (!turns.some((t) => this.rules.holds(this.state, t))) {
        this.label = null;
        this.refused(this.rules.refusal(this.state, turns[0], []), label);
        return;
      }
      this.label = label;
      this.more("");
    }
    commit() {
      this.made = [...this.made, this.chosen];
      this.chosen = 0n;
      this.more("");
    }
    refused(found, where) {
      if (!found) { this.draw(""); return; }
      const known = this.words.rules?.[found.rule];
      this.draw([`${where}: ${say("illegal")} — ${say("forbidden-by")} `, this.rule(found.rule), known && known[2] ? ` ${known[2]}` : ""]);
    }
    click(site) {
      if (site === null || this.state.outcome) return;
      const name = this.rules.data.names[site];
      if (this.label === null) { this.draw(say("pick-option")); return; }
      if (this.chosen & bit(site)) { this.chosen &= ~bit(site); this.draw(""); return; }
      const { found, due } = this.legal();
      if (!(found & bit(site))) {
        const last = this.made.length - 1;
        const turn = this.open()[0];
        if (turn && last >= 0 && turn.choices[last].role === "from") {
          const again = this.made.slice(0, last);
          const kept = this.made;
          this.made = again;
          if (this.legal().found & bit(site)) { this.made = [...again, bit(site)]; this.more(""); return; }
          this.made = kept;
        }
        let why = this.rules.forbids(this.state, [...this.made, bit(site)], this.label);
        if (!why && turn) {
          const later = turn.choices.slice(this.made.length + 1).find((c) => c.required);
          why = { rule: later ? later.rule : turn.rule, says: "" };
        }
        this.refused(why, name);
        return;
      }
      if (due > 1) {
        this.chosen |= bit(site);
        if (members(this.chosen).length === due) this.commit();
        else this.draw("");
        return;
      }
      this.made = [...this.made, bit(site)];
      this.more("");
    }
    key(event) {
      const { at } = this.board.kit;
      const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (ways) {
        event.preventDefault();
        if (this.at === null) this.at = Math.floor(at.length / 2);
        else {
          const [x, y] = at[this.at];
          let best = null;
          let least = Infinity;
          at.forEach(([ax, ay], s) => {
            const along = (ax - x) * ways[0] + (ay - y) * ways[1];
            const aside = Math.abs((ax - x) * ways[1]) + Math.abs((ay - y) * ways[0]);
            if (along > 1 && along + 3 * aside < least) { best = s; least = along + 3 * aside; }
          });
          if (best !== null) this.at = best;
        }
        this.board.cursor.replaceChildren();
        this.board.put(this.board.cursor, `${this.board.kit.prefix}-m-here`, this.at);
        this.speak();
      } else if (event.key === "Escape") {
        if (this.made.length || this.chosen) this.begin();
      } else if ((event.key === "Enter" || event.key === " ") && this.at !== null) {
        event.preventDefault();
        this.click(this.at);
      } else if (event.key === "u") this.undo();
    }
    /* What stands at the cursor, for those who hear the page. */
    speak() {
      const token = this.board.on[this.at];
      const words = [this.board.kit.names[this.at], token ? this.board.kit.pieces[token] : say("empty")];
      if (this.legal().found & bit(this.at)) words.push(say("legal").toLowerCase());
      this.spoken.textContent = words.join(", ");
    }
    toggle() { this.marking = !this.marking; this.draw(""); }
  }

  // -- search ------------------------------------------------------------------------------------------------------------------------

  const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const HAN = /\p{Script=Han}/u;

  /* Words of a text, and pairs of neighbouring Chinese characters. */
  function tokens(text) {
    const found = new Set();
    for (const word of folded(text).match(/[\p{L}\p{N}]+/gu) || []) {
      if (!HAN.test(word)) { found.add(word); continue; }
      const signs = [...word];
      if (signs.length === 1) found.add(word);
      for (let i = 0; i + 1 < signs.length; i++) found.add(signs[i] + signs[i + 1]);
    }
    return found;
  }

  /* A word without its ending, so that forms of a word find one another. */
  function stem(word) {
    if (word.length < 4 || HAN.test(word)) return word;
    const cut = document.documentElement.lang === "cs"
      ? word.replace(/(ami|emi|imi|ich|ech|ach|eho|emu|ymi|ou|em|um|am|im|ym|[aeiouy])$/, "")
      : word.replace(/(ings?|ed|es|s|ly)$/, "").replace(/([^aeiouls])\1$/, "$1").replace(/e$/, "");
    return cut.length < 3 ? word : cut;
  }

  class Index {
    constructor(entries) {
      const cut = (text) => { const words = [...tokens(text)]; return { text: folded(text), words: new Set(words), all: words, stems: new Set(words.map(stem)) }; };
      this.entries = entries.map((e) => ({ ...e, inTitle: cut(`${e.t} ${e.i}`), inText: cut(`${e.x} ${e.g}`) }));
    }
    /* How well a word fits: whole, as a beginning, or in another form; each more in a title than in a text. */
    fit(word, part) {
      if (HAN.test(word)) return part.text.includes(word) ? 4 : 0;
      if (part.words.has(word)) return 4;
      if (part.all.some((w) => w.startsWith(word))) return 2;
      return part.stems.has(stem(word)) ? 1 : 0;
    }
    find(query, most = 20) {
      const asked = [...tokens(query)];
      if (!asked.length) return [];
      const whole = folded(query).trim();
      const scored = [];
      for (const e of this.entries) {
        const fits = asked.map((t) => 4 * this.fit(t, e.inTitle) + this.fit(t, e.inText));
        if (fits.includes(0)) continue;
        const title = folded(e.t);
        const close = folded(e.i) === whole ? 100 : title === whole ? 60 : title.startsWith(whole) ? 12 : 0;
        const named = asked.every((t) => this.fit(t, e.inTitle)) ? 8 - Math.min(4, e.inTitle.all.length / 4) : 0;
        const aside = e.i.startsWith("question.") || e.i.startsWith("note.") ? 6 : 0;
        scored.push([fits.reduce((a, b) => a + b) / asked.length + close + named - aside, e]);
      }
      return scored.sort((a, b) => b[0] - a[0]).slice(0, most).map(([, e]) => e);
    }
  }

  function search(form) {
    const input = form.querySelector("input");
    const list = form.querySelector(".results");
    const root = document.documentElement.dataset.root;
    let index = null;
    window.lawstoneIndex = (entries) => { index = new Index(entries); show(); };
    const load = () => {
      if (load.done) return;
      load.done = true;
      document.head.append(make("script", { src: `${root}static/search.${document.documentElement.lang}.js` }));
    };
    const show = () => {
      list.replaceChildren();
      list.hidden = !input.value.trim();
      if (!index || list.hidden) return;
      const found = index.find(input.value);
      if (!found.length) list.append(make("li", { text: say("search-none") }));
      for (const e of found) {
        list.append(make("li", {}, make("a", { href: root + e.u }, make("b", { text: e.t }), make("span", { text: ` ${e.g} · ${e.i}` }), make("small", { text: e.x.slice(0, 110) }))));
      }
    };
    form.hidden = false;
    input.addEventListener("focus", load);
    input.addEventListener("input", () => { load(); show(); });
    form.addEventListener("submit", (e) => { e.preventDefault(); const first = list.querySelector("a"); if (first) window.location.href = first.href; });
    form.addEventListener("keydown", (e) => {
      const links = [...list.querySelectorAll("a")];
      const here = links.indexOf(document.activeElement);
      if (e.key === "Escape") { input.value = ""; show(); input.focus(); }
      if (e.key === "ArrowDown" && links.length) { e.preventDefault(); links[Math.min(here + 1, links.length - 1)].focus(); }
      if (e.key === "ArrowUp" && here >= 0) { e.preventDefault(); (here ? links[here - 1] : input).focus(); }
    });
    document.addEventListener("keydown", (e) => { if (e.key === "/" && !/INPUT|TEXTAREA|SELECT/.test(document.activeElement.tagName)) { e.preventDefault(); input.focus(); } });
  }

  // -- the page ----------------------------------------------------------------------------------------------------------------------

  function theme(button) {
    const kept = { get: () => { try { return localStorage.getItem("lawstone-theme"); } catch { return null; } }, set: (v) => { try { localStorage.setItem("lawstone-theme", v); } catch { /* a page from a file may have no store */ } } };
    const root = document.documentElement;
    if (kept.get()) root.dataset.theme = kept.get();
    button.hidden = false;
    button.addEventListener("click", () => {
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      kept.set(root.dataset.theme);
    });
  }

  function start() {
    const button = document.querySelector("button.theme");
    if (button) theme(button);
    for (const form of document.querySelectorAll("form.search")) search(form);
    for (const figure of document.querySelectorAll("figure[data-steps]")) stepper(figure);
    for (const root of document.querySelectorAll(".table")) root.table = new Table(root);
    for (const link of document.querySelectorAll("nav.languages a")) {
      link.addEventListener("click", () => { link.hash = inSight(window.location.hash) || here(); });
    }
    for (const here of document.querySelectorAll("nav.game [aria-current]")) {
      const bar = here.parentElement;
      bar.scrollLeft = here.offsetLeft - (bar.clientWidth - here.offsetWidth) / 2;
    }
    for (const contents of document.querySelectorAll(".toc details")) contents.open = !matchMedia("(max-width: 63.99rem)").matches;
    follow();
  }

  /* A fragment whose place can be seen now; else the empty string. */
  function inSight(fragment) {
    const place = fragment.length > 1 ? document.getElementById(decodeURIComponent(fragment.slice(1))) : null;
    const top = place ? place.getBoundingClientRect().top : -1;
    return top >= 0 && top < window.innerHeight ? fragment : "";
  }

  /* The rule at the top of the window: the language switch stays at it, and the contents mark it. */
  function here() {
    let found = "";
    for (const article of document.querySelectorAll("article.rule[id]")) {
      if (article.getBoundingClientRect().top > 140) break;
      found = `#${article.id}`;
    }
    return found;
  }

  function follow() {
    const links = new Map([...document.querySelectorAll(".toc a[href^='#']")].map((a) => [a.getAttribute("href"), a]));
    if (!links.size) return;
    let marked = null;
    let waiting = false;
    const mark = () => {
      waiting = false;
      const link = links.get(here()) || null;
      if (link === marked) return;
      if (marked) marked.removeAttribute("aria-current");
      if (link) link.setAttribute("aria-current", "true");
      marked = link;
    };
    addEventListener("scroll", () => { if (!waiting) { waiting = true; requestAnimationFrame(mark); } }, { passive: true });
    mark();
  }

  window.Lawstone = { Rules, Index, members, tokens };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
