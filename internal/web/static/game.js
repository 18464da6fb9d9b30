// The page of one game. It shows what the server says, sends what the player asks, and decides nothing.

import { Board } from "./board.js";
import { Clocks, written } from "./clock.js";
import { copies } from "./copy.js";
import { readBoard, readMove, readRays, waves } from "./geometry.js";
import { count, rung } from "./ladder.js";
import { answers } from "./heard.js";
import { after, applied, first, fits, lost, planned } from "./match.js";
import { MoveList } from "./moves.js";
import { Reader, explain } from "./reader.js";
import { why } from "./result.js";
import { Socket } from "./socket.js";
import { Sound } from "./sound.js";
import { Switch } from "./switch.js";
import { at, data, speaker, stressed } from "./texts.js";

/** @typedef {import("./board.js").Asked} Asked */
/** @typedef {import("./match.js").Premove} Premove */

// A game against the computer has no talk, and does not wait for its script.
const { Talk } = document.getElementById("talk") ? await import("./talk.js") : { Talk: null };

const SETTLE = 800; // milliseconds the action row ignores taps when a game ends under the finger
const REPLAY_STEP = 900; // milliseconds for each move of a replay

/** @param {string} id */
const $ = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {Wire.Color} side @returns {Wire.Color} */
const other = (side) => side === "black" ? "white" : "black";
/** @param {string} move */
const pretty = (move) => move === "pass" ? say("move.pass") : move.replace("x", "×");

const COLORS = /** @type {Wire.Color[]} */ (["black", "white"]);
const say = speaker(data("texts"), document.documentElement.lang);
const sound = new Sound();
const reader = new Reader($("reader"), say);
const main = $("main");

/** @type {Wire.Snapshot} */
let match = data("match");
let looking = match.plies.length; // how many plies the board shows
let analysing = false; // the engine's opinion is asked for
/** @type {import("./analysis.js").Analysis | null} */
let analysis = null;
/** @type {Wire.Command | null} */
let sent = null; // a command without an answer yet
let open = true; // the connection
let outdated = false; // the server is newer than this page
let note = ""; // what the server refused, until something else happens
let asking = ""; // the question on the screen: resign, abort, help, on, or a chosen move
/** @type {{text: string, refused?: boolean} | null} */
let lesson = null; // what the coach has said about the position shown
/** @type {Premove | null} */
let premove = null;
/** @type {Wire.Presence | null} */
let presence = null;
let gone = 0; // since when the side to move has been away, if it is
let claiming = false; // the opponent has been away for long enough
let endedAt = -SETTLE;
/** @type {Asked | null} */
let asked = null;

const engine = "engine" in main.dataset; // the server has the engine for browsers
const seat = COLORS.map((side) => match.seats[side]).find(({ kind }) => kind === "engine");
const level = seat?.level ?? 0; // of the computer
const people = COLORS.every((side) => match.seats[side].kind !== "engine");
const live = () => looking === match.plies.length;
const mine = (/** @type {Wire.Color} */ side) => match.you === side;
const mover = (/** @type {number} */ ply) => ply % 2 ? other(first(match)) : first(match); // of the ply with that index
const planning = () => people && !!match.you && !match.outcome && match.position.turn !== match.you;

const board = new Board($("board"), say, {
  move(from, to, capture) {
    note = "";
    board.expect(from, to);
    const move = `${from}${capture ? "x" : "-"}${to}`;
    if (confirming?.on) asking = move, show();
    else play(move);
  },
  plan(from, to) {
    premove = from ? { from, to, ply: match.plies.length } : null;
    note = "";
    board.select("");
    show();
  },
  ask(about) {
    asked = about;
    if (about) note = "", asking = "", lesson = null;
    read();
  },
});

answers($("board"), say, () => ({
  board: after(match, looking).board, turn: looking % 2 ? other(first(match)) : first(match), moves: live() ? match.position.moves : [],
  groups: live() ? match.position.groups : undefined,
  last: looking ? say("turn.moved", { Side: say(`side.${mover(looking - 1)}`), Move: pretty(match.plies[looking - 1].move) }).replaceAll("*", "") : "",
  clocks: COLORS.map((side) => `${say(`side.${side}`)} ${part(side, "clock")?.textContent ?? ""}`).filter((text) => /\d/.test(text)).join(", "),
}));

