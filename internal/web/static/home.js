// The home page: the start of the chosen game lies on a live board, and a move on it begins the game.

import { Board } from "./board.js";
import { readRays } from "./geometry.js";
import { rung } from "./ladder.js";
import { Reader, explain } from "./reader.js";
import { at, data, speaker } from "./texts.js";

/** @typedef {import("./board.js").Asked} Asked */

const say = speaker(data("texts"), document.documentElement.lang);
const form = /** @type {HTMLFormElement} */ (document.getElementById("play"));
const field = (/** @type {string} */ name) => /** @type {HTMLInputElement & HTMLSelectElement} */ (form.elements.namedItem(name));
const reader = new Reader(/** @type {HTMLElement} */ (document.getElementById("reader")), say);

/** @type {{rules: Wire.Rules, position: Wire.Position}} */
let start = data("start");
/** @type {Asked | null} */
let asked = null;

const board = new Board(/** @type {HTMLElement} */ (document.getElementById("board")), say, {
  move(from, to, capture) {
    board.expect(from, to);
    field("move").value = `${from}${capture ? "x" : "-"}${to}`;
    const color = form.querySelector(`[name=color][value=${start.position.turn}]`);
    if (color instanceof HTMLInputElement) color.checked = true;
    form.requestSubmit();
  },
  ask(about) {
    asked = about;
    read();
  },
});

/** Leads newcomers to the course: whoever has done nothing of it in this browser. @returns {HTMLElement[]} */
function course() {
  try {
    if (localStorage.getItem("loa-learn")) return [];
  } catch {
    // storage is closed to pages
  }
  return [Object.assign(document.createElement("a"), { className: "narrow", href: at("/learn"), textContent: say("home.new") })];
}

function read() {
  reader.counts(asked);
  if (!asked) return reader.tell(say("home.try", { Side: say(`side.${start.position.turn}`) }), false, course());
  const { text, refused } = explain(asked, board.flipped, say);
  reader.tell(text, refused);
}

function show() {
  const { position } = start;
  board.show({ board: position.board, rays: readRays(position.rays), own: position.turn, playing: true, last: null, won: [] });
  board.label(say("board.label", { Side: say("side.black") }));
}

field("rules").addEventListener("change", async () => {
  const option = field("rules").selectedOptions[0];
  const about = document.getElementById("about");
  if (about) about.textContent = option.dataset.about ?? "";
  const answer = await fetch(at(`/start?rules=${encodeURIComponent(option.dataset.rules ?? option.value)}`));
  if (!answer.ok || option !== field("rules").selectedOptions[0]) return;
  start = await answer.json();
  option.dataset.rules ??= option.value;
  option.value = start.rules.name; // a random start keeps the seed that is shown
  board.select("");
  show();
});

const level = field("level"), strength = document.getElementById("strength");
level.addEventListener("input", () => {
  const text = say(`level.${level.value}`);
  if (strength) strength.textContent = text;
  level.setAttribute("aria-valuetext", text);
});

const next = rung();
if (next) {
  level.value = String(next.level);
  level.dispatchEvent(new Event("input"));
}

addEventListener("pageshow", () => {
  field("move").value = "";
  show();
});
show();
