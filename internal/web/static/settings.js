// Settings take effect as they are chosen; without scripts the form has a button.

const form = /** @type {HTMLFormElement | null} */ (document.getElementById("look"));
form?.classList.add("auto");
form?.addEventListener("change", () => form.requestSubmit());

// Whoever has installed the site as an application, or opened the board that needs no server, can play without network.
if (location.pathname === "/board" || matchMedia("(display-mode: standalone)").matches) {
  navigator.serviceWorker?.register(new URL("./sw.js", import.meta.url), { scope: "/" }).catch(() => {}); // then it works with a network
}
