// Short quiet sounds, made on the spot. One tap mutes them, and the browser remembers.

const KEY = "loa-sound";

export class Sound {
  /** @type {AudioContext | null} */
  #context = null;

  on = remembered();

  /** Mutes or unmutes, for this visit and later ones. */
  toggle() {
    this.on = !this.on;
    try {
      localStorage.setItem(KEY, this.on ? "on" : "off");
    } catch {
      // A browser that keeps nothing forgets this too.
    }
  }

  /** One dry knock; two for a capture. @param {boolean} capture */
  move(capture) {
    this.#knock(0, 210);
    if (capture) this.#knock(0.07, 160);
  }

  /** One soft rising note for every step of the wave that joins the winning group. @param {number} steps */
  connected(steps) {
    const scale = [0, 2, 4, 7, 9];
    for (let i = 0; i <= Math.min(steps, 12); i++) {
      const tone = scale[i % scale.length] + 12 * Math.floor(i / scale.length);
      this.#tone(0.3 + i * 0.11, 330 * 2 ** (tone / 12), 0.11, 0.05);
    }
  }

  /** One dull tick: little time is left. */
  low() {
    this.#tone(0, 120, 0.05, 0.12, "triangle");
  }

  /** @param {number} delay @param {number} pitch */
  #knock(delay, pitch) {
    this.#tone(delay, pitch, 0.06, 0.16, "triangle");
  }

  /** @param {number} delay @param {number} pitch @param {number} length @param {number} loud @param {OscillatorType} [shape] */
  #tone(delay, pitch, length, loud, shape = "sine") {
    if (!this.on || !navigator.userActivation?.hasBeenActive) return;
    const context = this.#context ??= new AudioContext();
    const from = context.currentTime + delay, tone = context.createOscillator(), volume = context.createGain();
    tone.type = shape;
    tone.frequency.setValueAtTime(pitch, from);
    tone.frequency.exponentialRampToValueAtTime(pitch * (shape === "sine" ? 1 : 0.6), from + length);
    volume.gain.setValueAtTime(0.0001, from);
    volume.gain.exponentialRampToValueAtTime(loud, from + 0.006);
    volume.gain.exponentialRampToValueAtTime(0.0001, from + length);
    tone.connect(volume).connect(context.destination);
    tone.start(from);
    tone.stop(from + length);
  }
}

function remembered() {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    return true;
  }
}
