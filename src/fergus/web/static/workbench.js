// The workbench's comforts: a click on a drawn word opens what is told of it, Ctrl+Enter sends, commands are copied.
// Everything works without it, by links and buttons.
"use strict";
(() => {
  const open = (target) => {
    const word = target && target.closest("details.word");
    if (!word) return false;
    word.open = true;
    word.scrollIntoView({ block: "nearest" });
    return true;
  };
  for (const link of document.querySelectorAll(".drawing a")) {
    link.addEventListener("click", (event) => {
      const target = document.getElementById(link.getAttribute("href").slice(1));
      if (!open(target)) return;
      event.preventDefault();
      target.closest("details").querySelector("summary").focus({ preventScroll: true });
    });
  }
  for (const button of document.querySelectorAll("[data-copy]")) {
    if (!navigator.clipboard) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
      const word = button.textContent;
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = word; }, 1500);
    });
  }
  for (const field of document.querySelectorAll("form textarea:not([readonly])")) {
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        field.form.requestSubmit();
      }
    });
  }
})();
