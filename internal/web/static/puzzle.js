// A puzzle: the moves are played on the board, the server judges each and answers for the other side. Without network
// the browser does that itself, if it has a copy of the puzzles.

import { Board } from "./board.js";
import { readMove, readRays } from "./geometry.js";
import { answers } from "./heard.js";
import { Reader, explain } from "./reader.js";
import { at, data, speaker } from "./texts.js";

/** @typedef {import("./board.js").Asked} Asked */
/** @typedef {import("./away.js").Away} Away */
/** @typedef {{id: string, moves: number, position: Wire.Position, fit?: number, days?: Record<string, string>}} Given */

const STEP = 650; // milliseconds between two moves that the page plays

const say = speaker(data("texts"), document.documentElement.lang);
const node = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const reader = new Reader(node("reader"), say);
/** What judges without network; null as long as the server does. @type {Away | null} */
let away = null;
const puzzle = await find(data("puzzle"));
const side = puzzle.position.turn;
const Side = say(`side.${side}`), Other = say(side === "black" ? "side.white" : "side.black");
const pretty = (/** @type {string} */ move) => move === "pass" ? say("move.pass") : move.replace("x", "×");

let position = puzzle.position; // where the solver goes on
/** @type {{from: string, to: string} | null} */
let last = null;
/** @type {string[]} */
let own = []; // the solver's moves so far
/** @type {"playing" | "waiting" | "solved" | "wrong" | "shown"} */
let state = "playing";
let note = "", refused = false; // what there is to say until a piece is asked about
let playing = 0; // the moves being played belong to this call
/** @type {Asked | null} */
let asked = null;

const board = new Board(node("board"), say, {
  move(from, to, capture) {
    board.expect(from, to);
    attempt(`${from}${capture ? "x" : "-"}${to}`);
  },
  ask(about) {
    asked = about;
    if (about && state === "playing") note = "";
    read();
  },
});

answers(node("board"), say, () => ({
  board: position.board, turn: position.turn, moves: position.moves, groups: position.groups,
  last: last ? say("turn.moved", { Side: Other, Move: `${last.from}-${last.to}` }).replaceAll("*", "") : "", clocks: "",
}));

function read() {
  reader.counts(asked);
  if (note || state !== "playing") return reader.tell(note, refused);
  if (!asked) return reader.tell(say("puzzles.try", { Side }));
  const { text, refused: no } = explain(asked, board.flipped, say);
  reader.tell(text, no);
}

/** @param {string} text @param {boolean} [no] */
function tell(text, no = false) {
  note = text;
  refused = no;
  read();
}

/** Shows the position that the solver is to go on from. */
function show() {
  board.show({ board: position.board, rays: readRays(position.rays), own: side, playing: state === "playing", last, won: [] });
  acts();
}

function acts() {
  const over = state !== "playing" && state !== "waiting";
  node("again").ariaDisabled = String(!over);
  node("again").classList.toggle("go", state === "wrong");
  node("solution").ariaDisabled = String(state === "waiting" || state === "shown");
  node("next").classList.toggle("go", state === "solved" || state === "shown");
}

/** Finds the copy of the puzzles. Only who needs it gets the engine. @returns {Promise<Away>} */
async function copied() {
  return (await import("./away.js")).Away.open();
}

/** The puzzle of this page, or, on the page that is kept for times without network, one that suits. @param {Given} given @returns {Promise<Given>} */
async function find(given) {
  if (given.id) return given;
  reader.tell(say("puzzles.asking"));
  away = await copied();
  const { puzzle: { id, solution, grade, themes }, daily } = away.choose(location, given.fit ?? 0, given.days ?? {});
  const { position } = await away.judge(id, []);
  const Count = (solution.length + 1) / 2, Side = say(`side.${position.turn}`), Other = say(position.turn === "black" ? "side.white" : "side.black");
  document.title = node("goal").textContent = say("puzzles.goal", { Side, Count });
  node("kind").textContent = say(daily ? "puzzles.daily" : "puzzles.title");
  node("grade").textContent = say("puzzles.graded", { Rating: grade });
  node("lead").textContent = say("puzzles.lead", { Other, Count });
  node("clues").replaceChildren(...themes.map((theme) => Object.assign(document.createElement("li"), { textContent: say(`puzzles.theme.${theme}`) })));
  document.querySelector("h1 use")?.setAttribute("href", position.turn === "black" ? "#b" : "#w");
  /** @type {HTMLAnchorElement} */ (node("next")).href = at(`/puzzles?after=${id}`);
  return { id, moves: Count, position };
}

