// Keeps an open page up to date. Everything works without it, by reloading.
"use strict";

const body = document.body;
const byId = (id) => document.getElementById(id);

// ---- Said once, to whoever cannot see it ----

/** Puts a text into a live region; the same text is not said again. */
function tell(region, text) {
  if (region && region.textContent !== text) region.textContent = text;
}

/** What is done is old news soon. */
const NOTICE_MS = 10000;
/** Long enough to be read. What it has changed on the page comes in this time too. */
const READ_MS = 3000;
let notices = 0;
let noticedAt = -Infinity;

/** What came of something asked for. It is said again even if it is the same as before. */
function notice(good, text) {
  const region = byId("notice");
  noticedAt = performance.now();
  clearTimeout(notices);
  if (good) notices = setTimeout(() => region.replaceChildren(), NOTICE_MS);
  const line = document.createElement("p");
  line.className = good ? "good" : "bad";
  const sign = document.createElement("span");
  sign.setAttribute("aria-hidden", "true");
  sign.textContent = good ? "✓ " : "✗ ";
  line.append(sign, text);
  region.replaceChildren(line);
}

/** Something else is asked now: what was answered before is no answer to that. */
function outdated() {
  const passed = performance.now() - noticedAt;
  if (byId("notice").querySelector(".good") && passed < READ_MS) return;
  clearTimeout(notices);
  notices = setTimeout(() => byId("notice").replaceChildren(), READ_MS - passed);
}

// ---- The parts of the page ----

const typed = new Set();

/** What the form of a field rests on, as its page showed it. */
const shownBy = (field) => [...field.form?.querySelectorAll("[data-shown]") ?? []];

/** Something stands in it that somebody has put there. */
const isBegun = (field) => field.tagName === "SELECT" || field.value !== field.defaultValue
  || field.checked !== field.defaultChecked;

/** Whoever was refused looks again: what was begun in the form of these fields is meant for what is shown now. */
function lookedAgain(ids) {
  for (const hidden of ids.map(byId).flatMap((field) => field ? shownBy(field) : [])) {
    if (hidden.dataset.now === undefined) continue;
    hidden.value = hidden.dataset.now;
    delete hidden.dataset.now;
    const sure = hidden.form.elements.sure;
    if (sure && typed.delete(sure.id)) sure.checked = false;
  }
}

/** Replaces a part; what is typed, opened and focused in it stays so. */
function replace(part, html) {
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  const selection = focused && "selectionStart" in focused
    ? [focused.selectionStart, focused.selectionEnd] : null;
  const kept = new Map();
  for (const field of part.querySelectorAll("[id]")) {
    if (typed.has(field.id)) kept.set(field.id, [field.value, field.checked, isBegun(field) ? shownBy(field) : []]);
  }
  const open = [...part.querySelectorAll("details[open][id]")].map((details) => details.id);
  const chosen = part.querySelector("#from")?.value;
  part.innerHTML = html;
  part.replacedAt = performance.now();
  for (const [id, [value, checked, shown]] of kept) {
    const field = byId(id);
    if (!field) continue;
    for (const hidden of shownBy(field)) {
      // What is begun was meant for what was shown then.
      const then = shown.find((old) => old.name === hidden.name)?.value ?? hidden.value;
      if (then !== hidden.value) [hidden.dataset.now, hidden.value] = [hidden.value, then];
    }
    if (field.type === "radio" || field.type === "checkbox") field.checked = checked;
    else field.value = value;
  }
  for (const id of open) byId(id)?.setAttribute("open", "");
  if (chosen) choose(chosen);
  prepareBoard();
  const again = focused?.id ? byId(focused.id) : null;
  if (again) {
    again.focus({ preventScroll: true });
    if (selection && again.setSelectionRange && selection[0] !== null) again.setSelectionRange(...selection);
  } else if (focused) {
    // What had the focus is done: go on from the beginning of this part, or from what is asked now.
    const next = part.textContent.trim() ? part : document.querySelector("#asked h2") ?? part;
    next.tabIndex = -1;
    next.focus({ preventScroll: true });
  }
}

document.addEventListener("input", (event) => {
  if (event.target.id) typed.add(event.target.id);
});

/** A page that is loaded anew, in another language say, keeps what is typed. A code is typed again. */
addEventListener("pagehide", () => {
  const fields = [...typed].map(byId).filter((field) => field?.matches("textarea, input:not([type], #code)"));
  sessionStorage.setItem("typed", JSON.stringify([location.pathname, fields.map((field) => [field.id, field.value])]));
});

function typeAgain() {
  const [path, fields] = JSON.parse(sessionStorage.getItem("typed") ?? "[]");
  sessionStorage.removeItem("typed");
  if (path !== location.pathname) return;
  for (const [id, value] of fields ?? []) {
    const field = byId(id);
    if (!field) continue;
    field.value = value;
    typed.add(id);
  }
}

