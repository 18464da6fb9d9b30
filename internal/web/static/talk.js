// The talk in a game: its rooms, what is said there and what the reader says. What somebody else wrote is only ever text.

import { at } from "./texts.js";

/** @typedef {import("./texts.js").Say} Say */
/** @typedef {Pick<Wire.Command, "type" | "client" | "room" | "text" | "preset" | "remark" | "on">} Said */

const KEPT = 100; // remarks of a room, as many as the server sends

/**
 * What the page knows of a room after a message.
 * @param {Wire.Remark[]} remarks before it
 * @param {Wire.Talk} message
 */
export function heard(remarks, message) {
  if (message.whole) return message.remarks;
  const last = remarks.at(-1)?.n ?? 0;
  return [...remarks, ...message.remarks.filter(({ n }) => n > last)].slice(-KEPT);
}

/** How many remarks of others the reader has not seen. @param {Wire.Remark[]} remarks @param {number} seen the last number that was seen */
export const unread = (remarks, seen) => remarks.filter((remark) => !remark.mine && remark.n > seen).length;

/** @param {string} tag @param {string} look @param {(Node | string)[]} children */
function make(tag, look, ...children) {
  const node = document.createElement(tag);
  if (look) node.className = look;
  node.append(...children);
  return node;
}

/** One room of the panel. */
class Room {
  /** @type {Wire.Remark[]} */
  remarks = [];
  muted = false;
  blocked = false;
  low = true; // the log shows its end
  seen = 0;
  /** @type {Map<number, HTMLElement>} */
  #lines = new Map(); // drawn here; the server, which drew the first ones, does not know the reader's time

  /** @param {HTMLElement} node @param {Talk} talk */
  constructor(node, talk) {
    this.node = node;
    this.talk = talk;
    this.name = /** @type {Wire.Room} */ (node.dataset.room);
    this.open = !node.hidden;
    this.log = /** @type {HTMLElement} */ (node.querySelector(".said"));
    this.muting = /** @type {HTMLButtonElement} */ (node.querySelector("[data-part=mute]"));
    this.asked = make("p", "row sm");
    this.asked.hidden = true;
    this.other = /** @type {HTMLButtonElement} */ (make("button", "chip"));
    this.other.type = "button";
    this.other.hidden = true;
    this.other.addEventListener("click", () => talk.turn(this));
    this.muting.form?.after(this.other);
    node.append(this.asked);
    this.muting.form?.addEventListener("submit", (event) => {
      if (talk.known && talk.send({ type: "mute", room: this.name, on: !this.muted })) event.preventDefault();
    });
    // whoever reads the end goes on reading the end, also when something else takes room away
    this.log.addEventListener("scroll", () => (this.low = this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < 40));
    new ResizeObserver(() => this.low && this.end()).observe(this.log);
    this.end();
  }

  end() {
    this.log.scrollTop = this.log.scrollHeight;
  }

