// A board of one's own: two people at one screen, the computer, a position set up by hand, an analysis. The rules and
// the engine run in a worker, so none of it needs the server once the page is there.

import { Board } from "./board.js";
import { copies } from "./copy.js";
import { Engine } from "./engine.js";
import { readBoard, readMove, readRays } from "./geometry.js";
import { answers } from "./heard.js";
import { first, lost } from "./match.js";
import { MoveList } from "./moves.js";
import { Reader, explain } from "./reader.js";
import { why } from "./result.js";
import { Sound } from "./sound.js";
import { at, data, speaker, stressed } from "./texts.js";

/** @typedef {import("./board.js").Asked} Asked */
/** @typedef {{rules: Wire.Rules, start: string, moves: string[], given: boolean, sets: {name: string, title: string, rules: Wire.Rules}[], position: Wire.Position}} Given */

const KEY = "loa-table"; // the game of the last visit
const THINK = 4_000; // milliseconds the computer may take at most
const PAUSE = 500; // and at least, so that its move is seen
const COLORS = /** @type {Wire.Color[]} */ (["black", "white"]);

/** @param {string} id */
const $ = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {Wire.Color} side @returns {Wire.Color} */
const other = (side) => side === "black" ? "white" : "black";
/** @param {string} move */
const pretty = (move) => move === "pass" ? say("move.pass") : move.replace("x", "×");
const chance = () => crypto.getRandomValues(new Uint32Array(1))[0];
/** @param {string} move a move as addresses have it */
const plain = (move) => move.replace("×", "x");

const say = speaker(data("texts"), document.documentElement.lang);
/** @type {Given} */
const given = data("game");
const sound = new Sound();
const reader = new Reader($("reader"), say);
const main = $("main");

let { rules, start } = given;
/** @type {string[]} */
let moves = [];
/** Every position since the start. @type {Wire.Position[]} */
let positions = [given.position];
/** @type {Wire.Outcome | undefined} */
let outcome;
let looking = 0; // how many moves the board shows
let turnOfEvents = 0; // counts changes, so that what was thought about an older game is dropped
/** Who plays: 0 a person, else the computer at that level. @type {Record<Wire.Color, number>} */
const players = { black: 0, white: 0 };
let seed = chance(); // by which the computer chooses, so that no two games need be the same
let thinking = false;
let trouble = ""; // why nothing goes on
/** A position being set up. @type {{pieces: Map<string, Wire.Color>, size: number, turn: string, piece: string} | null} */
let setting = null;
/** @type {import("./analysis.js").Analysis | null} */
let analysis = null;
let analysing = false;
/** @type {Asked | null} */
let asked = null;
/** @type {Engine | null} */
let engine = null;

const live = () => looking === moves.length;
const shown = () => positions[looking];

const board = new Board($("board"), say, {
  move(from, to, capture) {
    board.expect(from, to);
    sound.move(capture);
    moves = [...moves.slice(0, looking), `${from}${capture ? "x" : "-"}${to}`];
    positions = positions.slice(0, looking + 1);
    outcome = undefined;
    go();
  },
  ask(about) {
    asked = about;
    read();
  },
  pick(square) {
    if (!setting) return false;
    if (setting.piece === "none" || setting.pieces.get(square) === setting.piece) setting.pieces.delete(square);
    else setting.pieces.set(square, /** @type {Wire.Color} */ (setting.piece));
    arrange();
    return true;
  },
});

answers($("board"), say, () => ({
  board: setting ? written(setting) : shown().board, turn: shown().turn, moves: setting ? [] : shown().moves, groups: setting ? undefined : shown().groups,
  last: looking ? say("turn.moved", { Side: say(`side.${other(shown().turn)}`), Move: pretty(moves[looking - 1]) }).replaceAll("*", "") : "", clocks: "",
}));

const list = new MoveList($("moves"), $("step"), pretty, look);

/** The game as the modules of the game's page want it. @returns {Wire.Snapshot} */
function match() {
  const groups = (/** @type {Wire.Position} */ p) => /** @type {[number, number]} */ ([p.groups.black.length, p.groups.white.length]);
  const seat = (/** @type {Wire.Color} */ side) => /** @type {Wire.Seat} */ (players[side] ? { kind: "engine", level: players[side] } : { kind: "guest" });
  const last = positions.length - 1;
  return {
    v: 2, type: "snapshot", match: "", seq: last, rules, seats: { black: seat("black"), white: seat("white") },
    start: { move: "", board: positions[0].board, groups: groups(positions[0]) },
    plies: moves.slice(0, last).map((move, i) => ({ move, board: positions[i + 1].board, groups: groups(positions[i + 1]) })),
    position: positions[last], outcome, can: { move: true, takeback: false, resign: false }, thinking: false,
  };
}