// ---- Clocks count on between two messages ----

let clock = null;
/** Nothing is heard of the server: what stands here is from before. */
let lost = false;

function clockText(ms) {
  const seconds = Math.floor(ms / 1000);
  const two = (n) => String(n).padStart(2, "0");
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** A clock of a page whose line is dead says nothing any more: it stands, and is marked. */
function showClocks() {
  if (!clock) return;
  if (lost) {
    for (const shown of document.querySelectorAll(".runs-mark")) shown.textContent = "?";
    return;
  }
  const passed = Math.max(0, performance.now() - clock.since - clock.delay_ms);
  for (const side of document.querySelectorAll("[data-clock]")) {
    const name = side.dataset.clock;
    const runs = clock.running === name;
    const text = clockText(Math.max(0, clock[name] - (runs ? passed : 0)));
    const time = side.querySelector(".time");
    if (time.textContent !== text) time.textContent = text;
    side.classList.toggle("runs", runs);
    const mark = runs ? `▶ ${side.closest("[data-running-text]").dataset.runningText}` : "";
    const shown = side.querySelector(".runs-mark");
    if (shown.textContent !== mark) shown.textContent = mark;
  }
}

/** `0:40`, and with hours `1:00:40`. */
const ageText = (ms) => clockText(ms).replace(/^0:0?/, "");

/** How long something is asked already. */
function showSince() {
  if (!clock || lost) return;
  const now = clock.at + performance.now() - clock.since;
  for (const shown of document.querySelectorAll("[data-since]")) {
    const text = shown.dataset.text.replace("{time}", ageText(Math.max(0, now - Number(shown.dataset.since))));
    if (shown.textContent !== text) shown.textContent = text;
  }
}

setInterval(() => {
  showClocks();
  showSince();
}, 250);

// ---- News from the board ----

let source = null;
/** When the last sign of life came. The server sends one after a second and a half without news. */
let heard = performance.now();
const SILENT_MS = 4000;
const AGAIN_MS = 3000;

function connection(text) {
  tell(byId("connection"), text);
}

function follow() {
  source?.close();
  const own = new EventSource(`live${location.search}`);
  source = own;
  heard = performance.now();
  for (const name of ["here", "part", "clock", "news"]) own.addEventListener(name, () => alive(own));
  own.addEventListener("part", (event) => {
    const { id, html } = JSON.parse(event.data);
    const part = byId(id);
    // A page that was opened before the first game has no place for its parts.
    if (!part) return reloadSoon();
    // A pawn's new piece is asked for in place of the board, as long as the game stands so.
    const asks = part.querySelector("[data-asks]");
    // And so is why a move was entered anew, in place of what is asked, as long as that one stands; and
    // whether a move was played that ends the game.
    const about = asks?.dataset.asks;
    const still = ["name=\"plies\" value", "data-slip", "data-plies"].map((name) => `${name}="${about}"`);
    if (asks && still.some((text) => html.includes(text))) return;
    const other = part.shown !== html;
    const known = part.shown !== undefined;
    if (other) replace(part, html);
    part.shown = html;
    if (id === "asked") {
      standingCall();
      if (other && known) outdated();
    }
    showSince();
  });
  own.addEventListener("clock", (event) => {
    clock = { ...JSON.parse(event.data), since: performance.now() };
    showClocks();
  });
  own.addEventListener("news", (event) => {
    const { number, text } = JSON.parse(event.data);
    const region = byId("news");
    const again = region.dataset.number !== String(number);
    if (region.dataset.text !== text || again) {
      // The same words for another call are said once more.
      if (again) region.textContent = "";
      setTimeout(() => tell(region, text), again ? 200 : 0);
      if (body.classList.contains("hall") && text) called();
    }
    region.dataset.text = text;
    region.dataset.number = number;
  });
  own.addEventListener("error", () => {
    // The line is cut at once where somebody has closed this page.
    if (own === source && !lost) closedIfOver();
    dead();
    // A refusal ends it for good: look whether the session is over.
    if (own === source && own.readyState === EventSource.CLOSED) setTimeout(look, AGAIN_MS);
  });
}

/** Something came: the line is not dead, or not any more. */
function alive(own) {
  if (own !== source) return;
  heard = performance.now();
  if (!lost) return;
  lost = false;
  connection(body.dataset.back);
  setTimeout(() => lost || connection(""), NOTICE_MS);
  body.classList.remove("lost");
  sendKept();
}

/** The line is dead. A line that was lost silently reports no error: the signs of life are missed. */
function dead() {
  if (lost) return;
  lost = true;
  connection(body.dataset.lost);
  body.classList.add("lost");
  showClocks();
}

setInterval(() => {
  const silent = performance.now() - heard;
  if (!source || silent < SILENT_MS) return;
  dead();
  // A connection that hangs comes back by no error: another one is tried.
  if (source.readyState !== EventSource.CLOSED && silent > SILENT_MS + AGAIN_MS) follow();
}, 250);

let reloads = false;

/** Once, however many parts are new: in a hall many boards come at one time. */
function reloadSoon() {
  if (reloads) return;
  reloads = true;
  setTimeout(() => location.reload(), body.classList.contains("hall") ? 2000 : 0);
}

// ---- A new call in the hall: to be heard and seen ----

let audio = null;
let calm = 0;
const CALM_MS = 8000;
/** The call that stands on a board's page, until the arbiter has answered. */
let call = null;
let reminder = 0;

function sounds() {
  return byId("call-sound")?.getAttribute("aria-pressed") === "true";
}

/** A browser lets a page sound only after somebody has touched it. */
function wakeSound() {
  if (!sounds()) return;
  audio ??= new AudioContext();
  audio.resume();
}

function beep(at, hertz) {
  const tone = audio.createOscillator();
  const level = audio.createGain();
  tone.frequency.value = hertz;
  level.gain.setValueAtTime(0.3, at);
  level.gain.exponentialRampToValueAtTime(0.001, at + 0.35);
  tone.connect(level).connect(audio.destination);
  tone.start(at);
  tone.stop(at + 0.4);
}

function called() {
  body.classList.add("called");
  clearTimeout(calm);
  calm = setTimeout(() => body.classList.toggle("called", call !== null), CALM_MS);
  if (!sounds() || !audio) return;
  beep(audio.currentTime, 660);
  beep(audio.currentTime + 0.25, 880);
}

/** A board's page is lit as long as the call stands, and sounds again and again. */
function standingCall() {
  const shown = document.querySelector("#asked [data-call]")?.dataset.call ?? null;
  if (shown === call) return;
  call = shown;
  clearInterval(reminder);
  if (call === null) return body.classList.remove("called");
  called();
  reminder = setInterval(called, CALM_MS);
}

function prepareSound() {
  const button = byId("call-sound");
  if (!button) return;
  const set = (on) => button.setAttribute("aria-pressed", String(on));
  set(localStorage.getItem("call-sound") === "on");
  button.addEventListener("click", () => {
    set(!sounds());
    localStorage.setItem("call-sound", sounds() ? "on" : "off");
  });
  for (const touch of ["click", "keydown"]) document.addEventListener(touch, wakeSound);
}

/** The session is over: nothing can be sent from here. */
let over = false;

function closed() {
  over = true;
  source?.close();
  if (kept.splice(0).length > 0) notice(false, body.dataset.over);
  const link = document.createElement("a");
  link.href = "/";
  link.textContent = body.dataset.over;
  byId("connection").replaceChildren(link);
}

/** True: the session is over, and the page says so. */
async function closedIfOver() {
  if (over) return true;
  try {
    const answer = await fetch(location.pathname, { redirect: "manual", headers: { Accept: "application/json" } });
    if (answer.status === 401 || answer.status === 403) closed();
  } catch {
    // Still no connection.
  }
  return over;
}

async function look() {
  if (!await closedIfOver()) follow();
}

// ---- Forms are sent without leaving the page ----

let clickedLast = { button: null, at: -Infinity };
const JUST_NOW_MS = 600;
const LATELY_MS = 10000;

/** A button that has just come where another one was clicked is not meant by the second of two clicks. */
document.addEventListener("click", (event) => {
  const button = event.target.closest("button[type=submit]:not([name=square])");
  if (!button || event.detail === 0) return;
  const now = performance.now();
  const fresh = now - (button.closest(".part")?.replacedAt ?? -Infinity) < JUST_NOW_MS;
  const second = button !== clickedLast.button && now - clickedLast.at < LATELY_MS;
  clickedLast = { button, at: now };
  if (fresh && second) event.preventDefault();
}, true);

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.classList.contains("live")) {
    for (const field of form.elements) typed.delete(field.id);
    return;
  }
  event.preventDefault();
  const pressed = event.submitter;
  if (pressed?.name === "square" && !clicked(form, pressed)) return;
  const fields = new URLSearchParams(new FormData(form, pressed));
  if (pressed?.name === "square") {
    fields.delete("square");
    fields.set("to", pressed.value);
    choose("");
  }
  const entries = "input:not([type=hidden]):not([type=radio]), textarea, select";
  const ids = [...form.querySelectorAll(entries)].map((field) => field.id);
  const { later, asks } = form.dataset;
  await send({ action: form.getAttribute("action"), fields, ids, later: later !== undefined, asks });
});

