// What the engine thinks of the position a finished game's page shows. The engine runs in a worker, which is begun
// with the first position and ends with the analysis.

import { Advice, turns } from "./advice.js";
import { first } from "./match.js";
import { stressed } from "./texts.js";

/** @typedef {import("./texts.js").Say} Say */

const THINK = 30_000; // milliseconds for a position: a page that is left open must not heat a telephone for ever
const EXPLAIN = 200_000; // positions looked at first to explain one, and as many for the one before it
const LINES = 3; // best moves told then
const SAID_AT = 10; // the depth at which a value is told to those who hear the page, once for each position
const COLORS = /** @type {Wire.Color[]} */ (["black", "white"]);
const SCALE = 200; // centipawns of the logistic function, as the engine's scores are meant

/**
 * What an analysis needs of its page.
 * @typedef {object} Page
 * @property {Say} say
 * @property {(move: string) => string} pretty
 * @property {(move: string) => void} advise the best move, or empty
 */

/**
 * A value from Black's side.
 * @param {{cp: number, win?: number}} value of the side to move
 * @param {Wire.Color} turn
 */
export function forBlack({ cp, win = 0 }, turn) {
  const sign = turn === "black" ? 1 : -1;
  return { cp: sign * cp || 0, win: sign * win || 0 };
}

/** The share of a bar that is Black's. @param {{cp: number, win: number}} value */
export const share = ({ cp, win }) => win ? Number(win > 0) : 1 / (1 + Math.exp(-cp / SCALE));

export class Analysis {
  #worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  #place = document.createElement("p");
  #meter = document.createElement("div");
  #bar = document.createElement("i");
  #line = document.createElement("p");
  #why = document.createElement("section");
  #others = document.createElement("p");
  #heard = document.createElement("p");
  #shown = "";
  #search = 0; // the number of the newest one
  /** @type {Wire.Color} */
  #turn = "black";
  /** @type {Advice | undefined} */
  #advice;
  #told = false;
  #depth = 0; // the greatest one shown
  /** @type {Wire.Ask[]} */
  #asked = [];
  /** The best moves with their values, the best first. @type {{move: string, value: {cp: number, win: number}}[]} */
  #best = [];

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.#place.className = "say";
    this.#meter.className = "meter";
    this.#meter.ariaHidden = "true";
    this.#meter.append(this.#bar);
    this.#line.className = "num";
    this.#line.ariaHidden = "true"; // it changes often; what is heard is said once
    this.#line.ariaLive = "off";
    this.#why.className = "sm why";
    this.#why.ariaLabel = page.say("analysis.why");
    this.#others.className = "num q";
    this.#why.tabIndex = 0; // it scrolls where there is little room
    this.#heard.className = "vh";
    this.#worker.addEventListener("message", ({ data }) => this.#hear(data));
    this.#worker.addEventListener("error", () => this.#fail());
    document.addEventListener("visibilitychange", this.#turned);
  }

  /** @returns {Node[]} */
  get nodes() {
    return [this.#place, this.#meter, this.#line, this.#why, this.#heard];
  }

  /** Thinks about the position after so many plies. @param {Wire.Snapshot} match @param {number} count @param {Node[]} place what is said about it */
  show(match, count, place) {
    this.#place.replaceChildren(...place);
    const moves = match.plies.slice(0, count).map((ply) => ply.move), key = moves.join();
    if (this.#shown === key && this.#asked.length) return;
    this.#shown = key;
    this.#told = false;
    const begins = first(match);
    this.#turn = count % 2 ? begins === "black" ? "white" : "black" : begins;
    this.page.advise("");
    this.#write(this.page.say("analysis.thinking"));
    this.#why.replaceChildren();
    this.#best = [];
    this.#depth = 0;
    this.#advice = new Advice(this.page.say, this.page.pretty, match.rules.goal === "misere");
    this.#bar.style.setProperty("--v", "0.5");
    this.#heard.textContent = "";
    this.#asked = [
      { v: 2, type: "set", rules: match.rules.name, start: `${match.start.board} ${begins[0]}`, moves },
      { v: 2, type: "explain", id: ++this.#search, nodes: EXPLAIN, lines: LINES },
    ];
    this.#ask();
  }

  /** Ends the analysis. */
  close() {
    document.removeEventListener("visibilitychange", this.#turned);
    this.#worker.terminate();
    this.page.advise("");
  }

  #ask() {
    for (const ask of this.#asked) this.#worker.postMessage(ask);
  }

  #turned = () => {
    if (document.hidden) this.#worker.postMessage({ v: 2, type: "stop" });
    else this.#ask();
  };

  /** @param {string} text */
  #write(text) {
    this.#line.textContent = text;
  }

  #fail() {
    this.#write("");
    this.#heard.className = "say no";
    this.#heard.textContent = this.page.say("analysis.failed");
  }

