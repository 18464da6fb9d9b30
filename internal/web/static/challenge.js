// The page of an invitation that waits: the link to copy, and the way to the game when it is accepted.

import { copies } from "./copy.js";
import { Socket } from "./socket.js";
import { at, data, speaker, stressed } from "./texts.js";

const say = speaker(data("texts"), document.documentElement.lang);
/** @type {string} */
const id = data("challenge");
let lost = false;
let leaving = false; // the maker withdraws it
document.getElementById("withdraw")?.addEventListener("submit", () => (leaving = true));

const copy = document.getElementById("copy");
if (copy) copies(copy, /** @type {HTMLInputElement} */ (document.getElementById("link")), say("more.copied"));

/** @type {Socket<Wire.LobbyMessage, Wire.LobbyCommand>} */
const socket = new Socket(at("/lobby/socket"), {
  state(open) {
    if (open && lost) location.reload(); // the answer may have come in between
    lost = !open;
  },
  beat: () => socket.send({ type: "ping" }),
  newer() {
    const again = document.createElement("a");
    again.href = location.pathname;
    again.textContent = say("net.reload");
    document.getElementById("waiting")?.replaceChildren(...stressed(say("net.newer")), " ", again);
  },
  message(message) {
    if (message.type === "go") location.assign(at(`/game/${message.match}`));
    if (message.type === "lobby" && !leaving && !message.challenges.some((one) => one.id === id)) location.reload();
  },
});