const clocks = new Clocks(Object.fromEntries(COLORS.flatMap((side) => {
  const root = document.querySelector(`.pl[data-side=${side}] [data-part=clock]`);
  return root instanceof HTMLElement ? [[side, root]] : [];
})), say, { low: () => sound.low(), second: () => states() });

const list = new MoveList($("moves"), $("step"), pretty, look);

/** The groups that ended the game. */
function joined() {
  if (!match.outcome || !["connected", "both-connected"].includes(match.outcome.reason)) return [];
  return Object.values(match.position.groups).filter((groups) => groups.length === 1).map((groups) => groups[0]);
}

/** @param {boolean} [motion] */
function show(motion = false) {
  const shown = match.plies.slice(0, looking).findLast((ply) => ply.move !== "pass");
  board.show({
    board: after(match, looking).board,
    rays: live() ? readRays(match.position.rays) : {},
    own: match.outcome ? "" : match.you ?? match.position.turn,
    playing: live() && match.can.move && !sent && !chosen() && !outdated,
    ahead: live() && planning() && !sent && !outdated,
    plan: live() ? premove : null,
    last: shown ? readMove(shown.move) : null,
    won: live() ? joined() : [],
    linked: linked(),
  }, motion);
  const [from, to] = chosen().split(/[-x]/);
  if (to) board.expect(from, to);
  board.label(say("board.label", { Side: say(board.flipped ? "side.white" : "side.black") }));
  clocks.hold(sent?.type === "move");
  players();
  list.show(match.plies, looking, first(match) === "white");
  acts();
  read();
}

/** The move that waits for the player's confirmation, empty for none. */
const chosen = () => /[-x]/.test(asking) ? asking : "";

// Commands and answers.

/** @param {string} move */
function play(move) {
  sound.move(move.includes("x"));
  send({ type: "move", move });
  read();
}

/** @param {Pick<Wire.Command, "type" | "move" | "offer" | "draw">} what */
function send(what) {
  const random = crypto.getRandomValues(new Uint8Array(12));
  const client = Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
  sent = { match: match.match, client, ply: match.plies.length, ...what };
  socket.send(sent);
  clocks.hold(sent.type === "move");
  acts();
}

/** @param {"resume" | "ping"} type */
const ask = (type) => socket.send({ type, match: match.match, ply: match.plies.length, seq: match.seq });

/** @param {Wire.Snapshot} next @param {number} keep how many plies of the list before stay */
function become(next, keep) {
  const before = match, stay = !live();
  match = next;
  const added = next.plies.length - before.plies.length;
  if (!stay || looking > next.plies.length) looking = next.plies.length;
  if (sent?.type === "move" && next.plies.length > sent.ply || sent?.type === "takeback" && next.plies.length < sent.ply || next.outcome && sent?.type !== "rematch") sent = null;
  if (added !== 0 || next.outcome) asking = "", taught(null);
  const news = added > 0 && before.seq !== next.seq;
  if (news && live()) {
    const last = next.plies[next.plies.length - 1];
    if (!(added === 1 && mine(mover(next.plies.length - 1)))) sound.move(last.move.includes("x"));
  }
  if (!before.outcome && next.outcome) {
    endedAt = performance.now();
    const { winner, reason } = next.outcome;
    if (level && next.you && reason !== "aborted") count(match.match, level, winner === "none" ? "drawn" : winner === next.you ? "won" : "lost");
    board.select(""); // the result is what counts now
    asked = null;
    note = "";
    const groups = joined(), origin = readMove(next.plies.at(-1)?.move ?? "")?.to ?? "";
    if (groups.length) sound.connected(Math.max(...groups.map((group) => Math.max(...waves(group, origin).values()))));
  }
  if (before.position.turn !== next.position.turn) gone = performance.now();
  if (offered(next).some(([what, by]) => before.offers?.[what] !== by)) board.select("");
  const move = premove ? planned(premove, next, keep) : "keep";
  if (move === "drop" && premove && !next.outcome) note = say("premove.dropped", { Move: `${premove.from}-${premove.to}` });
  if (move !== "keep") premove = null;
  timed();
  show(news || !before.outcome && !!next.outcome);
  if (move !== "keep" && move !== "drop") {
    const { from, to } = /** @type {{from: string, to: string}} */ (readMove(move));
    board.expect(from, to);
    play(move);
  }
  // only news leads on: whoever comes back to this page stays
  if (keep >= 0 && next.next && !before.next && next.you) location.assign(at(`/game/${match.match}/next`));
}

