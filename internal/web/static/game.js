// The page of one game. It shows what the server says, sends what the player asks, and decides nothing.

import { Board } from "./board.js";
import { readMove, waves } from "./geometry.js";
import { after, applied, fits, lost } from "./match.js";
import { Reader, explain } from "./reader.js";
import { Socket } from "./socket.js";
import { Sound } from "./sound.js";
import { data, speaker, stressed } from "./texts.js";

/** @typedef {import("./board.js").Asked} Asked */

const SETTLE = 800; // milliseconds the action row ignores taps when a game ends under the finger

/** @param {string} id */
const $ = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {Wire.Color} side @returns {Wire.Color} */
const other = (side) => side === "black" ? "white" : "black";
/** @param {string} move */
const pretty = (move) => move === "pass" ? say("move.pass") : move.replace("x", "×");

const say = speaker(data("texts"), document.documentElement.lang);
const sound = new Sound();
const reader = new Reader($("reader"), say);
const main = $("main");

/** @type {Wire.Snapshot} */
let match = data("match");
let looking = match.plies.length; // how many plies the board shows
/** @type {Wire.Command | null} */
let sent = null; // a command without an answer yet
let open = true; // the connection
let note = ""; // what the server refused, until something else happens
let resigning = false; // the question is on the screen
let endedAt = -SETTLE;
/** @type {Asked | null} */
let asked = null;

const board = new Board($("board"), say, {
  move(from, to, capture) {
    note = "";
    board.expect(from, to);
    sound.move(capture);
    send({ type: "move", move: `${from}${capture ? "x" : "-"}${to}` });
    read();
  },
  ask(about) {
    asked = about;
    if (about) note = "", resigning = false;
    read();
  },
});

const live = () => looking === match.plies.length;
const mine = (/** @type {Wire.Color} */ side) => match.you === side;
const mover = (/** @type {number} */ ply) => ply % 2 ? "white" : "black"; // of the ply with that index

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
    rays: live() ? match.position.rays : {},
    own: match.outcome ? "" : match.you ?? match.position.turn,
    playing: live() && match.can.move && !sent,
    last: shown ? readMove(shown.move) : null,
    won: live() ? joined() : [],
  }, motion);
  board.label(say("board.label", { Side: say(board.flipped ? "side.white" : "side.black") }));
  players();
  moves();
  acts();
  read();
}

// Commands and answers.

/** @param {Pick<Wire.Command, "type" | "move">} what */
function send(what) {
  const random = crypto.getRandomValues(new Uint8Array(12));
  const client = Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
  sent = { v: 1, match: match.match, client, ply: match.plies.length, ...what };
  socket.send(sent);
  acts();
}

/** @param {"resume" | "ping"} type */
const ask = (type) => socket.send({ v: 1, type, match: match.match, ply: match.plies.length, seq: match.seq });

/** @param {Wire.Snapshot} next */
function become(next) {
  const before = match, stay = !live();
  match = next;
  const added = next.plies.length - before.plies.length;
  if (!stay || looking > next.plies.length) looking = next.plies.length;
  if (sent?.type === "move" && next.plies.length > sent.ply || sent?.type === "takeback" && next.plies.length < sent.ply || next.outcome) sent = null;
  const news = added > 0 && before.seq !== next.seq;
  if (news && live()) {
    const last = next.plies[next.plies.length - 1];
    if (!(added === 1 && mine(mover(next.plies.length - 1)))) sound.move(last.move.includes("x"));
  }
  if (!before.outcome && next.outcome) {
    endedAt = performance.now();
    resigning = false;
    asked = null;
    const groups = joined(), origin = readMove(next.plies.at(-1)?.move ?? "")?.to ?? "";
    if (groups.length) sound.connected(Math.max(...groups.map((group) => Math.max(...waves(group, origin).values()))));
  }
  show(news || !before.outcome && !!next.outcome);
}

const socket = new Socket(`${location.pathname.replace(/\/$/, "")}/socket`, {
  state(now) {
    open = now;
    players();
    read();
  },
  beat: () => ask("ping"),
  message(message) {
    switch (message.type) {
      case "snapshot": {
        const waiting = sent;
        become(message);
        if (waiting && sent === waiting && fits(match, waiting)) socket.send(waiting);
        else if (waiting && sent === waiting) sent = null, show();
        break;
      }
      case "update": {
        const next = applied(match, message);
        if (!next) ask("resume");
        else if (next !== match) become(next);
        break;
      }
      case "refused":
        if (!sent || message.client !== sent.client) break;
        sent = null;
        note = say(`refused.${message.code}`);
        show();
        break;
      case "pong":
        if (message.seq > match.seq) ask("resume");
        break;
    }
  },
});

// Players.

