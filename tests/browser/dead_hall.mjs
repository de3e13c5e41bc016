// A line that is lost silently in a hall: its program is stopped with SIGSTOP, then a board's. No error comes.
// Started by tests/hall/browser.rs, which runs a hall with board 17 and stops either on request.
import { accessible, address, browser, check, done, look, open, pair, shows, step, story } from "./common.mjs";

const lost = "No connection.";

/** A tile of a page that hears nothing: grey, framed with dashes, its clocks with a question mark. */
async function tileStands(page) {
  const tile = await page.locator("#board-17 > div").evaluate((e) => {
    const { borderTopStyle, color } = getComputedStyle(e);
    const ink = getComputedStyle(document.body).color;
    return { borderTopStyle, grey: color !== ink };
  });
  check(tile.borderTopStyle === "dashed" && tile.grey, JSON.stringify(tile));
  const mark = await page.locator("#board-17 p span").evaluate((e) => getComputedStyle(e, "::before").content);
  check(mark.includes("?"), `before the clocks stands ${mark}`);
}

const alive = (page) => page.locator("body.lost").waitFor({ state: "detached" });

try {
  const hall = await open(browser, { patient: false });
  await pair(hall, "arbiter");
  await hall.locator("#board-17").waitFor();
  const board = await hall.context().newPage();
  board.setDefaultTimeout(120000);

  await story("the hall's page and a board's through it are alive while nothing happens", async () => {
    await board.goto(`${address}/board/17/arbiter`);
    await step("play");
    await shows(board, "[data-clock=white] .runs-mark", "running");
    await shows(hall, "#board-17 .signs", "○");
    for (const page of [hall, board]) {
      check((await page.locator("#connection").textContent()) === "", "no banner");
    }
  });

  await story("a hall that is stopped is missed on both, and what stood there stands grey", async () => {
    await step("stop hall");
    for (const page of [hall, board]) await shows(page, "#connection", lost);
    await tileStands(hall);
    await shows(board, "[data-clock=white] .runs-mark", "?");
    await look(hall, "dead-hall", false);
    await accessible(hall, "hall, no connection");
    // It does not stand there for long.
    const back = [hall, board].map((page) => shows(page, "#connection", "Connected again."));
    await step("go hall");
    await Promise.all(back);
    for (const page of [hall, board]) await alive(page);
    await shows(board, "[data-clock=white] .runs-mark", "running");
  });

  await story("a board that is stopped is missed on its page through the hall, and the hall says so", async () => {
    await step("stop board");
    await shows(board, "#connection", lost);
    await shows(board, "[data-clock=white] .runs-mark", "?");
    await shows(hall, "#needs li", "Nothing is heard of the board (");
    check(!(await hall.locator("body").getAttribute("class")).includes("lost"), "the hall itself is there");
    await shows(hall, "#board-17 .signs", "?");
    check((await hall.locator("#board-17 p").textContent()).includes("▶") === false, "no clock of it runs here");
    await look(hall, "silent-hall", false);
    await step("go board");
    await alive(board);
    await shows(board, "[data-clock=white] .runs-mark", "running");
    await shows(hall, "#needs", "Nothing waits.");
  });

  done();
} finally {
  await browser.close();
}
process.exit(0);
