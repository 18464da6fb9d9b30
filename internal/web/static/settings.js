// Settings take effect as they are chosen; without scripts the form has a button.

const form = /** @type {HTMLFormElement | null} */ (document.getElementById("look"));
form?.classList.add("auto");
form?.addEventListener("change", () => form.requestSubmit());

// Whoever has installed the site as an application, or opened the board that needs no server, can play without network.
const root = new URL(import.meta.url).pathname.split("/static/")[0]; // empty, or the path under which a proxy has the site
if (location.pathname === `${root}/board` || matchMedia("(display-mode: standalone)").matches) {
  navigator.serviceWorker?.register(new URL("./sw.js", import.meta.url), { scope: `${root}/` }).catch(() => {}); // then it works with a network
}
