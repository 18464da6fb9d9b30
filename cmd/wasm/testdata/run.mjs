// Runs the browser's engine in Node.js: each line of the input is a message to it, each of the output one from it.
// Usage: node run.mjs wasm_exec.js loa.wasm DIRECTORY-OF-NETS DIRECTORY-OF-BOOKS

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [runtime, program, nets, books] = process.argv.slice(2);
globalThis.loa = {
  say: (message) => process.stdout.write(message + "\n"),
  fetch: (name) => readFile(`${name.endsWith(".book") ? books : nets}/${name}`).then((body) => new Uint8Array(body), String),
};
await import(pathToFileURL(runtime).href);
const go = new Go();
const { instance } = await WebAssembly.instantiate(await readFile(program), go.importObject);
go.run(instance);
createInterface({ input: process.stdin }).on("line", (line) => loa.hear(JSON.parse(line))).on("close", () => process.exit());
