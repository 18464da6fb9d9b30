// Settings take effect as they are chosen; without scripts the form has a button.

const form = /** @type {HTMLFormElement | null} */ (document.getElementById("look"));
form?.classList.add("auto");
form?.addEventListener("change", () => form.requestSubmit());

// Whoever has installed the site as an application, opened the board that needs no server, or asks for it, can go on without network.
const root = new URL(import.meta.url).pathname.split("/static/")[0]; // empty, or the path under which a proxy has the site
const keep = async () => {
  const { installing } = await navigator.serviceWorker.register(new URL("./sw.js", import.meta.url), { scope: `${root}/` });
  if (!installing) return;
  await new Promise((done, failed) => installing.addEventListener("statechange", () => installing.state === "activated" ? done(0) : installing.state === "redundant" && failed(new Error("not all could be fetched"))));
};
if (navigator.serviceWorker) {
  if (location.pathname === `${root}/board` || matchMedia("(display-mode: standalone)").matches) keep().catch(() => {}); // then it works with a network
  const asking = document.getElementById("offline");
  navigator.serviceWorker.getRegistration(`${root}/`).then((kept) => asking && (asking.hidden = !!kept));
  asking?.querySelector("button")?.addEventListener("click", async ({ currentTarget }) => {
    const button = /** @type {HTMLButtonElement} */ (currentTarget), said = /** @type {HTMLElement} */ (asking.querySelector("[role=status]"));
    button.disabled = true;
    said.textContent = said.dataset.keeping ?? "";
    await keep().then(() => (said.textContent = said.dataset.kept ?? ""), () => (said.textContent = said.dataset.failed ?? "", button.disabled = false));
  });
}
