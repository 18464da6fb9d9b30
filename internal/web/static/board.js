// The board: a grid of focusable squares with a drawing over it. It knows no rules. What each piece may do
// arrives with every position, and a move is handed to whoever owns the board, never decided here.

import { EASE, Frame, RIM, between, direction, distance, links, num, passes, place, readBoard, waves } from "./geometry.js";

/** @typedef {import("./geometry.js").Color} Color */
/** @typedef {import("./geometry.js").Point} Point */
/** @typedef {import("./geometry.js").Ray} Ray */
/** @typedef {import("./texts.js").Say} Say */

/**
 * What the board shows.
 * @typedef {object} View
 * @property {string} board ranks from the top
 * @property {Record<string, Ray[]>} rays what each piece may do; empty when the position is only to be looked at
 * @property {Color | ""} own the side whose lines are drawn as "here you can act"
 * @property {boolean} playing own pieces may be moved now
 * @property {boolean} [ahead] a move of an own piece may be planned, though the other side is to move
 * @property {{from: string, to: string} | null} [plan] the planned move
 * @property {{from: string, to: string} | null} last the move that led here
 * @property {string[][]} won groups that light up, because the game is over
 * @property {string[][]} [linked] pieces that are linked where they touch
 */

/**
 * The piece being asked about, and the direction, or -1 for all of them.
 * @typedef {{square: string, color: Color, rays: Ray[], dir: number, own: boolean}} Asked
 */

/**
 * @typedef {object} Events
 * @property {(from: string, to: string, capture: boolean) => void} move a legal move was made by hand
 * @property {(from: string, to: string) => void} [plan] a move was planned by hand; two empty names take the plan back
 * @property {(asked: Asked | null) => void} ask another piece or direction is asked about
 * @property {(square: string) => boolean} [pick] a square is chosen before anything else becomes of it; whether that was all
 */

const SVG = "http://www.w3.org/2000/svg";
const DRAG_AFTER = 6; // pixels: less is a tap with an unsteady hand
const BADGE_REACH = 0.36; // squares: how near a tap on the rim must be to a count

/**
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {(Node | string)[]} children
 */
function draw(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, typeof value === "number" ? num(value) : value);
  node.append(...children);
  return node;
}

export class Board {
  /** @type {View} */
  #view = { board: "8/8/8/8/8/8/8/8", rays: {}, own: "", playing: false, last: null, won: [] };
  #frame = new Frame(8);
  /** @type {Map<string, Color>} */
  #pieces = new Map();
  /** @type {Map<string, SVGElement>} */
  #nodes = new Map();
  /** @type {Map<string, HTMLButtonElement>} */
  #cells = new Map();
  #selected = "";
  #dir = -1;
  /** @type {{from: string, to: string} | null} */
  #sent = null;
  #focus = "";
  /** @type {{id: number, square: string, x: number, y: number, moving: boolean} | null} */
  #drag = null;
  #dragged = false;
  /** @type {string[][]} */
  #linked = [];
  /** @type {{from: string, to: string} | null} */
  #advice = null;
  /** @type {{from: string, to: string}[]} */
  #threats = [];
  #layer;
  #grid;
  #svg;

  /** Moves take the time to count along. */
  slow = false;

