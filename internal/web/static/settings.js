// Settings take effect as they are chosen; without scripts the form has a button.

const form = /** @type {HTMLFormElement | null} */ (document.getElementById("look"));
form?.classList.add("auto");
form?.addEventListener("change", () => form.requestSubmit());
