// The lobby: who is here, who looks for a game, and the reader's own searches. The server pairs; this page says what
// is looked for, and goes to the game when it begins. A search at days a move stands without this page.

import { Socket } from "./socket.js";
import { at, data, speaker } from "./texts.js";

/** @typedef {{seek: boolean, rules: string, control: string, color?: Wire.Color, rated?: boolean, range?: number}} Wish */

const PATIENCE = 15_000; // milliseconds after which the page says how things stand
const PIPS = 4; // people shown as dots

/** @param {string} id */
const $ = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const say = speaker(data("texts"), document.documentElement.lang);
const form = /** @type {HTMLFormElement} */ ($("quick"));
const guest = form.querySelector("[name=rated]:disabled") !== null;

/** @type {Wire.Lobby} */
let lobby = data("lobby");
/** @type {Wish | null} */
let wish = null; // what this page looks for
let since = 0;
/** @type {Wish | null} */
let put = null; // what was told to stand last
let unsaid = false; // that, for want of a connection
let lost = false; // the connection
let outdated = false; // the server is newer than this page
let note = "";

/** @param {string} rules */
function rulesName(rules) {
  const [name, changes] = rules.split(":");
  return changes === undefined || /^seed=\d+$/.test(changes) ? say(`ruleset.${name}`) : say("ruleset.other");
}

/** What of the rules is changed, as the server's pages say it; nothing for those of a set. @param {string} rules */
function changed(rules) {
  const [name, changes = ""] = rules.split(":"), options = changes.split(",").filter(Boolean).map((change) => change.split("="));
  const misere = options.some(([option, value]) => option === "goal" && value === "misere") || name === "misere" && !options.some(([option]) => option === "goal");
  return options.flatMap(([option, value]) => {
    switch (option) {
      case "seed": return [];
      case "size": return [say("terms.size", { Size: Number(value) })];
      case "cap": return [say("terms.cap.moves", { Count: Number(value) })];
      case "start": return [value === "random" ? say("ruleset.random") : say(`terms.start.${value}`)];
      default: return [`${say(`terms.${option}`)}: ${say(`terms.${option}.${option === "both" && value === "mover" && misere ? "misere" : value}`)}`];
    }
  }).join(" · ");
}

/** Writes a control as the server's pages do. @param {string} control */
function controlName(control) {
  const [, count, days] = /^(\d+)(d?)\/move$/.exec(control) ?? [];
  if (count) return say("control.short.move", { Step: say(days ? "unit.days" : "unit.seconds", { Count: Number(count) }) });
  return control === "unlimited" ? say("control.short.unlimited") : control;
}

/** Writes it as under its station. @param {string} control */
const clockName = (control) => days(control) ? say("unit.days", { Count: parseInt(control) }) : controlName(control);

/** @param {{rules: string, control: string}} of */
const gameName = ({ rules, control }) => `${rulesName(rules)} ${controlName(control)}`;

/** What the form asks for now. @returns {Wish} */
function chosen() {
  const values = new FormData(form);
  return { seek: true, rules: String(values.get("rules")), control: String(values.get("control")), rated: values.has("rated") };
}

/** Whether a game is one at days a move. @param {string} control */
const days = (control) => control.endsWith("d/move");

/** Whether two wishes are for the same game. @param {{rules: string, control: string, rated?: boolean}} a @param {{rules: string, control: string, rated?: boolean}} b */
const same = (a, b) => a.rules === b.rules && a.control === b.control && !!a.rated === !!b.rated;

/** The reader's own seek that is open on this page or on another one. */
const mine = () => lobby.seeks.find((seek) => seek.mine && !seek.days);

/** The reader's own seek that stands for a wish. @param {{rules: string, control: string, rated?: boolean, color?: Wire.Color | "none", range?: number}} of */
function standing({ color = "none", range = 0, ...game }) {
  return lobby.seeks.find((seek) => seek.mine && seek.days && same(seek, game) && seek.color === color && (seek.above ?? 0) === range);
}

