// The games being played, each on a small board that moves as the game does.

import { Clocks } from "./clock.js";
import { after, applied } from "./match.js";
import { discs } from "./mini.js";
import { Socket } from "./socket.js";
import { data, speaker, stressed } from "./texts.js";

const say = speaker(data("texts"), document.documentElement.lang);

/** @param {HTMLElement} item */
function follow(item) {
  /** @type {Wire.Snapshot} */
  let match = JSON.parse(item.querySelector("script")?.textContent ?? "null");
  const drawing = /** @type {SVGGElement} */ (item.querySelector(".mini g"));
  const terms = item.querySelector("[data-part=terms]");
  const [black, white] = item.querySelectorAll("[data-clock]");
  const clocks = new Clocks(black instanceof HTMLElement && white instanceof HTMLElement ? { black, white } : {}, say, { low() {}, second() {} });

  function show() {
    const { outcome, plies } = match, move = plies.findLast((ply) => ply.move !== "pass")?.move ?? "";
    drawing.innerHTML = discs(after(match, plies.length).board, move);
    clocks.set(match.clock, undefined, outcome?.reason === "flag" ? outcome.winner === "black" ? "white" : "black" : "");
    if (outcome && terms) terms.textContent = outcome.reason === "aborted" ? say("watch.over") : outcome.winner === "none" ? say("result.draw") : say("result.side", { Side: say(`side.${outcome.winner}`) });
  }

  /** @type {Socket<Wire.Message, Wire.Command>} */
  const socket = new Socket(`/game/${match.match}/socket?small`, {
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