/** Tells the clocks of the match. */
function timed() {
  const { clock, outcome, you } = match;
  clocks.set(clock, you, outcome?.reason === "flag" && outcome.winner !== "none" ? other(outcome.winner) : "");
  if (!clock) return;
  const seconds = (/** @type {number} */ lag = 0) => (lag / 1000).toLocaleString(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const text = say("given.each", { Black: seconds(clock.black.lag), BlackSide: say("side.black"), White: seconds(clock.white.lag), WhiteSide: say("side.white") });
  for (const node of document.querySelectorAll("[data-part=given]")) node.textContent = text;
}

/** @type {Socket<Wire.Message, Wire.Command>} */
const socket = new Socket(`${location.pathname.replace(/\/$/, "")}/socket`, {
  state(now) {
    open = now;
    players();
    read();
  },
  beat: () => ask("ping"),
  newer() {
    outdated = true;
    show();
  },
  message(message) {
    switch (message.type) {
      case "snapshot": {
        const waiting = sent;
        become(message, -1);
        if (waiting && sent === waiting && fits(match, waiting)) socket.send(waiting);
        else if (waiting && sent === waiting) sent = null, show();
        talk?.again();
        break;
      }
      case "update": {
        const next = applied(match, message);
        if (!next) ask("resume");
        else if (next !== match) become(next, message.keep);
        break;
      }
      case "talk":
        talk?.hear(message);
        break;
      case "ack":
        talk?.answer(message);
        if (message.client !== sent?.client || sent.type === "move") break;
        sent = null; // what a move has changed comes as an update, and its piece stays where it was put until then
        show();
        break;
      case "refused":
        talk?.answer(message);
        if (!sent || message.client !== sent.client) break;
        sent = null;
        note = say(`refused.${message.code}`);
        show();
        break;
      case "presence": {
        const away = !message[match.position.turn];
        if (away) gone = performance.now() - (message.away ?? 0);
        presence = message;
        watching();
        players();
        read();
        break;
      }
      case "ratings":
        for (const side of COLORS) {
          const { before, after } = message[side], gain = after - before;
          part(side, "rating")?.replaceChildren(say("rating.now", { Rating: after, Change: gain > 0 ? `+${gain}` : String(gain).replace("-", "−") }));
        }
        break;
      case "pong":
        if (message.seq > match.seq) ask("resume");
        break;
    }
  },
}, 2_400); // with its scatter: back within 3 s of the server

const panel = document.getElementById("talk");
const talk = panel && Talk ? new Talk(panel, match.match, say, (command) => socket.send({ match: match.match, ply: match.plies.length, ...command }), () => board.focus()) : null;

// Players.

/** @param {Wire.Color} side @param {string} name */
const part = (side, name) => /** @type {HTMLElement} */ (document.querySelector(`.pl[data-side=${side}] [data-part=${name}]`));

function players() {
  const losses = lost(match, looking), groups = after(match, looking).groups;
  for (const side of COLORS) {
    const row = /** @type {HTMLElement} */ (document.querySelector(`.pl[data-side=${side}]`));
    const top = side === (board.flipped ? "black" : "white");
    row.classList.toggle("g-o", top);
    row.classList.toggle("g-p", !top);
    const count = groups[side === "black" ? 0 : 1];
    part(side, "groups").textContent = say("groups.left", { Count: count });
    part(side, "groups").dataset.count = String(count);
    const discs = part(side, "lost");
    if (discs) drawLost(discs, other(side), losses[other(side)]);
  }
  states();
  const pieces = (/** @type {RegExp} */ mark) => String(after(match, looking).board.match(mark)?.length ?? 0);
  $("pieces").textContent = say("terms.pieces", { Black: pieces(/x/g), BlackSide: say("side.black"), White: pieces(/o/g), WhiteSide: say("side.white") });
}

/** Who is to move, who is here, and what time is left where no clock says it. */
function states() {
  const played = !!match.clock && !match.clock.control.endsWith("d/move"); // at one sitting, so that being away says something
  for (const side of COLORS) {
    const turn = !match.outcome && match.position.turn === side, away = presence && !presence[side] && match.seats[side].kind !== "engine" && !mine(side);
    const state = mine(side) && !open ? "state.offline" : away ? "state.away" : !turn ? people && !mine(side) && presence ? "state.here" : ""
      : match.seats[side].kind === "engine" ? "state.thinking" : mine(side) ? "state.your-move" : "state.to-move";
    const left = turn && clocks.first ? clocks.first : turn && away && played ? awayFor() : 0;
    const text = state && say(state) + (left ? ` ${written(left, true).text}` : "");
    if (part(side, "state").textContent !== text) part(side, "state").textContent = text;
    part(side, "state").classList.toggle("num", left > 0);
    part(side, "dot").className = `dot ${state === "state.offline" || away ? "off" : turn ? "on" : state ? "here" : "none"}`;
  }
  if (claiming !== claimable()) claiming = !claiming, read();
}

/** For how long the side to move has been away. */
const awayFor = () => presence && !presence[match.position.turn] ? performance.now() - gone : 0;

/** Whether the opponent has been away so long that the game can be claimed. The server judges. */
function claimable() {
  const after = match.can.claimAfter;
  return !!after && !!match.you && !match.outcome && !match.can.move && match.plies.length > 1 && awayFor() >= after;
}

function watching() {
  for (const node of document.querySelectorAll("[data-part=watching]")) {
    node.toggleAttribute("hidden", !presence?.watching);
    const text = node.querySelector("span");
    if (text) text.textContent = say("game.watching", { Count: presence?.watching ?? 0 });
  }
}

/** The pieces a player has captured, as a row of discs. @param {HTMLElement} root @param {Wire.Color} color @param {number} count */
function drawLost(root, color, count) {
  root.querySelector("span")?.replaceChildren(count ? say("captured", { Count: count }) : "");
  const discs = Array.from({ length: count }, (_, i) => `<use href="#m${color[0]}" transform="translate(${5.6 - i * 0.5} .5)"/>`);
  const svg = root.querySelector("svg");
  if (svg) svg.innerHTML = discs.join("");
}

const showers = document.querySelectorAll("[data-part=show]");

/** The pieces to link, in whatever position the board shows: those of the side whose button is pressed. */
function linked() {
  const side = [...showers].find((button) => button.ariaPressed === "true")?.closest(".pl")?.getAttribute("data-side");
  const pieces = [...readBoard(after(match, looking).board).pieces];
  return side ? [pieces.filter(([, color]) => color === side).map(([square]) => square)] : [];
}

for (const button of showers) {
  button.addEventListener("click", () => {
    const pressed = button.ariaPressed === "true";
    for (const each of showers) each.ariaPressed = String(each === button && !pressed);
    board.link(linked());
  });
}

let replaying = 0; // the timer of a replay

/** Plays the moves one after the other, until somebody steps. */
function replay() {
  look(0);
  replaying = setInterval(() => {
    go(looking + 1);
    if (live()) clearInterval(replaying);
  }, REPLAY_STEP);
}

/** Shows the board as it stood after so many plies. @param {number} count */
function look(count) {
  clearInterval(replaying);
  go(count);
}

/** @param {number} count */
function go(count) {
  const to = Math.min(Math.max(count, 0), match.plies.length);
  if (to === looking) return;
  const forward = to === looking + 1;
  looking = to;
  note = asking = "";
  taught(null);
  board.select("");
  show(forward);
}

// The row of actions.

/** @param {string} name */
const act = (name) => /** @type {HTMLButtonElement} */ (document.querySelector(`[data-act=${name}]`));

/** @param {string} name @param {string} icon @param {string} text @param {boolean} enabled */
function slot(name, icon, text, enabled) {
  const button = act(name);
  button.querySelector("use")?.setAttribute("href", `#i-${icon}`);
  const label = /** @type {HTMLElement} */ (button.querySelector("span"));
  label.textContent = text;
  button.ariaDisabled = String(!enabled);
}

function acts() {
  const over = !!match.outcome;
  if (over) slot("undo", "first", say("act.replay"), match.plies.length > 0);
  else slot("undo", "undo", say("act.takeback"), match.can.takeback && !sent && match.offers?.takeback !== match.you);
  if (over) slot("resign", people ? "two" : "bot", say("act.new"), true);
  else if (match.can.abort) slot("resign", "x", say("act.abort"), !sent);
  else slot("resign", "flag", say("act.resign"), match.can.resign && !sent);
  const spare = act(people ? "draw" : "help");
  spare.ariaPressed = over && engine ? String(analysing) : null;
  spare.classList.toggle("cur", analysing);
  if (over && engine) return slot(people ? "draw" : "help", "rank", say("act.analyse"), true);
  if (people) return slot("draw", "draw", say("act.draw"), !!match.can.draw && !sent);
  slot("help", "hint", say("act.help"), !over && !!match.you);
}

/** @param {string} name @param {() => void} run */
function onAct(name, run) {
  act(name)?.addEventListener("click", () => performance.now() - endedAt >= SETTLE && run());
}

/** Says why an action is not possible now. @param {string} text */
function cannot(text) {
  note = !match.you ? say("note.onlooker") : sent ? say("note.wait") : text;
  board.select("");
}

onAct("flip", () => {
  board.flip(!board.flipped);
  board.label(say("board.label", { Side: say(board.flipped ? "side.white" : "side.black") }));
  players();
  read();
});

onAct("undo", () => {
  if (match.outcome) return replay();
  if (match.can.takeback && !sent && match.offers?.takeback !== match.you) return offer("takeback");
  const moved = match.plies.length > (first(match) === match.you ? 0 : 1);
  cannot(say(match.rated ? "note.rated" : people && moved ? "note.offered" : "note.no-takeback"));
});

onAct("help", () => {
  if (match.outcome && engine) return analyse();
  if (match.outcome || !match.you) return cannot(say("refused.game-over"));
  if (!live()) go(match.plies.length);
  taught(null);
  asking = asking === "help" ? "" : "help";
  note = "";
  board.select("");
  read();
});

onAct("draw", () => {
  if (match.outcome && engine) return analyse();
  if (match.can.draw && !sent) return offer("draw");
  cannot(say(match.outcome ? "refused.game-over" : "note.offered"));
});

onAct("resign", () => {
  if (match.outcome) return void location.assign(at(people ? "/lobby" : "/"));
  if (!match.can.resign || sent) return cannot("");
  looking = match.plies.length;
  board.select("");
  asking = match.can.abort ? "abort" : "resign";
  show();
});

/** @param {Wire.Offer} what */
function offer(what) {
  note = "";
  board.select("");
  send({ type: what });
  read();
}

const copy = document.getElementById("copy");
if (copy) copies(copy, /** @type {HTMLInputElement} */ ($("link")), say("more.copied"));

for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-copy]"))) {
  copies(button, /** @type {HTMLInputElement} */ ($(button.dataset.copy ?? "")), say("more.copied"));
}

