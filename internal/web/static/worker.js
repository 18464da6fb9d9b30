// The engine in a worker of the browser: the same Go program as on the server, as WebAssembly. Here it is fetched, and
// its messages are carried; docs/protocol.md describes them.

const base = import.meta.url;

/** @type {Wire.Ask[]} */
const early = [];

const loa = {
  /** What the page asks; the engine puts its own function in place of this. @param {Wire.Ask} ask */
  hear: (ask) => void early.push(ask),
  /** What the engine says. @param {string} message */
  say: (message) => postMessage(JSON.parse(message)),
  /** A file beside this one, or what was wrong, for the engine. @param {string} name @returns {Promise<Uint8Array | string>} */
  async fetch(name) {
    try {
      const answer = await fetch(new URL(name, base));
      return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : `status ${answer.status}`;
    } catch (error) {
      return String(error);
    }
  },
};
const scope = /** @type {any} */ (globalThis);
scope.loa = loa;
addEventListener("message", ({ data }) => loa.hear(data));

try {
  await import(new URL("wasm_exec.js", base).href); // Go's own, which defines Go
  const go = new scope.Go();
  const { instance } = await WebAssembly.instantiateStreaming(fetch(new URL("loa.wasm", base)), go.importObject);
  go.run(instance);
  for (const ask of early) loa.hear(ask);
} catch (error) {
  postMessage({ v: 2, type: "wrong", text: String(error) });
}
