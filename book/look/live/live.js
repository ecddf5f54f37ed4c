// Run and edit the cells of this page. Python itself, the editor and the
// renderer of graphs are loaded when they are first needed, not before.
{
  const script = document.currentScript;
  const files = new URL("./", script.src).href;
  const parts = Object.fromEntries(
    Object.entries(JSON.parse(script.dataset.parts)).map(([name, path]) => [
      name,
      new URL(path, new URL("../", files)).href,
    ]),
  );
  const notebook = new URL(
    script.dataset.notebook,
    new URL("../../", files),
  ).href;
  const keep = script.dataset.keep && `gradients:${location.pathname}`;
  const FILE =
    "This page was opened as a file, and browsers run Python in pages from a " +
    "server only. In the folder of the book, run: python -m http.server";

  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };

  // ---- One cell -------------------------------------------------------

  class Cell {
    constructor(bar) {
      this.bar = bar;
      this.box = bar.closest(".cell");
      this.id = this.box.id.replace("cell-", "");
      this.number = Number(bar.dataset.cell);
      this.input = this.box.querySelector(".cell_input");
      this.pre = this.input.querySelector("pre");
      this.markup = this.pre.innerHTML;
      this.original = this.pre.textContent.replace(/\n$/, "");
      this.source = this.original;
      this.stored = [...this.box.querySelectorAll(".cell_output")];
      this.shown = []; // what the last run showed, to be kept
      this.ran = false;
      this.buttons = {
        run: this.button("Run", () => run(this)),
        above: this.button("Run all above", () => run(this, true)),
        stop: this.button("Stop", stop),
        edit: this.button("Edit", () => this.edit()),
        reset: this.button("Reset", () => this.reset()),
      };
      this.status = make("span", { className: "live-status" });
      this.status.setAttribute("role", "status");
      bar.append(
        make("span", { className: "live-number", textContent: this.number }),
        ...Object.values(this.buttons),
        this.status,
      );
      this.output = make("div", { className: "cell_output live-output" });
      this.output.hidden = true;
      this.box.append(this.output);
      this.pre.addEventListener("click", () => {
        if (getSelection().isCollapsed) this.edit();
      });
      this.refresh();
    }

    button(text, action) {
      const button = make("button", { type: "button", textContent: text });
      button.setAttribute("aria-label", `${text}, cell ${this.number}`);
      button.addEventListener("click", action);
      return button;
    }

    get changed() {
      return this.source !== this.original;
    }

    refresh() {
      const { run, above, stop, edit, reset } = this.buttons;
      const busy = running === this;
      run.hidden = busy;
      stop.hidden = !busy;
      above.hidden = busy || !(this.ran || this.editor) || cells[0] === this;
      edit.hidden = Boolean(this.editor);
      reset.hidden = !(this.changed || this.editor || !this.output.hidden);
      this.box.classList.toggle("live-busy", busy);
      this.box.classList.toggle("live-changed", this.changed);
    }

    async edit() {
      if (this.editor) return this.editor.textarea.focus();
      if (location.protocol === "file:") return this.say(FILE);
      const create = await loadEditor();
      if (this.editor) return;
      this.editor = create(this);
      this.refresh();
      this.editor.textarea.focus();
    }

    replace(source) {
      this.source = source;
      if (this.editor) this.editor.setOptions({ value: source });
      else if (this.changed) this.pre.textContent = source;
      else this.pre.innerHTML = this.markup;
    }

    reset() {
      this.editor?.remove();
      this.editor = undefined;
      this.input.classList.remove("live-editing");
      this.replace(this.original);
      this.clear();
      this.output.hidden = true;
      for (const output of this.stored) output.hidden = false;
      this.say("This is the cell as the book has it.");
      save();
      this.refresh();
      this.buttons.edit.focus();
    }

    say(text) {
      this.status.textContent = text;
    }

    clear() {
      this.output.replaceChildren();
      this.shown = [];
    }

    begin() {
      this.clear();
      for (const output of this.stored) output.hidden = true;
      this.output.hidden = false;
    }

    async show(kind, text, alt) {
      const last = this.shown.at(-1);
      if (kind === "dot") {
        this.shown.push({ kind, text, alt });
        this.output.append(await picture(text, this.alt(alt)));
      } else if (last?.kind === kind && kind.startsWith("std")) {
        last.text += text;
        this.output.lastElementChild.textContent += text;
      } else {
        this.shown.push({ kind, text });
        const pre = make("pre", { textContent: text, tabIndex: 0 });
        pre.className = `live-${kind}`;
        this.output.append(pre);
      }
    }

    // The author's sentence fits the picture while the code is the author's.
    alt(words) {
      const pictures = this.stored.flatMap((o) => [
        ...o.querySelectorAll("img[alt]"),
      ]);
      return (!this.changed && pictures[0]?.alt) || words;
    }
  }

  // ---- Python ---------------------------------------------------------

  let worker; // a promise of one that is ready
  let running; // the cell that runs
  let settle; // ends the run of a cell
  const queue = [];

  // What cells that run elsewhere import, the live ones may use.
  const imports = [...document.querySelectorAll("[data-imports]")]
    .map((bar) => bar.dataset.imports)
    .join("\n");

  function start() {
    const python = new Worker(files + "worker.js", { type: "module" });
    let shown = Promise.resolve(); // pictures take a while: keep the order
    worker = new Promise((resolve, reject) => {
      python.onmessage = ({ data: { kind, text, more } }) => {
        const cell = running;
        if (kind === "ready") resolve(python);
        else if (kind === "done") shown = shown.then(() => settle?.(text));
        else if (kind === "fatal") {
          reject(new Error(text));
          settle?.(false, `Python stopped: ${text}`);
        } else shown = shown.then(() => cell?.show(kind, text, more));
      };
      python.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message || "the worker could not be loaded"));
      };
    });
    worker.python = python;
    python.postMessage({ pyodide: parts.pyodide, files, imports });
    return worker;
  }

  function end() {
    worker?.python.terminate();
    worker = undefined;
    queue.length = 0;
    for (const cell of cells) cell.ran = false;
  }

  function stop() {
    const cell = running;
    end();
    settle?.(false, "Stopped. The names of this page are gone; Run starts anew.");
    cell?.refresh();
    cell?.buttons.run.focus();
  }

  // Run a cell, and first whatever stands above it and has not run yet.
  async function run(cell, again = false) {
    if (location.protocol === "file:") return cell.say(FILE);
    const above = cells.slice(0, cells.indexOf(cell));
    queue.push(...above.filter((c) => again || !c.ran), cell);
    if (running) return;
    while (queue.length) {
      const next = queue.shift();
      if (next === cell || again || !next.ran) {
        const wait = cell !== next && `Running cell ${next.number} above …`;
        if (wait) cell.say(wait);
        if (!(await runOne(next, cell))) {
          queue.length = 0;
          if (next !== cell && !/^Stopped/.test(next.status.textContent))
            cell.say(`Cell ${next.number} above ended with an error.`);
        }
      }
    }
  }

  async function runOne(cell, asked) {
    running = cell;
    cell.refresh();
    const restore = document.activeElement === cell.buttons.run;
    if (document.activeElement?.closest?.(".live-bar") === cell.bar)
      cell.buttons.stop.focus();
    let outcome;
    const finished = new Promise((resolve) => {
      settle = (good, text) => resolve({ good, text });
    });
    try {
      if (!worker) {
        asked.say("Python is loading: about 6 MB, once …");
        asked.box.classList.add("live-loading");
        start();
      }
      const python = await Promise.race([worker, finished.then(() => null)]);
      if (python) {
        if (asked === cell) cell.say("Running …");
        cell.begin();
        python.postMessage({ number: cell.number, source: cell.source });
      }
      outcome = await finished;
    } catch (error) {
      end();
      outcome = { good: false, text: `Python could not be loaded: ${error.message}` };
    }
    asked.box.classList.remove("live-loading");
    if (/^Python stopped/.test(outcome.text)) end();
    running = settle = undefined;
    cell.ran = Boolean(worker);
    if (cell === asked || outcome.text) {
      const words = outcome.good ? "Done." : "Ended with an error.";
      cell.say(outcome.text || words);
      if (asked !== cell) asked.say("");
    }
    const focused = document.activeElement === cell.buttons.stop;
    cell.refresh();
    if (focused || (restore && document.activeElement === document.body))
      cell.buttons.run.focus();
    save();
    return outcome.good;
  }

  // ---- Parts that are loaded when needed ------------------------------

  let editing;
  function loadEditor() {
    editing ??= (async () => {
      const link = make("link", {
        rel: "stylesheet",
        href: parts.editor + "layout.css",
      });
      document.head.append(link);
      const [core, commands] = await Promise.all([
        import(parts.editor + "index.js"),
        import(parts.editor + "extensions/commands/index.js"),
        import(parts.editor + "languages/python.js"),
        import(parts.editor + "prism/languages/python.js"),
      ]);
      commands.setIgnoreTab(true); // Tab leaves the editor; Ctrl+M indents
      return (cell) => {
        const box = make("div", { className: "live-editor" });
        cell.input.append(box);
        cell.input.classList.add("live-editing");
        const keys = {
          ...commands.defaultKeymap,
          "8+Enter": () => (run(cell), true),
          "Mod+Enter": () => (run(cell), true),
          Escape: () => (cell.buttons.run.focus(), true),
        };
        const editor = core.createEditor(
          box,
          {
            language: "python",
            value: cell.source,
            tabSize: 4,
            lineNumbers: false,
            onUpdate(value) {
              cell.source = value;
              cell.refresh();
              save();
            },
          },
          commands.editorCommands(keys),
        );
        editor.textarea.setAttribute("aria-label", `Code of cell ${cell.number}`);
        const remove = editor.remove;
        return Object.assign(Object.create(editor), {
          remove: () => (remove(), box.remove()),
        });
      };
    })();
    return editing;
  }

  let graphviz;
  async function picture(dot, alt) {
    graphviz ??= import(parts.graphviz).then((viz) => viz.instance());
    const svg = (await graphviz).renderString(dot, { format: "svg" });
    const src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
    return make("img", { src, alt, className: "live-dot" });
  }

  // ---- Work that outlives a reload, on exercise pages ------------------

  function save() {
    if (!keep) return;
    const work = {};
    for (const cell of cells)
      if (cell.changed || cell.shown.length)
        work[cell.id] = {
          source: cell.changed ? cell.source : null,
          shown: cell.shown.filter((o) => o.text.length < 20000),
        };
    try {
      if (Object.keys(work).length)
        localStorage.setItem(keep, JSON.stringify(work));
      else localStorage.removeItem(keep);
    } catch {
      tell("This browser keeps nothing for this page: download your work.");
    }
  }

  function restore() {
    let work = {};
    try {
      work = JSON.parse(localStorage.getItem(keep)) || {};
    } catch {} // kept by an older book, or not readable
    for (const cell of cells) {
      const { source, shown = [] } = work[cell.id] || {};
      if (typeof source === "string") cell.replace(source);
      if (shown.length) {
        cell.begin();
        for (const { kind, text, alt } of shown) cell.show(kind, text, alt);
      }
      cell.refresh();
    }
  }

  async function download() {
    if (location.protocol === "file:") return tell(FILE);
    const book = await (await fetch(notebook)).json();
    for (const cell of cells) {
      const kept = book.cells.find((c) => c.id === cell.id);
      if (!kept) continue;
      const lines = cell.source.split(/(?<=\n)/);
      if (cell.changed) Object.assign(kept, { source: lines, outputs: [] });
    }
    const blob = new Blob([JSON.stringify(book, null, 1) + "\n"]);
    const link = make("a", {
      href: URL.createObjectURL(blob),
      download: notebook.split("/").at(-1),
    });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    tell("The notebook holds your edits; run it in Jupyter, Colab or Binder.");
  }

  function forget() {
    localStorage.removeItem(keep);
    for (const cell of cells) cell.reset();
    localStorage.removeItem(keep);
    tell("Your work on this page is cleared.");
    work.querySelector("button").focus();
  }

  let work;
  const tell = (text) => (work.querySelector("[role=status]").textContent = text);

  function addWork() {
    const button = (textContent, action) => {
      const element = make("button", { type: "button", textContent });
      element.addEventListener("click", action);
      return element;
    };
    const status = make("span", { className: "live-status" });
    status.setAttribute("role", "status");
    work = make(
      "div",
      { className: "live-work" },
      make("span", {
        textContent: "What you change here is kept in this browser only.",
      }),
      button("Download as notebook", download),
      button("Clear my work", forget),
      status,
    );
    document.querySelector(".bd-article h1").after(work);
  }

  const cells = [];
  for (const bar of document.querySelectorAll(".live-bar[data-cell]"))
    cells.push(new Cell(bar));
  if (keep) {
    addWork();
    restore();
  }
}
