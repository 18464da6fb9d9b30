// Where everything on the board is drawn. Pure: numbers and names in, numbers and path text out.
// The unit is one square; x grows to the right and y downwards from the corner of the top left square,
// and around the squares lies a rim of RIM. Directions are numbered clockwise from "up the board",
// that is, towards the higher ranks, whatever way round the board is shown.

/** @typedef {"black"|"white"} Color */
/** @typedef {{x: number, y: number}} Point */

/**
 * What happens when a piece moves in one direction.
 * @typedef {object} Ray
 * @property {number} n pieces on the whole line, the piece itself included
 * @property {"move" | "capture" | "off-board" | "own-piece" | "blocked" | "no-capture"} v
 * @property {string} [to] where the count leads, unless off the board
 * @property {string} [by] the piece in the way: the enemy passed, or the piece landed on
 */

/** Width of the rim around the squares. */
export const RIM = 0.42;

/** File and rank steps of the eight directions. */
const STEPS = [[0, 1], [1, 1], [1, 0], [1, -1], [0, -1], [-1, -1], [-1, 0], [-1, 1]];

/** Rounds to three decimals and drops a trailing zero, for short path text. @param {number} n */
export const num = (n) => String(Math.round(n * 1000) / 1000);

/** @param {Point} p */
const at = (p) => `${num(p.x)} ${num(p.y)}`;

/**
 * Reads board text: ranks from the top, x Black, o White, digits empty.
 * @param {string} text
 * @returns {{size: number, pieces: Map<string, Color>}}
 */
export function readBoard(text) {
  const ranks = text.split("/");
  const size = ranks.length;
  /** @type {Map<string, Color>} */
  const pieces = new Map();
  ranks.forEach((rank, row) => {
    let file = 0;
    for (const mark of rank) {
      if (mark === "x" || mark === "o") pieces.set(name(file++, size - 1 - row), mark === "x" ? "black" : "white");
      else file += Number(mark);
    }
  });
  return { size, pieces };
}

/** The signs of the protocol for what happens to a piece. @type {Record<string, Ray["v"]>} */
const VERDICTS = { m: "move", c: "capture", "-": "off-board", b: "blocked", o: "own-piece", n: "no-capture" };

/**
 * Reads what each piece may do, as the server writes it: pieces separated by spaces, each a square and then for the
 * eight directions the count, a sign, and for a blocked way the distance of the enemy.
 * @param {string} text
 * @returns {Record<string, Ray[]>}
 */
export function readRays(text) {
  return Object.fromEntries(text.split(" ").filter(Boolean).map((piece) => {
    const from = piece.slice(0, 2);
    const rays = [...piece.slice(2).matchAll(/(\d)([mcon-]|b(\d))/g)].map(([, count, sign, way], dir) => {
      const n = Number(count), v = VERDICTS[sign[0]], to = v === "off-board" ? undefined : ahead(from, dir, n);
      return { n, v, to, by: v === "blocked" ? ahead(from, dir, Number(way)) : v === "own-piece" || v === "no-capture" ? to : undefined };
    });
    return [from, rays];
  }));
}

/** The square so many steps from another one. @param {string} from @param {number} dir @param {number} count */
function ahead(from, dir, count) {
  const [file, rank] = place(from), [f, r] = STEPS[dir];
  return name(file + f * count, rank + r * count);
}

/** The name of a square from its file and rank, both counted from 0. @param {number} file @param {number} rank */
export const name = (file, rank) => String.fromCharCode(97 + file) + (rank + 1);

/** File and rank of a named square, both counted from 0. @param {string} square @returns {[number, number]} */
export const place = (square) => [square.charCodeAt(0) - 97, Number(square.slice(1)) - 1];

/**
 * Splits a move into its squares; null for a pass.
 * @param {string} move
 */
export function readMove(move) {
  const parts = /^([a-h][1-8])([-x])([a-h][1-8])$/.exec(move);
  return parts && { from: parts[1], to: parts[3], capture: parts[2] === "x" };
}

/**
 * The direction in which one square lies from another, or -1 when no line joins them.
 * @param {string} from
 * @param {string} to
 */
export function direction(from, to) {
  const [f0, r0] = place(from), [f1, r1] = place(to);
  const df = f1 - f0, dr = r1 - r0;
  if (df === 0 && dr === 0 || df !== 0 && dr !== 0 && Math.abs(df) !== Math.abs(dr)) return -1;
  return STEPS.findIndex(([f, r]) => f === Math.sign(df) && r === Math.sign(dr));
}

/** How many squares a move crosses. @param {string} from @param {string} to */
export function distance(from, to) {
  const [f0, r0] = place(from), [f1, r1] = place(to);
  return Math.max(Math.abs(f1 - f0), Math.abs(r1 - r0));
}

/** The squares strictly between two squares of one line. @param {string} from @param {string} to */
export function between(from, to) {
  const step = STEPS[direction(from, to)], [file, rank] = place(from);
  return Array.from({ length: distance(from, to) - 1 }, (_, i) => name(file + step[0] * (i + 1), rank + step[1] * (i + 1)));
}