/** Brings the positions up to the moves, a forced pass and what the computer answers included. */
async function go() {
  const now = ++turnOfEvents, stale = () => now !== turnOfEvents;
  thinking = false;
  trouble = "";
  try {
    engine ??= begin();
    while (positions.length <= moves.length) {
      const standing = await engine.set({ rules: rules.name, start, moves: moves.slice(0, positions.length) });
      if (stale()) return;
      positions.push(standing.position);
      outcome = standing.outcome;
      if (standing.position.moves[0] === "pass" && positions.length > moves.length) moves.push("pass");
    }
    looking = moves.length;
    remember();
    show(true);
    if (outcome) return;
    const { turn } = shown(), level = players[turn];
    if (!level) return;
    thinking = true;
    show();
    const began = performance.now();
    await engine.set({ rules: rules.name, start, moves, level, seed });
    const best = await engine.think(THINK);
    if (stale()) return;
    await new Promise((done) => setTimeout(done, Math.max(0, PAUSE - (performance.now() - began))));
    if (stale()) return;
    moves = [...moves, plain(best.move)];
    sound.move(best.move.includes("x"));
    go();
  } catch (fault) {
    if (stale()) return;
    trouble = say("table.failed", { Reason: fault instanceof Error ? fault.message : String(fault) });
    thinking = false;
    show();
  }
}

function begin() {
  if (!main.dataset.engine) throw new Error(say("table.unavailable"));
  return new Engine();
}

/** Begins another game. @param {Wire.Rules} under @param {string} from board and side to move, empty for the start of the rules @param {string[]} [played] */
async function anew(under, from, played = []) {
  const now = ++turnOfEvents;
  setting = null;
  thinking = false;
  trouble = "";
  try {
    engine ??= begin();
    const standing = await engine.set({ rules: under.name, start: from, moves: [] });
    if (now !== turnOfEvents) return;
    rules = under;
    seed = chance();
    start = from || `${standing.position.board} ${standing.position.turn[0]}`;
    moves = played;
    positions = [standing.position];
    outcome = standing.outcome;
    looking = 0;
    if (!played.length && standing.position.moves[0] === "pass") moves = ["pass"];
    await go();
  } catch (fault) {
    if (now !== turnOfEvents) return;
    trouble = say("table.failed", { Reason: fault instanceof Error ? fault.message : String(fault) });
    show();
  }
}

/** The address that shows this game, without the site. */
function address() {
  const query = new URLSearchParams({ rules: rules.name, position: start });
  if (moves.length) query.set("moves", moves.join(","));
  return `?${query}`;
}

function remember() {
  const query = address();
  history.replaceState(null, "", at(`/board${query}`));
  try {
    localStorage.setItem(KEY, JSON.stringify({ query, players }));
  } catch {
    // then the next visit begins anew
  }
  /** @type {HTMLInputElement} */ ($("address")).value = location.origin + at(`/board${query}`);
  for (const link of document.querySelectorAll("[data-file]")) link.setAttribute("href", at(`/board/${link.getAttribute("data-file")}${query}${board.flipped ? "&side=white" : ""}`));
  const form = /** @type {HTMLFormElement} */ ($("keep")), side = COLORS.find((color) => !players[color]) ?? "black";
  const values = { rules: rules.name, position: start, moves: moves.join(","), level: String(players[other(side)]), color: side };
  for (const [name, value] of Object.entries(values)) /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value = value;
}

/** The rules with a name, for a page that was kept from another address. @param {string} name @returns {Wire.Rules} */
function rulesOf(name) {
  const [set, options = ""] = name.split(":"), known = given.sets.find((one) => one.name === set)?.rules ?? given.rules;
  const changed = Object.fromEntries(options.split(",").filter(Boolean).map((option) => option.split("=")));
  return { ...known, ...changed, name, size: Number(changed.size ?? known.size), cap: changed.cap ? Number(changed.cap) : known.cap };
}

// What is shown.

/** The groups that ended the game. */
function joined() {
  if (!outcome || !["connected", "both-connected"].includes(outcome.reason)) return [];
  return Object.values(shown().groups).filter((groups) => groups.length === 1).map((groups) => groups[0]);
}

/** @param {boolean} [motion] */
function show(motion = false) {
  if (setting) return arrange();
  const position = shown(), last = moves.slice(0, looking).findLast((move) => move !== "pass");
  const playing = !thinking && !trouble && !(live() && outcome) && !players[position.turn];
  board.show({
    board: position.board, rays: readRays(position.rays), own: live() && outcome ? "" : position.turn, playing,
    last: last ? readMove(last) : null, won: live() ? joined() : [],
  }, motion && live());
  board.label(say("board.label", { Side: say(board.flipped ? "side.white" : "side.black") }));
  rows();
  list.show(match().plies, looking, first(match()) === "white");
  acts();
  read();
}

