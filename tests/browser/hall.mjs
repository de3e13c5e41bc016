// The page of the hall in a real browser, by keyboard alone, with scripts and without.
// Started by tests/hall/browser.rs, where sixty boards stand as it says.
import {
  accessible, address, browser, check, code, done, focusedOn, looks, open, pair, shows, step, story, tabTo,
} from "./common.mjs";

const rows = (page) => page.locator("#boards tbody tr").count();
const pressed = (page) => page.locator("#call-sound").getAttribute("aria-pressed");

try {
  const page = await open(browser);

  await story("the arbiter's code opens the hall, by keyboard", async () => {
    await pair(page, "arbiter");
    check((await rows(page)) === 60, "sixty boards");
    await shows(page, "#needs", "Nothing waits.");
    await accessible(page, "hall");
  });

  await story("a screen reader finds headings, the table and its rows", async () => {
    const tree = await page.locator("main").ariaSnapshot();
    for (const wanted of [
      'heading "Waits for the arbiter" [level=2]', 'heading "All boards" [level=2]', 'table "All boards"',
      'columnheader "White – Black"', 'rowheader "Board 17"', 'link "Board 17"', 'textbox "From board"',
      'button "Sound for new calls"',
    ]) check(tree.includes(wanted), `${wanted} is not in\n${tree}`);
  });

  await story("a new call is said, shown and sounds, and the focus stays", async () => {
    await tabTo(page, "#call-sound");
    await page.keyboard.press("Space");
    check((await pressed(page)) === "true", "the sound is on");
    await step("call 17");
    await shows(page, "#news", "Board 17: the assistant calls the arbiter");
    await shows(page, "#needs li", "Board 17");
    await page.locator("body.called").waitFor();
    check(await focusedOn(page, "#call-sound"), "the focus went away");
    await accessible(page, "hall with a call");
    await looks("call", { hall: page });
    await page.reload();
    check((await pressed(page)) === "true", "the sound stays on");
    await shows(page, "#needs li", "Board 17");
  });

  await story("a sector shows its own boards and tells of its own calls", async () => {
    await tabTo(page, "#first");
    await page.keyboard.type("1");
    await page.keyboard.press("Tab");
    await page.keyboard.type("10");
    await Promise.all([page.waitForURL(/first=1&last=10/), page.keyboard.press("Enter")]);
    check((await rows(page)) === 10, "ten boards");
    await shows(page, "#needs", "Nothing waits.");
    await step("call 50");
    await step("move 5");
    await shows(page, "#board-5", "13. Bg5");
    check(!(await page.locator("#news").textContent()).includes("50"), "a call of another sector is told");
    await step("call 9");
    await shows(page, "#news", "Board 9: the assistant calls the arbiter");
  });

  await story("a call leads to its board", async () => {
    await tabTo(page, "#needs a");
    await Promise.all([page.waitForURL(`${address}/board/9/`), page.keyboard.press("Enter")]);
    // This one is there on the page only.
    await shows(page, "h1", "The board does not answer.");
    await accessible(page, "a board that is away");
  });

  await story("without scripts: what waits, a sector, a page that reloads itself", async () => {
    const plain = await open(browser, { javaScriptEnabled: false });
    await plain.goto(address);
    await plain.locator("#code:focus").waitFor();
    await plain.keyboard.type(await code("arbiter"));
    await plain.keyboard.press("Enter");
    await plain.waitForURL(`${address}/arbiter`);
    await shows(plain, "#needs li", "Board 17");
    check((await plain.locator("#call-sound").isVisible()) === false, "a button that does nothing");
    await plain.goto(`${address}/arbiter?first=41&last=60`);
    check((await rows(plain)) === 20, "twenty boards");
    await plain.locator("#reload-itself").focus();
    await plain.keyboard.press("Enter");
    await plain.waitForURL(/every=10&first=41&last=60/);
    check((await plain.locator("meta[http-equiv=refresh]").count()) === 1, "it reloads itself");
    await plain.context().close();
  });

  done();
} finally {
  await browser.close();
}
process.exit(0);