/** Begins to look for what stands by itself or with this page. @param {Wish} next */
function begin(next) {
  if (!days(next.control)) return look(next);
  put = next;
  note = "";
  history.replaceState(null, "", at("/lobby")); // a page that is loaded again does not look again
  unsaid = !tell(next);
  show();
}

/** Ends a search that stands. @param {Wire.Seek} seek */
function withdraw(seek) {
  put = null;
  note = "";
  socket.send({ type: "unseek", id: seek.id });
  $("find").focus();
}

/** Takes a search of somebody else that stands. @param {Wire.Seek} seek */
function take(seek) {
  if (wish) look(null);
  note = "";
  socket.send({ type: "take", id: seek.id });
}

/** Begins to look, or stops with nothing. The address keeps what is looked for, so that a reload goes on with it. @param {Wish | null} next */
function look(next) {
  wish = next;
  since = performance.now();
  note = "";
  const query = next ? new URLSearchParams(Object.entries({ ...next, seek: "1" }).filter(([, value]) => value).map(([key, value]) => [key, String(value)])) : "";
  history.replaceState(null, "", at(query ? `/lobby?${query}` : "/lobby"));
  tell(next);
  show();
}

/** Tells the server what is looked for, nothing to stop; false without a connection. @param {Wish | null} next */
function tell(next) {
  if (!next) return socket.send({ type: "unseek" });
  const { rules, control, color, rated, range } = next;
  return socket.send({ type: "seek", rules, control, color, rated, below: range, above: range });
}

/** @type {Socket<Wire.LobbyMessage, Wire.LobbyCommand>} */
const socket = new Socket(at("/lobby/socket"), {
  state(now) {
    lost = !now;
    if (now && wish) tell(wish);
    if (now && unsaid) unsaid = !tell(put); // once: what was paired meanwhile is not looked for again
    show();
  },
  beat: () => socket.send({ type: "ping" }),
  newer() {
    lost = outdated = true;
    show();
  },
  message(message) {
    switch (message.type) {
      case "lobby":
        lobby = message;
        show();
        break;
      case "unseek": // by another page of the reader's
        wish = null;
        history.replaceState(null, "", at("/lobby"));
        show();
        break;
      case "go":
        history.replaceState(null, "", at("/lobby"));
        location.assign(at(`/game/${message.match}`));
        break;
      case "refused":
        wish = null;
        note = say(`refused.${message.code}`);
        show();
        break;
    }
  },
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (outdated) location.reload();
  else if (wish ?? mine()) look(null);
  else {
    const stands = standing(chosen());
    if (stands) withdraw(stands);
    else begin(chosen());
  }
});

form.addEventListener("change", () => {
  put = null;
  if (wish) look(null);
  else note = "", show();
});

// What the page shows.

function show() {
  $("online").textContent = String(lobby.online);
  $("seeking").textContent = String(lobby.seeking);
  $("playing").textContent = String(lobby.playing);
  const here = lobby.here?.length ? say("follow.here", { Names: lobby.here.map((name) => called(name, lobby.bots?.includes(name))).join(say("format.list")) }) : say("follow.away");
  const line = document.getElementById("here");
  if (line && line.textContent !== here) line.textContent = here;
  const find = $("find"), looks = wish ?? mine(), stands = standing(chosen());
  find.textContent = say(outdated ? "net.reload" : looks ? "lobby.stop" : stands ? "lobby.withdraw" : "lobby.find");
  find.classList.toggle("go", outdated || !(looks || stands));
  const text = note || state();
  if ($("wait").textContent !== text) $("wait").textContent = text;
  pips();
  seeks();
  challenges();
  games();
}