const confirming = match.you ? new Switch("confirm", "loa-confirm", false) : null;
const sounding = new Switch("sounds", "loa-sound", true);
sounding.input?.addEventListener("change", () => (sound.on = sounding.on));

/** What the coach says of the position shown; null takes it away, and what it has drawn. @param {{text: string, refused?: boolean} | null} said */
function taught(said) {
  if (!analysing) board.advise(null);
  board.threaten([]);
  lesson = said;
}

/** Asks the coach. @param {"hint" | "threats" | "review"} what */
async function coach(what) {
  asking = "";
  taught({ text: say("help.looking") });
  read();
  board.focus();
  const ply = match.plies.length;
  try {
    const answer = await fetch(at(`/game/${match.match}/${what}`), { method: "POST", body: new URLSearchParams() });
    if (!answer.ok) throw new Error(String(answer.status));
    const heard = await answer.json(), { Advice } = await import("./advice.js"); // only who asks gets it
    const advice = new Advice(say, pretty, match.rules.goal === "misere");
    if (heard.ply !== match.plies.length || !live() || !lesson) return;
    if (what === "hint") {
      taught({ text: advice.hint(heard) });
      board.advise(readMove(heard.move));
    } else if (what === "threats") {
      taught({ text: advice.threats(heard) });
      board.threaten(heard.other.moves.flatMap((/** @type {string} */ move) => readMove(move) ?? []));
    } else taught(advice.review(heard, other(match.you ?? "black")));
  } catch {
    if (ply === match.plies.length && lesson) taught({ text: say("help.failed"), refused: true });
  }
  read();
}

