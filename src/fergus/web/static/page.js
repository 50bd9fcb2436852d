/* What a participant's page does beyond its form: keys, the clock, time in view, a connection that comes back.
   Everything works without it, one page load at a time. */
(() => {
  "use strict";
  const QUIET_MS = 250; // a key that follows a new page faster than this was meant for the old one
  const SETTLED_MS = 300; // a selection that has not changed for so long is meant
  const FIRST_RETRY_MS = 1500;
  const LAST_RETRY_MS = 15000;
  const find = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const theForm = () => find("form[data-block]");
  const announce = (text) => { find("#announcer").textContent = text; };

  let shownAt = 0, inView = 0, inViewSince = null, isBusy = false, clock = 0, retry = 0, retryMs = FIRST_RETRY_MS;
  let lastRemark = null, lastNumber = null;

  /* ---- a new page, or the same one again with its mistakes ---- */
  function begin(isFresh) {
    const form = theForm();
    const number = form ? form.elements.page.value : null;
    shownAt = performance.now();
    if (number === null || number !== lastNumber) {
      inView = 0;
      inViewSince = document.visibilityState === "visible" ? shownAt : null;
    }
    lastNumber = number;
    isBusy = false;
    lastRemark = null;
    clearInterval(clock);
    for (const element of all(".needs-script")) element.hidden = false;
    for (const slider of all("input[type=range][data-for]")) startSlider(slider);
    if (form && form.dataset.seconds !== undefined) startClock(form);
    if (isFresh) moveFocus();
  }

  function moveFocus() {
    const wrong = find("#page [aria-invalid]");
    const target = wrong ? (wrong.matches("fieldset") ? find("input", wrong) : wrong) : find("#page h1");
    if (target) target.focus({ preventScroll: !wrong });
  }

  /* ---- time in view ---- */
  document.addEventListener("visibilitychange", () => {
    const now = performance.now();
    if (inViewSince !== null) inView += now - inViewSince;
    inViewSince = document.visibilityState === "visible" ? now : null;
  });
  function activeMs() {
    return Math.round(inView + (inViewSince === null ? 0 : performance.now() - inViewSince));
  }
  document.addEventListener("submit", (event) => {
    if (event.target.elements.active_ms) event.target.elements.active_ms.value = activeMs();
  }, true);

  /* ---- sending: once, and again if the connection is lost ---- */
  const banner = () => find("#connection");
  let lostWords = "";
  function lost(words) {
    isBusy = false;
    const form = theForm();
    if (!banner() || !form) return;
    lostWords = lostWords || find("p", banner()).textContent;
    find("p", banner()).textContent = words || lostWords;
    banner().hidden = false;
    if (words) return; // the server is there and said no: to ask again would not help
    if (!form.elements.retried) {
      const mark = Object.assign(document.createElement("input"), { type: "hidden", name: "retried", value: "1" });
      form.append(mark);
    }
    clearTimeout(retry);
    retry = setTimeout(sendAgain, retryMs);
    retryMs = Math.min(2 * retryMs, LAST_RETRY_MS);
  }
  function sendAgain() {
    clearTimeout(retry);
    const form = theForm();
    if (form && !banner().hidden && !isBusy) form.requestSubmit();
  }
  function reached() {
    clearTimeout(retry);
    retryMs = FIRST_RETRY_MS;
    if (banner()) banner().hidden = true;
  }
  document.addEventListener("htmx:beforeRequest", () => { isBusy = true; announce(find("#announcer").dataset.sending); });
  document.addEventListener("htmx:sendError", () => lost());
  document.addEventListener("htmx:timeout", () => lost());
  document.addEventListener("htmx:responseError", (event) => {
    const { status, responseText } = event.detail.xhr;
    if (status >= 500 || status === 408) { lost(); return; }
    const told = find("main p", new DOMParser().parseFromString(responseText, "text/html"));
    lost(told ? told.textContent : String(status));
  });
  document.addEventListener("htmx:afterSettle", () => { reached(); announce(""); begin(true); });
  addEventListener("online", sendAgain);
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload(); // the browser kept an old page: show where the participant is
  });

  /* ---- what is answered ---- */
  function isAnswered(part) {
    const radios = all("input[type=radio]", part);
    if (radios.length) return radios.some((radio) => radio.checked);
    const field = find("input[type=number], select", part);
    return !field || field.value !== "";
  }
  function firstField(part) {
    return find("input:checked, input:not([type=hidden], [type=range]), select", part);
  }
  function nextUnanswered(after) {
    const parts = all("[data-answer]", theForm());
    const start = after ? parts.indexOf(after) + 1 : 0;
    return [...parts.slice(start), ...parts.slice(0, start)].find((part) => !isAnswered(part));
  }
  function goOn() {
    const form = theForm();
    const open = nextUnanswered(null);
    if (open) firstField(open).focus();
    else if (!isBusy) form.requestSubmit();
  }

  /* ---- keys ---- */
  const CONTROL = "input, button, select, textarea";
  const TYPING = "textarea, select, [contenteditable], [role=textbox], input:not([type=radio], [type=checkbox], [type=button])";
  document.addEventListener("keydown", (event) => {
    const form = theForm();
    if (!form || event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest(TYPING) || performance.now() - shownAt < QUIET_MS) return;
    if (form.dataset.quick !== undefined && chooseByKey(form, event)) event.preventDefault();
    else if (/^[0-9]$/.test(event.key) && rateByKey(form, event.key)) event.preventDefault();
    else if (event.key === "Enter" && !event.target.closest("a, button, summary")) {
      event.preventDefault();
      goOn();
    }
  });
  function chooseByKey(form, { key, target }) {
    const sides = document.documentElement.dir === "rtl" ? ["ArrowRight", "ArrowLeft"] : ["ArrowLeft", "ArrowRight"];
    const isArrow = sides.includes(key);
    if (isArrow && target.closest(CONTROL)) return false; // who is in the radios looks at them by the arrows; Enter sends
    const place = isArrow ? sides.indexOf(key) : ["1", "2", "3"].indexOf(key);
    const choice = all("label.choice input", form)[place];
    if (!choice) return false;
    choose(form, choice);
    return true;
  }
  function choose(form, choice) {
    if (isBusy) return;
    choice.checked = true;
    form.requestSubmit();
  }
  function rateByKey(form, key) {
    const focused = document.activeElement && document.activeElement.closest("fieldset.scale");
    const open = nextUnanswered(null);
    const scale = focused || (open && open.matches("fieldset.scale") ? open : all("fieldset.scale", form).find((one) => !isAnswered(one)));
    if (!scale) return false;
    const pointOf = (value) => all("input", scale).find((one) => one.value === value);
    const point = pointOf(key) || (key === "0" && pointOf("10")); // 0 is 10 where there is no 0
    if (!point) return false;
    point.checked = true;
    const next = nextUnanswered(scale);
    (next ? firstField(next) : find("button[type=submit]", form)).focus();
    return true;
  }
  document.addEventListener("click", (event) => {
    const label = event.target.closest("form[data-quick] label.choice");
    if (!label || event.target.matches("input")) return; // the input's own click is that of the keyboard, or of the label
    event.preventDefault();
    choose(theForm(), find("input", label));
  });

  /* ---- sliders: no value until they are touched ---- */
  function startSlider(slider) {
    const field = document.getElementById(slider.dataset.for);
    const touch = () => slider.classList.remove("untouched");
    slider.hidden = false;
    if (field.value !== "") { slider.value = field.value; touch(); }
    for (const kind of ["input", "click"]) slider.addEventListener(kind, () => { field.value = slider.value; touch(); });
    field.addEventListener("input", () => { if (field.value !== "") { slider.value = field.value; touch(); } });
  }

  /* ---- the clock of a timed task ---- */
  function startClock(form) {
    const face = find(".clock", form);
    const end = performance.now() + 1000 * Number(form.dataset.seconds);
    const told = new Set([30, 10].filter((seconds) => seconds < Number(form.dataset.seconds)));
    const tick = () => {
      const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
      const words = left ? face.dataset.timeLeft.replace("{seconds}", left) : face.dataset.timeIsUp;
      if (face.firstElementChild.textContent !== words) face.firstElementChild.textContent = words;
      face.classList.toggle("soon", left <= 10);
      for (const seconds of told) if (left <= seconds) { told.delete(seconds); announce(words); }
      if (left) return;
      clearInterval(clock);
      announce(words);
      for (const field of all("[name$='.solution']", form)) field.readOnly = true;
      const open = nextUnanswered(null);
      if (!open && !find("#page [aria-invalid]") && !isBusy) form.requestSubmit();
      else if (open) firstField(open).focus();
    };
    clock = setInterval(tick, 250);
    tick();
  }

  /* ---- review: words that are selected go into a remark ---- */
  document.addEventListener("focusin", (event) => { lastRemark = event.target.closest("[data-remark]") || lastRemark; });
  function takeSelection(text) {
    const selection = getSelection();
    if (!selection.rangeCount || selection.isCollapsed || !text.contains(selection.anchorNode)) return null;
    const range = selection.getRangeAt(0);
    if (!text.contains(range.endContainer)) return null;
    const rows = all(`.review[data-of="${text.dataset.place}"] [data-remark]`);
    const isOpen = (row) => all("textarea, select", row).every((field) => field.value === "");
    const row = rows.includes(lastRemark) && isOpen(lastRemark) ? lastRemark : rows.find(isOpen);
    if (!row) return null;
    const before = range.cloneRange();
    before.selectNodeContents(text);
    before.setEnd(range.startContainer, range.startOffset);
    find("[name*='.part.']", row).value = selection.toString().trim();
    find("[name*='.start.']", row).value = before.toString().length;
    const more = row.closest("details");
    if (more) more.open = true;
    announce(selection.toString());
    return row;
  }
  const takeSelections = () => { for (const text of all("[role=textbox][data-place]")) takeSelection(text); };
  document.addEventListener("mouseup", takeSelections);
  // A finger moves the handles of the selection, of which nothing but the selection itself tells; by keyboard Enter does.
  let isByTouch = false, settled = 0;
  document.addEventListener("pointerdown", (event) => { isByTouch = event.pointerType !== "mouse"; }, true);
  document.addEventListener("keydown", () => { isByTouch = false; }, true);
  document.addEventListener("selectionchange", () => {
    clearTimeout(settled);
    if (isByTouch) settled = setTimeout(takeSelections, SETTLED_MS);
  });
  document.addEventListener("keydown", (event) => {
    const text = event.target.closest("[role=textbox][data-place]");
    if (!text || event.ctrlKey || event.metaKey || event.altKey) return;
    const moves = { ArrowRight: ["right", "word"], ArrowLeft: ["left", "word"], ArrowDown: ["forward", "line"], ArrowUp: ["backward", "line"] };
    const selection = getSelection();
    if (event.key in moves) {
      if (!selection.rangeCount || !text.contains(selection.focusNode)) selection.collapse(text.firstChild || text, 0);
      selection.modify(event.shiftKey ? "extend" : "move", ...moves[event.key]);
      event.preventDefault();
    } else if (event.key === "Enter") {
      const row = takeSelection(text);
      if (row) find("select, textarea", row).focus();
      event.preventDefault();
    }
  });

  /* ---- the last page: copy, pass on ---- */
  document.addEventListener("click", async (event) => {
    if (event.target.id === "retry") { sendAgain(); return; }
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const source = document.getElementById(button.dataset.copy);
    const text = source.value || source.textContent;
    try {
      if (button.dataset.share && navigator.share) await navigator.share({ title: button.dataset.share, url: text });
      else {
        await navigator.clipboard.writeText(text);
        announce(button.dataset.copied);
        button.textContent = "✓";
      }
    } catch {
      getSelection().selectAllChildren(source); // no leave to copy: ready for the keyboard
      if (source.select) source.select();
    }
  });

  begin(false);
  const arrival = performance.getEntriesByType("navigation")[0];
  const went = find("#went-back");
  if (went && arrival && arrival.type === "back_forward" && theForm()) went.hidden = false;
})();
