// The games being played, each on a small board that moves as the game does.

import { Clocks } from "./clock.js";
import { after, applied } from "./match.js";
import { discs } from "./mini.js";
import { Socket } from "./socket.js";
import { at, data, speaker, stressed } from "./texts.js";

const say = speaker(data("texts"), document.documentElement.lang);

/** The games shown: whether each goes on, and how to stop following it. @type {Map<string, {on: boolean, stop(): void}>} */
const shown = new Map();

/** @param {HTMLElement} item */
function follow(item) {
  /** @type {Wire.Snapshot} */
  let match = JSON.parse(item.querySelector("script")?.textContent ?? "null");
  const drawing = /** @type {SVGGElement} */ (item.querySelector(".mini g"));
  const terms = item.querySelector("[data-part=terms]");
  const [black, white] = item.querySelectorAll("[data-clock]");
  const clocks = new Clocks(black instanceof HTMLElement && white instanceof HTMLElement ? { black, white } : {}, say, { low() {}, second() {} });

  const game = { on: !match.outcome, stop: () => socket.close() };
  shown.set(match.match, game);

  function show() {
    const { outcome, plies } = match, move = plies.findLast((ply) => ply.move !== "pass")?.move ?? "";
    drawing.innerHTML = discs(after(match, plies.length).board, move);
    game.on = !outcome;
    clocks.set(match.clock, undefined, outcome?.reason === "flag" ? outcome.winner === "black" ? "white" : "black" : "");
    if (outcome && terms) terms.textContent = outcome.reason === "aborted" ? say("watch.over") : outcome.winner === "none" ? say("result.draw") : say("result.side", { Side: say(`side.${outcome.winner}`) });
  }

  /** @type {Socket<Wire.Message, Wire.Command>} */
  const socket = new Socket(at(`/game/${match.match}/socket?small`), {
    state() {},
    newer() {
      terms?.replaceChildren(...stressed(say("net.newer")));
    },
    beat: () => socket.send({ type: "ping", match: match.match, ply: match.plies.length, seq: match.seq }),
    message(message) {
      const resume = () => socket.send({ type: "resume", match: match.match, ply: match.plies.length, seq: match.seq });
      if (message.type === "snapshot") match = message, show();
      if (message.type === "pong" && message.seq > match.seq) resume();
      if (message.type !== "update") return;
      const next = applied(match, message);
      if (!next) return void resume();
      match = next;
      show();
    },
  });
}

for (const item of document.querySelectorAll("[data-match]")) follow(/** @type {HTMLElement} */ (item));

const REFRESH = 10_000; // milliseconds

/**
 * Shows games that have begun since, where there is room or a shown one is over. What is shown does not move.
 * @param {HTMLElement} place
 */
async function refresh(place) {
  if (document.visibilityState !== "visible") return;
  const answer = await fetch(at(`/watch/games?count=${place.dataset.live}`)).catch(() => null);
  if (!answer?.ok) return;
  const part = new DOMParser().parseFromString(await answer.text(), "text/html"), list = place.querySelector(".mins");
  for (const item of part.querySelectorAll("[data-match]")) {
    const id = /** @type {HTMLElement} */ (item).dataset.match ?? "";
    if (!list || shown.has(id)) continue;
    const made = /** @type {HTMLElement} */ (document.importNode(item, true));
    const over = [...list.children].find((old) => shown.get(/** @type {HTMLElement} */ (old).dataset.match ?? "")?.on === false);
    if (list.children.length < Number(place.dataset.live)) list.append(made);
    else if (over && !over.matches(":hover, :focus-within")) {
      const old = /** @type {HTMLElement} */ (over).dataset.match ?? "";
      shown.get(old)?.stop();
      shown.delete(old);
      over.replaceWith(made);
    } else continue;
    follow(made);
    place.hidden = false;
    document.querySelector("[data-quiet]")?.remove();
  }
}

for (const place of document.querySelectorAll("[data-live]")) setInterval(() => refresh(/** @type {HTMLElement} */ (place)), REFRESH);