/** Offers what the coach can say. */
function helping() {
  const close = () => {
    asking = "";
    read();
    board.focus();
  };
  const hint = button(say("help.best"), "go", () => coach("hint"));
  if (!match.can.move) hint.disabled = true;
  const last = button(say("help.mine"), "", () => coach("review"));
  last.disabled = match.plies.length < (first(match) === match.you ? 1 : 2);
  const line = row(hint, button(say("help.threats"), "", () => coach("threats")), last, button(say("help.on"), "", () => (asking = "on", read())));
  line.classList.add("helps");
  line.addEventListener("keydown", (event) => event.key === "Escape" && close());
  reader.tell(told(say("help.ask")), false, [line]);
  (hint.disabled ? hint.nextElementSibling : hint) instanceof HTMLElement && /** @type {HTMLElement} */ (hint.disabled ? hint.nextElementSibling : hint).focus({ preventScroll: true });
}

/** Asks at what level to play on from the position shown. */
function goingOn() {
  const form = /** @type {HTMLFormElement} */ (/** @type {DocumentFragment} */ (/** @type {HTMLTemplateElement} */ ($("on")).content.cloneNode(true)).querySelector("form"));
  const close = () => {
    asking = "";
    read();
    board.focus();
  };
  /** @type {HTMLInputElement} */ (form.elements.namedItem("ply")).value = String(looking);
  form.querySelector("[type=button]")?.addEventListener("click", close);
  form.addEventListener("keydown", (event) => event.key === "Escape" && close());
  reader.tell(told(say("help.on.ask")), false, [form]);
  form.querySelector("select")?.focus({ preventScroll: true });
}