/** How a moving piece leaves fast and settles: the points of the curve, as CSS has it. */
export const EASE = [0.2, 0.7, 0.2, 1];

/** When a moving piece has covered a share of its way, as a share of its time. @param {number} way from 0 to 1 */
export function passes(way) {
  const [x1, y1, x2, y2] = EASE, bend = (/** @type {number} */ s, /** @type {number} */ a, /** @type {number} */ b) => 3 * (1 - s) ** 2 * s * a + 3 * (1 - s) * s ** 2 * b + s ** 3;
  let low = 0, high = 1;
  for (let i = 0; i < 20; i++) {
    const middle = (low + high) / 2;
    if (bend(middle, y1, y2) < way) low = middle;
    else high = middle;
  }
  return bend(high, x1, x2);
}

/** A board of some size, seen from one side: where its squares and lines are on the screen. */
export class Frame {
  /**
   * @param {number} size squares on an edge
   * @param {boolean} [flipped] White's side at the bottom
   */
  constructor(size, flipped = false) {
    this.size = size;
    this.flipped = flipped;
  }

  /** The whole drawing, rim included. */
  get viewBox() {
    return `${-RIM} ${-RIM} ${num(this.size + 2 * RIM)} ${num(this.size + 2 * RIM)}`;
  }

  /** The squares row by row as they stand on the screen. */
  rows() {
    return Array.from({ length: this.size }, (_, row) => Array.from({ length: this.size }, (_, column) =>
      this.flipped ? name(this.size - 1 - column, row) : name(column, this.size - 1 - row)));
  }

  /** The middle of a square. @param {string} square @returns {Point} */
  center(square) {
    const [file, rank] = place(square);
    return this.flipped ? { x: this.size - file - 0.5, y: rank + 0.5 } : { x: file + 0.5, y: this.size - rank - 0.5 };
  }

  /** The square under a point, or "" outside the squares. @param {Point} p */
  squareAt({ x, y }) {
    const column = Math.floor(x), row = Math.floor(y);
    if (column < 0 || row < 0 || column >= this.size || row >= this.size) return "";
    return this.flipped ? name(this.size - 1 - column, row) : name(column, this.size - 1 - row);
  }

  /** The step on the screen of one square in a direction. @param {number} dir @returns {Point} */
  step(dir) {
    const [file, rank] = STEPS[dir], turn = this.flipped ? -1 : 1;
    return { x: file * turn, y: -rank * turn };
  }

  /** The last square of the board from a square in a direction. @param {string} square @param {number} dir */
  last(square, dir) {
    let [file, rank] = place(square);
    const [df, dr] = STEPS[dir];
    const inside = (/** @type {number} */ n) => n >= 0 && n < this.size;
    while (inside(file + df) && inside(rank + dr)) file += df, rank += dr;
    return name(file, rank);
  }

  /** Where the line from a square leaves the squares. @param {string} square @param {number} dir */
  edge(square, dir) {
    return along(this.center(this.last(square, dir)), this.step(dir), 0.5);
  }

  /** Where the count of that line stands, on the rim. @param {string} square @param {number} dir */
  badge(square, dir) {
    return along(this.center(this.last(square, dir)), this.step(dir), 0.71);
  }

  /** The eight hairlines of a piece. @param {string} square */
  hairlines(square) {
    const start = at(this.center(square));
    return STEPS.map((_, dir) => `M${start}L${at(this.edge(square, dir))}`).join("");
  }

  /** A line from a piece to where it lands, ending at the ring (or the brackets of a capture). @param {string} from @param {string} to @param {boolean} capture */
  action(from, to, capture) {
    const end = this.toward(to, direction(from, to), capture ? 0.46 : 0.2);
    return `M${at(this.center(from))}L${at(end)}`;
  }

  /** A short cross stroke on one square of a line. @param {string} square @param {number} dir */
  tick(square, dir) {
    return this.stroke(this.center(square), dir, 0.12);
  }

  /** The bar before the piece that stands in the way. @param {string} blocker @param {number} dir */
  bar(blocker, dir) {
    return this.stroke(this.toward(blocker, dir, 0.47), dir, 0.27);
  }

  /** A straight line between the middles of two squares. @param {string} from @param {string} to */
  line(from, to) {
    return `M${at(this.center(from))}L${at(this.center(to))}`;
  }

  /** A line from a square to just before another. @param {string} from @param {string} to @param {number} gap */
  lineTo(from, to, gap) {
    return `M${at(this.center(from))}L${at(this.toward(to, direction(from, to), gap))}`;
  }

  /** The two strokes of the cross on a ghost. @param {string} square */
  cross(square) {
    const { x, y } = this.center(square), r = 0.09;
    return `M${num(x - r)} ${num(y - r)}L${num(x + r)} ${num(y + r)}M${num(x + r)} ${num(y - r)}L${num(x - r)} ${num(y + r)}`;
  }

