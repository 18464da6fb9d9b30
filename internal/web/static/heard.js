// Short commands for those who hear the board: with the focus on it, one letter tells the position, a piece's moves,
// the groups, the last move or the clocks.

import { readBoard } from "./geometry.js";

/** @typedef {import("./texts.js").Say} Say */

/**
 * What can be told now.
 * @typedef {object} Now
 * @property {string} board
 * @property {Wire.Color} turn
 * @property {string[]} moves legal now
 * @property {Record<Wire.Color, string[][]> | undefined} groups unknown for a position of the past
 * @property {string} last the last move in words, empty for none
 * @property {string} clocks in words, empty where there are none
 */

const COLORS = /** @type {Wire.Color[]} */ (["black", "white"]);

/** What a letter tells. @param {string} key @param {string} square that has the focus @param {Now} now @param {Say} say @returns {string | undefined} */
export function told(key, square, { board, turn, moves, groups, last, clocks }, say) {
  const each = (/** @type {(side: Wire.Color) => string} */ tell) => COLORS.map((side) => `${say(`side.${side}`)}: ${tell(side)}.`).join(" ");
  switch (key) {
    case "p": {
      const { pieces } = readBoard(board);
      const squares = (/** @type {Wire.Color} */ side) => [...pieces].filter(([, color]) => color === side).map(([name]) => name).sort().join(", ");
      return `${each(squares)} ${say("turn.side", { Side: say(`side.${turn}`) })}`;
    }
    case "g":
      return groups ? each((side) => `${say("groups.left", { Count: groups[side].length })}: ${groups[side].map((group) => group.join(" ")).join("; ")}`) : say("keys.past");
    case "m": {
      const own = moves.filter((move) => move.startsWith(square)).map((move) => move.slice(square.length + 1) + (move.includes("x") ? ` ${say("square.capture")}` : ""));
      return `${square}: ${own.length ? own.join(", ") : say("ray.stuck")}`;
    }
    case "l":
      return last || say("keys.no-move");
    case "c":
      return clocks || say("keys.no-clock");
    case "h":
    case "?":
      return ["p", "g", "m", "l", "c"].map((letter) => `${letter.toUpperCase()}: ${say(`keys.${letter}`)}`).join(". ");
  }
}

/** Answers the letters pressed on a board. @param {HTMLElement} root of the board @param {Say} say @param {() => Now} now */
export function answers(root, say, now) {
  const out = document.createElement("p");
  out.className = "vh";
  out.setAttribute("role", "status");
  root.after(out);
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const square = /** @type {HTMLElement} */ (event.target).dataset.square ?? "";
    const text = told(event.key.toLowerCase(), square, now(), say);
    if (text === undefined) return;
    event.preventDefault();
    out.textContent = out.textContent === text ? `${text}\u00a0` : text; // what is said again is heard again
  });
}
