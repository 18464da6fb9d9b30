// The ladder of the computer's levels: which one to try next, by what this browser remembers of the last games.

const KEY = "loa-ladder";
const TOP = 10; // the highest level
const PATIENCE = 2; // games lost in a row at a level before the one below is suggested

/**
 * Where somebody stands: the level to try next, and the games lost there in a row.
 * @typedef {{level: number, lost: number, match?: string}} Rung
 */

/**
 * The standing after a game at a level. Pure.
 * @param {Rung | null} before
 * @param {number} level
 * @param {"won" | "lost" | "drawn"} how
 * @returns {Rung}
 */
export function climb(before, level, how) {
  if (how === "won") return { level: Math.min(TOP, level + 1), lost: 0 };
  const lost = (before?.level === level ? before.lost : 0) + Number(how === "lost");
  return lost < PATIENCE ? { level, lost } : { level: Math.max(1, level - 1), lost: 0 };
}

/** What this browser remembers. @returns {Rung | null} */
export function rung() {
  try {
    const { level, lost, match } = JSON.parse(localStorage.getItem(KEY) ?? "");
    return Number.isInteger(level) && level >= 1 && level <= TOP && Number.isInteger(lost) ? { level, lost, match } : null;
  } catch {
    return null; // nothing, or storage is closed to pages
  }
}

/** Takes down how a game has gone, once. @param {string} match @param {number} level @param {"won" | "lost" | "drawn"} how */
export function count(match, level, how) {
  const before = rung();
  if (before?.match === match) return;
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...climb(before, level, how), match }));
  } catch {
    // then nothing is suggested
  }
}
