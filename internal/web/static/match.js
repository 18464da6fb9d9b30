// The match as this page knows it: a snapshot, and how numbered changes alter it. Pure.

/**
 * The snapshot after a change; the same snapshot when the change is an old one, null when changes in between are missing.
 * @param {Wire.Snapshot} match
 * @param {Wire.Update} update
 * @returns {Wire.Snapshot | null}
 */
export function applied(match, update) {
  if (update.match !== match.match || update.seq <= match.seq) return match;
  if (update.from !== match.seq || update.keep > match.plies.length) return null;
  const { seq, position, outcome, clock, offers, next, can, thinking } = update;
  return { ...match, seq, position, outcome, clock, offers, next, can, thinking, plies: [...match.plies.slice(0, update.keep), ...update.plies] };
}

/**
 * A move planned while the other side was to move. It belongs to one ply and the position it was planned in.
 * @typedef {{from: string, to: string, ply: number}} Premove
 */

/**
 * What becomes of a planned move when a change has arrived: the move to send, "keep" while the other side is still to move, or "drop".
 * @param {Premove} premove
 * @param {Wire.Snapshot} match after the change
 * @param {number} keep plies of the old list that stayed
 * @returns {string}
 */
export function planned({ from, to, ply }, match, keep) {
  if (match.outcome || keep < ply) return "drop";
  if (match.plies.length === ply) return "keep";
  if (match.plies.length > ply + 1 || !match.can.move) return "drop";
  return match.position.moves.find((move) => move === `${from}-${to}` || move === `${from}x${to}`) ?? "drop";
}

/**
 * Whether a command sent before the connection was lost may be sent once more.
 * @param {Wire.Snapshot} match
 * @param {Wire.Command} command
 */
export function fits(match, command) {
  return !match.outcome && command.ply === match.plies.length;
}

/** The side that moves first. @param {Wire.Snapshot} match @returns {Wire.Color} */
export const first = ({ plies, position }) => (plies.length % 2 === 0) === (position.turn === "black") ? "black" : "white";

/** The board after so many plies. @param {Wire.Snapshot} match @param {number} count */
export const after = (match, count) => count === 0 ? match.start : match.plies[count - 1];

/** Pieces each side has lost by then. @param {Wire.Snapshot} match @param {number} count */
export function lost(match, count) {
  const tally = (/** @type {string} */ board, /** @type {RegExp} */ mark) => board.match(mark)?.length ?? 0;
  const now = after(match, count).board;
  return { black: tally(match.start.board, /x/g) - tally(now, /x/g), white: tally(match.start.board, /o/g) - tally(now, /o/g) };
}