/** The reader's games: those that have ended go, those that have begun come, and those at days a move say whose turn it is. */
function games() {
  for (const id of lobby.games) {
    if (document.querySelector(`[data-game="${id}"]`)) continue;
    const turn = make("span", "chip", make("span", "dot on"), say("lobby.move")), link = make("a", "line", make("b", "", say("lobby.begun")), turn), line = make("li", "", link);
    turn.dataset.part = "turn";
    turn.hidden = true;
    link.setAttribute("href", at(`/game/${id}`));
    line.dataset.game = id;
    line.dataset.days = "";
    $("games").append(line);
  }
  const lines = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-game]")]);
  for (const line of lines) {
    const id = line.dataset.game ?? "", turn = line.querySelector("[data-part=turn]"), awaited = !!lobby.awaited?.includes(id);
    line.hidden = !lobby.games.includes(id);
    if (!("days" in line.dataset) || !turn || turn.hasAttribute("hidden") !== awaited) continue;
    turn.toggleAttribute("hidden", !awaited);
    line.querySelector("[data-part=left]")?.remove(); // it was that of the turn before
  }
  $("nogames").hidden = lines.some((line) => !line.hidden);
  const count = lines.filter((line) => !line.hidden && line.querySelector("[data-part=turn]:not([hidden])")).length;
  $("awaited").hidden = !count;
  if (count) $("awaited").textContent = say("lobby.your-move", { Count: count });
}

/** How the search stands, in one honest sentence. */
function state() {
  if (lost) return say(outdated ? "net.newer" : "net.lost").replaceAll("*", "");
  const elsewhere = wish ? undefined : mine(), asked = wish ?? elsewhere ?? put ?? chosen(), Game = gameName(asked), stands = standing(asked);
  if (elsewhere) return say("lobby.elsewhere", { Game });
  if (wish && performance.now() - since < PATIENCE) return say("lobby.looking", { Game });
  if (!wish && stands) return say(guest ? "lobby.stands.guest" : "lobby.stands", { Game, Time: say("unit.days", { Count: stands.days ?? 0 }) });
  const { now = 0, later = 0, barred = 0 } = lobby.pools?.find((pool) => same(pool, asked)) ?? {};
  if (now && !wish) return say("lobby.some", { Count: now, Game });
  if (now + later) return say("lobby.later", { Count: now + later, Game });
  if (barred) return say("lobby.barred", { Count: barred, Game });
  if (!wish) return say(days(asked.control) ? "lobby.leave" : "lobby.none", { Game });
  const others = lobby.seeking - (lobby.seeks.some((seek) => seek.mine) ? 1 : 0);
  return others > 0 ? say("lobby.long", { Game, Count: others }) : say("lobby.alone", { Game });
}

/** Why a seek cannot be joined, nothing when it can. @param {Wire.Seek} seek */
const barred = ({ prospect }) => prospect && prospect !== "later" ? say(`lobby.bar.${prospect}`) : "";

/** How many wait at each station. */
function pips() {
  const { rules } = chosen();
  for (const node of document.querySelectorAll(".pips")) {
    const control = node.getAttribute("data-pool");
    let count = lobby.seeks.filter((seek) => seek.mine && seek.control === control && seek.rules === rules).length;
    for (const pool of lobby.pools ?? []) if (pool.control === control && pool.rules === rules) count += (pool.now ?? 0) + (pool.later ?? 0);
    const words = document.createElement("span");
    words.className = "vh";
    words.textContent = count ? say("lobby.waiting", { Count: count }) : "";
    node.replaceChildren(...Array.from({ length: Math.min(count, PIPS) }, () => document.createElement("i")), words);
  }
}

/** @param {string} tag @param {string} look @param {(Node | string)[]} children */
function make(tag, look, ...children) {
  const node = document.createElement(tag);
  if (look) node.className = look;
  node.append(...children);
  return node;
}

/** How a person is called: the names of guests begin with a digit, and bots are marked. @param {string} name @param {boolean} [bot] */
const called = (name, bot) => bot ? say("token.marked", { Name: name }) : /^\d/.test(name) ? say("game.guest", { Name: name }) : name;

