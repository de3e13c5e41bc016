// A line that is lost silently: the server is stopped with SIGSTOP, as Wi-Fi goes away, and no error comes.
// Started by tests/hall/browser.rs, which runs `annabella play` and stops it on request.
import {
  accessible, atTheFoot, browser, check, comesInSight, done, inSight, look, open, pair, picture, shows, step, story, tabTo,
} from "./common.mjs";

const lost = "No connection.";

/** The clocks of a page stand, and say so by more than a colour. */
async function clocksStand(page, name) {
  await shows(page, "[data-clock=white] .runs-mark", "?");
  await shows(page, "[data-clock=black] .runs-mark", "?");
  const line = await page.locator("[data-clock=white]").evaluate((e) => getComputedStyle(e).borderTopStyle);
  check(line === "dashed", `${name}: the clock's frame is ${line}`);
}

try {
  const assistant = await open(browser, { patient: false });
  const arbiter = await open(browser, { patient: false });
  const display = await open(browser, { patient: false });
  const pages = { assistant, arbiter, display };

  await story("every page is alive while nothing happens", async () => {
    for (const [role, page] of Object.entries(pages)) await pair(page, role);
    await step("play");
    for (const page of Object.values(pages)) {
      await shows(page, "[data-clock=white] .runs-mark", "running");
      check((await page.locator("#connection").textContent()) === "", "no banner");
    }
  });

  await story("a server that is stopped is missed on every page, and its clocks stand", async () => {
    await atTheFoot(assistant, 360, 640);
    await arbiter.locator("#details-penalty summary").click();
    await atTheFoot(arbiter, 1280, 800);
    await step("stop");
    for (const [name, page] of Object.entries(pages)) {
      await shows(page, "#connection", lost);
      await clocksStand(page, name);
      await look(page, `dead-${name}`, false);
    }
    await inSight(assistant, "#connection", "[data-clock=white]", "[data-clock=black]");
    await inSight(arbiter, "#connection");
    await accessible(assistant, "assistant, no connection");
    await accessible(arbiter, "arbiter, no connection");
  });

  await story("what is typed meanwhile is kept, and sent when the server is back", async () => {
    await tabTo(assistant, "#call-reason", 300);
    await assistant.keyboard.type("noise beside us");
    await assistant.keyboard.press("Enter");
    await shows(assistant, "#notice", "Not sent yet.");
    check((await assistant.inputValue("#call-reason")) === "noise beside us", "it stays in its field");
    await arbiter.locator("#stop").click();
    await shows(arbiter, "#notice", "Not sent.");
    // Neither stands there for long.
    const told = Object.values(pages).map((page) => shows(page, "#connection", "Connected again."));
    const done = shows(assistant, "#notice .good", "Done.");
    await step("go");
    await Promise.all([...told, done]);
    for (const page of Object.values(pages)) await page.locator("body.lost").waitFor({ state: "detached" });
    await shows(arbiter, "#asked h2.call", "The assistant calls the arbiter.");
    await shows(arbiter, "#asked q", "noise beside us");
    // What nobody may do late was not done.
    await shows(arbiter, "#stop", "Stop the clocks");
    await shows(display, "[data-clock=white] .runs-mark", "running");
    await arbiter.evaluate(() => window.scrollTo(0, 0));
    await arbiter.setViewportSize({ width: 1280, height: 900 });
    await picture(arbiter, "called", false);
  });

  await story("the bar calls the arbiter at once, and both see it wherever they are on their pages", async () => {
    await arbiter.locator("#answer-call").press("Enter");
    await shows(arbiter, "#stop", "Stop the clocks");
    await arbiter.locator("body.called").waitFor({ state: "detached" });
    for (const [width, height] of [[360, 640], [1280, 800]]) {
      await atTheFoot(assistant, width, height);
      await atTheFoot(arbiter, width, height);
      await inSight(assistant, "#call-now", "[data-clock=white]", "[data-clock=black]");
      // It does not stand there for long.
      const called = comesInSight(assistant, "#notice .good", "Done.");
      await assistant.locator("#call-now").click();
      await called;
      await inSight(assistant, "#call-now");
      await shows(arbiter, "#asked h2.call", "The assistant calls the arbiter.");
      await inSight(arbiter, "#asked h2.call", "#answer-call");
      await look(assistant, `called-foot-assistant-${width}`, false);
      await look(arbiter, `called-foot-arbiter-${width}`, false);
      await arbiter.locator("#answer-call").press("Enter");
      await arbiter.locator("body.called").waitFor({ state: "detached" });
    }
  });

  done();
} finally {
  await browser.close();
}
process.exit(0);