/** What could not be sent, and is to be: in order. */
const kept = [];

/** Sends a form. On a dead line it waits for the return, if the game can tell then whether it still fits. */
async function send(form) {
  if (lost) return keep(form);
  try {
    const answer = await fetch(form.action, {
      method: "POST", body: form.fields, headers: { Accept: "application/json" },
    });
    const { good, text, go } = await answer.json();
    if (go) return location.assign(go);
    notice(good, text);
    if (!good) lookedAgain(form.ids);
    if (good) {
      // The form itself may have been replaced meanwhile.
      for (const id of form.ids) {
        const field = byId(id);
        if (typed.delete(id) && field && "defaultValue" in field) field.value = field.defaultValue;
      }
      if (form.asks) return location.assign(location.pathname);
    }
  } catch {
    dead();
    keep(form);
  }
}

function keep(form) {
  if (over) return notice(false, body.dataset.over);
  if (form.later) kept.push(form);
  // Its fields keep what was typed.
  notice(false, form.later ? body.dataset.later : body.dataset.unsent);
}

async function sendKept() {
  for (const form of kept.splice(0)) await send(form);
}

// ---- The board of buttons ----

/** The first click chooses a square, the second says where to. True: now there are both. */
function clicked(form, button) {
  const from = form.querySelector("#from").value;
  if (from && from !== button.value) return true;
  if (from) return chooseNothing();
  choose(button.value);
  notice(true, form.dataset.chosen.replace("{square}", button.dataset.name));
  return false;
}