/** Begins to ask the engine about every position shown, or ends that. Only who asks gets the engine. */
async function analyse() {
  analysing = !analysing;
  note = "";
  board.select("");
  analysis?.close();
  analysis = null;
  acts();
  read();
  if (!analysing) return;
  try {
    const { Analysis } = await import("./analysis.js");
    if (analysing) analysis ??= new Analysis({ say, pretty, advise: (move) => board.advise(readMove(move)) });
  } catch {
    analysing = false;
    note = say("analysis.failed");
    acts();
  }
  read();
}

// The reader.

/** @param {string} text @param {string} look @param {() => void} run */
function button(text, look, run) {
  const node = document.createElement("button");
  node.type = "button";
  node.className = `btn ${look}`;
  node.textContent = text;
  node.addEventListener("click", run);
  return node;
}

/** @param {HTMLElement[]} parts */
function row(...parts) {
  const node = document.createElement("p");
  node.className = "row";
  node.append(...parts);
  return node;
}

/** The offers that stand, and who makes them. @param {Wire.Snapshot} of */
function offered(of) {
  return /** @type {[Wire.Offer, Wire.Color][]} */ (Object.entries(of.offers ?? {})).filter(([what]) => of.outcome ? what === "rematch" : what !== "rematch");
}

/** A text, after word of a lost connection if that is so: whatever else is told, that is. @param {string} text */
const told = (text) => open ? text : `${say("net.cut")} ${text}`;