function players() {
  const losses = lost(match, looking), groups = after(match, looking).groups;
  for (const side of /** @type {Wire.Color[]} */ (["black", "white"])) {
    const row = /** @type {HTMLElement} */ (document.querySelector(`.pl[data-side=${side}]`));
    const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (row.querySelector(`[data-part=${name}]`));
    const top = side === (board.flipped ? "black" : "white"), turn = !match.outcome && match.position.turn === side;
    row.classList.toggle("g-o", top);
    row.classList.toggle("g-p", !top);
    const state = mine(side) && !open ? "state.offline" : !turn ? "" : match.seats[side].kind === "engine" ? "state.thinking" : mine(side) ? "state.your-move" : "state.to-move";
    part("state").textContent = state && say(state);
    part("dot").className = state === "state.offline" ? "dot off" : turn ? "dot on" : "dot none";
    part("groups").textContent = say("groups.left", { Count: groups[side === "black" ? 0 : 1] });
    drawLost(part("lost"), other(side), losses[other(side)]);
  }
  const pieces = (/** @type {RegExp} */ mark) => String(after(match, looking).board.match(mark)?.length ?? 0);
  $("pieces").textContent = say("terms.pieces", { Black: pieces(/x/g), BlackSide: say("side.black"), White: pieces(/o/g), WhiteSide: say("side.white") });
}

/** The pieces a player has captured, as a row of discs. @param {HTMLElement} root @param {Wire.Color} color @param {number} count */
function drawLost(root, color, count) {
  root.querySelector("span")?.replaceChildren(count ? say("captured", { Count: count }) : "");
  const discs = Array.from({ length: count }, (_, i) => `<use href="#m${color[0]}" transform="translate(${5.6 - i * 0.5} .5)"/>`);
  const svg = root.querySelector("svg");
  if (svg) svg.innerHTML = discs.join("");
}

for (const button of document.querySelectorAll("[data-part=show]")) {
  button.addEventListener("click", () => {
    const side = /** @type {Wire.Color} */ (button.closest(".pl")?.getAttribute("data-side"));
    const pressed = button.getAttribute("aria-pressed") === "true";
    for (const each of document.querySelectorAll("[data-part=show]")) each.setAttribute("aria-pressed", String(each === button && !pressed));
    board.link(pressed || !live() ? [] : match.position.groups[side]);
  });
}

// The list of moves.

const list = $("moves");

function moves() {
  const items = [];
  for (let first = 0; first < match.plies.length; first += 2) {
    const item = document.createElement("li"), number = document.createElement("span");
    item.className = "mv num";
    number.textContent = String(first / 2 + 1);
    item.append(number, ...match.plies.slice(first, first + 2).map(({ move }, i) => {
      const button = document.createElement("button"), count = first + i + 1;
      button.type = "button";
      button.dataset.ply = String(count);
      button.textContent = pretty(move);
      button.tabIndex = count === looking ? 0 : -1;
      button.ariaCurrent = count === looking ? "true" : null;
      return button;
    }));
    items.push(item);
  }
  const inside = list.contains(document.activeElement);
  list.replaceChildren(...items);
  const current = /** @type {HTMLElement | null} */ (list.querySelector("[aria-current]"));
  if (inside) current?.focus({ preventScroll: true });
  if (current) {
    const box = list.getBoundingClientRect(), at = current.getBoundingClientRect();
    list.scrollTop += at.bottom > box.bottom ? at.bottom - box.bottom : Math.min(0, at.top - box.top);
    list.scrollLeft += at.right > box.right ? at.right - box.right : Math.min(0, at.left - box.left);
  } else list.scrollTop = list.scrollLeft = 0;
  const bounds = { first: 0, prev: 0, next: match.plies.length, last: match.plies.length };
  for (const [name, end] of Object.entries(bounds)) {
    const button = document.querySelector(`[data-step=${name}]`);
    if (button) button.ariaDisabled = String(looking === end);
  }
}

/** Shows the board as it stood after so many plies. @param {number} count */
function look(count) {
  const to = Math.min(Math.max(count, 0), match.plies.length);
  if (to === looking) return;
  const forward = to === looking + 1;
  looking = to;
  note = "";
  resigning = false;
  board.select("");
  show(forward);
}

list.addEventListener("click", (event) => {
  const ply = /** @type {HTMLElement} */ (event.target).dataset.ply;
  if (ply) look(Number(ply));
});

$("step").addEventListener("click", (event) => {
  const button = /** @type {HTMLElement} */ (event.target).closest("[data-step]");
  switch (button?.getAttribute("data-step")) {
    case "first": return look(0);
    case "prev": return look(looking - 1);
    case "next": return look(looking + 1);
    case "last": return look(match.plies.length);
  }
});

addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || !(target === document.body || target.closest(".g-m"))) return;
  const step = { ArrowLeft: looking - 1, ArrowRight: looking + 1, Home: 0, End: match.plies.length }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  look(step);
});

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
  else slot("undo", "undo", say("act.takeback"), match.can.takeback && !sent);
  if (over) slot("resign", "bot", say("act.new"), true);
  else slot("resign", "flag", say("act.resign"), match.can.resign && !sent);
  slot("sound", sound.on ? "sound" : "mute", say("act.sound"), true);
  act("sound").ariaPressed = String(sound.on);
}

/** @param {string} name @param {() => void} run */
function onAct(name, run) {
  act(name).addEventListener("click", () => performance.now() - endedAt >= SETTLE && run());
}