function rows() {
  const game = match(), losses = lost(game, Math.min(looking, game.plies.length));
  for (const side of COLORS) {
    const row = /** @type {HTMLElement} */ (document.querySelector(`.pl[data-side=${side}]`));
    const top = side === (board.flipped ? "black" : "white"), part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (row.querySelector(`[data-part=${name}]`));
    row.classList.toggle("g-o", top);
    row.classList.toggle("g-p", !top);
    const Count = setting ? 0 : shown().groups[side].length, turn = !setting && !(live() && outcome) && shown().turn === side;
    part("groups").textContent = setting ? "–" : say("groups.left", { Count });
    part("state").textContent = !turn ? "" : thinking ? say("state.thinking") : say("state.to-move");
    part("dot").className = `dot ${turn ? "on" : "none"}`;
    const count = losses[other(side)], discs = part("lost");
    discs.querySelector("span")?.replaceChildren(count ? say("captured", { Count: count }) : "");
    const svg = discs.querySelector("svg");
    if (svg) svg.innerHTML = Array.from({ length: count }, (_, i) => `<use href="#m${other(side)[0]}" transform="translate(${5.6 - i * 0.5} .5)"/>`).join("");
  }
}

/** @param {string} name */
const act = (name) => /** @type {HTMLButtonElement} */ (main.querySelector(`[data-act=${name}]`));

function acts() {
  act("undo").ariaDisabled = String(!!setting || moves.length === 0);
  act("setup").ariaPressed = String(!!setting);
  act("analyse").ariaPressed = String(analysing);
  act("analyse").ariaDisabled = String(!!setting || !main.dataset.engine);
}

function read() {
  if (setting) return;
  reader.counts(asked);
  if (trouble) return reader.tell(trouble, true);
  if (asked) {
    const { text, refused } = explain(asked, board.flipped, say);
    return reader.tell(text, refused);
  }
  if (analysing) {
    analysis?.show(match(), looking, stressed(place()));
    return analysis ? reader.replace("analysis", ...analysis.nodes) : reader.tell(say("analysis.thinking"));
  }
  if (live() && outcome) {
    const title = document.createElement("h2"), text = document.createElement("p"), again = document.createElement("button"), row = document.createElement("p");
    title.textContent = outcome.winner === "none" ? say("result.draw") : say("result.side", { Side: say(`side.${outcome.winner}`) });
    text.append(...stressed(why(match(), outcome, say, pretty)));
    again.className = "btn go";
    again.textContent = say("result.again");
    again.addEventListener("click", () => anew(rules, moves.length ? start : ""));
    row.className = "row";
    row.append(again);
    return reader.replace(JSON.stringify([moves, outcome]), title, text, row);
  }
  reader.tell(place());
}

/** What the board shows, in words. */
function place() {
  const { turn } = shown(), Side = say(`side.${turn}`), last = moves[looking - 1];
  const now = thinking ? say("turn.thinking") : say("turn.side", { Side });
  if (!last) return now;
  return (last === "pass" ? say("turn.passed", { Side: say(`side.${other(turn)}`) }) : say("turn.moved", { Side: say(`side.${other(turn)}`), Move: pretty(last) })) + " " + now;
}

/** @param {number} count */
function look(count) {
  if (setting || count < 0 || count > positions.length - 1) return;
  looking = count;
  asked = null;
  board.select("");
  show();
}

// Setting a position up.

/** Shows the position that is being set up, and what is wrong with it. */
function arrange() {
  if (!setting) return;
  board.show({ board: written(setting), rays: {}, own: "", playing: false, last: null, won: [] });
  rows();
  acts();
  const missing = COLORS.find((side) => ![...setting?.pieces.values() ?? []].includes(side)), fault = $("fault");
  fault.textContent = missing ? say("table.missing", { Side: say(`side.${missing}`) }) : "";
  fault.classList.toggle("err", !!missing);
  /** @type {HTMLButtonElement} */ (document.querySelector("[data-set=done]")).ariaDisabled = String(!!missing);
}

/** @param {{pieces: Map<string, Wire.Color>, size: number}} of */
function written({ pieces, size }) {
  const ranks = [];
  for (let rank = size; rank > 0; rank--) {
    let text = "", empty = 0;
    for (let file = 0; file < size; file++) {
      const color = pieces.get(String.fromCharCode(97 + file) + rank);
      if (!color) empty++;
      else text += (empty || "") + (color === "black" ? "x" : "o"), empty = 0;
    }
    ranks.push(text + (empty || ""));
  }
  return ranks.join("/");
}

