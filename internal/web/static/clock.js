// The two clocks of a game. The server's clock rules: what it said is counted down from the moment it was heard, and
// nothing shows as over before the server says so.

/** @typedef {import("./texts.js").Say} Say */

const SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR;
const LEAST = 100; // milliseconds: what is shown until the server says that time is up
const TENTHS_BELOW = 10 * SECOND;
const LOW_BELOW = 20 * SECOND;
const TICKS = [20, 10, 5, 4, 3, 2, 1]; // seconds left at which a dull tick sounds

/**
 * What a control says about drawing its clocks: the time a full clock shows, and a byo-yomi period, 0 without.
 * @param {string} control
 * @returns {{full: number, period: number}}
 */
export function terms(control) {
  const move = /^(\d+)(d?)\/move$/.exec(control);
  if (move) return { full: Number(move[1]) * (move[2] ? DAY : SECOND), period: 0 };
  const [, base, kind, periods, step] = /^([\d.]+)([+bd])(?:(\d+)x)?(\d+)$/.exec(control) ?? [];
  const full = Number(base) * MINUTE || Number(step) * SECOND;
  return { full, period: kind === "+" && periods ? Number(step) * SECOND : 0 };
}

/**
 * A face after some milliseconds of its own turn, never below the least that is shown.
 * @param {Wire.Face} face
 * @param {number} spent
 * @param {number} step of a byo-yomi period, 0 without
 * @returns {Required<Pick<Wire.Face, "left" | "periods" | "period" | "delay">>}
 */
export function after(face, spent, step) {
  let { left, periods = 0, period = false, delay = 0 } = face;
  left -= Math.max(0, spent - delay);
  delay = Math.max(0, delay - spent);
  while (step && left <= 0 && periods > (period ? 1 : 0)) {
    if (period) periods--;
    period = true;
    left += step;
  }
  return { left: Math.max(left, LEAST), periods, period, delay };
}

/**
 * Time as a clock writes it: the figures, and tenths when it is short. Without tenths a second that has begun counts as a whole one, so that
 * no time left looks like none.
 * @param {number} left milliseconds
 * @param {boolean} [whole] without tenths
 * @returns {{days?: number, hours?: number, text: string, tenths: string}}
 */
export function written(left, whole) {
  if (whole) left = Math.ceil(left / SECOND) * SECOND;
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  if (left >= DAY) return { days: Math.floor(left / DAY), hours: Math.floor(left % DAY / HOUR), text: "", tenths: "" };
  const seconds = Math.floor(left / SECOND), minutes = Math.floor(seconds / 60), rest = two(seconds % 60);
  const tenths = !whole && left < TENTHS_BELOW ? `.${Math.floor(left % SECOND / 100)}` : "";
  return { text: minutes >= 60 ? `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}` : `${minutes}:${rest}`, tenths };
}

/** Whether so little is left that it should stand out. @param {{left: number, periods: number, period: boolean}} face @param {{full: number, period: number}} of */
export function low(face, of) {
  if (of.period && !face.period) return false;
  return face.left < Math.min(LOW_BELOW, (of.period || of.full) / 4);
}

/** The second at which a tick sounds when a clock has gone from one time to another, 0 for none. @param {number} before @param {number} now */
export function tick(before, now) {
  return TICKS.find((second) => before >= second * SECOND && now < second * SECOND) ?? 0;
}

/** @typedef {{root: HTMLElement, text: Text, small: HTMLElement}} Dial */

export class Clocks {
  /** @type {Wire.Clock | null} */
  #clock = null;
  #of = { full: 0, period: 0 };
  #heard = 0; // when the clocks stood as #clock says
  #timer = 0;
  #flag = "";
  /** @type {number | null} */
  #sent = null; // when a move was sent that the server has not confirmed
  #last = Infinity; // what the player's own clock showed before
  /** @type {Map<Wire.Color, Dial>} */
  #dials = new Map();

  /**
   * @param {Partial<Record<Wire.Color, HTMLElement>>} roots whose content is replaced
   * @param {Say} say
   * @param {object} on
   * @param {() => void} on.low a mark of low time was passed on the player's own clock
   * @param {() => void} on.second another second has begun
   */
  constructor(roots, say, on) {
    this.say = say;
    this.on = on;
    for (const [color, root] of Object.entries(roots)) {
      const text = document.createTextNode(""), small = document.createElement("small");
      root.replaceChildren(text, small);
      this.#dials.set(/** @type {Wire.Color} */ (color), { root, text, small });
    }
  }

  /**
   * Takes over what the server has just said.
   * @param {Wire.Clock | undefined} clock
   * @param {Wire.Color | undefined} own whose low time is heard
   * @param {Wire.Color | "none" | ""} flag whose flag has fallen
   */
  set(clock, own, flag) {
    if (!clock) return;
    if (clock.running !== this.#clock?.running) this.#last = Infinity;
    this.#clock = clock;
    this.own = own;
    this.#flag = flag;
    this.#of = terms(clock.control);
    this.#heard = performance.now();
    this.#sent = null;
    this.#paint();
  }

  /** Holds the running clock while a move is on its way, or lets it run on. @param {boolean} sent */
  hold(sent) {
    if (sent === (this.#sent !== null)) return;
    this.#sent = sent ? performance.now() : null;
    this.#paint();
  }

  /** Milliseconds left for a first move, 0 when that is no question. */
  get first() {
    return this.#clock?.first ? Math.max(LEAST, this.#clock.first - (performance.now() - this.#heard)) : 0;
  }

  #paint() {
    const clock = this.#clock;
    if (!clock) return;
    clearTimeout(this.#timer);
    let next = clock.first ? this.first % SECOND + 1 : Infinity;
    for (const [color, dial] of this.#dials) {
      const running = clock.running === color;
      const now = this.#sent ?? performance.now();
      const face = after(clock[color], running ? now - this.#heard : 0, this.#of.period);
      this.#write(color, dial, face, running);
      if (!running || this.#sent !== null) continue;
      next = Math.min(next, face.delay ? face.delay % SECOND + 1 : face.left % (face.left < TENTHS_BELOW && !face.periods ? 100 : SECOND) + 1);
      if (color === this.own && tick(this.#last, face.left)) this.on.low();
      this.#last = face.left;
    }
    this.on.second();
    if (next < Infinity) this.#timer = setTimeout(() => this.#paint(), Math.max(next, 20));
  }

  /**
   * @param {Wire.Color} color
   * @param {Dial} dial
   * @param {ReturnType<typeof after>} face
   * @param {boolean} running
   */
  #write(color, { root, text, small }, face, running) {
    const beside = face.periods ? ` ×${face.periods}` : running && face.delay ? ` +${Math.ceil(face.delay / SECOND)}` : "";
    const { days, hours, text: figures, tenths } = written(face.left, !!beside);
    const lack = low(face, this.#of), held = running && this.#sent !== null;
    root.className = `clk num ${held ? "sent" : running ? "run" : "idle"}${lack ? " low" : ""}`;
    root.style.setProperty("--left", String(Math.min(1, face.left / (face.period ? this.#of.period : this.#of.full))));
    if (this.#flag === color) {
      text.data = this.say("clock.flag");
      small.textContent = "";
      return;
    }
    text.data = days === undefined ? figures : this.say("clock.days", { Days: days, Hours: hours ?? 0 });
    small.textContent = beside || tenths;
  }
}