/** Asks the server what moves lead to, or for the solution; without it the copy. @param {string[]} moves @param {boolean} [show] @returns {Promise<Wire.Tried>} */
async function ask(moves, show = false) {
  if (away) return away.judge(puzzle.id, moves, show);
  let answer;
  try {
    answer = await fetch(at(`/puzzles/${puzzle.id}/${show ? "solution" : "try"}`), { method: "POST", body: new URLSearchParams({ moves: moves.join(" ") }) });
  } catch {
    const copy = await copied(), judged = await copy.judge(puzzle.id, moves, show);
    away = copy;
    return judged;
  }
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer.json();
}

/** Tries a move. @param {string} move */
async function attempt(move) {
  state = "waiting";
  const before = 2 * own.length;
  tell(say("puzzles.asking"));
  acts();
  let tried;
  try {
    tried = await ask([...own, move]);
  } catch {
    state = "playing";
    board.select("");
    show();
    return tell(say("puzzles.failed"), true);
  }
  own.push(move);
  if (!await play(tried, before)) return;
  standing(tried);
  const Move = pretty(move), Reply = pretty(tried.plies[before + 1]?.move ?? ""), Count = tried.count ?? 0;
  switch (tried.result) {
    case "right":
      state = "playing";
      position = tried.position;
      last = readMove(tried.plies[tried.plies.length - 1].move);
      show();
      return tell(say("puzzles.right", { Side: Other, Move: Reply }));
    case "solved":
      state = "solved";
      tell([say("puzzles.done", { Side, Move }), gain(tried)].filter(Boolean).join(" "));
      break;
    case "wrong": {
      own.pop();
      state = "wrong";
      board.threaten(tried.plies.slice(before + 1).filter((_, i) => i % 2 === 0).flatMap((ply) => readMove(ply.move) ?? []));
      const key = tried.fault === "loses" ? Count ? "puzzles.wrong.loses" : "puzzles.wrong.gives" : tried.fault === "draws" ? "puzzles.wrong.draws" : Reply ? "puzzles.wrong.late" : "puzzles.wrong.now";
      const left = puzzle.moves - own.length;
      tell([say(key, { Move, Side: Other, Reply, Count: tried.fault === "late" ? left : Count }), gain(tried)].filter(Boolean).join(" "), true);
    }
  }
  acts();
}

/** What a first try made of the rating. @param {Wire.Tried} tried */
function gain({ rating }) {
  if (away) return say("puzzles.unrated");
  if (!rating) return "";
  const by = rating.after - rating.before;
  return say("puzzles.gain", { Rating: rating.after, Change: by > 0 ? `+${by}` : String(by).replace("-", "−") });
}

/** Shows the figures anew. @param {Wire.Tried} tried */
function standing({ result, rating, streak }) {
  if (rating) {
    node("rating").textContent = String(rating.after);
    const [solved, tries] = (document.getElementById("solved")?.textContent ?? "").split("/").map(Number);
    if (tries >= 0) node("solved").textContent = `${solved + Number(result === "solved")}/${tries + 1}`;
  }
  if (streak) node("streak").textContent = String(streak);
}

/**
 * Plays the moves from a number on, the first at once. Another call takes over; then the promise is false.
 * @param {Wire.Tried} tried
 * @param {number} from
 * @returns {Promise<boolean>}
 */
async function play(tried, from) {
  const call = ++playing;
  for (let i = from; i < tried.plies.length; i++) {
    if (i > from) await new Promise((done) => setTimeout(done, STEP));
    if (call !== playing) return false;
    const { move, board: text } = tried.plies[i], end = i === tried.plies.length - 1;
    const groups = end ? Object.values(tried.position.groups).filter((all) => all.length === 1).map((all) => all[0]) : [];
    board.show({ board: text, rays: {}, own: "", playing: false, last: readMove(move), won: groups }, true);
  }
  return true;
}

node("again").addEventListener("click", () => {
  if (state === "playing" || state === "waiting") return;
  playing++;
  board.threaten([]);
  if (state !== "wrong") {
    own = [];
    position = puzzle.position;
    last = null;
  }
  state = "playing";
  board.select("");
  show();
  tell("");
  board.focus();
});

node("solution").addEventListener("click", async () => {
  if (state === "waiting" || state === "shown") return;
  const before = state;
  state = "waiting";
  acts();
  try {
    const shown = await ask([], true);
    state = "shown";
    board.threaten([]);
    board.select("");
    board.show({ board: puzzle.position.board, rays: {}, own: "", playing: false, last: null, won: [] });
    standing(shown);
    tell([say("puzzles.shown", { Moves: shown.plies.map(({ move }) => pretty(move)).join(" ") }), gain(shown)].filter(Boolean).join(" "));
    acts();
    await new Promise((done) => setTimeout(done, STEP));
    if (state === "shown") await play(shown, 0);
  } catch {
    state = before;
    acts();
    tell(say("puzzles.failed"), true);
  }
});

if (side === "white") board.flip(true);
board.label(say("board.label", { Side }));
show();
read();
