// The gallery: the board brought into each of its states.

import { Board } from "./board.js";
import { readRays } from "./geometry.js";
import { data, speaker } from "./texts.js";

const say = speaker(data("texts"), document.documentElement.lang);
const none = { move() {}, ask() {} };

/** @type {Record<string, (board: Board, view: import("./board.js").View, position: Wire.Position) => void>} */
const states = {
  select: (board, view) => { board.show(view); board.select("f4"); },
  capture: (board, view) => { board.show(view); board.select("c5"); },
  last: (board, view) => board.show({ ...view, last: { from: "c8", to: "c6" }, board: "1x1xxxx1/o6o/o1x4o/o6o/o6o/o6o/o6o/1xxxxxx1" }),
  sent: (board, view) => { board.show(view); board.expect("c8", "c6"); },
  plan: (board, view) => board.show({ ...view, own: "black", playing: false, ahead: true, plan: { from: "c8", to: "c6" } }),
  advice: (board, view) => { board.show(view); board.advise({ from: "c8", to: "c6" }); },
  groups: (board, view, { groups }) => { board.show(view); board.link([groups.black.flat()]); },
  won: (board, view, { groups }) => board.show({ ...view, rays: {}, own: "", playing: false, won: [groups.black.flat()] }),
};

const positions = new Map([...document.querySelectorAll("figure script")].map((script) => {
  const root = /** @type {HTMLElement} */ (script.parentElement?.querySelector("[data-state]"));
  return [root.dataset.state ?? "", /** @type {Wire.Position} */ (JSON.parse(script.textContent ?? ""))];
}));

for (const root of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-state]"))) {
  const name = root.dataset.state ?? "", position = positions.get(name);
  if (!position) continue;
  const board = new Board(root, say, none);
  const view = { board: position.board, rays: readRays(position.rays), own: position.turn, playing: true, last: null, won: [] };
  (states[name] ?? ((one, what) => one.show(what)))(board, view, position);
  board.label(root.parentElement?.querySelector("figcaption")?.textContent ?? name);
  board.finish();
}