  /** The four brackets round a piece that can be captured. @param {string} square */
  brackets(square) {
    const { x, y } = this.center(square), r = 0.455;
    const point = (/** @type {number} */ deg) => at({ x: x + r * Math.cos(deg * Math.PI / 180), y: y + r * Math.sin(deg * Math.PI / 180) });
    return [0, 90, 180, 270].map((turn) => `M${point(turn + 16)}A${r} ${r} 0 0 1 ${point(turn + 74)}`).join("");
  }

  /**
   * The middle of the tag beside a ghost: inside the squares, and clear of the line that leads there and of pieces
   * where any place is.
   * @param {string} ghost
   * @param {number} dir of the line
   * @param {number} width of the tag
   * @param {Point[]} [pieces] their middles
   */
  tag(ghost, dir, width, pieces = []) {
    const c = this.center(ghost), step = this.step(dir);
    const diagonal = step.x !== 0 && step.y !== 0;
    let x = c.x, y = c.y - 0.66;
    if (step.x === 0) x = c.x + (c.x > this.size / 2 ? -1 : 1) * (width / 2 + 0.42), y = c.y;
    else if (diagonal) x += step.x * 0.75, y = step.y > 0 ? c.y - 0.88 : c.y - 0.66;
    if (y < 0.27) y = c.y + 0.66;
    const half = width / 2 + 0.05, line = Array.from({ length: 5 }, (_, i) => along(c, step, -i / 2));
    /** @type {[Point[], number][]} */
    const taken = [[[c], 0.27], [line, 0.08], [pieces, 0.4]];
    const covered = (/** @type {Point} */ p) => taken.reduce((sum, [points, r]) => points.reduce((sum, point) =>
      sum + Math.max(0, r - Math.hypot(Math.max(0, Math.abs(point.x - p.x) - width / 2), Math.max(0, Math.abs(point.y - p.y) - 0.22))), sum), 0);
    const spots = [{ x, y }, ...[-0.66, 0.66, -0.88, 0.88, -1.1, 1.1].flatMap((dy) => [0, -0.75, 0.75, -1.2, 1.2].map((dx) => ({ x: c.x + dx, y: c.y + dy })))]
      .concat([-1, 1].map((side) => ({ x: c.x + side * (width / 2 + 0.42), y: c.y })))
      .map((p) => ({ x: Math.min(Math.max(p.x, half), this.size - half), y: Math.min(Math.max(p.y, 0.27), this.size - 0.27) }));
    const best = Math.min(...spots.map(covered));
    return spots.find((p) => covered(p) === best) ?? spots[0];
  }

  /** @param {string} square @param {number} dir @param {number} gap before the middle of the square */
  toward(square, dir, gap) {
    const step = this.step(dir), long = Math.hypot(step.x, step.y);
    return along(this.center(square), step, -gap / long);
  }

  /** A stroke across a direction. @param {Point} middle @param {number} dir @param {number} half its half length */
  stroke(middle, dir, half) {
    const step = this.step(dir), long = Math.hypot(step.x, step.y);
    const across = { x: -step.y / long, y: step.x / long };
    return `M${at(along(middle, across, half))}L${at(along(middle, across, -half))}`;
  }
}

/** @param {Point} p @param {Point} step @param {number} times @returns {Point} */
const along = (p, step, times) => ({ x: p.x + step.x * times, y: p.y + step.y * times });

/**
 * The links of one group: pairs of squares that touch. A diagonal is left out where a side neighbour joins the two already.
 * @param {string[]} group
 * @returns {[string, string][]}
 */
export function links(group) {
  const has = new Set(group);
  /** @type {[string, string][]} */
  const pairs = [];
  for (const square of group) {
    const [file, rank] = place(square);
    for (const dir of [0, 1, 2, 3]) {
      const [df, dr] = STEPS[dir], other = name(file + df, rank + dr);
      const joined = df !== 0 && dr !== 0 && (has.has(name(file + df, rank)) || has.has(name(file, rank + dr)));
      if (has.has(other) && !joined) pairs.push([square, other]);
    }
  }
  return pairs;
}

/**
 * How many steps each piece of a group is from one of them, over touching pieces.
 * @param {string[]} group
 * @param {string} origin the piece to begin at; the first one when it is not of the group
 * @returns {Map<string, number>}
 */
export function waves(group, origin) {
  const rest = new Set(group);
  const first = rest.has(origin) ? origin : group[0];
  const steps = new Map([[first, 0]]);
  const queue = [first];
  for (const square of queue) {
    const [file, rank] = place(square);
    for (const [df, dr] of STEPS) {
      const next = name(file + df, rank + dr);
      if (rest.has(next) && !steps.has(next)) {
        steps.set(next, /** @type {number} */ (steps.get(square)) + 1);
        queue.push(next);
      }
    }
  }
  return steps;
}