  /** @param {Wire.Said} message */
  #hear(message) {
    const { say, pretty, advise } = this.page;
    if ("id" in message && message.id && message.id !== this.#search) return; // about another position
    switch (message.type) {
      case "standing":
        if (!message.outcome) break;
        this.#asked = this.#asked.slice(0, 1);
        this.#write(say("analysis.over"));
        this.#heard.textContent = say("analysis.over");
        break;
      case "wrong":
        if (this.#asked.length > 1) this.#fail(); // in a game that is over there is nothing to find
        break;
      case "explained":
        this.#explain(message);
        this.#asked[1] = { v: 2, type: "search", id: this.#search, time: THINK, lines: LINES };
        this.#worker.postMessage(this.#asked[1]);
        break;
      case "info":
      case "best": {
        const value = forBlack(message, this.#turn), Move = pretty(message.pv[0] ?? "");
        if (message.type === "info") {
          if (message.depth < this.#depth) break; // the search after the explanation catches up
          this.#best[message.line - 1] = { move: Move, value };
          if (message.line > 1) {
            if (this.#others.isConnected) this.#rest();
            break;
          }
        }
        const Depth = this.#depth = Math.max(this.#depth, message.depth);
        const worth = value.win
          ? say("analysis.win", { Side: say(value.win > 0 ? "side.black" : "side.white"), Count: turns(value.win) })
          : say("analysis.value", { Side: say("side.black"), Value: written(value.cp) });
        const text = say("analysis.line", { Value: worth, Move, Depth });
        this.#write(text);
        this.#bar.style.setProperty("--v", String(share(value)));
        advise(message.pv[0] ?? "");
        this.#line.dataset.move = Move;
        if (this.#others.isConnected) this.#rest();
        if (!this.#told && (Depth >= SAID_AT || message.type === "best")) this.#told = true, this.#heard.textContent = text;
      }
    }
  }

  /** Says what became of the last move, how many ways each side has to win at once, and what the best move threatens. @param {Wire.Explained} message */
  #explain({ ways, threat, played }) {
    const { say } = this.page, texts = [], best = this.#best[0];
    if (played && this.#advice) {
      const { move, best, lost, allows } = played, before = played.before.win ?? 0, win = played.after.win ?? 0;
      texts.push(this.#advice.review({ move, best, lost, allows, win, missed: before > 0 && win <= 0 ? before : 0 }, this.#turn).text);
    }
    for (const side of COLORS) {
      if (ways[side]) texts.push(say(this.#advice?.misere ? "analysis.ways-misere" : "analysis.ways", { Side: say(`side.${side}`), Count: ways[side] }));
    }
    if (threat && best && !best.value.win) texts.push(say("analysis.threat", { Move: best.move, Count: turns(threat) }));
    const p = document.createElement("p");
    p.append(...stressed(texts.join(" ")));
    this.#why.replaceChildren(...texts.length ? [p] : [], this.#others);
    this.#rest();
  }

  /** Says which moves come next, beside the best one of now. */
  #rest() {
    const { say } = this.page, best = this.#line.dataset.move;
    const others = this.#best.filter(({ move }) => move !== best).map(({ move, value }) => `${move} ${value.win ? `(${say("result.side", { Side: say(value.win > 0 ? "side.black" : "side.white") })})` : written(value.cp)}`);
    this.#others.textContent = others.length ? say("analysis.others", { Moves: others.join(", ") }) : "";
  }
}

/** Centipawns as a number with its sign. @param {number} cp */
function written(cp) {
  const number = new Intl.NumberFormat(document.documentElement.lang, { signDisplay: "exceptZero", minimumFractionDigits: 2 });
  return number.format(cp / 100).replace("-", "−");
}
