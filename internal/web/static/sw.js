// What lets one's own board, the course, the guide and the puzzles work without network: a copy of their pages, and of all static
// files of this version. Pages are asked of the server first, so that nobody sees an old one while there is a network.

const [ROOT, file] = location.pathname.split("/static/"); // of the site: empty, or the path under which a proxy has it
const VERSION = file.split("/")[0];
const PUZZLE = `${ROOT}/puzzles/away`, PUZZLES = `${ROOT}/puzzles/all`; // the page that shows any of them, and all of them
const PAGES = [`${ROOT}/board`, `${ROOT}/learn`, `${ROOT}/guide`, `${ROOT}/about`, PUZZLE];
const LATER = ["worker.js", "wasm_exec.js", "no-capture.net", "six.net", "standard.book", "analysis.js", "advice.js", "away.js"]; // no page names them in its text
const worker = /** @type {any} */ (globalThis);

/** Keeps a page and every file it names. @param {Cache} cache @param {string} page */
async function keep(cache, page) {
  const answer = await fetch(page);
  if (!answer.ok) throw new Error(`${page}: ${answer.status}`);
  await cache.put(page, answer.clone());
  const files = new Set((await answer.text()).match(/\/static\/[\w-]+\/[\w.-]+/g) ?? []);
  for (const file of files) if (!await cache.match(ROOT + file)) await cache.add(ROOT + file);
}

async function fill() {
  const cache = await caches.open(VERSION);
  await cache.addAll(LATER.map((name) => `${ROOT}/static/${VERSION}/${name}`));
  await cache.add(PUZZLES);
  for (const page of PAGES) await keep(cache, page);
}

/** The page that is kept in place of another one. @param {string} pathname */
function instead(pathname) {
  if (PAGES.includes(pathname)) return pathname;
  return pathname === `${ROOT}/puzzles` || pathname.startsWith(`${ROOT}/puzzles/`) ? PUZZLE : PAGES[0];
}

/** A file of this version: the copy of it, else from the server. @param {Request} request */
const fromCopy = async (request) => await caches.match(request) ?? fetch(request);

/** A page: from the server, else the copy of it, else one's own board. @param {Request} request */
async function page(request) {
  const { pathname, search } = new URL(request.url);
  try {
    const answer = await fetch(request);
    if (answer.ok && !search && PAGES.includes(pathname)) await (await caches.open(VERSION)).put(pathname, answer.clone());
    return answer;
  } catch (fault) {
    const kept = await caches.match(instead(pathname));
    if (!kept) throw fault;
    return kept;
  }
}

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(fill().then(() => worker.skipWaiting())));

worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name !== VERSION) await caches.delete(name);
  await worker.clients.claim();
})()));

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event, { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (pathname === PUZZLES) event.respondWith(fetch(request).catch(() => caches.match(PUZZLES)));
  else if (pathname.startsWith(`${ROOT}/static/${VERSION}/`)) event.respondWith(fromCopy(request));
});
