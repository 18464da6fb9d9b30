// What the engine thinks of the position a finished game's page shows. The engine runs in a worker, which is begun
// with the first position and ends with the analysis.

import { first } from "./match.js";

/** @typedef {import("./texts.js").Say} Say */

const THINK = 30_000; // milliseconds for a position: a page that is left open must not heat a telephone for ever
const SAID_AT = 10; // the depth at which a value is told to those who hear the page, once for each position
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
  #heard = document.createElement("p");
  #shown = "";
  #search = 0; // the number of the newest one
  /** @type {Wire.Color} */
  #turn = "black";
  #told = false;
  /** @type {Wire.Ask[]} */
  #asked = [];

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
    this.#heard.className = "vh";
    this.#worker.addEventListener("message", ({ data }) => this.#hear(data));
    this.#worker.addEventListener("error", () => this.#fail());
    document.addEventListener("visibilitychange", this.#turned);
  }

  /** @returns {Node[]} */
  get nodes() {
    return [this.#place, this.#meter, this.#line, this.#heard];
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
    this.#bar.style.setProperty("--v", "0.5");
    this.#heard.textContent = "";
    this.#asked = [
      { v: 2, type: "set", rules: match.rules.name, start: `${match.start.board} ${begins[0]}`, moves },
      { v: 2, type: "search", id: ++this.#search, time: THINK },
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
    switch (message.type) {
      case "standing":
        if (!message.outcome) break;
        this.#asked = this.#asked.slice(0, 1);
        this.#write(say("analysis.over"));
        this.#heard.textContent = say("analysis.over");
        break;
      case "wrong":
        if (!message.id) this.#fail(); // a search of a game that is over has one, and nothing to find
        break;
      case "info":
      case "best": {
        if (message.id !== this.#search) break;
        const value = forBlack(message, this.#turn), Move = pretty(message.pv[0] ?? ""), Depth = message.depth;
        const number = new Intl.NumberFormat(document.documentElement.lang, { signDisplay: "exceptZero", minimumFractionDigits: 2 });
        const worth = value.win
          ? say("analysis.win", { Side: say(value.win > 0 ? "side.black" : "side.white"), Count: Math.ceil(Math.abs(value.win) / 2) })
          : say("analysis.value", { Value: number.format(value.cp / 100).replace("-", "−") });
        const text = say("analysis.line", { Value: worth, Move, Depth });
        this.#write(text);
        this.#bar.style.setProperty("--v", String(share(value)));
        advise(message.pv[0] ?? "");
        if (!this.#told && (Depth >= SAID_AT || message.type === "best")) this.#told = true, this.#heard.textContent = text;
      }
    }
  }
}
