// A minimal adapter: an engine of XXung, and the loop that lets `lawstone conform xxung -- node adapter.js` ask it.
"use strict";

const FILES = "abcdefghi";
const STRAIGHT = [[0, 1], [1, 0], [0, -1], [-1, 0]];
const AXES = [[1, 0], [0, 1], [1, 1], [1, -1]];

// The engine. Put your own in its place.

class Game {
  constructor(moves) {
    this.board = new Map();
    this.last = null;
    this.outcome = "none";
    for (const move of moves) this.play(move);
  }

  acts() {
    return ["first", "second"][this.board.size % 2];
  }

  ray(site, dx, dy) {
    const found = [];
    let x = FILES.indexOf(site[0]) + dx, y = Number(site.slice(1)) + dy;
    for (; x >= 0 && x < 9 && y >= 1 && y <= 9; x += dx, y += dy) found.push(FILES[x] + y);
    return found;
  }

  legal() {
    if (this.outcome !== "none") return [];
    if (this.last === null) return [...FILES].flatMap((f) => [1, 2, 3, 4, 5, 6, 7, 8, 9].map((r) => f + r));
    return STRAIGHT.flatMap(([dx, dy]) => {
      const ray = this.ray(this.last, dx, dy);
      const stop = ray.findIndex((site) => this.board.has(site));
      return stop < 0 ? ray : ray.slice(0, stop);
    });
  }

  run(site, dx, dy) {
    const ray = this.ray(site, dx, dy);
    const stop = ray.findIndex((other) => this.board.get(other) !== this.board.get(site));
    return stop < 0 ? ray.length : stop;
  }

  play(move) {
    if (!this.legal().includes(move)) throw new Error(move + " is not legal");
    const mover = this.acts();
    this.board.set(move, "xo"[this.board.size % 2]);
    this.last = move;
    if (AXES.some(([x, y]) => 1 + this.run(move, x, y) + this.run(move, -x, -y) >= 5))
      this.outcome = { result: "win", winner: mover, by: "end.five" };
    else if (this.legal().length === 0) this.outcome = { result: "win", winner: mover, by: "end.blocked" };
  }
}

// The adapter. It stays as it is for most games.

function answer(request) {
  if (request.game !== "xxung" || request.variant || request.size) return { unsupported: true };
  const game = new Game(request.moves);
  switch (request.ask) {
    case "legal moves":
      return { moves: game.legal() };
    case "is legal":
      return { legal: game.legal().includes(request.move) };
    case "after":
      game.play(request.move);
      return { board: Object.fromEntries(game.board), outcome: game.outcome };
    case "outcome":
      return { outcome: game.outcome };
    case "who acts":
      return { acts: game.acts() };
    default:
      return { unsupported: true };
  }
}

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  let reply;
  try {
    reply = answer(request);
  } catch (error) {
    reply = { error: error.message };
  }
  console.log(JSON.stringify({ id: request.id, ...reply }));
});
