// Python, beside the page: a loop without end cannot freeze the reader.
let run;

const say = (kind, text, more) => postMessage({ kind, text, more });

async function start({ pyodide, files, imports }) {
  const fetches = ["runner.py", "modules.zip"].map((name) =>
    fetch(files + name).then((answer) => answer.arrayBuffer()),
  );
  const { loadPyodide } = await import(pyodide + "pyodide.mjs");
  const python = await loadPyodide({ indexURL: pyodide });
  const [runner, modules] = await Promise.all(fetches);
  python.FS.writeFile("/modules.zip", new Uint8Array(modules));
  python.runPython("import sys; sys.path.insert(0, '/modules.zip')");
  python.runPython(new TextDecoder().decode(runner), { filename: "<runner>" });
  run = python.globals.get("run");
  run(0, imports, () => {});
}

onmessage = async ({ data }) => {
  try {
    if (data.files) {
      await start(data);
      say("ready");
    } else {
      say("done", run(data.number, data.source, say));
    }
  } catch (error) {
    say("fatal", String(error));
  }
};
