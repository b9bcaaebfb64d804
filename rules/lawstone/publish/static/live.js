/* On a served page: load it anew after a good build, and show what is wrong after another. */
(() => {
  let seen = null;
  let open = null;
  const make = (name, text, style) => {
    const made = document.createElement(name);
    made.textContent = text;
    made.style.cssText = style || "";
    return made;
  };
  const close = () => { if (open) open.remove(); open = null; };
  function show(told) {
    close();
    if (!told.faults.length) return;
    open = make("section", "", "position:fixed;inset:auto 0 0 0;max-height:70vh;overflow:auto;z-index:99;padding:1rem 1.4rem 1.4rem;background:#2a1512;color:#fbe9e4;font:15px/1.5 system-ui,sans-serif;border-top:4px solid #e0604a;box-shadow:0 -8px 40px rgb(0 0 0/.4)");
    open.id = "faults";
    open.setAttribute("role", "alert");
    const count = told.faults.length + told.more;
    const stale = told.good < told.tried ? " Nothing could be built; the pages are those of the last good build." : "";
    const shut = make("button", "×", "position:absolute;top:.5rem;right:.8rem;border:0;background:none;color:inherit;font-size:1.6rem;cursor:pointer");
    shut.setAttribute("aria-label", "close");
    shut.addEventListener("click", close);
    open.append(shut, make("p", `${count} ${count === 1 ? "fault" : "faults"}.${stale}`, "margin:0 0 .6rem;font-weight:600"));
    for (const f of told.faults) {
      open.append(make("p", `${f.where}: ${f.message} [${f.code}]`, "margin:.7rem 0 .2rem"));
      if (f.line) {
        const code = make("pre", "", "margin:0;padding:.4rem .7rem;background:#1a0c0a;color:inherit;overflow:auto;border-radius:6px;font:13px/1.5 ui-monospace,monospace");
        const at = f.column - 1;
        const word = f.line.slice(at).match(/^[\p{L}\p{N}_.-]+|^./u);
        const found = word ? word[0] : " ";
        code.append(f.line.slice(0, at), make("mark", found, "background:#e0604a;color:#fff;border-radius:2px"), f.line.slice(at + found.length));
        open.append(code);
      }
      if (f.hint) open.append(make("p", `hint: ${f.hint}`, "margin:.15rem 0 0;opacity:.85"));
    }
    if (told.more) open.append(make("p", `and ${told.more} more`));
    document.body.append(open);
  }
  async function ask() {
    try {
      const told = await (await fetch("/.changes")).json();
      if (seen && told.good !== seen.good) { location.reload(); return; }
      if (!seen || told.tried !== seen.tried) show(told);
      seen = told;
    } catch { /* the server is away */ }
    setTimeout(ask, 700);
  }
  ask();
})();