/** Says the one thing that matters now. */
function read() {
  const ended = !!match.outcome && live() && !asked && !note && !analysing;
  main.classList.toggle("end", ended);
  main.classList.toggle("cut", !open || outdated);
  reader.counts(outdated ? null : asked);
  document.title = `${say(match.outcome ? "title.over" : match.can.move ? "title.your-move" : "title.game")} · ${say("site.name")}`;
  if (outdated) return reader.tell(say("net.newer"), true, [row(button(say("net.reload"), "go", () => location.reload()))]);
  if (asked) {
    const { text, refused } = explain(asked, board.flipped, say);
    return reader.tell(told(text), refused);
  }
  if (asking === "on") return goingOn();
  if (asking === "help") return helping();
  if (asking) return question();
  if (analysing) {
    analysis?.show(match, looking, stressed(told(place())));
    return analysis ? reader.replace("analysis", ...analysis.nodes) : reader.tell(say("analysis.thinking"));
  }
  if (!live()) {
    const on = people ? [] : [button(say("help.on"), "", () => (asking = "on", read()))];
    return reader.tell(told(place()), false, [row(button(say("turn.back"), "", () => look(match.plies.length)), ...on)]);
  }
  if (lesson) return reader.tell(told(lesson.text), lesson.refused);
  if (note) return reader.tell(told(note), true);
  if (match.outcome) return result(match.outcome);
  if (!open) return reader.tell(say(sent ? "net.kept" : "net.lost"), true);
  const [standing] = offered(match);
  if (standing && match.you) return proposal(...standing);
  if (claiming) return claim();
  reader.tell(status());
}

/** Which position of the past the board shows, counted as the list of moves counts. */
function place() {
  if (looking === 0) return say("turn.looking-start");
  const turn = (/** @type {number} */ plies) => Math.ceil((plies + Number(first(match) === "white")) / 2);
  return say("turn.looking", { Number: turn(looking), Count: turn(match.plies.length), Move: pretty(match.plies[looking - 1].move), Side: say(`side.${mover(looking - 1)}`) });
}

function status() {
  const count = match.plies.length, [previous, last] = [match.plies[count - 2], match.plies[count - 1]];
  const turn = match.position.turn, Side = say(`side.${turn}`), Other = say(`side.${other(turn)}`);
  if (match.thinking) {
    if (last?.move === "pass") return say("turn.passed", { Side: Other }) + " " + say("turn.thinking");
    return say("turn.thinking");
  }
  if (premove) return say("premove.set", { Move: `${premove.from}-${premove.to}`, Side });
  const soon = match.clock?.first ? " " + say("turn.first-soon") : "";
  if (!match.can.move) return say("turn.side", { Side }) + soon;
  if (!last) return say("turn.first", { Side }) + soon;
  if (last.move === "pass") return say("turn.passed", { Side: Other }) + " " + say("turn.you");
  const moved = say("turn.moved", { Side: Other, Move: pretty(last.move) });
  return (previous?.move === "pass" ? say("turn.passed", { Side }) + " " : "") + moved + " " + say("turn.you") + soon;
}

/** Asks before something that cannot be taken back. */
function question() {
  const move = chosen();
  const close = () => {
    asking = "";
    show();
    if (move) board.focus();
    else act("resign").focus({ preventScroll: true });
  };
  const text = move ? say("confirm.ask", { Move: pretty(move) }) : asking === "abort" ? say("abort.ask") : say(people ? "resign.ask.people" : "resign.ask");
  const keep = button(say(move ? "confirm.no" : "resign.keep"), "", close);
  const yes = button(move ? say("confirm.yes", { Move: pretty(move) }) : say(asking === "abort" ? "abort.yes" : "resign.yes"), move ? "go" : "bad on", () => {
    const what = /** @type {"resign" | "abort"} */ (asking);
    asking = "";
    if (move) return play(move), board.focus();
    send({ type: what });
    read();
  });
  const line = row(keep, yes);
  line.addEventListener("keydown", (event) => event.key === "Escape" && close());
  reader.tell(told(text), false, [line]);
  (move ? yes : keep).focus({ preventScroll: true });
}

