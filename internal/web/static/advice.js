// What the coach and the engine say of a position, in words. The numbers come from them; here they only find their sentences.

/** @typedef {import("./texts.js").Say} Say */

const LITTLE = 40, MUCH = 120; // centipawns: 5 and 15 points of a hundred between equals

/** Plies to an end as moves of the side that gets there. @param {number} plies */
export const turns = (plies) => Math.ceil(Math.abs(plies) / 2);

export class Advice {
  /** @param {Say} say @param {(move: string) => string} pretty @param {boolean} misere connecting loses, so whoever wins next move does not connect */
  constructor(say, pretty, misere) {
    this.say = say;
    this.pretty = pretty;
    this.misere = misere;
  }

  /** @param {Wire.Hint} hint */
  hint({ move, win = 0, threat = 0 }) {
    const { say, pretty } = this;
    const why = win > 0 ? say("help.hint.wins", { Count: turns(win) }) : win < 0 ? say("help.hint.loses") : threat ? say("help.hint.threatens", { Count: turns(threat) }) : "";
    return [say("help.hint", { Move: pretty(move) }), why].filter(Boolean).join(" ");
  }

  /** @param {Wire.Threats} threats */
  threats({ other, own }) {
    const { say } = this, Side = say(`side.${other.side}`), Move = this.pretty(other.moves[0] ?? "");
    const text = !other.plies ? say("help.threat.none", { Side })
      : other.plies === 1 ? this.ways(other.side, other.moves.length)
      : say("help.threat.later", { Side, Count: turns(other.plies), Move });
    return [text, own.plies === 1 ? say("help.threat.you", { Count: own.moves.length }) : ""].filter(Boolean).join(" ");
  }

  /** How many ways a side has to win with its next move. @param {Wire.Color} side @param {number} Count */
  ways(side, Count) {
    return this.say(this.misere ? "help.threat.next-misere" : "help.threat.next", { Side: this.say(`side.${side}`), Count });
  }

  /** What became of a move, and whether it was a mistake. @param {Omit<Wire.Review, "v" | "type" | "ply">} review @param {Wire.Color} other the side that did not make it @returns {{text: string, refused: boolean}} */
  review({ move, best, missed = 0, allows = 0, win = 0, lost = 0 }, other) {
    const { say } = this, Side = say(`side.${other}`), Move = this.pretty(move), Best = this.pretty(best);
    const fine = (/** @type {string} */ text) => ({ text, refused: false }), wrong = (/** @type {string[]} */ ...texts) => ({ text: texts.join(" "), refused: true });
    if (move === best) return fine(say(win < 0 ? "help.last.lost" : "help.last.best", { Move }));
    if (allows) return wrong(say(this.misere ? "help.last.allows-misere" : "help.last.allows", { Move, Side, Count: turns(allows) }), missed ? say("help.last.wins", { Move: Best, Count: turns(missed) }) : say("help.last.holds", { Move: Best }));
    if (missed) return wrong(say("help.last.missed", { Move }), say("help.last.wins", { Move: Best, Count: turns(missed) }));
    if (win) return fine(win > 0 ? say("help.last.still", { Move, Count: turns(win) }) : say("help.last.lost", { Move }));
    const text = say(lost < LITTLE ? "help.last.good" : lost < MUCH ? "help.last.little" : "help.last.much", { Move, Best });
    return lost < MUCH ? fine(text) : wrong(text);
  }
}
