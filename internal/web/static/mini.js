// A game as a small board: flat discs, drawn anew with every move.

import { readBoard, readMove, Frame, num } from "./geometry.js";

/**
 * The inside of a small board.
 * @param {string} board ranks from the top
 * @param {string} move that led to it, empty for none
 */
export function discs(board, move) {
  const { size, pieces } = readBoard(board), frame = new Frame(size), last = readMove(move);
  const tint = (/** @type {string} */ square) => {
    const { x, y } = frame.center(square);
    return `<rect class="last" x="${num(x - 0.5)}" y="${num(y - 0.5)}" width="1" height="1"/>`;
  };
  const disc = (/** @type {string} */ square, /** @type {string} */ color) => {
    const { x, y } = frame.center(square);
    return `<use href="#m${color[0]}" transform="translate(${num(x)} ${num(y)})"/>`;
  };
  return (last ? tint(last.from) + tint(last.to) : "") + [...pieces].map(([square, color]) => disc(square, color)).join("");
}