/** An offer that stands: mine can be withdrawn, the other side's accepted or declined. @param {Wire.Offer} what @param {Wire.Color} by */
function proposal(what, by) {
  const decline = (/** @type {string} */ text) => button(text, "", () => send({ type: "decline", offer: what }));
  if (mine(by)) return reader.tell(say(`offer.${what}.mine`), false, [row(decline(say("offer.withdraw")))]);
  const accept = button(say("offer.accept"), "go", () => send({ type: what }));
  reader.tell(say(`offer.${what}.theirs`, { Side: say(`side.${by}`) }), false, [row(accept, decline(say("offer.decline")))]);
}

/** The opponent has been away for long. */
function claim() {
  reader.tell(say("claim.ask", { Side: say(`side.${match.position.turn}`) }), false, [
    row(button(say("claim.win"), "go", () => send({ type: "claim" })), button(say("claim.draw"), "", () => send({ type: "claim", draw: true }))),
  ]);
}

/** @param {Wire.Outcome} outcome */
function result(outcome) {
  const { winner, reason } = outcome, key = JSON.stringify([open, outcome, match.offers, match.next, match.can.rematch]), title = document.createElement("h2"), text = document.createElement("p");
  title.textContent = reason === "aborted" ? say("result.off") : winner === "none" ? say("result.draw") : mine(winner) ? say("result.you") : say("result.side", { Side: say(`side.${winner}`) });
  text.append(...stressed(told(why(match, outcome, say, pretty))));
  if (people) return reader.replace(key, title, text, ...rematch());
  const again = /** @type {DocumentFragment} */ (/** @type {HTMLTemplateElement} */ ($("again")).content.cloneNode(true));
  if (match.you) suggest(again);
  reader.replace(key, title, text, again);
}

/** Puts the level that the ladder suggests before another game at the same one. @param {DocumentFragment} again */
function suggest(again) {
  const stands = rung();
  if (stands?.match !== match.match) return; // an older game
  const next = stands.level, form = again.querySelector("form"), same = form?.querySelector("button");
  const field = form?.elements.namedItem("level");
  if (next === level || !form || !same || !(field instanceof HTMLInputElement)) return;
  const other = /** @type {HTMLButtonElement} */ (same.cloneNode(false));
  other.textContent = say("help.try", { Level: next });
  other.ariaLabel = say(next > level ? "help.up" : "help.down", { Level: next });
  other.addEventListener("click", () => (field.value = String(next)));
  same.classList.remove("go");
  same.addEventListener("click", () => (field.value = String(level)));
  same.before(other);
}

/** What can be done about another game between the two. */
function rematch() {
  const by = match.offers?.rematch, seek = document.createElement("a");
  seek.href = at("/lobby");
  seek.className = "btn";
  seek.textContent = say("result.find");
  if (match.next) {
    const next = document.createElement("a");
    next.href = at(`/game/${match.match}/next`);
    next.className = "btn go";
    next.textContent = say("result.next");
    return [row(next, seek)];
  }
  if (!match.you) return [row(seek)];
  if (by === match.you) {
    const waiting = document.createElement("p");
    waiting.className = "q";
    waiting.textContent = say("offer.rematch.mine");
    return [waiting, row(button(say("offer.withdraw"), "", () => send({ type: "decline", offer: "rematch" })), seek)];
  }
  const as = say("result.rematch", { Side: say(`side.${other(match.you)}`) });
  if (by) {
    const text = document.createElement("p");
    text.append(...stressed(say("offer.rematch.theirs", { Side: say(`side.${by}`) })));
    return [text, row(button(as, "go", () => send({ type: "rematch" })), button(say("offer.decline"), "", () => send({ type: "decline", offer: "rematch" })))];
  }
  return [row(...(match.can.rematch ? [button(as, "go", () => send({ type: "rematch" }))] : []), seek)];
}

if (match.you === "white") board.flip(true);
timed();
show(false);
