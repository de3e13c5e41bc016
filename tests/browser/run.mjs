// Every role's flow in a real browser, by keyboard alone, with scripts and without.
// Started by tests/hall/browser.rs, which plays the game on request.
import {
  accessible, address, browser, check, code, done, fingerSized, fits, focusedOn, launch, look, looks, onFirstScreen, open,
  pair, picture, shows, step, story, tabTo,
} from "./common.mjs";

try {
  const assistant = await open(browser);
  const arbiter = await open(browser, { viewport: { width: 1280, height: 1480 } });
  const display = await open(browser, { viewport: { width: 1280, height: 800 } });

  await story("a code opens each page, by keyboard", async () => {
    await assistant.goto(address);
    await accessible(assistant, "pairing");
    await picture(assistant, "pairing");
    await assistant.fill("#code", "1");
    await assistant.fill("#by", "Tom");
    await assistant.press("#code", "Enter");
    await assistant.locator("#wrong").waitFor();
    check((await assistant.inputValue("#by")) === "Tom", "after one slip the name is still there");
    await assistant.goto(address);
    await pair(assistant, "assistant");
    await pair(arbiter, "arbiter");
    await pair(display, "display");
  });

  await story("a card from the arbiter's page opens another telephone's page with one touch", async () => {
    const card = await open(browser, { viewport: { width: 360, height: 740 } });
    await card.context().addCookies(await arbiter.context().cookies());
    await card.goto(`${address}/card`);
    await accessible(card, "the card");
    check(await card.evaluate(() => document.documentElement.scrollWidth <= 360), "it fits a telephone");
    await picture(card, "card");
    const digits = (await card.locator("#display .code").textContent()).replace(/\D/g, "");
    const telephone = await open(browser);
    await telephone.goto(`${address}/#${digits}`);
    await telephone.locator("#open:focus").waitFor();
    check(telephone.url() === `${address}/`, "the address forgets the code");
    await Promise.all([telephone.waitForURL(`${address}/display`), telephone.keyboard.press("Enter")]);
    await telephone.context().close();
    await card.context().close();
  });

  await story("the skip link leads to the main part", async () => {
    await assistant.keyboard.press("Tab");
    check(await focusedOn(assistant, ".skip"), "it comes first");
    await assistant.keyboard.press("Enter");
    check(await focusedOn(assistant, "#main"), "it leads there");
  });

  await story("an executed move appears on every open page and is said once", async () => {
    await assistant.evaluate(() => {
      window.said = [];
      new MutationObserver(() => window.said.push(document.getElementById("news").textContent))
        .observe(document.getElementById("news"), { childList: true, characterData: true, subtree: true });
    });
    await step("white e4");
    await shows(assistant, "#asked h2", "On the board of Black: 1. e4 – Bauer Eva zwei Eva vier");
    await shows(display, "#asked h2", "Black, execute on your board: 1. e4");
    await shows(display, "#asked .newest", "Bauer Eva zwei Eva vier");
    await shows(display, "#last .words", "Bauer Eva zwei Eva vier");
    await shows(arbiter, "#scores", "e4");
    await shows(display, "[data-clock=black] .runs-mark", "running");
    await step("again");
    await step("again");
    await assistant.waitForTimeout(300);
    const said = await assistant.evaluate(() => window.said);
    check(said.length === 1 && said[0] === "On the board of Black: Bauer Eva zwei Eva vier", JSON.stringify(said));
  });

  await story("the assistant confirms what is done, the focus goes on from there", async () => {
    await tabTo(assistant, "#played-black");
    await assistant.keyboard.press("Enter");
    await shows(assistant, "#notice .good", "Done.");
    await shows(assistant, "#asked h2", "Enter the move of Black as soon as it is played.");
    check(await focusedOn(assistant, "#asked h2"), "nothing is left there: the focus is on what is asked now");
    await accessible(assistant, "assistant");
  });

  await story("what is typed and where the focus is survive an update", async () => {
    await tabTo(assistant, "#move");
    await assistant.keyboard.type("Nc");
    await assistant.keyboard.press("ArrowLeft");
    await step("again");
    await step("touch");
    await assistant.waitForTimeout(300);
    check(await focusedOn(assistant, "#move"), "the focus is kept");
    check((await assistant.inputValue("#move")) === "Nc", "the text is kept");
    await assistant.goto(assistant.url());
    check((await assistant.inputValue("#move")) === "Nc", "also where the page is loaded anew, as in another language");
    await tabTo(assistant, "#move");
    await assistant.keyboard.press("End");
    await assistant.keyboard.type("6");
    await assistant.keyboard.press("Enter");
    await shows(assistant, "#notice .good", "Done.");
    await shows(assistant, "#last", "1... Nc6");
    check((await assistant.inputValue("#move")) === "", "the field is empty again");
  });

  await story("the clock is pressed on the page where that is the duty", async () => {
    await tabTo(assistant, "#press");
    await assistant.keyboard.press("Enter");
    await shows(assistant, "[data-clock=white] .runs-mark", "running");
    const before = await assistant.locator("[data-clock=white] .time").textContent();
    await assistant.waitForFunction((shown) => document.querySelector("[data-clock=white] .time").textContent !== shown, before);
  });

  await story("an entry that cannot be is refused and said, the field keeps it", async () => {
    await step("copy");
    await step("white Nf3");
    await shows(assistant, "#asked", "Springer Gustav eins Felix drei");
    await tabTo(assistant, "#move");
    await assistant.keyboard.type("Qh4");
    await assistant.keyboard.press("Enter");
    await shows(assistant, "#notice .bad", "is not legal");
    check((await assistant.inputValue("#move")) === "Qh4", "it can be corrected");
    await assistant.keyboard.press("Control+A");
    await assistant.keyboard.press("Delete");
  });

  await story("a wrong claim: what the arbiter is asked for stands on his first screen", async () => {
    await tabTo(assistant, "#details-claim summary");
    await assistant.keyboard.press("Enter");
    await tabTo(assistant, "#claims-draw-sure");
    await assistant.keyboard.press("Space");
    await tabTo(assistant, "#claims-draw");
    await assistant.keyboard.press("Enter");
    await shows(assistant, "#notice .good", "Done.");
    await arbiter.locator(".proposal").first().waitFor();
    await accessible(arbiter, "arbiter, a claim");
    await looks("claim", { arbiter, assistant, display });
    await shows(arbiter, "#asked h2", "Wrong claim of Black: decide (9.5.3).");
    await onFirstScreen(arbiter, ["#asked h2", "#clocks .clock", "#halt button", ".proposal strong", ".proposal button"]);
    await tabTo(arbiter, ".proposal [name=reason]");
    await arbiter.keyboard.type("no repetition");
    await tabTo(arbiter, ".proposal button[value=dismiss]");
    await arbiter.keyboard.press("Enter");
    await arbiter.locator(".proposal").first().waitFor({ state: "detached" });
    await step("start");
    // The claim counts as an offer (9.1.2.3).
    await step("says Remis ablehnen");
  });

  await story("a move by arrow keys on the board", async () => {
    await tabTo(assistant, "#sq-e2");
    const stops = await assistant.locator(".buttons button[tabindex='0']").count();
    check(stops === 1, "the board is one stop of the tab key");
    for (let n = 0; n < 2; n += 1) await assistant.keyboard.press("ArrowRight");
    await assistant.keyboard.press("PageUp");
    check(await focusedOn(assistant, "#sq-g8"), "g8 is reached");
    const label = await assistant.locator("#sq-g8").getAttribute("aria-label");
    check(label === "Gustav eight, black knight", label);
    await assistant.keyboard.press("Enter");
    await shows(assistant, "#notice .good", "Gustav eight chosen. Where to?");
    check((await assistant.locator("#sq-g8").getAttribute("aria-pressed")) === "true", "g8 is marked");
    await picture(assistant, "assistant");
    await assistant.keyboard.press("Escape");
    await assistant.locator("#notice .good").waitFor({ state: "detached" });
    await assistant.keyboard.press("Enter");
    await assistant.emulateMedia({ forcedColors: "active" });
    const lines = await assistant.evaluate(() => ["#sq-g8", "td:has(> #sq-e5)"]
      .map((one) => getComputedStyle(document.querySelector(one)))
      .map(({ borderTopWidth, outlineStyle }) => `${borderTopWidth} ${outlineStyle}`));
    check(lines[0].startsWith("5px") && lines[1].endsWith("solid"), `in colours of the system: ${lines}`);
    await look(assistant, "assistant-forced", false);
    await assistant.emulateMedia({ forcedColors: "none" });
    await assistant.keyboard.press("ArrowLeft");
    await assistant.keyboard.press("ArrowDown");
    await assistant.keyboard.press("ArrowDown");
    await assistant.keyboard.press("Space");
    await shows(assistant, "#last", "2... Nf6");
    check(await focusedOn(assistant, "#sq-f6"), "the focus stays on the board");
  });

  await story("the assistant's board can be turned to Black's side, and the arrow keys with it", async () => {
    const place = async (square) => assistant.locator(`#sq-${square}`).boundingBox();
    await assistant.locator("#turn").click();
    const [a1, h8] = [await place("a1"), await place("h8")];
    check(h8.y > a1.y && h8.x < a1.x, `h8 stands at ${h8.x}, ${h8.y}, a1 at ${a1.x}, ${a1.y}`);
    await assistant.locator("#sq-d5").focus();
    await assistant.keyboard.press("ArrowUp");
    await assistant.keyboard.press("ArrowRight");
    check(await focusedOn(assistant, "#sq-c4"), "up is towards White, right towards the a-file");
    await accessible(assistant, "assistant, the board turned");
    await look(assistant, "assistant-turned");
    await assistant.locator("#turn").click();
    await assistant.locator("#sq-f6").focus();
    check((await place("a1")).y > (await place("h8")).y, "it is turned back");
  });

  await story("a move that is entered anew before a press is asked about", async () => {
    await assistant.locator("#sq-f6").focus();
    await tabTo(assistant, "#move", 300);
    await assistant.keyboard.type("Nd4");
    await Promise.all([assistant.waitForURL(/slip=c6d4/), assistant.keyboard.press("Enter")]);
    await shows(assistant, "#asked h2", "Mistyped, or did Black play another move?");
    check(await focusedOn(assistant, "#slip-typed"), "the likely answer has the focus");
    await accessible(assistant, "assistant, a slip");
    await looks("slip", { assistant });
    await onFirstScreen(assistant, ["#asked h2", "#slip-typed", "#slip-moved"]);
    await assistant.keyboard.press("Enter");
    await assistant.waitForURL(`${address}/assistant`);
    await shows(assistant, "#last", "2... Nd4");
    check((await arbiter.locator(".proposal").count()) === 0, "nobody else is asked");
    await tabTo(assistant, "#move", 300);
    await assistant.keyboard.type("Nf6");
    await Promise.all([assistant.waitForURL(/slip=g8f6/), assistant.keyboard.press("Enter")]);
    await tabTo(assistant, "#slip-moved");
    await assistant.keyboard.press("Enter");
    await assistant.waitForURL(`${address}/assistant`);
    await shows(assistant, "#last", "2... Nf6");
    await shows(arbiter, "#asked h2", "Black changed a made move: Nd4, then Nf6");
    await onFirstScreen(arbiter, ["#asked h2", "#clocks .clock", "#halt button", ".proposal button"]);
    await tabTo(arbiter, ".proposal [name=reason]");
    await arbiter.keyboard.type("both agree");
    await tabTo(arbiter, ".proposal button[value=dismiss]");
    await arbiter.keyboard.press("Enter");
    await arbiter.locator(".proposal").first().waitFor({ state: "detached" });
  });

  await story("on a telephone the entry and a board of 44 pixels a square are one screen", async () => {
    await looks("game", { arbiter, assistant, display });
    await onFirstScreen(assistant, ["#asked h2", "#move", "#enter-move"]);
    await onFirstScreen(display, ["#asked h2", "#asked .newest", "#clocks .clock"]);
    await assistant.setViewportSize({ width: 360, height: 740 });
    const sizes = await assistant.locator(".buttons button").evaluateAll((all) =>
      all.map((e) => e.getBoundingClientRect()).map(({ width, height }) => Math.min(width, height)));
    check(sizes.length === 64 && Math.min(...sizes) >= 44, `squares of ${Math.min(...sizes)}`);
    await assistant.setViewportSize({ width: 1280, height: 900 });
  });

  await story("a display shows and has nothing to act with", async () => {
    await accessible(display, "display");
    check((await display.locator("form[action='/act'], main button, main input").count()) === 0, "no form");
    await picture(display, "display");
  });

  await story("what the opponent says is entered by keyboard, ticked first, and shown to all", async () => {
    await tabTo(assistant, "#details-offer summary");
    await assistant.keyboard.press("Enter");
    await tabTo(assistant, "#offers-draw");
    await assistant.keyboard.press("Enter");
    await assistant.waitForTimeout(300);
    check((await display.locator(".offer").count()) === 0, "nothing without the tick");
    await tabTo(assistant, "#offers-draw-sure");
    await assistant.keyboard.press("Space");
    await accessible(assistant, "assistant, an offer ticked");
    await look(assistant, "opponent-says");
    await tabTo(assistant, "#offers-draw");
    await assistant.keyboard.press("Enter");
    await shows(assistant, "#notice .good", "Done.");
    await shows(display, "#asked .offer", "Black offers a draw.");
    await shows(display, "#said li", "Remis angeboten.");
    await accessible(display, "display, an offer stands");
    await look(display, "display-offer");
    await step("says Remis ablehnen");
    await shows(display, "#said li", "Remis abgelehnt.");
    await display.locator(".offer").waitFor({ state: "detached" });
  });

  await story("scores that differ: the arbiter settles it by keyboard", async () => {
    // What was ticked before two moves is not meant after them.
    await tabTo(assistant, "#details-resign summary");
    await assistant.keyboard.press("Enter");
    await tabTo(assistant, "#resigns-sure");
    await assistant.keyboard.press("Space");
    await step("copy");
    await step("more");
    await shows(assistant, "#last", "3... e6");
    await tabTo(assistant, "#resigns");
    await assistant.keyboard.press("Enter");
    await shows(assistant, "#notice .bad", "The game has moved on.");
    check(!(await assistant.isChecked("#resigns-sure")), "whoever is sure says so again");
    await tabTo(assistant, "#details-resign summary");
    await assistant.keyboard.press("Enter");
    await tabTo(assistant, "#details-score summary");
    await assistant.keyboard.press("Enter");
    await tabTo(assistant, "#score-seat");
    await assistant.keyboard.press("ArrowDown");
    await tabTo(assistant, "#score-text");
    await assistant.keyboard.type("1. e4 Sc6 2. Sf3 Sf6 3. Lc4 e6");
    await tabTo(assistant, "#hand-in");
    await assistant.keyboard.press("Enter");
    await shows(assistant, "#notice .good", "Done.");
    await shows(arbiter, "#asked h2", "The scores differ at move 3.");
    await shows(arbiter, "#scores", "first difference");
    await accessible(arbiter, "arbiter");
    await picture(arbiter, "arbiter", false);
    await looks("scores", { arbiter, assistant, display });
    await onFirstScreen(arbiter, ["#asked h2", "#clocks .clock", "#settle", "#halt button"]);
    await tabTo(arbiter, "#settle");
    await arbiter.keyboard.press("Enter");
    await shows(arbiter, "#notice .good", "Done.");
    await shows(arbiter, "#correcting", "To be done by White");
    await shows(assistant, "#correcting", "To be done by Black");
    await shows(arbiter, "#record", "A. Weber");
    await tabTo(assistant, "#corrected-black");
    await assistant.keyboard.press("Enter");
    await assistant.locator("#corrected-black").waitFor({ state: "detached" });
    await step("correct");
    await arbiter.locator("#correcting li").first().waitFor({ state: "detached" });
  });

  await story("boards that differ are marked by shape and text", async () => {
    await step("diverge");
    await shows(arbiter, "#standing", "The boards differ.");
    await shows(arbiter, "#boards .sign", "−");
    await shows(arbiter, "#boards .hidden", "missing: white");
    await accessible(arbiter, "arbiter, boards differ");
    await accessible(assistant, "assistant, boards differ");
    await shows(assistant, "#to-play .differences", "(");
    // The assistant's own board has the marks, and keeps them when it is turned to Black's side.
    await shows(assistant, ".buttons .sign", "−");
    const left = async (square) => (await assistant.locator(`#sq-${square}`).boundingBox()).x;
    check(await left("a1") < await left("h1"), "White's side is below");
    const signs = await assistant.locator(".buttons .sign").count();
    await tabTo(assistant, "#turn");
    await assistant.keyboard.press("Enter");
    await assistant.locator("#turn[aria-pressed=true]").waitFor();
    check(await left("a1") > await left("h1"), "Black's side is below");
    check(await assistant.locator(".buttons .sign").count() === signs, "the marks stay");
    await assistant.keyboard.press("Enter");
    await assistant.locator("#turn[aria-pressed=false]").waitFor();
    await looks("difference", { arbiter, assistant, display });
    await onFirstScreen(arbiter, ["#asked h2", "#clocks .clock", "#settle", "#halt button"]);
    await picture(arbiter, "boards-differ", false);
    await step("converge");
    await shows(arbiter, "#standing .boards", "agree");
  });

  await story("an illegal move stands with its move, and is one decision with what follows", async () => {
    await step("start");
    await step("white h3");
    await step("illegal");
    await shows(arbiter, "#asked h2", "Illegal: Ra8–a5 (7.5.1)");
    check((await arbiter.locator("#settle").count()) === 0, "there is nothing else to decide");
    await shows(arbiter, ".proposal li", "Illegal move of Black, number 1");
    await shows(arbiter, ".proposal li", "The position before it is set up again.");
    await shows(display, "#asked h2", "Black puts the board back as it stood before the illegal move.");
    await accessible(arbiter, "arbiter, an illegal move");
    await accessible(display, "display, an illegal move");
    await looks("illegal", { arbiter, assistant, display });
    await onFirstScreen(arbiter, ["#asked h2", "#clocks .clock", ".proposal li", ".proposal button"]);
    await tabTo(arbiter, ".proposal button[value=confirm]");
    await arbiter.keyboard.press("Enter");
    await shows(arbiter, "#asked h2", "Black puts the board back");
    await shows(arbiter, "#undo", "White got 2:00.");
    await accessible(arbiter, "arbiter, a penalty that can be taken back");
    await look(arbiter, "undo", false);
    await tabTo(arbiter, "#take-back", 200);
    await arbiter.keyboard.press("Enter");
    await shows(arbiter, "#asked h2", "Illegal: Ra8–a5 (7.5.1)");
    await arbiter.locator("#take-back").waitFor({ state: "detached" });
    await tabTo(arbiter, ".proposal [name=reason]");
    await arbiter.keyboard.type("seen by both");
    await tabTo(arbiter, ".proposal button[value=confirm]");
    await arbiter.keyboard.press("Enter");
    await step("legal");
    await step("black a6");
    await arbiter.locator(".proposal").waitFor({ state: "detached" });
  });

  await story("a call is the headline, lit and heard, until the arbiter has answered", async () => {
    await step("says Schiedsrichter rufen");
    await shows(arbiter, "#asked h2.call", "White calls the arbiter.");
    await shows(arbiter, "#asked .also li", "The clocks stand.");
    await arbiter.locator("body.called").waitFor();
    await shows(assistant, "#asked h2", "White calls the arbiter.");
    await shows(assistant, "#asked .also li", "The clocks stand. The arbiter says when the game goes on.");
    await accessible(arbiter, "arbiter, called");
    await looks("called", { arbiter, assistant, display });
    await onFirstScreen(arbiter, ["#asked h2", "#answer-call", "#clocks .clock", "#halt button"]);
    await step("again");
    check(await arbiter.locator("body.called").count() === 1, "it stands until it is answered");
    await tabTo(arbiter, "#answer-call");
    await arbiter.keyboard.press("Enter");
    await shows(arbiter, "#asked h2", "The clocks stand. The game goes on when you say so.");
    await arbiter.locator("body.called").waitFor({ state: "detached" });
    await tabTo(arbiter, "#go-on");
    await arbiter.keyboard.press("Enter");
    await shows(arbiter, "#stop", "Stop the clocks");
    // Two clicks at one place stop the clocks, and do not let them go on.
    await arbiter.evaluate(() => {
      const again = new MutationObserver(() => {
        const button = document.getElementById("go-on");
        if (!button) return;
        again.disconnect();
        window.again = button.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 2 }));
      });
      again.observe(document.getElementById("halt"), { childList: true, subtree: true });
    });
    await arbiter.locator("#stop").click();
    await arbiter.waitForFunction(() => window.again === false);
    await shows(arbiter, "#go-on", "The game goes on");
    await tabTo(arbiter, "#go-on");
    await arbiter.keyboard.press("Enter");
    await shows(arbiter, "#stop", "Stop the clocks");
  });

  await story("the arbiter penalises, stops and declares by keyboard", async () => {
    await tabTo(arbiter, "#details-penalty summary", 300);
    await arbiter.keyboard.press("Enter");
    await tabTo(arbiter, "#penalty-kind");
    await arbiter.keyboard.press("ArrowDown");
    await tabTo(arbiter, "#penalty-amount");
    await arbiter.keyboard.type("2");
    await tabTo(arbiter, "#penalty-reason");
    await arbiter.keyboard.type("illegal move");
    await arbiter.keyboard.press("Enter");
    await shows(arbiter, "#notice .good", "Done.");
    await shows(arbiter, "#record", "2 min for the opponent");
    check(await focusedOn(arbiter, "#penalty-reason"), "the focus is kept");
    check(await arbiter.locator("#details-penalty[open]").count() === 1, "the form stays open");
  });

  await story("boards are compared by hand when somebody asks", async () => {
    await tabTo(assistant, "#compare-boards");
    await assistant.keyboard.press("Enter");
    await shows(assistant, "#notice .good", "Done.");
    await shows(arbiter, "#asked h2", "Compare the boards by hand.");
    await shows(arbiter, "#by-hand li", "Anna one white rook");
    await accessible(arbiter, "arbiter, comparing by hand");
    await look(arbiter, "compare-by-hand", false);
    await tabTo(arbiter, "#read-out", 300);
    await arbiter.keyboard.press("Enter");
    await shows(arbiter, "#notice .good", "Done.");
    await tabTo(arbiter, "#settle", 300);
    await arbiter.keyboard.press("Enter");
    await arbiter.locator("#by-hand").waitFor({ state: "detached" });
    await step("start");
  });

  await story("the sealed move is typed into fields that show nothing", async () => {
    await tabTo(arbiter, "#details-adjournment summary", 300);
    await arbiter.keyboard.press("Enter");
    await tabTo(arbiter, "#ask-to-seal", 300);
    await arbiter.keyboard.press("Enter");
    await shows(assistant, "#asked h2", "is sealing a move.");
    await tabTo(assistant, "#seal-sealed");
    await assistant.keyboard.type("O-O");
    await tabTo(assistant, "#seal-again");
    await assistant.keyboard.type("O-O-O");
    await accessible(assistant, "assistant, sealing");
    await look(assistant, "sealing");
    await assistant.keyboard.press("Enter");
    await shows(assistant, "#notice .bad", "The two entries are not the same.");
    check(!(await assistant.locator("body").textContent()).includes("O-O"), "it is not shown");
    await tabTo(arbiter, "#not-adjourned", 300);
    await arbiter.keyboard.press("Enter");
    await assistant.locator("#seal-sealed").waitFor({ state: "detached" });
  });

  await story("every page fits a phone 360 pixels wide, with forms open too", async () => {
    for (const [page, name] of [[assistant, "assistant"], [arbiter, "arbiter"], [display, "display"]]) {
      const before = page.viewportSize();
      await page.setViewportSize({ width: 360, height: 740 });
      await page.evaluate(() => document.querySelectorAll("details").forEach((d) => { d.open = true; }));
      const wide = await page.evaluate(() => [...document.querySelectorAll("body *")]
        .filter((e) => e.getBoundingClientRect().right > 361 && !e.closest(".scroll, .hidden, .skip"))
        .map((e) => `${e.tagName} ${e.id || e.className} ${Math.round(e.getBoundingClientRect().right)}`).slice(0, 5));
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      const tables = await page.evaluate(() => [...document.querySelectorAll(".scroll")]
        .filter((e) => e.scrollWidth > e.clientWidth).map((e) => `${e.ariaLabel} ${e.scrollWidth}`));
      check(tables.length === 0, `${name}: ${tables.join(", ")} wide`);
      await look(page, `phone-${name}`);
      check(width <= 360, `${name} is ${width} wide: ${wide.join("; ")}`);
      await fingerSized(page, name);
      await page.evaluate(() => document.querySelectorAll("details").forEach((d) => { d.open = false; }));
      await page.setViewportSize(before);
    }
  });

  await story("with letters twice as large every page fits, and its headline has grown with the rest", async () => {
    const large = await launch("--blink-settings=defaultFontSize=32");
    for (const [page, name] of [[assistant, "assistant"], [arbiter, "arbiter"], [display, "display"]]) {
      const own = await open(large, { viewport: { width: 360, height: 640 } });
      await own.context().addCookies(await page.context().cookies());
      await own.goto(`${address}/${name}`);
      await fits(own, `${name} in large letters`);
      const barred = await own.locator("body.barred").count();
      check(barred === 0, `${name} in large letters: a bar takes the screen`);
      await look(own, `large-${name}`, false);
      const size = (one, selector) => one.locator(selector).first()
        .evaluate((e) => Number.parseFloat(getComputedStyle(e).fontSize));
      const before = page.viewportSize();
      await page.setViewportSize({ width: 360, height: 640 });
      const [small, grown, rest] = [await size(page, "#asked h2"), await size(own, "#asked h2"), await size(own, "body")];
      await page.setViewportSize(before);
      check(grown >= 1.9 * small && grown >= rest, `${name}: the headline is ${small}, then ${grown} beside ${rest}`);
      await own.context().close();
    }
    await large.close();
  });

  await story("the report fits a telephone and leads back to the page", async () => {
    await step("report");
    const report = await open(browser, { viewport: { width: 360, height: 640 } });
    await report.context().addCookies(await arbiter.context().cookies());
    await report.goto(`${address}/arbiter`);
    await report.locator("#report").click();
    await report.locator(".incidents").waitFor();
    await fits(report, "the report");
    await accessible(report, "the report");
    await look(report, "report-360");
    check((await report.locator("main").count()) === 1, "it has a main part");
    await report.emulateMedia({ media: "print" });
    check(!(await report.locator("#back").isVisible()), "paper leads nowhere");
    await report.emulateMedia({ media: null });
    await Promise.all([report.waitForURL(`${address}/arbiter`), report.locator("#back").click()]);
    await report.context().close();
  });

  await story("on paper the squares are dark, and nothing is there to be pressed", async () => {
    for (const page of [arbiter, display]) {
      await page.emulateMedia({ media: "print" });
      const pressed = await page.locator("button, summary, footer, select").filter({ visible: true }).count();
      check(pressed === 0, `${page.url()}: ${pressed} to be pressed`);
      const exact = await page.locator("td.dark").first()
        .evaluate((e) => getComputedStyle(e).getPropertyValue("print-color-adjust"));
      check(exact === "exact", `dark squares are printed ${exact}`);
      await page.emulateMedia({ media: null });
    }
  });

  await story("a lost connection is told and comes back by itself", async () => {
    // The pages are gone for two seconds.
    const gone = step("drop");
    await shows(display, "#connection", "No connection.");
    // It does not stand there for long.
    const back = [display, assistant].map((page) => shows(page, "#connection", "Connected again."));
    await gone;
    await Promise.all(back);
    await step("start");
    await shows(display, "[data-clock=white] .runs-mark", "running");
  });

  await story("German pages", async () => {
    const page = await open(browser, { locale: "de-DE" });
    await pair(page, "display");
    await shows(page, "h1", "Anzeige");
    check((await page.locator("html").getAttribute("lang")) === "de", "the page says its language");
    await accessible(page, "display in German");
    await page.locator("#details-leave summary").click();
    await shows(page, "#details-leave p", "Zum Wiederkommen braucht es einen neuen Code.");
    check(page.url() === `${address}/display`, "one touch alone leaves nothing");
    await Promise.all([page.waitForURL(`${address}/`), page.locator("#leave").click()]);
    await page.context().close();
  });

  await story("without scripts: the assistant types, clicks and confirms by keyboard", async () => {
    const page = await open(browser, { javaScriptEnabled: false });
    await page.goto(address);
    await page.locator("#code:focus").waitFor();
    await page.keyboard.type(await code("assistant"));
    await page.keyboard.press("Enter");
    await page.waitForURL(`${address}/assistant`);
    await step("white d3");
    await page.reload();
    await shows(page, "#asked h2", "On the board of Black:");
    check(/for 0:0\d/.test(await page.locator("#asked .since").first().textContent()), "since when, without scripts");
    const focus = async (selector) => {
      // Scripts are off: the browser itself is asked what has the focus.
      for (let n = 0; n < 150; n += 1) {
        if ((await page.locator(`${selector}:focus`).count()) === 1) return;
        await page.keyboard.press("Tab");
      }
      throw new Error(`no way to ${selector}`);
    };
    await focus("#played-black");
    await Promise.all([page.waitForURL(/#notice$/), page.keyboard.press("Enter")]);
    await shows(page, "#notice", "Done.");
    await focus("#sq-d7");
    await Promise.all([page.waitForURL(/from=d7/), page.keyboard.press("Enter")]);
    await shows(page, "#board .good", "David seven chosen. Where to?");
    await focus("#sq-d6");
    await Promise.all([page.waitForURL(/#notice$/), page.keyboard.press("Enter")]);
    await shows(page, "#last", "d6");
    await focus("#reload-itself");
    await page.keyboard.press("Enter");
    await page.waitForURL(/every=10/);
    check((await page.locator("meta[http-equiv=refresh]").count()) === 1, "it reloads itself");
    await page.context().close();
  });

  await story("without scripts: the arbiter rules, the display reloads itself", async () => {
    const page = await open(browser, { javaScriptEnabled: false });
    await page.goto(address);
    await page.locator("#code:focus").waitFor();
    await page.keyboard.type(await code("arbiter"));
    await page.keyboard.press("Enter");
    await page.waitForURL(`${address}/arbiter`);
    for (let n = 0; n < 150 && (await page.locator("#stop:focus").count()) === 0; n += 1) {
      await page.keyboard.press("Tab");
    }
    await Promise.all([page.waitForURL(/#notice$/), page.keyboard.press("Enter")]);
    await shows(page, "#notice", "Done.");
    await shows(page, "#halt button", "The game goes on");
    await page.context().clearCookies();
    await page.goto(address);
    await page.locator("#code:focus").waitFor();
    await page.keyboard.type(await code("display"));
    await page.keyboard.press("Enter");
    await page.waitForURL(`${address}/display`);
    check((await page.locator("meta[http-equiv=refresh]").count()) === 1, "it reloads itself");
    await page.context().close();
  });

  done();
} finally {
  await browser.close();
}
process.exit(0);