onAct("flip", () => {
  board.flip(!board.flipped);
  board.label(say("board.label", { Side: say(board.flipped ? "side.white" : "side.black") }));
  players();
  read();
});

onAct("undo", () => {
  if (match.outcome) return look(0);
  if (match.can.takeback && !sent) return send({ type: "takeback" });
  note = say(match.you ? "note.no-takeback" : "note.onlooker");
  board.select("");
});

onAct("sound", () => {
  sound.toggle();
  acts();
});

onAct("resign", () => {
  if (match.outcome) return void location.assign("/");
  if (!match.can.resign || sent) {
    note = say(match.you ? "note.wait" : "note.onlooker");
    return board.select("");
  }
  looking = match.plies.length;
  board.select("");
  resigning = true;
  show();
});

const copy = document.getElementById("copy");
copy?.addEventListener("click", async () => {
  const field = /** @type {HTMLInputElement} */ ($("link"));
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy"); // where the page has no right to the clipboard, as over plain http
  }
  copy.textContent = say("more.copied");
});

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

/** Says the one thing that matters now. */
function read() {
  const ended = !!match.outcome && live() && !asked && !note;
  main.classList.toggle("end", ended);
  reader.counts(asked);
  document.title = `${say(match.outcome ? "title.over" : match.can.move ? "title.your-move" : "title.game")} · ${say("site.name")}`;
  if (asked) {
    const { text, refused } = explain(asked, board.flipped, say);
    return reader.tell(text, refused);
  }
  if (resigning) return confirm();
  if (!live()) return reader.tell(say("turn.looking", { Number: looking, Count: match.plies.length }), false, [row(button(say("turn.back"), "", () => look(match.plies.length)))]);
  if (note) return reader.tell(note, true);
  if (match.outcome) return result(match.outcome);
  if (!open) return reader.tell(say(sent ? "net.kept" : "net.lost"), true);
  reader.tell(status());
}

function status() {
  const count = match.plies.length, [previous, last] = [match.plies[count - 2], match.plies[count - 1]];
  const turn = match.position.turn, Side = say(`side.${turn}`), Other = say(`side.${other(turn)}`);
  if (match.thinking) {
    if (last?.move === "pass") return say("turn.passed", { Side: Other }) + " " + say("turn.thinking");
    return say("turn.thinking");
  }
  if (!match.can.move) return say("turn.side", { Side });
  if (!last) return say("turn.first", { Side });
  if (last.move === "pass") return say("turn.passed", { Side: Other }) + " " + say("turn.you");
  const moved = say("turn.moved", { Side: Other, Move: pretty(last.move) });
  return (previous?.move === "pass" ? say("turn.passed", { Side }) + " " : "") + moved + " " + say("turn.you");
}

function confirm() {
  const close = () => {
    resigning = false;
    read();
    act("resign").focus();
  };
  const keep = button(say("resign.keep"), "", close);
  const yes = button(say("resign.yes"), "bad on", () => {
    resigning = false;
    send({ type: "resign" });
    read();
  });
  const line = row(keep, yes);
  line.addEventListener("keydown", (event) => event.key === "Escape" && close());
  reader.tell(say("resign.ask"), false, [line]);
  keep.focus();
}

/** @param {Wire.Outcome} outcome */
function result({ winner, reason }) {
  const title = document.createElement("h2"), text = document.createElement("p");
  title.textContent = winner === "none" ? say("result.draw") : mine(winner) ? say("result.you") : say("result.side", { Side: say(`side.${winner}`) });
  text.append(...stressed(why(winner, reason)));
  const again = /** @type {HTMLTemplateElement} */ ($("again")).content.cloneNode(true);
  reader.replace(title, text, /** @type {DocumentFragment} */ (again));
}

/** The rule by which the game ended. @param {Wire.Color | "none"} winner @param {string} reason */
function why(winner, reason) {
  const { rules, plies, position } = match;
  const ply = plies[plies.length - 1], Move = pretty(ply?.move ?? ""), Number = Math.ceil(plies.length / 2);
  const loser = winner === "none" ? position.turn : other(winner);
  const single = /** @type {Wire.Color} */ (position.groups.black.length === 1 ? "black" : "white");
  switch (reason) {
    case "connected": {
      const own = mover(plies.length - 1) === single; // a capture may connect the other side
      const key = rules.goal === "misere" ? "result.connected-misere" : own ? "result.connected" : "result.connected-by-other";
      return say(key, { Side: say(`side.${single}`), Count: position.groups[single][0].length, Move, Number });
    }
    case "both-connected":
      return say(winner === "none" ? "result.both-draw" : "result.both-mover", { Side: say(`side.${winner === "none" ? "black" : winner}`), Move });
    case "no-move": return winner === "none" ? say("result.no-move-draw") : say("result.no-move-loss", { Side: say(`side.${loser}`) });
    case "repetition": return say(rules.repetition === "draw2" ? "result.repetition-2" : "result.repetition-3");
    case "ply-cap": return say("result.cap", { Count: rules.cap ?? plies.length });
    case "resigned": return say("result.resigned", { Side: say(`side.${loser}`) });
    default: return say("result.other");
  }
}

if (match.you === "white") board.flip(true);
show(false);