/** Where to is asked no more. */
function chooseNothing() {
  if (byId("from")?.value) byId("notice").replaceChildren();
  choose("");
  return false;
}

function choose(square) {
  const from = byId("from");
  if (!from) return;
  from.value = square;
  for (const button of document.querySelectorAll(".buttons button")) {
    if (button.value === square) button.setAttribute("aria-pressed", "true");
    else button.removeAttribute("aria-pressed");
  }
}

let stop = "e2";

/** Black's side is below. */
const turned = () => localStorage.getItem("turned") === "on";

function turnBoard() {
  body.classList.toggle("turned", turned());
  byId("turn")?.setAttribute("aria-pressed", String(turned()));
}

document.addEventListener("click", (event) => {
  if (event.target.id !== "turn") return;
  localStorage.setItem("turned", turned() ? "off" : "on");
  turnBoard();
});

/** One stop for the tab key; arrow keys move about on the board. */
function prepareBoard() {
  for (const button of document.querySelectorAll(".buttons button")) {
    button.tabIndex = button.value === stop ? 0 : -1;
  }
  turnBoard();
}

document.addEventListener("focusin", (event) => {
  if (event.target.name !== "square") return;
  stop = event.target.value;
  prepareBoard();
});

document.addEventListener("keydown", (event) => {
  if (event.target.name !== "square" || event.ctrlKey || event.altKey || event.metaKey) return;
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  let file = event.target.value.charCodeAt(0) - 97;
  let rank = Number(event.target.value[1]) - 1;
  if (event.key === "Escape") return chooseNothing();
  const [first, last, way] = turned() ? [7, 0, -1] : [0, 7, 1];
  if (event.key === "Home") file = first;
  else if (event.key === "End") file = last;
  else if (event.key === "PageUp") rank = last;
  else if (event.key === "PageDown") rank = first;
  else if (event.key in steps) {
    file += way * steps[event.key][0];
    rank += way * steps[event.key][1];
  } else return;
  event.preventDefault();
  const within = (n) => Math.min(7, Math.max(0, n));
  byId(`sq-${"abcdefgh"[within(file)]}${within(rank) + 1}`)?.focus();
});

// ---- The assistant's bar ----

/** Clocks and call stay in sight where letters leave room for them. */
function prepareBar() {
  const bar = document.querySelector(".assistant #clocks");
  if (!bar) return;
  const measure = () => {
    body.classList.add("barred");
    const height = bar.offsetHeight;
    body.classList.toggle("barred", height * 4 <= innerHeight);
    document.documentElement.style.setProperty("--bar", body.classList.contains("barred") ? `${height}px` : "0px");
  };
  new ResizeObserver(measure).observe(bar);
  addEventListener("resize", measure);
}

// ---- A code that came with the address ----

/** What a camera read: it is typed for the person, and the address forgets it. */
function takeCode() {
  const code = byId("code");
  if (!code || !/^#[0-9]{8,20}$/.test(location.hash)) return;
  code.value = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  byId("open")?.focus();
}

// ---- Begin ----

takeCode();
typeAgain();

if (byId("news")) {
  body.classList.add("scripted");
  prepareBoard();
  prepareSound();
  prepareBar();
  follow();
}
