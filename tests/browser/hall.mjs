// The page of the hall in a real browser, by keyboard alone, with scripts and without.
// Started by tests/hall/browser.rs, where sixty boards stand as it says.
import {
  accessible, address, browser, check, code, done, fingerSized, fits, focusedOn, look, looks, onFirstScreen, open, pair,
  shows, step, story, tabTo,
} from "./common.mjs";

const rows = (page) => page.locator("#boards li.part").count();
const pressed = (page) => page.locator("#call-sound").getAttribute("aria-pressed");

try {
  const page = await open(browser);

  await story("the arbiter's code opens the hall, by keyboard", async () => {
    await pair(page, "arbiter");
    check((await rows(page)) === 60, "sixty boards");
    await shows(page, "#needs", "Nothing waits.");
    await accessible(page, "hall");
  });

  await story("a screen reader finds headings and a line for each board", async () => {
    const tree = await page.locator("main").ariaSnapshot();
    for (const wanted of [
      'heading "Waits for the arbiter" [level=2]', 'heading "All boards" [level=2]', 'link "Board 17"',
      'White to move. 1:30 / 1:00 Anna Becker 17 – Boris Petrov 17 12... Nf6', 'textbox "From board"',
      'button "Sound for new calls"', 'link "Tiles"', 'link "List"',
    ]) check(tree.replaceAll("▶", "").includes(wanted), `${wanted} is not in\n${tree}`);
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
    await shows(page, "h1", "Board 9 does not answer.");
    await fingerSized(page, "a board that is away");
    await accessible(page, "a board that is away");
    await tabTo(page, "#back-to-hall");
    await Promise.all([page.waitForURL(`${address}/arbiter`), page.keyboard.press("Enter")]);
  });

  /** This many boards are there, and the page shows them so. */
  async function hall(boards, query = "") {
    await step(`boards ${boards}`);
    await page.goto(`${address}/arbiter${query}`);
    await page.locator(`#board-${boards}`).waitFor({ state: "attached" });
    check((await rows(page)) === boards, `${boards} boards`);
  }

  for (const boards of [6, 100, 500]) {
    await story(`${boards} boards at a glance`, async () => {
      await hall(boards);
      await looks(`glance-${boards}`, { hall: page });
      await accessible(page, `${boards} tiles`);
    });
  }

  await story("five hundred tiles are one screen of a laptop, and their signs say what their words do", async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await onFirstScreen(page, ["#board-1", "#board-500"], [[1280, 800]]);
    const words = (n) => page.locator(`#board-${n} p`).textContent();
    const tile = async (n) => [
      await page.locator(`#board-${n} .signs`).textContent(),
      await page.locator(`#board-${n} > div`).getAttribute("class"),
    ].join(" ");
    for (const [n, look, told] of [
      [1, "○ w", "White to move"], [2, "● k", "Black to move"], [3, "○T w", "short of time: Black"],
      [4, "●E k", "move to be executed on the board: Black"], [5, "½ off", "1/2-1/2"],
      [6, "○= w", "Black offers a draw"], [9, "‖ off", "clocks stand"],
      [10, "≠ off", "board is being corrected: White"],
    ]) {
      check((await tile(n)) === look, `tile ${n} is ${await tile(n)}`);
      check((await words(n)).includes(told), `board ${n}: ${await words(n)}`);
    }
    const legend = await page.locator(".legend").textContent();
    for (const n of [1, 2, 3, 4, 5, 6, 9, 10]) {
      for (const sign of (await page.locator(`#board-${n} .signs`).textContent()).trim()) {
        check(legend.includes(sign), `no word for ${sign} in ${legend}`);
      }
    }
    const bar = page.locator("#board-260 p");
    await page.locator("#open-260").focus();
    check((await bar.boundingBox()).width > 1000, "the words of a tile in focus are not seen");
  });

  await story("a call stays on top, and its tile says so", async () => {
    await step("call 260");
    await shows(page, "#needs li", "Board 260");
    await shows(page, "#board-260 .signs", "!");
    await page.setViewportSize({ width: 1280, height: 400 });
    await page.locator("#board-500").scrollIntoViewIfNeeded();
    const box = await page.locator("#needs li").boundingBox();
    check(box.y >= 0 && box.y < 120, `the call stands at ${box.y}`);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  await story("small boards on demand, as relays show them", async () => {
    await hall(100);
    await tabTo(page, "#view-boards");
    await Promise.all([page.waitForURL(/view=boards/), page.keyboard.press("Enter")]);
    check((await page.locator("#board-17 svg use").count()) === 33, "the pieces and the squares");
    await looks("glance-boards", { hall: page });
    await accessible(page, "small boards");
    await step("move 17");
    await shows(page, "#board-17", "13. Bg5");
  });

  await story("a line for each board, chosen or on a telephone", async () => {
    await hall(100, "?first=1&last=100&view=lines");
    await looks("glance-lines", { hall: page });
    await accessible(page, "lines");
    await hall(100);
    await page.setViewportSize({ width: 360, height: 740 });
    const box = await page.locator("#board-17").boundingBox();
    check(box.width > 300 && box.height < 50, `a line is ${box.width} × ${box.height}`);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  await story("on a telephone what waits comes first, all of it, and the tools are one line", async () => {
    await hall(6);
    for (const n of [1, 2, 3, 4, 5, 6]) await step(`call ${n}`);
    await shows(page, "#needs li", "Board 6");
    check((await page.locator("#needs li").count()) === 6, "six calls");
    await page.setViewportSize({ width: 360, height: 640 });
    await page.evaluate(() => window.scrollTo(0, 0));
    await look(page, "calls-hall-360", false);
    const inner = await page.evaluate(() => [...document.querySelectorAll("#needs, #needs *")]
      .filter((e) => e.scrollHeight > e.clientHeight + 1 && getComputedStyle(e).overflowY !== "visible").length);
    check(inner === 0, "a box that scrolls by itself hides calls");
    const tops = await page.evaluate(() => ["#needs", "#needs li:last-child", "#tools", "#board-1"]
      .map((one) => document.querySelector(one).getBoundingClientRect().top));
    check(tops.every((top, n) => n === 0 || top > tops[n - 1]), `calls, tools, boards stand at ${tops}`);
    check(tops[3] - tops[2] < 60, `the tools take ${tops[3] - tops[2]} pixels`);
    check(!(await page.locator("#first").isVisible()), "the tools are folded");
    await fingerSized(page, "the hall on a telephone");
    await page.locator("#tools summary").click();
    await page.locator("#first").waitFor();
    await fingerSized(page, "the hall's tools on a telephone");
    await fits(page, "the hall on a telephone");
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.reload();
    check(await page.locator("#first").isVisible(), "on a large screen nothing is folded");
    check(!(await page.locator("#tools summary").isVisible()), "nor is there anything to unfold");
    await fingerSized(page, "the hall");
  });

  await step("boards 60");
  await step("call 17");
  await step("call 9");

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
