// How a game ended, in words. The reason comes from the server; here it only finds its sentence.

/** @typedef {import("./texts.js").Say} Say */

/**
 * The rule by which the game ended.
 * @param {Wire.Snapshot} match
 * @param {Wire.Outcome} outcome
 * @param {Say} say
 * @param {(move: string) => string} pretty
 */
export function why(match, { winner, reason }, say, pretty) {
  const { rules, plies, position, seats } = match;
  const ply = plies[plies.length - 1], Move = pretty(ply?.move ?? ""), Number = Math.ceil(plies.length / 2);
  const side = (/** @type {Wire.Color} */ color) => say(`side.${color}`);
  const loser = winner === "none" ? position.turn : winner === "black" ? "white" : "black";
  const single = /** @type {Wire.Color} */ (position.groups.black.length === 1 ? "black" : "white");
  switch (reason) {
    case "connected": {
      const own = (position.turn === "black" ? "white" : "black") === single; // a capture may connect the other side
      const key = rules.goal === "misere" ? "result.connected-misere" : own ? "result.connected" : "result.connected-by-other";
      return say(key, { Side: side(single), Count: position.groups[single][0].length, Move, Number });
    }
    case "both-connected":
      return say(winner === "none" ? "result.both-draw" : "result.both-mover", { Side: side(winner === "none" ? "black" : winner), Move });
    case "no-move": return winner === "none" ? say("result.no-move-draw") : say("result.no-move-loss", { Side: side(loser) });
    case "repetition": return say(rules.repetition === "draw2" ? "result.repetition-2" : "result.repetition-3");
    case "ply-cap": return say("result.cap", { Count: rules.cap ?? plies.length });
    case "resigned": return say("result.resigned", { Side: side(loser) });
    case "flag": return say("result.flag", { Side: side(loser) });
    case "agreed": return say("result.agreed");
    case "aborted": return say(Object.values(seats).some((seat) => seat.kind === "engine") ? "result.other" : plies.length > 1 ? "result.annulled" : "result.aborted");
    case "adjudicated": return say("result.adjudicated");
    case "abandoned": return winner === "none" ? say("result.abandoned-draw", { Side: side(loser) }) : say("result.abandoned", { Side: side(loser) });
    default: return say("result.other");
  }
}