function setUp() {
  turnOfEvents++;
  thinking = false;
  const { size, pieces } = readBoard(shown().board);
  setting = { pieces, size, turn: shown().turn[0], piece: "black" };
  asked = null;
  board.select("");
  const nodes = /** @type {DocumentFragment} */ (/** @type {HTMLTemplateElement} */ ($("setup")).content.cloneNode(true));
  for (const input of nodes.querySelectorAll("input")) {
    if (input.name === "turn") input.checked = input.value === setting.turn;
    input.addEventListener("change", () => {
      if (!setting) return;
      if (input.name === "turn") setting.turn = input.value;
      else setting.piece = input.value;
    });
  }
  for (const button of nodes.querySelectorAll("[data-set]")) button.addEventListener("click", () => settle(/** @type {HTMLElement} */ (button).dataset.set ?? ""));
  reader.replace("setup", nodes);
  arrange();
}

/** @param {string} what */
function settle(what) {
  if (!setting) return;
  if (what === "clear") setting.pieces.clear(), arrange();
  if (what === "start") setting.pieces = readBoard(standard(setting.size)).pieces, arrange();
  if (what !== "done" || $("fault").textContent) return;
  const from = `${written(setting)} ${setting.turn}`;
  anew(rules, from);
  board.focus();
}

/** The start of the standard game on a board. @param {number} size */
function standard(size) {
  const row = `1${"x".repeat(size - 2)}1`;
  return [row, ...Array.from({ length: size - 2 }, () => `o${size - 2}o`), row].join("/");
}

// Asking.

async function analyse() {
  analysing = !analysing;
  board.select("");
  analysis?.close();
  analysis = null;
  acts();
  read();
  if (!analysing) return;
  const { Analysis } = await import("./analysis.js");
  if (analysing) analysis ??= new Analysis({ say, pretty, advise: (move) => board.advise(readMove(move)) });
  read();
}

main.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement} */ (event.target).closest("[data-act]"), name = button?.getAttribute("data-act");
  if (!name || button?.ariaDisabled === "true") return;
  if (name === "flip") board.flip(!board.flipped), show(), remember();
  if (name === "undo") {
    const keep = Math.max(0, moves.length - 1), turn = positions[keep]?.turn;
    const back = turn && players[turn] && !players[other(turn)] && keep > 0 ? keep - 1 : keep; // to a person's turn
    moves = moves.slice(0, back);
    positions = positions.slice(0, back + 1);
    outcome = undefined;
    looking = Math.min(looking, back);
    board.select("");
    go();
  }
  if (name === "setup") setting ? anew(rules, start, moves) : setUp();
  if (name === "analyse") analyse();
});

for (const select of /** @type {NodeListOf<HTMLSelectElement>} */ (document.querySelectorAll("[data-part=who]"))) {
  const side = /** @type {Wire.Color} */ (select.closest("[data-side]")?.getAttribute("data-side"));
  select.addEventListener("change", () => {
    players[side] = Number(select.value);
    if (setting) return;
    look(moves.length);
    go();
  });
}

$("new").addEventListener("submit", (event) => {
  event.preventDefault();
  const name = /** @type {HTMLSelectElement} */ (/** @type {HTMLFormElement} */ ($("new")).elements.namedItem("rules")).value;
  /** @type {HTMLElement} */ ($("more")).hidePopover();
  anew(rulesOf(name === "random" ? `random:seed=${chance()}` : name), "");
});

for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-copy]"))) {
  copies(button, /** @type {HTMLInputElement} */ ($(button.dataset.copy ?? "")), say("more.copied"));
}

/** The game of the last visit, or what the address says. */
function opening() {
  let query = location.search;
  if (!query) {
    try {
      const kept = JSON.parse(localStorage.getItem(KEY) ?? "null");
      if (typeof kept?.query === "string") query = kept.query;
      for (const side of COLORS) if (kept?.players?.[side] > 0) players[side] = kept.players[side];
    } catch {
      // nothing was kept, or something else
    }
  }
  for (const side of COLORS) {
    const select = document.querySelector(`[data-side=${side}] [data-part=who]`);
    if (select instanceof HTMLSelectElement) select.value = String(players[side]);
  }
  const values = new URLSearchParams(query), level = Number(values.get("level"));
  if (level) players.white = level, /** @type {HTMLSelectElement} */ ($("who-white")).value = String(level);
  return { under: rulesOf(values.get("rules") ?? given.rules.name), from: values.get("position") ?? "", played: (values.get("moves") ?? "").split(/[ ,]/).filter(Boolean) };
}

show();
const { under, from, played } = opening();
anew(given.given && given.rules.name === under.name ? given.rules : under, from, played);
