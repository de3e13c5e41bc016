// What the flows in a real browser share. tests/hall/browser.rs starts them: a line "STEP …" or "CODE role" on
// standard output is answered by one line on standard input.
import { createInterface } from "node:readline";
import { readFileSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [address, browserPath, pictures, readme] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const began = Date.now();

async function ask(line) {
  console.log(line);
  return (await lines.next()).value;
}
const step = (text) => ask(`STEP ${text}`);
const code = (role) => ask(`CODE ${role}`);

function check(truth, what) {
  if (!truth) throw new Error(what);
}

let checks = 0;
async function story(name, run) {
  await run();
  checks += 1;
  console.log(`ok ${((Date.now() - began) / 1000).toFixed(1)} s  ${name}`);
}

const faults = [];
/** A busy machine that is silent for some seconds is no dead line to a patient page. */
async function open(browser, { patient = true, ...options } = {}) {
  const context = await browser.newContext({
    locale: "en-GB", viewport: { width: 1280, height: 900 }, ...options,
  });
  const page = await context.newPage();
  if (patient) {
    await page.route("**/script.js*", async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      const body = text.replace(/SILENT_MS = \d+/, "SILENT_MS = 600000");
      check(body !== text, "the page has its limit of silence");
      await route.fulfill({ response, body });
    });
  }
  page.setDefaultTimeout(120000);
  page.on("pageerror", (error) => faults.push(`${page.url()}: ${error}`));
  page.on("console", (message) => {
    if (message.type() === "error" && /Content Security|Refused to/.test(message.text())) {
      faults.push(`${page.url()}: ${message.text()}`);
    }
  });
  return page;
}

/** No serious finding, in a light and in a dark room. */
async function accessible(page, what) {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
    for (const { id, impact, nodes, help } of violations) {
      console.log(`axe: ${what} (${colorScheme}): ${impact} ${id}: ${help}: ${nodes[0].html.slice(0, 160)}`);
    }
    const grave = violations.filter(({ impact }) => impact !== "minor");
    check(grave.length === 0, `${what} (${colorScheme}): ${grave.map(({ id }) => id).join(", ")}`);
  }
  await page.emulateMedia({ colorScheme: "light" });
}

/** Goes on with the tab key until this has the focus. */
async function tabTo(page, selector, most = 150) {
  for (let n = 0; n < most; n += 1) {
    const there = await page.locator(selector).first().evaluate((e) => e === document.activeElement);
    if (there) return n;
    await page.keyboard.press("Tab");
  }
  throw new Error(`${page.url()}: no way to ${selector} with the tab key`);
}

async function focusedOn(page, selector) {
  return page.locator(selector).first().evaluate((e) => e === document.activeElement);
}

async function shows(page, selector, text) {
  try {
    await page.locator(selector, { hasText: text }).first().waitFor({ state: "attached" });
  } catch (error) {
    for (const part of ["#notice", "#connection", "#asked"]) {
      console.log(`${page.url()} ${part}: ${await page.locator(part).allTextContents()}`);
    }
    throw error;
  }
}

async function pair(page, role) {
  await page.goto(address);
  // The code's field has the focus.
  await page.locator("#code:focus").waitFor();
  await page.keyboard.type(await code(role));
  await page.keyboard.press("Tab");
  await page.keyboard.type("A. Weber");
  await Promise.all([page.waitForURL(`${address}/${role}`), page.keyboard.press("Enter")]);
}

async function picture(page, name, full = true) {
  if (!pictures) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: full });
}

/** One that the README does not show. */
const look = (page, name, full = true) => readme ? undefined : picture(page, name, full);

/** The pages as they look on a telephone, a tablet and a laptop. */
async function looks(state, pages) {
  for (const [name, page] of Object.entries(pages)) {
    const before = page.viewportSize();
    for (const [width, height] of [[360, 740], [768, 1024], [1280, 900]]) {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => window.scrollTo(0, 0));
      await look(page, `${state}-${name}-${width}`, false);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      check(wide <= width, `${state}: ${name} is ${wide} wide on ${width}`);
    }
    await page.setViewportSize(before);
  }
}

/** Without scrolling these are seen on a small telephone and on a laptop. */
async function onFirstScreen(page, selectors, screens = [[360, 640], [1280, 800]]) {
  const before = page.viewportSize();
  for (const [width, height] of screens) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => window.scrollTo(0, 0));
    for (const selector of selectors) {
      const all = await page.locator(selector).all();
      check(all.length > 0, `no ${selector}`);
      for (const one of all) {
        const box = await one.boundingBox();
        check(box && box.y >= 0 && box.y + box.height <= height,
          `${selector} ends at ${box && box.y + box.height} of ${height}`);
      }
    }
  }
  await page.setViewportSize(before);
}

/** Where one has scrolled to, these are seen. */
async function inSight(page, ...selectors) {
  const { height } = page.viewportSize();
  for (const selector of selectors) {
    const box = await page.locator(selector).first().boundingBox();
    check(box && box.height > 0 && box.y >= 0 && box.y + box.height <= height,
      `${page.url()}: ${selector} stands at ${box?.y}, ${box?.height} high, of ${height}`);
  }
}

/** This is seen saying that, be it for a moment. */
async function comesInSight(page, selector, text) {
  await page.waitForFunction(([selector, text]) => {
    const said = document.querySelector(selector);
    const box = said?.getBoundingClientRect();
    return box?.height > 0 && box.top >= 0 && box.bottom <= innerHeight && said.textContent.includes(text);
  }, [selector, text]);
}

/** Somebody reads or types far down on the page. */
async function atTheFoot(page, width, height) {
  await page.setViewportSize({ width, height });
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
}

const launch = (...more) => chromium.launch({
  executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu", ...more],
});
const browser = await launch();

/** Everything that is seen and acts is 44 pixels high and wide, of a box its label. */
async function fingerSized(page, what, but = ".skip") {
  const small = await page.evaluate((but) => [...document.querySelectorAll("a, button, select, summary, textarea, input")]
    .filter((e) => e.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true }) && e.type !== "hidden")
    .filter((e) => !e.closest(`${but}, .hidden, .without-script`) && e.offsetParent)
    .map((e) => {
      const box = ["checkbox", "radio"].includes(e.type);
      const { width, height } = (box ? e.labels[0] : e).getBoundingClientRect();
      return [e.id || e.textContent.trim() || e.tagName, Math.round(width), Math.round(height)];
    })
    .filter(([, width, height]) => width < 44 || height < 44), but);
  check(small.length === 0, `${what}: too small for a finger: ${JSON.stringify(small)}`);
}

/** Nothing is wider than the screen. */
async function fits(page, what) {
  const [wide, width, who] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth,
    [...document.querySelectorAll("body *")]
      .filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".scroll, .wide, .hidden, .skip"))
      .map((e) => `${e.tagName} ${e.id || e.className}`).slice(0, 5)]);
  check(wide <= width, `${what} is ${wide} wide on ${width}: ${who.join("; ")}`);
}

/** Everything was walked through, and nothing was refused or fell over. */
function done() {
  check(faults.length === 0, faults.join("\n"));
  console.log(`DONE ${checks}`);
}

export {
  accessible, address, atTheFoot, browser, check, code, comesInSight, done, faults, fingerSized, fits, focusedOn, inSight, launch,
  look, looks,
  onFirstScreen, open, pair, picture,
  shows, step, story, tabTo,
};
