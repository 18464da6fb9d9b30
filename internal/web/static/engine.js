// The rules and the engine, in a worker of the page's own: questions go one after the other, and each gets its answer.

/** @typedef {{rules: string, start: string, moves: string[], level?: number, seed?: number}} Game */

export class Engine {
  #worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  /** @type {{resolve: (standing: Wire.Standing) => void, reject: (reason: Error) => void}[]} */
  #games = [];
  /** What was asked by number. @type {Map<number, {resolve: (answer: any) => void, reject: (reason: Error) => void}>} */
  #asked = new Map();
  #number = 0;

  constructor() {
    this.#worker.addEventListener("message", ({ data }) => this.#hear(data));
    this.#worker.addEventListener("error", () => this.#fail(new Error("the worker has failed")));
  }

  /** Sets a game up. It is refused when the rules do not allow it. @param {Game} game @returns {Promise<Wire.Standing>} */
  set(game) {
    return new Promise((resolve, reject) => {
      this.#games.push({ resolve, reject });
      this.#worker.postMessage({ v: 2, type: "set", ...game });
    });
  }

  /** Thinks about the game that was set up last. A game set up meanwhile ends that early. @param {number} time milliseconds @returns {Promise<Wire.Best>} */
  think(time) {
    return this.#ask({ type: "search", time });
  }

  /** Judges moves in a puzzle. @param {{puzzle: string, start: string, solution: string[], moves: string[], show: boolean}} what @returns {Promise<Wire.Tried>} */
  judge(what) {
    return this.#ask({ type: "try", ...what });
  }

  /** Asks what is answered by number. @param {Omit<Wire.Ask, "v" | "id">} ask @returns {Promise<any>} */
  #ask(ask) {
    return new Promise((resolve, reject) => {
      this.#asked.set(++this.#number, { resolve, reject });
      this.#worker.postMessage({ v: 2, id: this.#number, ...ask });
    });
  }

  /** @param {Wire.Said} message */
  #hear(message) {
    switch (message.type) {
      case "standing":
        this.#games.shift()?.resolve(message);
        break;
      case "best":
      case "tried":
        this.#asked.get(message.id ?? 0)?.resolve(message);
        this.#asked.delete(message.id ?? 0);
        break;
      case "wrong": {
        const fault = new Error(message.text), asked = this.#asked.get(message.id ?? 0);
        if (asked) asked.reject(fault), this.#asked.delete(message.id ?? 0);
        else if (this.#games.length) this.#games.shift()?.reject(fault);
        else this.#fail(fault); // the engine could not be fetched
      }
    }
  }

  /** @param {Error} fault */
  #fail(fault) {
    for (const { reject } of [...this.#games.splice(0), ...this.#asked.values()]) reject(fault);
    this.#asked.clear();
  }
}