/** The color the reader would play, drawn and said. @param {Wire.Seek} seek */
function colors(seek) {
  const mine = seek.color === "none" ? ["black", "white"] : [!!seek.mine === (seek.color === "black") ? "black" : "white"];
  const drawn = make("span", "row tight");
  drawn.innerHTML = mine.map((color) => `<svg class="side" aria-hidden="true" viewBox="-.42 -.42 .84 .84"><use href="#${color[0]}"/><circle r=".39"/></svg>`).join("");
  return [drawn, make("span", "vh", seek.color === "none" ? say("lobby.lot") : say("lobby.you-play", { Side: say(`side.${mine[0]}`) }))];
}

function seeks() {
  const focused = document.activeElement?.getAttribute("data-key");
  $("empty").hidden = lobby.seeks.length > 0;
  $("more").hidden = !lobby.more;
  $("more").textContent = lobby.more ? say("lobby.more", { Count: lobby.more }) : "";
  /** @type {HTMLElement} */ ($("seeks").closest("table")).hidden = lobby.seeks.length === 0;
  $("seeks").replaceChildren(...lobby.seeks.map((seek) => {
    const name = called(seek.name, seek.bot);
    const stakes = say(seek.rated ? "rated.short.true" : "rated.short.false").toLocaleLowerCase();
    const rules = rulesName(seek.rules);
    const rating = seek.guest ? "" : `${seek.rating}${seek.provisional ? "?" : ""}`;
    const about = [make("span", "narrow sm q", `${clockName(seek.control)} · ${rules}, ${stakes}`)], terms = changed(seek.rules);
    if (terms) about.push(make("span", "terms-of sm q", terms));
    if (seek.mine && seek.days) about.push(make("span", "terms-of sm q", say("lobby.left", { Time: say("unit.days", { Count: seek.days }) })));
    const join = make("button", "btn flat", say(seek.mine ? "lobby.withdraw" : "lobby.join"), make("span", "vh", ` ${name}`));
    join.setAttribute("type", "button");
    join.dataset.key = seek.id ?? JSON.stringify([seek.name, seek.rules, seek.control, seek.color]);
    const members = !!seek.rated && guest;
    join.ariaDisabled = String(outdated || members);
    if (members) join.title = say("rated.guest");
    join.addEventListener("click", () => {
      if (join.ariaDisabled === "true") return;
      if (seek.days) return seek.mine ? withdraw(seek) : take(seek);
      const { rules, control, rated } = seek;
      look(seek.mine ? null : { seek: true, rules, control, rated });
      $("find").focus();
    });
    const range = seek.above ? `±${seek.above}` : say("lobby.anyone");
    return make("tr", "", make("td", "", ...colors(seek)), make("td", "", make("b", "", name), " ", make("span", "q", seek.mine ? say("lobby.yours") : rating), ...about),
      make("td", "wide", clockName(seek.control)), make("td", "wide", rules, make("span", "q", `, ${stakes}`)), make("td", "wide q", range), make("td", "", barred(seek) ? make("span", "q sm", barred(seek)) : join));
  }));
  if (focused) ([...$("seeks").querySelectorAll("button")].find((button) => button.dataset.key === focused) ?? $("find")).focus();
}

function challenges() {
  $("challenges").hidden = lobby.challenges.length === 0;
  $("challenges").querySelector("ul")?.replaceChildren(...lobby.challenges.map((one) => {
    const link = make("a", "line", make("b", "", say(one.mine ? "lobby.waits" : "lobby.from", { Name: called(one.from, one.bot) })), make("span", "q sm", gameName(one)));
    link.setAttribute("href", at(`/challenge/${one.id}`));
    return make("li", "", link);
  }));
}

setInterval(() => wish && show(), 5000);
/** @type {Wish} */
const first = data("wish");
if (first.seek) begin(first);
else show();
