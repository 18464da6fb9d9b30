// The rules and the engine, in a worker of the page's own: questions go one after the other, and each gets its answer.

/** @typedef {{rules: string, start: string, moves: string[], level?: number}} Game */

export class Engine {
  #worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  /** @type {{resolve: (standing: Wire.Standing) => void, reject: (reason: Error) => void}[]} */
  #games = [];
  /** @type {Map<number, {resolve: (best: Wire.Best) => void, reject: (reason: Error) => void}>} */
  #searches = new Map();
  #search = 0;

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
    return new Promise((resolve, reject) => {
      this.#searches.set(++this.#search, { resolve, reject });
      this.#worker.postMessage({ v: 2, type: "search", id: this.#search, time });
    });
  }

  /** @param {Wire.Said} message */
  #hear(message) {
    switch (message.type) {
      case "standing":
        this.#games.shift()?.resolve(message);
        break;
      case "best":
        this.#searches.get(message.id)?.resolve(message);
        this.#searches.delete(message.id);
        break;
      case "wrong": {
        const fault = new Error(message.text), search = this.#searches.get(message.id ?? 0);
        if (search) search.reject(fault), this.#searches.delete(message.id ?? 0);
        else if (this.#games.length) this.#games.shift()?.reject(fault);
      }
    }
  }

  /** @param {Error} fault */
  #fail(fault) {
    for (const { reject } of [...this.#games.splice(0), ...this.#searches.values()]) reject(fault);
    this.#searches.clear();
  }
}
