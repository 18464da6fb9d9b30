// The course: one step at a time on a live board. A step is done by a move; a wrong try stays on the board with the reason
// drawn on it, until the board is touched again.

import { Board } from "./board.js";
import { readRays } from "./geometry.js";
import { Reader, explain } from "./reader.js";
import { data, speaker } from "./texts.js";

/** @typedef {import("./board.js").Asked} Asked */
/** @typedef {{key: string, title: string, do: string, done: string, not: string, position: Wire.Position, wanted: Record<string, Reached>, wrong?: Record<string, Reached>, verdicts?: string[]}} Lesson */
/** @typedef {{board: string, groups?: string[][], apart?: string[][]}} Reached */

const KEY = "loa-learn"; // how many steps were done in this browser
const say = speaker(data("texts"), document.documentElement.lang);
/** @type {Lesson[]} */
const lessons = data("lessons");
const node = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const reader = new Reader(node("reader"), say);
const dots = [...document.querySelectorAll("[data-step]")];

let at = 0, finished = false;
let tried = false; // the board shows a wrong try
let note = ""; // why the last move was not the one, until a piece is asked about
/** @type {Set<string>} */
const done = new Set(remembered());
/** @type {Asked | null} */
let asked = null;

const board = new Board(node("board"), say, {
  move(from, to, capture) {
    const lesson = lessons[at], move = `${from}${capture ? "x" : "-"}${to}`, reached = lesson.wanted[move];
    if (!reached) return refuse(from, to, lesson.wrong?.[move]);
    finished = true;
    done.add(lesson.key);
    remember();
    board.expect(from, to);
    board.show({ board: reached.board, rays: {}, own: "", playing: false, last: { from, to }, won: reached.groups ?? [] }, true);
    tell();
  },
  ask(about) {
    asked = about;
    if (about) note = "";
    if (!finished) read();
  },
});

/** Shows a wrong try and why it is one: where it led, and the groups that are still apart or connected too soon. @param {string} from @param {string} to @param {Reached} [reached] */
function refuse(from, to, reached) {
  board.expect(from, to);
  if (reached?.groups) board.show({ board: reached.board, rays: {}, own: "", playing: false, last: { from, to }, won: reached.groups }, true);
  else board.link(reached?.apart ?? []);
  board.threaten([{ from, to }]);
  note = lessons[at].not;
  tried = true;
  read();
}

/** Takes a wrong try back, so that the touch that does it can begin another one. */
function takeBack() {
  if (!tried) return;
  tried = false;
  board.threaten([]);
  show();
}

/** The keys of the steps done before. @returns {string[]} */
function remembered() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]");
  } catch {
    return []; // storage is closed to pages, or holds something else
  }
}

function remember() {
  try {
    localStorage.setItem(KEY, JSON.stringify([...done]));
  } catch {
    // then the next visit begins anew
  }
}

function read() {
  reader.counts(asked);
  if (note) return reader.tell(note, true);
  if (!asked) return reader.tell(say("learn.try"));
  const { text, refused } = explain(asked, board.flipped, say);
  reader.tell(text, refused);
}

/** Puts the position of the step on the board. */
function show() {
  const { position } = lessons[at];
  board.show({ board: position.board, rays: readRays(position.rays), own: position.turn, playing: true, last: null, won: [] });
  board.label(say("board.label", { Side: say("side.black") }));
}

/** Says what the step was about, once it is done, and where to go on. */
function tell() {
  const lesson = lessons[at], last = at === lessons.length - 1, after = node("done");
  after.hidden = !finished;
  node("step-do").hidden = finished;
  const text = document.createElement("p");
  text.textContent = lesson.done;
  const list = document.createElement("ul");
  for (const verdict of lesson.verdicts ?? []) list.append(Object.assign(document.createElement("li"), { textContent: verdict }));
  after.replaceChildren(...(finished ? [text, ...(list.childElementCount ? [list] : [])] : []));
  if (finished) reader.tell(say("learn.right"));
  node("next").textContent = say(finished ? "learn.next" : "learn.skip");
  node("next").classList.toggle("go", finished);
  node("next").hidden = last;
  node("back").hidden = at === 0;
  node("play").hidden = !(last && finished);
  for (const [i, dot] of dots.entries()) {
    dot.classList.toggle("done", done.has(lessons[i].key));
    dot.ariaCurrent = i === at ? "step" : null;
  }
}

/** Goes to a step. @param {number} step */
function go(step) {
  at = Math.max(0, Math.min(step, lessons.length - 1));
  finished = tried = false;
  note = "";
  board.threaten([]);
  node("step-title").textContent = lessons[at].title;
  node("step-do").textContent = lessons[at].do;
  board.select("");
  show();
  tell();
  read();
}

for (const touch of ["pointerdown", "keydown"]) node("board").addEventListener(touch, takeBack, true);
node("next").addEventListener("click", () => go(at + 1));
node("back").addEventListener("click", () => go(at - 1));
for (const [i, dot] of dots.entries()) dot.addEventListener("click", () => go(i));

board.slow = true;
const first = lessons.findIndex(({ key }) => !done.has(key));
go(Math.max(0, first));