  /** Draws what has changed, so that nothing is read out twice. */
  show() {
    const { log, low, remarks, talk } = this;
    this.muting.textContent = talk.say(this.muted ? "talk.unmute" : "talk.mute");
    this.muting.value = String(!this.muted);
    const lines = remarks.map((remark) => this.#lines.get(remark.n) ?? this.#line(remark));
    if (this.muted || this.blocked) lines.push(make("p", "q sm", talk.say(this.blocked ? "talk.no.blocked" : "talk.muted")));
    for (const old of [...log.children]) if (!lines.some((line) => line === old)) old.remove();
    lines.forEach((line, i) => log.children[i] !== line && log.insertBefore(line, log.children[i] ?? null));
    if (low || remarks.at(-1)?.mine) this.end();
    log.role = "log"; // from now on: what was there before is not read out
  }

  /** @param {Wire.Remark} remark */
  #line(remark) {
    const { say } = this.talk, guest = /^\d/.test(remark.name), at = new Date(remark.at);
    const name = remark.mine ? say("game.you") : remark.bot ? say("token.marked", { Name: remark.name }) : guest ? say("game.guest", { Name: remark.name }) : remark.name;
    const who = make(remark.mine || this.name === "players" ? "b" : "button", "", name), what = make("span", "", remark.preset ? say(`talk.preset.${remark.preset}`) : remark.text ?? "");
    who.dir = what.dir = "auto";
    who.addEventListener("click", () => who instanceof HTMLButtonElement && this.#ask(remark.n, name));
    const today = at.toDateString() === new Date().toDateString();
    const time = /** @type {HTMLTimeElement} */ (make("time", "q num", at.toLocaleString(document.documentElement.lang, today ? { timeStyle: "short" } : { dateStyle: "short" })));
    time.dateTime = at.toISOString();
    const line = make("p", "", who, " ", what, " ", time);
    this.#lines.set(remark.n, line);
    return line;
  }

  /** Offers what can be done about somebody among the onlookers. @param {number} n a remark of theirs @param {string} name */
  #ask(n, name) {
    const { talk } = this, mute = /** @type {HTMLButtonElement} */ (make("button", "chip"));
    let on = true;
    const label = () => mute.replaceChildren(talk.say(on ? "talk.mute" : "talk.unmute"), make("span", "vh", ` ${name}`));
    label();
    mute.type = "button";
    mute.addEventListener("click", () => {
      if (!talk.send({ type: "mute", room: this.name, remark: n, on })) return;
      on = !on;
      label();
    });
    const report = /** @type {HTMLAnchorElement} */ (make("a", "chip", talk.say("report.do"), make("span", "vh", ` ${name}`)));
    report.href = at(`/report?game=${talk.match}&about=${n}`);
    report.target = "_blank";
    report.rel = "noopener";
    this.asked.hidden = false;
    this.asked.replaceChildren(make("b", "", name), ...(talk.known ? [mute] : []), report);
    mute.focus({ preventScroll: true });
  }
}

export class Talk {
  /** @type {Said | null} */
  #sent = null;

