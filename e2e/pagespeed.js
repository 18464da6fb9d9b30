// Measures how fast the pages are on a slow telephone: a processor four times slower, 1.6 Mbit/s, 150 ms there and back.
// Prints a table, and fails when a page misses its figure. Usage: LOA_BIN=path node pagespeed.js [--runs N]

import { chromium } from "@playwright/test";
import config from "./playwright.config.js";
import { Club } from "./club.js";
import { LIMIT } from "./weight.js";

const RUNS = Number(process.argv[process.argv.indexOf("--runs") + 1]) || 5;
const SLOWER = 4;
const NETWORK = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 1.6e6 / 8 };
const INTERACTIVE = 1500; // milliseconds after the first byte

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Notes when the board can be used, and every shift of the layout. */
function watch() {
  const seen = /** @type {any} */ (globalThis);
  seen.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!(/** @type {any} */ (entry).hadRecentInput)) seen.shift += /** @type {any} */ (entry).value;
  }).observe({ type: "layout-shift", buffered: true });
  const timer = setInterval(() => {
    if (!document.querySelector("#board .grab")) return;
    seen.ready = performance.now();
    clearInterval(timer);
  }, 5);
}

/** Opens a page as somebody who was never here before. */
async function visit(browser, url, then = async () => ({})) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  let bytes = 0;
  await session.send("Network.enable");
  session.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  await session.send("Network.emulateNetworkConditions", NETWORK);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await page.addInitScript(watch);
  await page.goto(url);
  await page.waitForFunction(() => "ready" in globalThis);
  const { ready, shift, first } = await page.evaluate(() => ({
    ready: /** @type {any} */ (globalThis).ready, shift: /** @type {any} */ (globalThis).shift,
    first: /** @type {any} */ (performance.getEntriesByType("navigation")[0]).responseStart,
  }));
  const more = await then(page);
  await context.close();
  return { interactive: ready - first, bytes, shift, ...more };
}

/** A move by tapping: when it is on the screen, and when the server has answered. */
async function move(page) {
  return page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const square = (name) => /** @type {HTMLElement} */ (document.querySelector(`[data-square=${name}]`));
    square("c8").click();
    await frame();
    const began = performance.now(), drawn = () => square("c6").ariaLabel?.includes("black piece");
    let frames = 0;
    square("c6").click();
    for (; !drawn() && frames < 100; frames++) await frame();
    while (document.querySelectorAll("#moves button").length < 1) await frame();
    return { frames, answered: performance.now() - began };
  });
}

const browser = await chromium.launch(config.use.launchOptions);
const club = await Club.open();
try {
  const rows = [];
  for (const name of ["home", "game"]) {
    const visits = [];
    for (let run = 0; run < RUNS; run++) {
      let url = club.url;
      if (name === "game") {
        const answer = await fetch(`${club.url}/play`, { method: "POST", body: new URLSearchParams({ level: "1" }), redirect: "manual" });
        const cookie = answer.headers.getSetCookie().map((one) => one.split(";")[0]);
        url = new URL(answer.headers.get("location") ?? "", club.url).href;
        visits.push(await visit({ newContext: async (options) => {
          const context = await browser.newContext(options);
          await context.addCookies(cookie.map((one) => ({ name: one.split("=")[0], value: one.slice(one.indexOf("=") + 1), url: club.url })));
          return context;
        } }, url, move));
      } else visits.push(await visit(browser, url));
    }
    const of = (key) => median(visits.map((one) => one[key]));
    rows.push({ page: name, interactive: of("interactive"), bytes: of("bytes"), shift: Math.max(...visits.map((one) => one.shift)), frames: of("frames"), answered: of("answered") });
  }
  for (const { page, interactive, bytes, shift, frames, answered } of rows) {
    const moved = page === "game" ? `, a move drawn after ${frames} frames, answered after ${Math.round(answered)} ms` : "";
    console.log(`${page}: interactive ${Math.round(interactive)} ms after the first byte (at most ${INTERACTIVE}), ${(bytes / 1000).toFixed(1)} kB (at most ${LIMIT / 1000}), layout shift ${shift}${moved}`);
    if (interactive > INTERACTIVE || bytes > LIMIT || shift > 0 || frames > 1) process.exitCode = 1;
  }
} finally {
  await browser.close();
  await club.close();
}
