// Prints what the home, game, lobby and puzzle pages weigh on the wire, everything included, and fails when one is too heavy.
// Usage: LOA_BIN=path node weight.js

import { get, request } from "node:http";
import { pathToFileURL } from "node:url";
import { Club } from "./club.js";

/** The most a page may weigh, in bytes. */
export const LIMIT = 60_000;

/**
 * The bytes of a body as they travel.
 * @param {string} url
 * @returns {Promise<{bytes: number, text: string}>}
 */
const fetched = (url) => new Promise((resolve, reject) => {
  const read = (encoding) => new Promise((done, failed) => get(url, { headers: { "Accept-Encoding": encoding } }, (answer) => {
    const parts = [];
    answer.on("data", (part) => parts.push(part)).on("end", () => done(Buffer.concat(parts))).on("error", failed);
  }).on("error", failed));
  Promise.all([read("gzip"), read("identity")]).then(([zip, plain]) => resolve({ bytes: zip.length, text: plain.toString() }), reject);
});

/** Begins a game and returns its address. @param {string} url @returns {Promise<string>} */
const begun = (url) => new Promise((resolve, reject) => {
  const ask = request(`${url}/play`, { method: "POST", headers: { "Content-Type": "application/x-www-form-urlencoded" } }, (answer) => {
    answer.resume();
    resolve(new URL(answer.headers.location ?? "", url).href);
  });
  ask.on("error", reject).end("level=1");
});

/**
 * The weight of each page with all the files it refers to.
 * @param {string} url of a running club
 * @returns {Promise<{page: string, bytes: number, files: [string, number][]}[]>}
 */
export async function weights(url) {
  const out = [];
  for (const [page, address] of [["home", `${url}/`], ["game", await begun(url)], ["lobby", `${url}/lobby`], ["puzzle", `${url}/puzzles/daily`]]) {
    const html = await fetched(address);
    const paths = [...new Set(html.text.match(/\/static\/[0-9a-f]+\/[\w.-]+/g))].filter((path) => !path.endsWith("/icon-192.png")); // for whoever installs the site
    const files = [["html", html.bytes]];
    for (const path of paths) files.push([path.split("/").pop() ?? "", (await fetched(url + path)).bytes]);
    out.push({ page, bytes: files.reduce((sum, [, bytes]) => sum + bytes, 0), files });
  }
  return out;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const club = await Club.open();
  try {
    for (const { page, bytes, files } of await weights(club.url)) {
      console.log(`${page}: ${(bytes / 1000).toFixed(1)} kB of at most ${LIMIT / 1000} kB  (${files.map(([name, size]) => `${name} ${(size / 1000).toFixed(1)}`).join(", ")})`);
      if (bytes > LIMIT) process.exitCode = 1;
    }
  } finally {
    await club.close();
  }
}