  /**
   * @param {HTMLElement} root the panel, as the server has drawn it
   * @param {string} match
   * @param {Say} say
   * @param {(command: Said) => boolean} pass sends a command; false without a connection
   * @param {() => void} leave what Escape in the field does where the panel cannot be closed
   */
  constructor(root, match, say, pass, leave) {
    this.root = root;
    this.match = match;
    this.say = say;
    this.pass = pass;
    this.known = root.dataset.known !== undefined;
    this.opener = /** @type {HTMLElement} */ (document.getElementById("talk-open"));
    this.news = /** @type {HTMLElement} */ (document.getElementById("talk-news"));
    this.speak = /** @type {HTMLElement} */ (document.getElementById("speak"));
    this.unsaid = /** @type {HTMLElement} */ (document.getElementById("unsaid"));
    this.form = /** @type {HTMLFormElement} */ (document.getElementById("say"));
    this.field = /** @type {HTMLInputElement} */ (this.form.elements.namedItem("text"));
    this.phrases = /** @type {HTMLDetailsElement} */ (root.querySelector("details"));
    const seen = remembered(match);
    this.rooms = Array.from(root.querySelectorAll(".room"), (node) => new Room(/** @type {HTMLElement} */ (node), this));
    for (const room of this.rooms) room.seen = seen[room.name] ?? 0;
    this.form.addEventListener("submit", (event) => this.#submit(event, { text: this.field.value }));
    document.getElementById("phrases")?.addEventListener("submit", (event) => {
      const { submitter } = /** @type {SubmitEvent} */ (event);
      this.phrases.open = false;
      this.#submit(event, { preset: /** @type {HTMLButtonElement} */ (submitter).value });
    });
    root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      if (this.phrases.open) {
        this.phrases.open = false;
        this.phrases.querySelector("summary")?.focus();
        event.preventDefault();
      } else if (!root.matches(":popover-open")) leave();
    });
    root.addEventListener("toggle", () => this.#count());
    document.addEventListener("visibilitychange", () => this.#count());
    // a panel that was opened over the page has a place of its own on a wider screen
    addEventListener("resize", () => this.opener.checkVisibility() || root.hidePopover());
  }

  /** @param {Wire.Talk} message */
  hear(message) {
    const room = this.rooms.find(({ name }) => name === message.room);
    if (!room) return;
    if (!room.open) {
      room.open = true;
      for (const each of this.rooms) {
        each.other.hidden = false;
        if (each !== room) each.other.textContent = this.say(`talk.room.${room.name}`);
        else each.other.textContent = this.say(`talk.room.${this.rooms.find((one) => one !== room)?.name}`);
      }
    }
    room.remarks = heard(room.remarks, message);
    room.muted = !!message.muted;
    room.blocked = !!message.blocked;
    room.show();
    this.#count();
  }

  /** Shows the other room than this one. @param {Room} from */
  turn(from) {
    for (const room of this.rooms) {
      room.node.hidden = room === from;
      if (room === from) continue;
      this.speak.hidden = room.name !== this.root.dataset.room;
      room.end();
      room.other.focus({ preventScroll: true });
    }
    this.#count();
  }

  /** The connection stands again: what had no answer is said again, under the same name. */
  again() {
    if (this.#sent) this.pass(this.#sent);
  }

  /** Takes the answer to something said. @param {Wire.Ack | Wire.Refused} answer */
  answer(answer) {
    const sent = this.#sent;
    if (!sent || answer.client !== sent.client) return;
    this.#sent = null;
    this.field.readOnly = false;
    if (answer.type === "refused") this.#refuse(answer.wait ? this.say("talk.wait", { Count: Math.ceil(answer.wait / 1000) }) : this.say(`talk.no.${answer.code}`));
    else if (sent.text !== undefined) this.field.value = "";
  }

  /** Sends something, and says so when there is no connection. @param {Omit<Said, "client">} what */
  send(what) {
    const client = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    const command = { ...what, client }, sent = this.pass(command);
    if (sent && what.type === "talk") this.#sent = command;
    this.#refuse(sent ? "" : this.say("talk.no.offline"));
    return sent;
  }

  /** @param {Event} event @param {Pick<Said, "text" | "preset">} what */
  #submit(event, what) {
    if (!this.known) return; // the form makes a guest of whoever sends it
    event.preventDefault();
    if (this.#sent || !this.send({ type: "talk", room: /** @type {Wire.Room} */ (this.root.dataset.room), ...what })) return;
    this.field.readOnly = what.text !== undefined;
  }

  /** @param {string} why */
  #refuse(why) {
    this.unsaid.textContent = why;
    this.unsaid.classList.toggle("err", !!why);
  }

  /** Counts what has not been seen, and remembers what has. */
  #count() {
    let count = 0;
    for (const room of this.rooms) {
      if (document.visibilityState === "visible" && room.log.checkVisibility()) room.seen = room.remarks.at(-1)?.n ?? room.seen;
      count += unread(room.remarks, room.seen);
    }
    const name = count ? this.say("talk.unread", { Count: count }) : this.say("talk.title");
    const badge = /** @type {HTMLElement} */ (this.opener.querySelector(".badge"));
    badge.hidden = !count;
    badge.textContent = String(count);
    this.opener.ariaLabel = name;
    this.news.textContent = count ? name : "";
    try {
      sessionStorage.setItem(KEY + this.match, JSON.stringify(Object.fromEntries(this.rooms.map(({ name, seen }) => [name, seen]))));
    } catch {
      // A browser that keeps nothing counts from the beginning after a reload.
    }
  }
}

const KEY = "loa-talk ";

/** The last remarks seen in a match, by room. @param {string} match @returns {Record<string, number>} */
function remembered(match) {
  try {
    return JSON.parse(sessionStorage.getItem(KEY + match) ?? "{}");
  } catch {
    return {};
  }
}
