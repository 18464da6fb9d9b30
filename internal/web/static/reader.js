// The reader: the strip of counts and the one sentence beside the board that says in words what the board draws.

import { stressed } from "./texts.js";

/** @typedef {import("./board.js").Asked} Asked */
/** @typedef {import("./texts.js").Say} Say */

const LINES = ["lv", "lu", "lh", "ld"]; // file, rising diagonal, rank, falling diagonal: the first four directions

export class Reader {
  #counts = document.createElement("p");
  #body = document.createElement("div");
  #shown = "";

  /** @param {HTMLElement} root whose content is replaced @param {Say} say */
  constructor(root, say) {
    this.root = root;
    this.say = say;
    this.#counts.className = "cnt num";
    this.#body.className = "stk";
    root.tabIndex = -1;
    root.replaceChildren(this.#counts, this.#body);
  }

  /** The four counts of a piece; without one the strip stays, and counts nothing. @param {Asked | null} asked */
  counts(asked) {
    const parts = LINES.map((icon, line) => {
      const span = document.createElement("span");
      if (!asked || asked.dir >= 0 && asked.dir % 4 !== line) span.className = "dim";
      span.innerHTML = `<svg class="i" aria-hidden="true" viewBox="0 0 24 24"><use href="#i-${icon}"/></svg>`;
      const words = document.createElement("span");
      words.className = "vh";
      words.textContent = ` ${this.say(`line.${icon}`)}`;
      span.append(asked ? String(asked.rays[line].n) : "–", words);
      return span;
    });
    const name = document.createElement("b");
    name.className = "end";
    name.textContent = asked?.square ?? "";
    this.#counts.ariaHidden = asked ? null : "true";
    this.#counts.replaceChildren(...parts, name);
  }

  /**
   * Says one sentence; *stressed* parts stand out. Saying the same again changes nothing.
   * @param {string} text
   * @param {boolean} [refused] it says why something cannot be done
   * @param {HTMLElement[]} [below] what stands under it
   */
  tell(text, refused = false, below = []) {
    if (text === this.#shown) return;
    this.#shown = text;
    const inside = this.#focused();
    const asks = below.length > 0;
    if (asks || this.root.classList.contains("asks")) this.#renew(); // a question has another place than a sentence
    this.root.classList.toggle("asks", asks);
    const p = document.createElement("p");
    p.className = refused ? "say no" : "say";
    p.append(...stressed(text));
    this.#body.replaceChildren(p, ...below);
    if (!this.#body.isConnected) this.root.replaceChildren(this.#counts, this.#body);
    if (inside) this.root.focus({ preventScroll: true });
  }

  /** Begins a new body, rather than moving the one that is read. */
  #renew() {
    this.#body.remove();
    this.#body = document.createElement("div");
    this.#body.className = "stk";
  }

  /** Whether the keyboard is on something in the reader, and would be lost with it. */
  #focused() {
    return this.root.contains(document.activeElement);
  }

  /** Shows these nodes in place of counts and sentence. Showing the same again changes nothing. @param {string} key @param {Node[]} nodes */
  replace(key, ...nodes) {
    if (key === this.#shown) return;
    this.#shown = key;
    const inside = this.#focused();
    this.root.classList.remove("asks");
    this.root.replaceChildren(...nodes);
    if (inside) this.root.focus({ preventScroll: true });
  }
}

/**
 * What can be said about a piece, or about one direction of it.
 * @param {Asked} asked
 * @param {boolean} flipped directions are named as they are seen
 * @param {Say} say
 * @returns {{text: string, refused: boolean}}
 */
export function explain(asked, flipped, say) {
  const { color, dir, rays } = asked;
  const Side = say(`side.${color}`), Enemy = say(color === "black" ? "side.white" : "side.black");
  if (dir < 0) {
    const Count = rays.filter((ray) => ray.v === "move" || ray.v === "capture").length;
    if (!asked.own) return { text: say("ray.enemy", { Side, Count }), refused: false };
    return Count ? { text: say("ray.choices", { Count }), refused: false } : { text: say("ray.stuck"), refused: true };
  }
  const ray = rays[dir];
  const lead = say("ray.lead", { Direction: say(`dir.${flipped ? (dir + 4) % 8 : dir}`), Count: ray.n });
  const Square = ray.by ?? ray.to ?? "";
  switch (ray.v) {
    case "move": return { text: `${lead} ${say("ray.move", { Square: ray.to ?? "" })}`, refused: false };
    case "capture": return { text: `${lead} ${say("ray.capture", { Square: ray.to ?? "", Side: Enemy })}`, refused: false };
    case "off-board": return { text: `${lead} ${say("ray.off-board")}`, refused: true };
    case "own-piece": return { text: `${lead} ${say("ray.own-piece", { Square, Side })}`, refused: true };
    case "blocked": return { text: `${lead} ${say("ray.blocked", { Square, Side: Enemy })}`, refused: true };
    case "no-capture": return { text: `${lead} ${say("ray.no-capture", { Square, Side: Enemy })}`, refused: true };
  }
}
