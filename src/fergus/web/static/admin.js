// The administration's keys: copy a link, code answers by digits. Everything works without it, by mouse and Tab.
"use strict";
(() => {
  for (const button of document.querySelectorAll("[data-copy]")) {
    if (!navigator.clipboard) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      const field = document.getElementById(button.dataset.copy);
      await navigator.clipboard.writeText(field.value);
      const word = button.textContent;
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = word; }, 1500);
    });
  }

  const form = document.querySelector("[data-coding]");
  if (!form) return;
  const boxes = [...form.querySelectorAll("[data-key]")];
  const none = form.querySelector("[data-none]");
  const settle = (box) => {
    // “None of these” and a category exclude one another.
    if (!none || !box.checked) return;
    if (box === none) boxes.forEach((other) => { if (other !== none) other.checked = false; });
    else none.checked = false;
  };
  form.addEventListener("change", (event) => settle(event.target));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    const box = boxes.find((one) => one.dataset.key === event.key);
    if (box) {
      event.preventDefault();
      box.checked = box.type === "radio" || !box.checked;
      box.focus();
      settle(box);
    } else if (event.key === "Enter" && !event.target.closest("a, button, summary")) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
})();