  /**
   * @param {HTMLElement} root the element with class board, whose content is replaced
   * @param {Say} say
   * @param {Events} on
   */
  constructor(root, say, on) {
    this.root = root;
    this.say = say;
    this.on = on;
    this.#grid = document.createElement("div");
    this.#grid.className = "sqs";
    this.#grid.setAttribute("role", "grid");
    const group = (/** @type {string} */ name = "") => /** @type {SVGGElement} */ (draw("g", name ? { class: name } : {}));
    this.#layer = { coords: group("co"), last: group(), lines: group(), links: group(), pieces: group(), plan: group("plan"), advice: group("adv"), lamps: group(), marks: group(), badges: group() };
    this.#svg = /** @type {SVGSVGElement} */ (draw("svg", { class: "ov", "aria-hidden": "true" }, ...Object.values(this.#layer)));
    root.replaceChildren(this.#grid, this.#svg);
    root.addEventListener("click", (event) => this.#click(event));
    root.addEventListener("pointerdown", (event) => this.#down(event));
    root.addEventListener("pointermove", (event) => this.#over(event));
    root.addEventListener("pointerup", (event) => this.#up(event));
    root.addEventListener("pointercancel", () => this.#drop(""));
    root.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && !this.#drag && this.#ask(-1));
    this.#grid.addEventListener("keydown", (event) => this.#key(event));
    this.#grid.addEventListener("focusin", (event) => this.#focused(event));
  }

  get flipped() {
    return this.#frame.flipped;
  }

  /** The name of the whole grid for those who hear it. @param {string} text */
  label(text) {
    this.#grid.setAttribute("aria-label", text);
  }

  /**
   * Shows a position. With motion the last move is played on the board, unless the hand has just made it there.
   * @param {View} view
   * @param {boolean} [motion]
   */
  show(view, motion = false) {
    const before = this.#pieces, sent = this.#sent;
    const { size, pieces } = readBoard(view.board);
    this.#view = view;
    this.#sent = null;
    this.#linked = view.linked ?? [];
    this.#pieces = pieces;
    if (size !== this.#frame.size || this.#cells.size === 0) this.#build(size, this.#frame.flipped);
    const byHand = sent && view.last && sent.from === view.last.from && sent.to === view.last.to;
    if (!byHand) this.finish(); // a move made by hand is under way already
    const old = new Map(this.#nodes);
    this.#drawPieces();
    this.#drawLast();
    this.#drawPlan();
    const made = view.last && before.has(view.last.from) && !pieces.has(view.last.from); // and not stood there already, as when somebody resigns
    if (motion && view.last && made && !byHand) this.#play(view.last, before.get(view.last.to), old.get(view.last.to));
    this.#drawLinks(motion);
    const kept = this.#selected && pieces.get(this.#selected) === before.get(this.#selected) && view.rays[this.#selected];
    if (kept) this.#changed();
    else this.select("");
  }

  /** Shows a move made by hand as sent and not yet confirmed. @param {string} from @param {string} to */
  expect(from, to) {
    const color = this.#pieces.get(from);
    if (!color) return;
    this.#selected = "";
    this.#dir = -1;
    this.#sent = { from, to };
    this.#pieces.delete(from);
    const taken = this.#nodes.get(to), had = this.#pieces.get(to);
    this.#pieces.set(to, color);
    const dropped = this.#dragged;
    this.#drawPieces();
    this.#drawLast();
    if (!dropped) this.#play({ from, to }, had, taken);
    this.#changed();
  }

  /** Puts the keyboard back on the board. */
  focus() {
    this.#cells.get(this.#focus)?.focus({ preventScroll: true });
  }

  /** Turns the board. @param {boolean} flipped */
  flip(flipped) {
    const size = this.#frame.size, inside = this.#grid.contains(document.activeElement);
    this.#build(size, flipped);
    this.#drawPieces();
    this.#drawLast();
    this.#drawPlan();
    this.#drawAdvice();
    this.#drawLinks(false);
    this.#changed();
    if (inside) this.#cells.get(this.#focus)?.focus();
  }

  /** Joins the pieces of these groups with lines where they touch; none takes the lines away. @param {string[][]} groups */
  link(groups) {
    this.#linked = groups;
    this.#drawLinks(false);
  }

  /** Draws a move that somebody suggests; null takes it away. @param {{from: string, to: string} | null} move */
  advise(move) {
    this.#advice = move;
    this.#drawAdvice();
  }

  /** Draws moves that are threatened; none takes them away. @param {{from: string, to: string}[]} moves */
  threaten(moves) {
    this.#threats = moves;
    this.#drawAdvice();
  }

  /** Selects a piece, or nothing. @param {string} square */
  select(square) {
    const had = this.#selected;
    this.#selected = square && this.#view.rays[square] ? square : "";
    this.#dir = -1;
    this.#changed();
    if (this.#selected && this.#selected !== had) this.#grow();
  }

  /** Ends every motion on the board. */
  finish() {
    for (const motion of this.#svg.getAnimations({ subtree: true })) motion.finish();
  }

  /** @param {number} size @param {boolean} flipped */
  #build(size, flipped) {
    this.#frame = new Frame(size, flipped);
    this.root.dataset.size = String(size);
    this.#svg.setAttribute("viewBox", this.#frame.viewBox);
    this.#cells.clear();
    this.#grid.replaceChildren(...this.#frame.rows().map((names) => {
      const row = document.createElement("div");
      row.setAttribute("role", "row");
      row.append(...names.map((square) => {
        const cell = document.createElement("button");
        cell.type = "button";
        cell.className = "sq";
        cell.tabIndex = -1;
        cell.dataset.square = square;
        cell.setAttribute("role", "gridcell");
        this.#cells.set(square, cell);
        return cell;
      }));
      return row;
    }));
    if (!this.#cells.has(this.#focus)) this.#focus = this.#frame.rows()[size - 1][0];
    this.#nodes.clear();
    this.#layer.pieces.replaceChildren();
  }

  // Drawing.

  /** @param {string} square */
  #translate(square) {
    const { x, y } = this.#frame.center(square);
    return `translate(${num(x)} ${num(y)})`;
  }

  /** Draws the pieces. Those that stay keep their drawings, which may be in motion. */
  #drawPieces() {
    /** @type {Map<string, SVGElement>} */
    const next = new Map();
    for (const [square, color] of this.#pieces) {
      let node = this.#nodes.get(square);
      if (node?.dataset.color !== color) node = draw("g", { "data-color": color }, draw("use", { href: color === "black" ? "#b" : "#w" }));
      node.setAttribute("transform", this.#translate(square));
      node.classList.toggle("pend", this.#sent?.to === square);
      next.set(square, node);
    }
    const kept = new Set(next.values());
    for (const node of this.#nodes.values()) if (!kept.has(node)) node.remove();
    for (const node of kept) if (!node.isConnected) this.#layer.pieces.append(node);
    this.#nodes = next;
  }

  #drawLast() {
    const last = this.#sent ?? this.#view.last;
    if (!last) return this.#layer.last.replaceChildren();
    const tint = (/** @type {string} */ square) => {
      const { x, y } = this.#frame.center(square);
      return draw("rect", { class: "last", x: x - 0.5, y: y - 0.5, width: 1, height: 1 });
    };
    this.#layer.last.replaceChildren(tint(last.from), tint(last.to), draw("path", { class: "trk", d: this.#frame.line(last.from, last.to) }));
  }

  /** The planned move: a dashed line, and the piece faintly where it is to land. */
  #drawPlan() {
    const { plan, own } = this.#view;
    if (!plan || !own) return this.#layer.plan.replaceChildren();
    const d = this.#frame.line(plan.from, plan.to);
    this.#layer.plan.replaceChildren(draw("path", { class: "c1", d }), draw("path", { class: "pre", d }),
      draw("g", { class: "pend", transform: this.#translate(plan.to) }, draw("use", { href: own === "black" ? "#b" : "#w" }), draw("circle", { class: "pre", r: 0.39, cy: -0.012 })));
  }

  #drawAdvice() {
    const arrow = (/** @type {{from: string, to: string}} */ { from, to }) => {
      const d = this.#frame.line(from, to), { x: cx, y: cy } = this.#frame.center(to);
      return [...["c1", "c2"].map((name) => draw("path", { class: name, d })), ...["to1", "to2"].map((name) => draw("circle", { class: name, cx, cy, r: 0.2 }))];
    };
    const threats = draw("g", { class: "look" }, ...this.#threats.flatMap(arrow));
    this.#layer.advice.replaceChildren(...(this.#threats.length ? [threats] : []), ...(this.#advice ? arrow(this.#advice) : []));
  }

  /** @param {boolean} wave light up step by step from the last move */
  #drawLinks(wave) {
    const won = this.#view.won, lines = [], lamps = [];
    const origin = this.#view.last?.to ?? "";
    for (const group of [...this.#linked, ...won]) {
      const steps = waves(group, origin);
      for (const [a, b] of links(group)) {
        const d = this.#frame.line(a, b), node = draw("g", {}, draw("path", { class: "lk1", d }), draw("path", { class: "lk2", d }));
        node.style.setProperty("--n", String(Math.max(steps.get(a) ?? 0, steps.get(b) ?? 0)));
        lines.push(node);
      }
      if (won.includes(group)) for (const square of group) lamps.push(this.#lamp(square, steps.get(square) ?? 0, true));
    }
    this.#layer.links.replaceChildren(...lines);
    this.#layer.links.setAttribute("class", wave ? "wave" : "");
    if (won.length) {
      this.#layer.lamps.replaceChildren(...lamps);
      this.#layer.lamps.setAttribute("class", wave ? "wave" : "");
    }
  }

  /** A piece with its mark lit, over the piece itself. @param {string} square @param {number} step @param {boolean} halo */
  #lamp(square, step, halo) {
    const node = draw("g", { transform: this.#translate(square) }, draw("use", { class: "lit", href: this.#pieces.get(square) === "black" ? "#bt" : "#wt" }));
    if (halo) node.append(draw("circle", { class: "halo", cy: -0.012, r: 0.39 }));
    node.style.setProperty("--n", String(step));
    return node;
  }

  /** Draws the selection anew and tells the owner. */
  #changed() {
    const square = this.#selected, color = this.#pieces.get(square), rays = this.#view.rays[square];
    const { lines, lamps, marks, badges, coords } = this.#layer;
    for (const layer of [lines, marks, badges]) layer.replaceChildren();
    if (!this.#view.won.length) lamps.replaceChildren(), lamps.setAttribute("class", "lamps");
    /** @type {Point[]} */
    let spots = [];
    if (color && rays) {
      const own = color === this.#view.own;
      for (const layer of [lines, marks, badges]) layer.setAttribute("class", own ? "" : "look");
      spots = this.#drawRays(square, rays);
      if (!this.#view.won.length) lamps.append(...this.#counted(square, rays).map((other, step) => this.#lamp(other, step, false)));
    }
    if (this.#sent) {
      const { x, y } = this.#frame.center(this.#sent.to);
      marks.append(draw("circle", { class: "gh2", cx: x, cy: y - 0.012, r: 0.39 }));
    }
    coords.replaceChildren(...this.#coordinates(spots));
    this.#label();
    this.on.ask(color && rays ? { square, color, rays, dir: this.#dir, own: color === this.#view.own } : null);
  }

  /** The pieces counted on the four lines of a piece, the piece itself first. @param {string} square @param {Ray[]} rays */
  #counted(square, rays) {
    const dirs = this.#dir < 0 ? rays.map((_, dir) => dir) : [this.#dir, (this.#dir + 4) % 8];
    const others = [...this.#pieces.keys()].filter((other) => dirs.includes(direction(square, other)));
    return [square, ...others.sort((a, b) => distance(square, a) - distance(square, b))];
  }

  /**
   * The lines of a piece, where it lands, what refuses it in the direction asked about, and the counts.
   * @param {string} square
   * @param {Ray[]} rays
   * @returns {Point[]} where the counts stand
   */
  #drawRays(square, rays) {
    const { lines, marks, badges } = this.#layer, frame = this.#frame;
    lines.append(draw("path", { class: "c0", d: frame.hairlines(square) }));
    let act = "";
    /** @type {Point[]} */
    const spots = [];
    rays.forEach((ray, dir) => {
      const legal = ray.v === "move" || ray.v === "capture";
      if (legal && ray.to) {
        const capture = ray.v === "capture";
        act += frame.action(square, ray.to, capture);
        for (const passed of between(square, ray.to)) if (!this.#pieces.has(passed)) act += frame.tick(passed, dir);
        const { x, y } = frame.center(ray.to);
        marks.append(...["to1", "to2"].map((name) => capture
          ? draw("path", { class: name, fill: "none", d: frame.brackets(/** @type {string} */ (ray.to)) })
          : draw("circle", { class: name, cx: x, cy: y, r: 0.2 })));
      } else if (dir === this.#dir) this.#drawRefusal(square, ray, dir);
      const spot = frame.badge(square, dir);
      spots.push(spot);
      badges.append(...badge(spot, ray.n, legal ? "legal" : ray.v === "off-board" ? "off" : "refused"));
    });
    if (act) lines.append(draw("path", { class: "c1", d: act }), draw("path", { class: "c2", d: act }));
    return spots;
  }

  /** @param {string} square @param {Ray} ray @param {number} dir */
  #drawRefusal(square, ray, dir) {
    const { lines, marks } = this.#layer, frame = this.#frame;
    if (!ray.by || !ray.to) return;
    const d = ray.v === "blocked" ? frame.line(square, ray.to) : frame.lineTo(square, ray.by, 0.47);
    lines.append(draw("path", { class: "b1", d }), draw("path", { class: "b2", d }));
    const bar = frame.bar(ray.by, dir);
    marks.append(draw("path", { class: "bar1", d: bar }), draw("path", { class: "bar2", d: bar }));
    if (ray.v !== "blocked") return;
    const { x, y } = frame.center(ray.to);
    const text = draw("text", {}, this.say("board.blocks", { Square: ray.by }));
    const tag = draw("rect", { class: "tag", height: 0.44, rx: 0.07 });
    marks.append(draw("circle", { class: "gh1", cx: x, cy: y, r: 0.24 }), draw("circle", { class: "gh2", cx: x, cy: y, r: 0.24 }), draw("path", { class: "gx", d: frame.cross(ray.to) }), tag, text);
    const width = /** @type {SVGTextElement} */ (text).getComputedTextLength() + 0.36;
    const middle = frame.tag(ray.to, dir, width, [...this.#pieces.keys()].map((piece) => frame.center(piece)));
    tag.setAttribute("x", num(middle.x - width / 2));
    tag.setAttribute("y", num(middle.y - 0.22));
    tag.setAttribute("width", num(width));
    text.setAttribute("x", num(middle.x));
    text.setAttribute("y", num(middle.y + 0.09));
  }

  /** Files and ranks on the rim; one that a count covers gives way. @param {Point[]} spots */
  #coordinates(spots) {
    const { size, flipped } = this.#frame;
    const texts = [];
    for (let i = 0; i < size; i++) {
      const n = flipped ? size - 1 - i : i;
      texts.push({ x: i + 0.5, y: size + 0.21, text: String.fromCharCode(97 + n) }, { x: -0.21, y: i + 0.5, text: String(size - n) });
    }
    return texts.filter((t) => spots.every((s) => Math.hypot(s.x - t.x, s.y - t.y) > 0.38))
      .map((t) => draw("text", { x: t.x, y: t.y + 0.07 }, t.text));
  }

  /** Names every square for those who hear the board, and marks what can be done with it. */
  #label() {
    const targets = this.#targets(), comma = this.say("format.list");
    for (const [square, cell] of this.#cells) {
      const color = this.#pieces.get(square), target = targets.has(square), said = [square];
      said.push(color ? this.say(`piece.${color}`) : this.say("square.empty"));
      if (square === this.#selected) said.push(this.say("square.selected"));
      if (square === this.#view.plan?.to) said.push(this.say("square.planned", { Square: this.#view.plan.from }));
      if (target && this.#view.ahead) said.push(this.say("square.plan"));
      else if (target && color) said.push(this.say("square.capture"));
      if (target && !this.#view.ahead) said.push(this.say("square.land", { Count: distance(this.#selected, square) }));
      cell.setAttribute("aria-label", said.join(comma));
      cell.ariaSelected = square === this.#selected ? "true" : null;
      cell.classList.toggle("grab", this.#movable(square));
      cell.tabIndex = square === this.#focus ? 0 : -1;
    }
  }

  // Motion.

  /**
   * @param {{from: string, to: string}} move
   * @param {Color} [taken] the piece that stood there
   * @param {SVGElement} [node] its drawing
   */
  #play({ from, to }, taken, node) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const mover = this.#nodes.get(to), a = this.#frame.center(from), b = this.#frame.center(to);
    if (!mover) return;
    const count = distance(from, to), duration = this.slow ? 240 + 110 * count : 220 + 20 * Math.max(0, count - 3);
    this.#layer.pieces.append(mover);
    this.#svg.style.setProperty("--rest", `${duration + 80}ms`);
    mover.firstElementChild?.animate([{ transform: `translate(${a.x - b.x}px, ${a.y - b.y}px)` }, { transform: "none" }], { duration, easing: `cubic-bezier(${EASE})` });
    this.#tickOff(from, to, duration);
    if (!taken || !node) return;
    this.#layer.pieces.prepend(node);
    node.firstElementChild?.animate([{ transform: "none", opacity: 1 }, { transform: "none", opacity: 1, offset: 0.45 }, { transform: "scale(.6)", opacity: 0 }], { duration })
      .finished.then(() => node.remove(), () => node.remove());
  }

  /** Ticks the count off along a line, as the piece passes its squares. @param {string} from @param {string} to @param {number} duration */
  #tickOff(from, to, duration) {
    const dir = direction(from, to), way = [...between(from, to), to], total = duration + 600;
    const ticks = way.map((square, i) => {
      const { x, y } = this.#frame.center(square), d = this.#frame.tick(square, dir), from = duration * passes((i + 1) / way.length) / total;
      const count = draw("g", { class: "cn" }, draw("circle", { cx: x + 0.3, cy: y - 0.3, r: 0.17 }), draw("text", { x: x + 0.3, y: y - 0.215 }, String(i + 1)));
      const tick = draw("g", {}, ...(square === to ? [] : [draw("path", { class: "c1", d }), draw("path", { class: "c2", d })]), count);
      tick.animate([{ opacity: 0 }, { opacity: 0, offset: Math.max(0, from - 0.02) }, { opacity: 1, offset: from }, { opacity: 1, offset: 0.8 }, { opacity: 0 }], { duration: total });
      return tick;
    });
    const all = draw("g", {}, ...ticks);
    this.#layer.badges.before(all);
    for (const motion of all.getAnimations({ subtree: true })) motion.finished.then(() => all.remove(), () => all.remove());
  }

  /** The lines of the selected piece grow outwards. */
  #grow() {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const { x, y } = this.#frame.center(this.#selected);
    this.#layer.lines.animate([{ transform: `translate(${x}px, ${y}px) scale(.15) translate(${-x}px, ${-y}px)` }, { transform: "none" }], { duration: 120, easing: "ease-out" });
    this.#layer.marks.animate([{ opacity: 0 }, { opacity: 0, offset: 0.6 }, { opacity: 1 }], { duration: 150 });
  }

  // Hands and keys.

  /** @param {string} square */
  #movable(square) {
    return (this.#view.playing || this.#view.ahead === true) && !this.#sent && this.#pieces.get(square) === this.#view.own && this.#view.rays[square] !== undefined;
  }

  /** The landing squares of the selected piece, with their directions. @returns {Map<string, number>} */
  #targets() {
    const map = new Map();
    if (!this.#movable(this.#selected)) return map;
    if (this.#view.ahead) {
      // the other side's move may change any count, so any square on a line can be the one
      for (const square of this.#cells.keys()) if (direction(this.#selected, square) >= 0 && this.#pieces.get(square) !== this.#view.own) map.set(square, direction(this.#selected, square));
      return map;
    }
    this.#view.rays[this.#selected].forEach((ray, dir) => {
      if (ray.to && (ray.v === "move" || ray.v === "capture")) map.set(ray.to, dir);
    });
    return map;
  }

  /** Moves the selected piece if it may land there. @param {string} to */
  #land(to) {
    if (!this.#targets().has(to)) return false;
    const from = this.#selected;
    if (this.#view.ahead) this.on.plan?.(from, to);
    else this.on.move(from, to, this.#pieces.has(to));
    return true;
  }

  /** @param {number} dir */
  #ask(dir) {
    if (!this.#selected || dir === this.#dir) return;
    this.#dir = dir;
    this.#changed();
  }

  /** A tap on a square, or Enter on it. @param {string} square */
  #tap(square) {
    if (this.on.pick?.(square)) return;
    const from = this.#selected, plan = this.#view.plan;
    if (plan && (square === plan.to || square === plan.from)) return this.on.plan?.("", "");
    if (!from) return this.select(square);
    if (square === from) return this.select("");
    if (this.#land(square)) return;
    const dir = direction(from, square), ray = dir < 0 ? null : this.#view.rays[from][dir];
    const refused = ray && (ray.by === square || ray.to === square) && this.#dir !== dir;
    if (this.#pieces.has(square) && !(refused && this.#pieces.get(square) !== this.#pieces.get(from))) return this.select(square);
    if (dir < 0) return this.select("");
    this.#ask(dir);
  }

  /** @param {MouseEvent} event */
  #click(event) {
    if (this.#dragged) {
      this.#dragged = false;
      return;
    }
    const cell = /** @type {HTMLElement} */ (event.target).closest(".sq");
    if (cell instanceof HTMLElement) this.#tap(cell.dataset.square ?? "");
    else this.#ask(this.#badgeAt(this.#point(event)));
  }

  /** @param {MouseEvent} event @returns {Point} */
  #point(event) {
    const box = this.#svg.getBoundingClientRect(), scale = (this.#frame.size + 2 * RIM) / box.width;
    return { x: (event.clientX - box.left) * scale - RIM, y: (event.clientY - box.top) * scale - RIM };
  }

  /** The direction whose count is near a point of the rim, or -1. @param {Point} point */
  #badgeAt(point) {
    if (!this.#selected) return -1;
    for (let dir = 0; dir < 8; dir++) {
      const spot = this.#frame.badge(this.#selected, dir);
      if (Math.hypot(spot.x - point.x, spot.y - point.y) < BADGE_REACH) return dir;
    }
    return -1;
  }

  /** @param {PointerEvent} event */
  #down(event) {
    this.finish();
    this.#dragged = false;
    const square = this.#frame.squareAt(this.#point(event));
    if (event.button === 0 && square && this.#movable(square)) this.#drag = { id: event.pointerId, square, x: event.clientX, y: event.clientY, moving: false };
  }

  /** @param {PointerEvent} event */
  #over(event) {
    const drag = this.#drag, point = this.#point(event);
    if (drag && drag.id === event.pointerId && !drag.moving && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > DRAG_AFTER) {
      drag.moving = true;
      this.root.setPointerCapture(event.pointerId);
      if (this.#selected !== drag.square) this.select(drag.square);
      const node = this.#nodes.get(drag.square);
      if (node) this.#layer.badges.before(node), node.classList.add("held");
      this.#layer.lamps.setAttribute("visibility", "hidden");
    }
    if (drag?.moving) this.#nodes.get(drag.square)?.setAttribute("transform", `translate(${num(point.x)} ${num(point.y)})`);
    if (!this.#selected || !drag?.moving && event.pointerType === "touch") return;
    const square = this.#frame.squareAt(point);
    this.#ask(square ? direction(this.#selected, square) : this.#badgeAt(point));
  }

  /** @param {PointerEvent} event */
  #up(event) {
    if (this.#drag?.moving) this.#drop(this.#frame.squareAt(this.#point(event)));
    this.#drag = null;
  }

  /** Lets go of the piece in hand over a square, or nowhere. @param {string} square */
  #drop(square) {
    const drag = this.#drag;
    this.#drag = null;
    if (!drag?.moving) return;
    this.#dragged = true;
    this.#layer.lamps.removeAttribute("visibility");
    const node = this.#nodes.get(drag.square);
    if (node) {
      node.classList.remove("held");
      node.setAttribute("transform", this.#translate(drag.square));
      this.#layer.pieces.append(node);
    }
    if (square && square !== drag.square) this.#land(square);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    /** @type {Record<string, [number, number]>} */
    const steps = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0], Home: [-9, 0], End: [9, 0] };
    const step = steps[event.key], turn = this.#frame.flipped ? -1 : 1, last = this.#frame.size - 1;
    this.finish();
    if (event.key === "Escape" && this.#view.plan) {
      event.preventDefault();
      return this.on.plan?.("", "");
    }
    if (event.key === "Escape" && this.#selected) {
      event.preventDefault();
      return this.select("");
    }
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const clamp = (/** @type {number} */ n) => Math.min(Math.max(n, 0), last);
    const [file, rank] = place(this.#focus);
    const next = String.fromCharCode(97 + clamp(file + step[0] * turn)) + (clamp(rank + step[1] * turn) + 1);
    this.#cells.get(next)?.focus();
  }

  /** @param {FocusEvent} event */
  #focused(event) {
    const cell = /** @type {HTMLElement} */ (event.target), square = cell.dataset.square;
    if (!square) return;
    const old = this.#cells.get(this.#focus);
    if (old) old.tabIndex = -1;
    cell.tabIndex = 0;
    this.#focus = square;
    if (this.#selected && square !== this.#selected && cell.matches(":focus-visible")) this.#ask(direction(this.#selected, square));
  }
}

/**
 * The count at the end of a line: a solid round one may be moved along, a hollow one leads off the board, a square one is refused.
 * @param {Point} spot
 * @param {number} count
 * @param {"legal" | "off" | "refused"} kind
 */
function badge(spot, count, kind) {
  const text = draw("text", { class: "bt", x: spot.x, y: spot.y + 0.097 }, String(count));
  if (kind === "refused") return [draw("rect", { class: "bx", x: spot.x - 0.19, y: spot.y - 0.19, width: 0.38, height: 0.38, rx: 0.06 }), text];
  return [draw("circle", { class: kind === "legal" ? "bd" : "bo", cx: spot.x, cy: spot.y, r: kind === "legal" ? 0.205 : 0.185 }), text];
}
