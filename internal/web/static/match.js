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
  const { seq, position, outcome, can, thinking } = update;
  return { ...match, seq, position, outcome, can, thinking, plies: [...match.plies.slice(0, update.keep), ...update.plies] };
}

/**
 * Whether a command sent before the connection was lost may be sent once more.
 * @param {Wire.Snapshot} match
 * @param {Wire.Command} command
 */
export function fits(match, command) {
  return !match.outcome && command.ply === match.plies.length;
}

/** The board after so many plies. @param {Wire.Snapshot} match @param {number} count */
export const after = (match, count) => count === 0 ? match.start : match.plies[count - 1];

/** Pieces each side has lost by then. @param {Wire.Snapshot} match @param {number} count */
export function lost(match, count) {
  const tally = (/** @type {string} */ board, /** @type {RegExp} */ mark) => board.match(mark)?.length ?? 0;
  const now = after(match, count).board;
  return { black: tally(match.start.board, /x/g) - tally(now, /x/g), white: tally(match.start.board, /o/g) - tally(now, /o/g) };
}
