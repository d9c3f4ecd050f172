// The page in a real browser: node page_test.mjs PAGE.html NOWSIM NODE_MODULES SCREENS [NAME ...] opens it from a disk;
// with --served in place of PAGE.html it is packed here without WebAssembly, and `nowsim lab serve` answers.
// --daily: only the scenes of every day; --part 1/2: every other scene, 2/2: the others. With NAMEs only what has one.
// It is skipped where something is not here: skips.mjs.
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

import { awkwardTexts } from "./awkward.mjs";
import { Tab, check, chromium, pause, puppeteerIn } from "./browser.mjs";
import { answerOpenQuestions, rightAnswers } from "./lab_answers.mjs";
import { skip } from "./skips.mjs";

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { served: { type: "boolean" }, daily: { type: "boolean" }, part: { type: "string", default: "1/1" } },
});
const kScratch = fs.mkdtempSync(path.join(os.tmpdir(), "nowsim-page-test-"));
process.on("exit", () => fs.rmSync(kScratch, { recursive: true, force: true }));
if (flags.served) positionals.unshift(path.join(kScratch, "served.html"));
const [pageFile, nowsim, modules, screens, ...wanted] = positionals;
if (!flags.served && !fs.existsSync(pageFile ?? "")) skip("page", `there is no ${pageFile}: tools/build-page makes it`);
const browserFile = chromium();
if (browserFile === undefined) skip("chromium", "there is no chromium (Debian: apt-get install chromium)");
const puppeteer = puppeteerIn(modules);
if (puppeteer === undefined)
  skip("puppeteer", `puppeteer-core is not in ${modules} (npm ci, with tools/page/app/package-lock.json)`);

const kSources = fileURLToPath(new URL("../../..", import.meta.url));
const kHeader = path.join(kSources, "tests/awkward_texts.hpp");
const run = (...words) =>
  execFileSync(nowsim, words, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });
fs.mkdirSync(screens, { recursive: true });

let browser, address;
const tests = [];
/** A test has a page of its own, which nothing may complain about. */
const test = (name, part, act, options = {}) => tests.push({ name, part, act, options });
/** One that needs no WebAssembly, and is tested every day. */
const daily = (name, part, act, options = {}) => test(name, part, act, { ...options, isDaily: true });
const picture = (tab, name) => tab.page.screenshot({ path: path.join(screens, `${name}.png`), fullPage: true });

const kTable = '#part-explore pre[aria-label="the table"]';
/** Everything that Explore computes is there. */
const settled = async (tab) => {
  await tab.until(() => {
    const part = document.getElementById("part-explore");
    return part.querySelector(".curves p, .problems") !== null && part.querySelector("[aria-busy]") === null;
  });
  await pause(100);
};
const finished = (tab, replications) => tab.untilText("#part-explore .curves .footer", `${replications} replications,`);
/** The mean half-width of the times in the table below the curves. */
const halfWidth = (table) => {
  const widths = [...table.matchAll(/± ([\d.e+-]+)$/gm)].map(([, width]) => Number(width));
  check(widths.length > 3, "the table has no intervals");
  return widths.reduce((all, x) => all + x, 0) / widths.length;
};

// ---- Explore -------------------------------------------------------------------------------------------------------

daily("the first answer comes before the rest, and intervals shrink while it computes", "", async (tab) => {
  const { ready_ms } = tab;
  console.log(`  first answer after ${Math.round(ready_ms)} ms`);
  const tableOf100 = tab.page.waitForFunction(
    (table) =>
      document.querySelector("#part-explore .curves .footer")?.textContent.startsWith("100 ") &&
      document.querySelector(table).textContent,
    { polling: "mutation" }, // it is soon gone
    kTable,
  );
  await tab.page.select("#explore-limit", "6400");
  const first = halfWidth(await (await tableOf100).jsonValue());
  await finished(tab, 6400);
  const last = halfWidth(await tab.text(kTable));
  check(last < 0.5 * first, `intervals did not shrink: ${first}, then ${last}`);
});

test("sliders change the curves, and the scenario as YAML says the same in the program", "#explore", async (tab) => {
  await settled(tab);
  await tab.page.focus('#part-explore input[type="range"][aria-label="platform.workstations"]');
  for (let i = 0; i < 3; ++i) await tab.page.keyboard.press("ArrowRight");
  await settled(tab);
  await tab.until(() => document.getElementById("explore-yaml").value.includes("workstations: 13"));
  const { text } = await tab.downloaded(() => tab.press("Download"));
  const file = path.join(kScratch, "explored.yaml");
  fs.writeFileSync(file, text);
  const [page, program] = [await tab.text(kTable), run("run", file, "-q")];
  check(program.trim() === page.trim(), `the program's table is another one:\n${program}\n${page}`);
});

daily("a scenario goes out as YAML and back in", "#explore", async (tab) => {
  await settled(tab);
  await tab.write("#explore-seed", "7");
  await settled(tab);
  const table = await tab.text(kTable);
  const { name } = await tab.downloaded(() => tab.press("Download"));
  await tab.press("Back to its first values");
  await settled(tab);
  check((await tab.text(kTable)) !== table, "the seed changes nothing");
  await tab.give(path.join(tab.folder, name), () => tab.press("Load a YAML file"));
  await tab.until(() => document.getElementById("preset").value === "mine");
  await tab.write("#explore-seed", "7");
  await settled(tab);
  check(
    (await tab.text(kTable)).replace(/^.*\n/, "") === table.replace(/^.*\n/, ""),
    "the same file gives other numbers",
  );
});

["lab-night", "merge-sort"].forEach((preset) =>
  test(`the scenario ${preset} runs in any folder, and goes back in`, "#explore", async (tab) => {
    await tab.page.select("#preset", preset);
    await settled(tab);
    const table = await tab.text(kTable);
    const { name, text } = await tab.downloaded(() => tab.press("Download"));
    const folder = path.join(kScratch, "a", "b", preset);
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, "mine.yaml"), text);
    check(run("run", path.join(folder, "mine.yaml"), "-q").trim() === table.trim(), "the program gives other numbers");
    await tab.give(path.join(tab.folder, name), () => tab.press("Load a YAML file"));
    await tab.until(() => document.getElementById("preset").value === "mine");
    await settled(tab);
    check(
      (await tab.text(kTable)).replace(/^.*\n/, "") === table.replace(/^.*\n/, ""),
      "the same file gives other numbers",
    );
  }),
);

test("the deadline is dragged by mouse and by keys, and the risk is the program's", "#explore", async (tab) => {
  const handle = "#part-explore .deadline-handle";
  await settled(tab);
  const riskChanges = (old) =>
    tab.until((before) => document.querySelector("#part-explore .risk").textContent !== before, old);
  const before = await tab.text("#part-explore .risk");
  await tab.page.$eval(handle, (node) => node.scrollIntoView({ block: "center" }));
  const box = await (await tab.page.$(handle)).boundingBox();
  await tab.page.mouse.move(box.x + 0.5 * box.width, box.y + 40);
  await tab.page.mouse.down();
  await tab.page.mouse.move(box.x + 0.3 * box.width, box.y + 50, { steps: 8 });
  await tab.page.mouse.up();
  await riskChanges(before);
  await settled(tab);
  const dragged = await tab.text("#part-explore .risk");
  await tab.page.focus(handle);
  await tab.page.keyboard.press("ArrowRight");
  await riskChanges(dragged);
  await settled(tab);
  const deadline = await tab.text('[id="key-run.deadline"]');
  const { text } = await tab.downloaded(() => tab.press("Download"));
  const file = path.join(kScratch, "deadline.yaml");
  fs.writeFileSync(file, text);
  const values = ["owner.TH=0.28", "job.phases=5", `run.deadline=${deadline}`, "sweep={}", "metrics=[RF]"];
  const sets = [...values, "figure={kind: distribution}"].flatMap((set) => ["--set", set]);
  const [, risk] = run("run", file, "-q", ...sets).match(/RF\s+-+\s+(\S[^\n]*)/);
  check(
    (await tab.text("#part-explore .risk")).includes(risk.trim()),
    `the program's risk at ${deadline} s is ${risk}`,
  );
});

test("a formula is a technique, and a policy; a wrong one is told", "#explore", async (tab) => {
  await tab.page.select("#preset", "farm");
  await tab.page.waitForSelector('[id="key-job.technique"]');
  await tab.page.select('[id="key-job.technique"]', "formula");
  await tab.page.waitForSelector('[id="key-job.chunk"]');
  await tab.write('[id="key-job.chunk"]', "ceil(R/(3*P)) + ");
  await tab.untilText("#part-explore .problems", "chunk");
  await tab.write('[id="key-job.chunk"]', "ceil(R/(3*P))");
  await tab.until(() => document.querySelector("#part-explore .problems") === null);
  await settled(tab);
  await tab.page.select("#preset", "split");
  await settled(tab);
  await tab.page.waitForSelector('[id="key-split.policy"]');
  const box = await tab.page.evaluateHandle(() =>
    [...document.querySelectorAll(".among label")]
      .find((n) => n.textContent.trim() === "formula")
      .querySelector("input"),
  );
  await box.asElement().click();
  await tab.page.waitForSelector('[id="key-split.weight"]');
  await tab.write('[id="key-split.weight"]', "s^1.1/(1 + TH)");
  await tab.untilText('#part-explore pre[aria-label="the table"]', "formula");
  await tab.until(() => document.getElementById("explore-yaml").value.includes("s^1.1/(1 + TH)"));
});

const kTakesYaml = ["Copy", "Download", "Open in Run YAML"];
/** What Explore says of a value that is not taken: beside which field, and what is set aside. */
const refusals = (tab) =>
  tab.page.evaluate(() => {
    const part = document.getElementById("part-explore");
    const all = (selector) => [...part.querySelectorAll(selector)];
    const isField = (node) => node.matches('input[type="text"], input[type="number"]');
    const fields = all("[aria-invalid]").filter(isField);
    return {
      fields: fields.map(({ id }) => id).join(),
      said: fields.map((field) => document.getElementById(field.getAttribute("aria-describedby"))?.textContent).join(),
      isBeside: fields.every((field) => field.closest(".control").querySelector(".problems") !== null),
      aside: all(".aside").length,
      before: all(".problems").filter((node) => node.textContent.includes("of the values before")).length,
      disabled: all("button:disabled").map((button) => button.textContent),
      yaml: document.getElementById("explore-yaml").value,
    };
  });

test("what is shown is of the sliders' values or set aside, a refused value is told beside it", "", async (tab) => {
  await finished(tab, 1600);
  await settled(tab);
  check((await refusals(tab)).disabled.join() === "Stop", "with nothing to stop, Stop can be pressed");
  const swept = 1; // of the distribution alone: curves do not have the value of what is along their x
  for (const [key, wrong, right, sentence, aside] of [
    ["owner.TH", "abc", "0.28", "'abc' is not a number: write one, such as 0.28", swept],
    ["owner.TH", "99", "0.28", "TH = 99 is more than", swept],
    ["owner.TH", "", "0.28", "a number is wanted, such as 0.28", swept],
    ["owner.interval", "10s", "10", "'10s' is not a number: write one, such as 10, in s but without the unit", 2],
    ["platform.workstations", "2.5", "10", "'2.5' is not a count", 2],
    ["run.deadline", "3h", "250", "'3h' is not a number", 0],
    ["run.seed", "-1", "1", "'-1' is not a count", 2],
  ]) {
    const id = key === "run.seed" ? "explore-seed" : `key-${key}`;
    await tab.write(`[id="${id}"]`, wrong);
    await tab.untilText("#part-explore .control > .problems", sentence);
    await settled(tab);
    const now = await refusals(tab);
    const told = `${key} = '${wrong}'`;
    check(now.fields === id && now.said.includes(sentence) && now.isBeside, `${told}: '${now.said}' at ${now.fields}`);
    check(now.aside === aside && now.before === aside, `${told}: ${now.aside} set aside, ${now.before} said to be`);
    check(now.yaml === "" && kTakesYaml.every((b) => now.disabled.includes(b)), `${told}: there is YAML`);
    check(now.disabled.includes("Gantt chart of this scenario") === aside > 0, `${told}: its Gantt chart`);
    if (key === "platform.workstations") await picture(tab, "explore-refused");
    await tab.write(`[id="${id}"]`, right);
    await tab.until(() => document.querySelector("#part-explore .problems, #part-explore .aside") === null);
    await tab.until(() => document.getElementById("explore-yaml").value !== "");
    await settled(tab);
    check((await refusals(tab)).disabled.join() === "Stop", `${told}: something stays disabled`);
  }
  await tab.write('[id="key-owner.TH"]', "0.57");
  await tab.write('[id="key-owner.SH"]', "0.28");
  await tab.untilText("#part-explore .control > .problems", "TH = 0.601111 is more than");
  await settled(tab);
  check((await refusals(tab)).aside === 1, "values that do not go together leave the distribution as it was");
  await tab.press("Back to its first values");
  await tab.until(() => document.querySelector("#part-explore .problems, #part-explore .aside") === null);
  await tab.page.select("#explore-limit", "25600");
  await tab.until(() => document.querySelector("#part-explore .results button:disabled")?.textContent !== "Stop");
  await tab.press("Stop");
  await tab.until(() => document.querySelector("#part-explore .results button:disabled")?.textContent === "Stop");
});

test("a file that is not taken leaves all as it was", "#explore", async (tab) => {
  await settled(tab);
  const seen = () =>
    tab.page.$eval("#part-explore", (part) => [
      part.querySelector(".results").textContent,
      part.querySelector("#preset").value,
    ]);
  const before = await seen();
  const file = path.join(kScratch, "tusk.yaml");
  fs.writeFileSync(file, "nowsim: 1\njob: {workload: base-tusk}\n");
  await tab.give(file, () => tab.press("Load a YAML file"));
  await tab.untilText("#part-explore .buttons + div .problems", "base-tusk");
  check((await tab.text("#part-explore .buttons + div")).includes('"tusk.yaml" is not taken'), "it is not said which");
  check(String(await seen()) === String(before), "something else has changed");
  fs.writeFileSync(file, "nowsim: 1\nplatform: {workstations: 2, speed: 1Gf}\njob: {workload: base-task, work: 4Gf}\n");
  await tab.give(file, () => tab.press("Load a YAML file"));
  await tab.untilText("#part-explore .distribution .footer", "mean of T 2 s");
  await settled(tab);
  check((await tab.texts("#part-explore .problems")).length === 0, "a file that is taken leaves the other's problems");
  check((await tab.texts("#part-explore .curves .footer")).length === 0, "without a sweep there are the curves before");
  check((await tab.text("#explore-yaml")).includes("base-task"), "without a deadline there is no YAML");
});

test("one unit and one notation in a picture", "#explore", async (tab) => {
  await tab.page.select("#preset", "lab-night");
  await tab.untilText("#part-explore .distribution .footer", "mean of T 3.");
  const facts = await tab.text("#part-explore .distribution .footer");
  check(/^mean of T [\d.]+ h .*deviation [\d.]+ h /.test(facts), `not in h: ${facts}`);
  const [deadline] = await tab.texts('.control:has([id="key-run.deadline"]) .exact');
  check(deadline === " s = 3 h", `the deadline's field says '${deadline}'`);
  const ticks = await tab.page.evaluate(
    "[page.format.logTicks(537.4, 14000, 7), page.format.logTicks(0.0003, 40, 4), page.format.logTicks(70, 80, 5)," +
      "page.format.axisNumbers([0, 2.5e-4, 0.001, 0.30000000000000004]), page.format.axisNumbers([0, 0.1, 12345.25])]",
  );
  const wanted = [
    "1000,2000,5000,10000",
    "0.01,1",
    "70,72,74,76,78,80",
    "0,2.5e-4,1e-3,3e-1",
    "0,0.1,12345.25",
  ];
  wanted.forEach((text, i) => check(String(ticks[i]) === text, `ticks are ${ticks[i]}, not ${text}`));
});

test(
  "a finger that goes down over the distribution scrolls, and one that goes along moves the deadline",
  "#explore",
  async (tab) => {
    await settled(tab);
    const handle = "#part-explore .deadline-handle";
    await tab.page.$eval(handle, (node) => node.scrollIntoView({ block: "center" }));
    const swipe = async (right_px, down_px) => {
      const { x, y, width, height } = await (await tab.page.$(handle)).boundingBox();
      const finger = await tab.page.touchscreen.touchStart(x + width / 2, y + height / 2);
      for (let i = 1; i <= 10; ++i)
        await finger.move(x + width / 2 + (i * right_px) / 10, y + height / 2 + (i * down_px) / 10);
      await finger.end();
      await pause(800); // it goes on for a while
    };
    const deadline = () => tab.text('[id="key-run.deadline"]');
    const scrolled = () => tab.page.evaluate(() => scrollY);
    const [before, top] = [await deadline(), await scrolled()];
    await swipe(3, -150);
    check((await scrolled()) > top + 50, `it has scrolled by ${(await scrolled()) - top} pixels`);
    check((await deadline()) === before, `scrolling has moved the deadline to ${await deadline()}`);
    const below = await scrolled();
    await swipe(60, 4);
    check((await deadline()) !== before, "the deadline does not go along");
    check((await scrolled()) === below, `moving the deadline scrolls from ${below} to ${await scrolled()}`);
    const moved = await deadline();
    await tab.page.$eval(handle, (node) => {
      const { left, top } = node.getBoundingClientRect();
      const at = (x) => ({ pointerId: 7, pointerType: "touch", clientX: left + x, clientY: top + 9 });
      node.setPointerCapture = () => {};
      const happens = { pointerdown: 20, pointermove: 60, pointercancel: 60 };
      for (const [type, x] of Object.entries(happens))
        node.dispatchEvent(new PointerEvent(type, at(x)));
    });
    check((await deadline()) === moved, "what the browser takes away has moved the deadline");
  },
  { width: 320, height: 640, touch: true },
);

/** How two CSV texts differ, by more than intervals' ends that are rounded otherwise; "" where they do not. */
const differenceOf = (a, b) => {
  const [fields, others] = [a, b].map((text) => text.trim().split(/[,\n]/));
  if (fields.length !== others.length) return `${fields.length} fields, not ${others.length}`;
  const isNear = (x, y) => x !== "" && Math.abs(Number(x) - Number(y)) <= 1e-12 * Math.abs(Number(y));
  return fields.filter((x, i) => x !== others[i] && !isNear(x, others[i])).join();
};

// ---- Run YAML ------------------------------------------------------------------------------------------------------

/** Chooses an experiment, whose text comes later. */
const choose = async (tab, name) => {
  await tab.page.select("#run-experiment", name);
  const title = await tab.page.$eval("#run-experiment option:checked", (o) => o.textContent.replace(/^.*?: /, ""));
  await tab.untilText("#part-run p", title);
};

daily("a sweep runs, its CSV is the program's, errors stand at their line", "#run", async (tab) => {
  await tab.page.select("#run-experiment", "labs/lab-night");
  await tab.untilText("#part-run p", "on how many of them? 10 points");
  await tab.write("#run-replications", "-50");
  await tab.untilText("#part-run .problems", "replications");
  await tab.write("#run-replications", "50");
  await tab.untilText("#part-run p", "50 replications each");
  await tab.press("Run");
  await tab.page.waitForSelector("#part-run .results .figure canvas");
  const lines = await tab.page.$eval("#part-run .results pre", (pre) => {
    const { paddingTop, lineHeight, maxHeight } = getComputedStyle(pre);
    return (parseFloat(maxHeight) - 2 * parseFloat(paddingTop)) / parseFloat(lineHeight);
  });
  check(Math.abs(lines - Math.round(lines)) < 0.05, `a table's box has room for ${lines} lines`);
  const { text: written } = await tab.downloaded(() => tab.press("Download the YAML"));
  check(written.includes("replications: 50"), "the YAML that is taken away has other replications");
  const { text } = await tab.downloaded(() => tab.press("Results (CSV)"));
  const program = run("run", "labs/lab-night", "--replications", "50", "--format", "csv", "-q");
  const other = differenceOf(text, program);
  check(other === "", `the program's CSV is another one: ${other}`);
  await tab.downloaded(() => tab.press("Picture (PNG)"));
  const yaml = await tab.text("#part-run textarea.code");
  await tab.write("#part-run textarea.code", yaml.replace("base-task", "base-tusk"));
  await tab.untilText("#part-run .problems", "base-tusk");
  const line = yaml.split("\n").findIndex((l) => l.startsWith("job:")) + 1;
  check((await tab.text("#part-run .problems button")) === `line ${line}`, "the problem has not its line");
  check((await tab.text("#part-run .line-numbers .marked")).trim() === String(line), "the line is not marked");
  await tab.press("As it is shipped");
  await tab.until(() => document.querySelector("#part-run .problems") === null);
});

test("all kinds of figures are drawn", "#run", async (tab) => {
  const kinds = [
    ["huang-lee-2007/fig05", "50", ".kind-surface svg", "surface"],
    ["labs/how-late", "200", ".kind-distribution canvas", "distribution"],
    ["self-scheduling/which-technique", "4", ".kind-winners svg", "winners"],
    ["bazterra-2004/fig04", "4", ".kind-workstations canvas", "workstations"],
    ["labs/lab-night", "50", ".kind-curves canvas", "curves"],
  ];
  for (const [name, replications, selector, kind] of kinds) {
    await choose(tab, name);
    await tab.write("#run-replications", replications);
    await tab.press("Run");
    await tab.page.waitForSelector(`#part-run .results ${selector}`, { timeout: 120000 });
    await pause(300);
    await picture(tab, `run-${kind}`);
    await tab.fitsItsWidth(name);
  }
});

/** What Run YAML shows once everything that was under way has come. */
const firstShown = async (tab, name, yaml) => {
  await tab.untilText("#part-run p", "replications each");
  await pause(1000);
  check((await tab.text("#run-experiment")) === name, `it shows ${await tab.text("#run-experiment")}`);
  check((await tab.text("#part-run textarea.code")) === yaml, `the text is not that of ${name}`);
};
test("the first that Run YAML is opened with is what it shows, and Stop is for a run", "#explore", async (tab) => {
  await settled(tab);
  const yaml = await tab.text("#explore-yaml");
  await tab.press("Open in Run YAML");
  const name = await tab.text("#run-experiment");
  await firstShown(tab, name, yaml);
  const isOff = (text) =>
    tab.page.$$eval("#part-run button", (all, t) => all.find((b) => b.textContent === t).disabled, text);
  check(await isOff("Stop"), "there is something to stop before a run");
  await tab.write("#run-replications", "5000000");
  await tab.press("Run");
  check((await isOff("Run")) && !(await isOff("Stop")), "a run cannot be stopped");
  await tab.press("Stop");
  await tab.until(() => document.activeElement.textContent === "Run");
  check((await isOff("Stop")) && !(await isOff("Run")), "there is something to stop after a run");
  await tab.press("Run");
  await choose(tab, "labs/lab-night");
  check(await isOff("Stop"), "another experiment's run goes on");
});

// ---- Gantt charts --------------------------------------------------------------------------------------------------

daily("a Gantt chart plays, steps, and is compared with another", "#gantt", async (tab) => {
  const cursor = () => tab.page.$eval("#part-gantt .gantt svg", (node) => Number(node.dataset.cursor));
  await tab.page.waitForSelector("#part-gantt .gantt svg[data-cursor]");
  const end_s = await cursor();
  await tab.press("to the beginning");
  check((await cursor()) === 0, "the cursor is not at the beginning");
  await tab.press("on to the next event");
  const first_s = await cursor();
  await tab.press("on to the next event");
  const second_s = await cursor();
  check(first_s > 0 && second_s > first_s, `steps go to ${first_s} s and ${second_s} s`);
  await tab.press("back to the event before");
  check((await cursor()) === first_s, "a step back does not lead back");
  await tab.press("play");
  await tab.until((s) => Number(document.querySelector("#part-gantt .gantt svg").dataset.cursor) > s, second_s);
  await tab.press("pause");
  const stopped_s = await cursor();
  await pause(200);
  check((await cursor()) === stopped_s && stopped_s < end_s, "it does not pause");
  await tab.page.click("#gantt-compare");
  await tab.until(() => document.querySelectorAll("#part-gantt .gantt svg").length === 2);
  await picture(tab, "gantt-two");
  const { text } = await tab.downloaded(() => tab.press("CSV A"));
  const file = path.join(kScratch, "trace.csv");
  run("run", "zhang-yan-1995/one-run", "--trace", file, "-q", "--replications", "1");
  check(text === fs.readFileSync(file, "utf8"), "the program's trace is another one");
  const svg = await tab.downloaded(() => tab.press("Picture B (SVG)"));
  check(svg.text.includes("<svg") && svg.text.includes("replication 1"), "the picture is none");
  await tab.write("#gantt-1-set", "owner.u=40%");
  await tab.untilText("#part-gantt .gantt figcaption", "owner.u=40%");
  await picture(tab, "gantt-shorter");
  const strips_px = await tab.page.$$eval("#part-gantt .gantt svg", (all) =>
    all.map((picture) => Math.round(picture.querySelector("g + rect").getBBox().width)),
  );
  check(strips_px[0] !== strips_px[1], "the owner's strip of a run that is over goes on");
});

test("a Gantt chart that is refused leaves the other, and says whose it is", "#gantt", async (tab) => {
  await tab.page.click("#gantt-compare");
  const shown = "#part-gantt .gantt figcaption";
  const untilShown = (n) => tab.until((s, k) => document.querySelectorAll(s).length === k, shown, n);
  await untilShown(2);
  for (const [field, text, said] of [
    ["#gantt-1-replication", "-1", 'Run B: replication: "-1" is no whole number'],
    ["#gantt-1-replication", "999999999999", "Run B: replication there are replications 0 to"],
    ["#gantt-1-set", "owner.THH=1", "Run B: "],
    ["#gantt-0-replication", "-2", "Run A: "],
  ]) {
    const before = await tab.text(field);
    await tab.write(field, text);
    await tab.untilText("#part-gantt .problems", said);
    await untilShown(1);
    const left = field.startsWith("#gantt-1") ? "Run A: " : "Run B: ";
    check((await tab.text(shown)).startsWith(left), "the other chart is not there");
    check((await tab.text(field)) === text, "what was written is another one now");
    await tab.write(field, before);
    await untilShown(2);
  }
  check((await tab.texts("#part-gantt .problems")).length === 0, "what is mended is still refused");
});

// ---- labs ----------------------------------------------------------------------------------------------------------

const begin = async (tab, lab, id) => {
  await tab.page.select("#lab-name", lab);
  await tab.write("#lab-id", id);
  await tab.press("Start");
  await tab.page.waitForSelector(`.lab[data-lab="${lab}"] .question`, { timeout: 120000 });
};
const lab = (scene, name) =>
  scene(`the lab ${name} from prediction to feedback`, "#labs", async (tab) => {
    const id = `Ann ${name}`;
    const answers = rightAnswers(run("lab", "key", name, "--as", id));
    await begin(tab, name, id);
    for (let steps = await tab.page.$$eval(".lab .step", (all) => all.length); steps > 0; --steps) {
      await answerOpenQuestions(tab, answers);
      const done = await tab.page.$$eval(".lab .feedback", (all) => all.length);
      await tab.page.$$eval(".lab button.check", (all) => all.at(-1).click());
      await tab.until((n) => document.querySelectorAll(".lab .feedback").length > n, done);
    }
    check(/^Marks so far: (\d+) of \1\.$/.test(await tab.text(".lab .marks")), "the marks are not told");
    for (const step of await tab.page.$$(".lab .step")) {
      const opens = await step.$$eval("button", (all) => all.map((b) => b.textContent).filter((t) => /^Open /.test(t)));
      check(new Set(opens).size === opens.length, `buttons twice: ${opens}`);
    }
    check((await tab.texts(".lab .verdict.no")).length === 0, "a right answer is told to be wrong");
    check((await tab.texts(".lab .verdict.yes")).length > 0, "no answer is told to be right");
    const swatches_px = await tab.page.$$eval(".lab .legend svg", (all) => all.map((svg) => svg.clientWidth));
    check(swatches_px.every((px) => px === 22), `a legend is out of shape: ${swatches_px}`);
    await picture(tab, `lab-${name}`);
    const answered = await tab.downloaded(() => tab.press("Download the answers"));
    check(answered.name === `answers-${name}-Ann-${name}.yaml`, `the answers are called ${answered.name}`);
    const folder = path.join(kScratch, `lab-${name}`);
    fs.mkdirSync(folder);
    const file = path.join(folder, answered.name);
    fs.writeFileSync(file, answered.text);
    const said = run("lab", "check", file);
    const marks = said.match(/Marks so far: [^\n]*/)?.[0];
    check(marks === (await tab.text(".lab .marks")), "the program gives other marks");
    check(run("lab", "grade", file, "--csv").includes(id), "'nowsim lab grade' does not know the file");
  });
lab(daily, "slowest");
lab(test, "gantt");
lab(test, "split");

test("an answers file of the program goes on in the page", "#labs", async (tab) => {
  const folder = path.join(kScratch, "begun");
  run("lab", "start", "chunks", "--as", "Ben", "--out", folder);
  const answers = rightAnswers(run("lab", "key", "chunks", "--as", "Ben"));
  const file = path.join(folder, "answers.yaml");
  let text = fs.readFileSync(file, "utf8");
  for (const [item, answer] of Object.entries(answers.map))
    text = text.replace(`    ${item}: \n`, `    ${item}: ${answer}\n`);
  fs.writeFileSync(file, text.replace("\n  middle: \n", `\n  middle: ${answers.middle}\n`));
  run("lab", "check", folder);
  await tab.give(file, () => tab.press("Load a file of answers"));
  await tab.page.waitForSelector("#lab-step-2 .question", { timeout: 120000 });
  check((await tab.texts("#lab-step-1 h3")).join().includes("locked in"), "the prediction is not locked in");
  await tab.page.$$eval("#lab-step-2 button", (all) =>
    all.find((b) => b.textContent.startsWith("Open farm.yaml")).click(),
  );
  await tab.untilText("#part-run p", "replications each");
});

test("a lab's experiment is the first that Run YAML is opened with", "#labs", async (tab) => {
  check((await tab.text("#lab-name")) === "slowest", "it does not begin with the lab to begin with");
  check((await tab.texts("#part-labs .absent")).length === 0, "Python is absent where nobody asks for it");
  await begin(tab, "chunks", "Fay");
  const text = await tab.text("#lab-step-1 .handout");
  check(text.includes("whom?") && !text.includes("nowsim lab check"), `the handout sends to a folder: ${text}`);
  check(text.includes("press Check. They are locked in then."), `a sentence is cut: ${text}`);
  await answerOpenQuestions(tab, rightAnswers(run("lab", "key", "chunks", "--as", "Fay")));
  await tab.press("Check, and lock in");
  await tab.page.waitForSelector("#lab-step-2 .question", { timeout: 120000 });
  await tab.press("Open map.yaml");
  const folder = path.join(kScratch, "Fay");
  const { text: answers } = await tab.downloaded(() => tab.go("labs").then(() => tab.press("Download the answers")));
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, "answers-chunks-Fay.yaml"), answers);
  run("lab", "check", path.join(folder, "answers-chunks-Fay.yaml"));
  await tab.go("run");
  await firstShown(tab, "chunks-Fay/map.yaml", fs.readFileSync(path.join(folder, "map.yaml"), "utf8"));
});

test("course, name and lab stay over a reload; a wrong course is refused at once", "#labs", async (tab) => {
  const write = (name, text) => {
    fs.writeFileSync(path.join(tab.folder, name), text);
    return path.join(tab.folder, name);
  };
  const course = write("mine.yaml", 'nowsim-course: 1\nname: "Course: one"\nseed: 7\nlabs: {slowest: 1, split: 1}\n');
  const kButton = "Course file (if your teacher gave one)";
  await tab.give(write("bad3.yaml", "nowsim-course: 1\nnam: x\n"), () => tab.press(kButton));
  await tab.untilText("#part-labs .problems", "bad3.yaml:2: nam");
  check(!(await tab.text("#part-labs .problems")).includes("course.yaml"), "another file is named");
  await tab.untilText("#part-labs form", "without a course's file");
  await tab.give(course, () => tab.press(kButton));
  await tab.untilText("#part-labs form", "of the course in mine.yaml");
  await tab.page.select("#lab-name", "split");
  await tab.write("#lab-id", "Gil");
  await tab.reload();
  check((await tab.text("#lab-name")) === "split", "the lab is forgotten");
  check((await tab.text("#lab-id")) === "Gil", "the name is forgotten");
  await tab.untilText("#part-labs form", "of the course in mine.yaml");
  await begin(tab, "slowest", "Gil");
  const kCourse = 'of the course "Course: one"';
  check((await tab.text(".lab h2")).includes(kCourse), "the lab does not say its course");
  check((await tab.text(".mine li")).includes(kCourse), "the list does not say a lab's course");
  const { name } = await tab.downloaded(() => tab.press("Download the answers"));
  const graded = run("lab", "grade", path.join(tab.folder, name), "--course", course);
  check(!graded.includes("another course"), graded);
  await tab.press("Start");
  await pause(3000);
  check((await tab.texts(".mine li")).length === 1, "the same lab is begun twice");
  await tab.press("Leave the course out");
  await tab.press("Start");
  await tab.untilText(".lab h2", "without a course");
  check((await tab.texts(".mine li")).length === 2, "a lab without the course is not one of its own");
  // what one tab chooses, another one does not write over
  const other = await Tab.open(browser, address, { part: "#labs", beside: tab });
  await tab.page.bringToFront();
  await tab.give(course, () => tab.press(kButton));
  await other.untilText("#part-labs form", "of the course in mine.yaml");
  await other.write("#lab-id", "Hal");
  await tab.reload();
  await tab.untilText("#part-labs form", "of the course in mine.yaml");
});

/** The labs under "Begun here", and the one that is looked at, opened by its button. */
const openKept = async (tab, text) => {
  await tab.page.bringToFront();
  await tab.press(text, ".mine");
  await tab.page.waitForSelector(".lab .question", { timeout: 120000 });
};
const untilValue = (tab, id, value) => tab.until((i, v) => document.getElementById(i)?.value === v, id, value);

daily("two tabs lose nothing of each other's labs", "#labs", async (one) => {
  const two = await Tab.open(browser, address, { part: "#labs", beside: one });
  await one.page.bringToFront();
  await begin(one, "slowest", "One");
  await two.page.bringToFront();
  await begin(two, "slowest", "Two");
  for (const tab of [one, two]) await tab.until(() => document.querySelectorAll(".mine li").length === 2);
  await one.write('[id="step-1-T8"]', "101");
  await two.write('[id="step-1-T8"]', "202");
  await two.page.bringToFront();
  await two.downloaded(() => two.press("Download the answers"));
  await one.write('[id="step-1-T12"]', "103");
  for (const tab of [one, two]) {
    await tab.page.bringToFront();
    await tab.reload();
  }
  const title = (await one.texts(".mine button[aria-current]"))[0].replace(/, \w+$/, "");
  for (const [id, t8, t12] of [
    ["Two", "202", ""],
    ["One", "101", "103"],
  ])
    for (const tab of [one, two]) {
      await openKept(tab, `${title}, ${id}`);
      await untilValue(tab, "step-1-T8", t8);
      await untilValue(tab, "step-1-T12", t12);
    }
  // the same lab in both, but not within the milliseconds that storage takes from one process of the browser to another
  await one.write('[id="step-1-T8"]', "300");
  await untilValue(two, "step-1-T8", "300");
  await two.write('[id="step-1-T12"]', "301");
  for (const tab of [one, two]) {
    await untilValue(tab, "step-1-T8", "300");
    await untilValue(tab, "step-1-T12", "301");
  }
  await one.page.bringToFront();
  await one.press("Check, and lock in");
  for (const tab of [one, two])
    await tab.until(
      () => document.querySelector("#lab-step-1 .feedback") && document.querySelector("#lab-step-2 input"),
    );
  // one that is deleted in the other
  await two.page.evaluate(() => (window.confirm = () => true));
  await two.page.bringToFront();
  await two.press("delete slowest-One", ".mine");
  await one.until(() => document.querySelector(".lab") === null);
  await pause(500);
  await one.page.bringToFront();
  await one.reload();
  check((await one.texts(".mine li")).length === 1, "a deleted lab has come back");
  await two.isFree();
});

/** Holds the answer to the next check until it is let go; `checks` counts them. */
const holdCheck = (tab) =>
  tab.page.evaluate(() => {
    const ask = page.ask;
    window.checks = 0;
    page.ask = async (request, options) => {
      const answer = await ask(request, options);
      if (request.do === "lab.check" && ++window.checks === 1) await new Promise((done) => (window.letGo = done));
      return answer;
    };
  });
const heldCheck = async (tab) => {
  await tab.page.$$eval(".lab button.check", (all) => all.at(-1).click());
  await tab.until(() => window.letGo !== undefined);
};
const letGo = (tab) => tab.page.evaluate(() => window.letGo());
/** Of the only lab, as this browser keeps it. */
const isLockedIn = async (tab, t8, t12) => {
  const { answers } = await tab.page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => /^nowsim-page-\d+\.lab\./.test(name));
    return JSON.parse(localStorage.getItem(key));
  });
  const locked = answers.slice(answers.indexOf("\nlocked-1:"), answers.indexOf("\nstep-2:"));
  check(locked.includes(`T8: "${t8}"`) && locked.includes(`T12: "${t12}"`), `something else is locked in: ${locked}`);
};

test("answers that are filled in beside a check in another tab are checked too", "#labs", async (one) => {
  await begin(one, "slowest", "Beside");
  await one.write('[id="step-1-T8"]', "300");
  await one.write('[id="step-1-T12"]', "301");
  const two = await Tab.open(browser, address, { part: "#labs", beside: one });
  await untilValue(two, "step-1-T12", "301");
  await holdCheck(one);
  await heldCheck(one);
  await two.write('[id="step-1-T12"]', "302");
  const { text: before } = await two.downloaded(() => two.page.$eval(".lab > .buttons button", (b) => b.click()));
  check(before.includes('T12: "302"') && !before.includes("locked-1:"), "the other tab's answer is not in its file");
  await letGo(one);
  for (const tab of [one, two]) {
    await tab.page.waitForSelector("#lab-step-2 .question", { timeout: 120000 });
    await untilValue(tab, "step-1-T12", "302");
  }
  check((await one.page.evaluate(() => window.checks)) === 2, "the other tab's answer was not checked");
  await isLockedIn(two, 300, 302);
  await two.isFree();
});

test("a lock stays, whatever is written while a check is under way", "#labs", async (one) => {
  await begin(one, "slowest", "Late");
  await one.write('[id="step-1-T8"]', "300");
  await one.write('[id="step-1-T12"]', "301");
  const two = await Tab.open(browser, address, { part: "#labs", beside: one });
  await untilValue(two, "step-1-T12", "301");
  await one.page.bringToFront();
  await holdCheck(one);
  await heldCheck(one);
  await one.write('[id="step-1-T12"]', "302");
  await untilValue(two, "step-1-T12", "302");
  await two.write('[id="step-1-T8"]', "299");
  await untilValue(one, "step-1-T8", "299"); // it is drawn anew
  const enabled = await one.page.$$eval(".lab button.check, .lab > .buttons button:first-child", (all) =>
    all.filter((button) => !button.disabled).map((button) => button.textContent),
  );
  check(enabled.length === 0, `beside a check there are ${enabled}`);
  await letGo(one);
  for (const tab of [one, two]) {
    await tab.untilText("#lab-step-1", "What was typed here after it was locked in does not count.");
    await tab.page.waitForSelector("#lab-step-2 .question", { timeout: 120000 });
    await untilValue(tab, "step-1-T8", "300");
    await untilValue(tab, "step-1-T12", "301");
  }
  await picture(one, "lab-late");
  await two.downloaded(() => two.page.$eval(".lab > .buttons button", (button) => button.click()));
  await isLockedIn(one, 300, 301);
  await two.isFree();
});

/** Leaves no room for another byte. */
const fillStorage = (tab) =>
  tab.page.evaluate(() => {
    for (let size = 1 << 22; size >= 1; size >>= 1)
      for (;;)
        try {
          localStorage.setItem("filled", (localStorage.getItem("filled") ?? "") + "x".repeat(size));
        } catch {
          break;
        }
  });

test("what a full storage refused is kept beside another tab's answers once there is room", "#labs", async (one) => {
  await begin(one, "slowest", "Room");
  const two = await Tab.open(browser, address, { part: "#labs", beside: one });
  await two.page.waitForSelector(".lab .question", { timeout: 120000 });
  await one.page.bringToFront();
  await fillStorage(one);
  await one.write('[id="step-1-T8"]', "an answer that needs room");
  await one.until(() => !document.getElementById("kept-nothing").hidden);
  await one.page.evaluate(() => localStorage.removeItem("filled"));
  await two.page.bringToFront();
  await two.until(() => localStorage.getItem("filled") === null);
  await two.write('[id="step-1-T12"]', "302");
  for (const tab of [one, two]) {
    await untilValue(tab, "step-1-T8", "an answer that needs room");
    await untilValue(tab, "step-1-T12", "302");
    check(await tab.page.$eval("#kept-nothing", (node) => node.hidden), "it is said that nothing is kept");
  }
  await two.isFree();
});

daily("a full storage keeps answers, and lets go of what can be had again", "#labs", async (tab) => {
  await begin(tab, "slowest", "Full");
  await tab.write('[id="step-1-T8"]', "300");
  await tab.write('[id="step-1-T12"]', "301");
  await tab.press("Check, and lock in");
  await tab.page.waitForSelector("#lab-step-2 .question", { timeout: 120000 });
  const field = "#lab-step-2 .question input[type=text]";
  await tab.until(() => Object.keys(localStorage).some((key) => key.includes("spare-")));
  await fillStorage(tab);
  await tab.write(field, "an answer that needs room");
  await tab.reload();
  await tab.page.waitForSelector(field, { timeout: 120000 });
  check((await tab.text(field)) === "an answer that needs room", "the answer is lost");
  check(await tab.page.$eval("#kept-nothing", (node) => node.hidden), "it is said that nothing is kept");
});

test("Run and Stop leave the check of a lab alone", "#run", async (tab) => {
  await tab.page.select("#run-experiment", "labs/lab-night");
  await tab.untilText("#part-run p", "10 points");
  await tab.go("labs");
  await begin(tab, "slowest", "Lanes");
  await tab.write('[id="step-1-T8"]', "300");
  await tab.write('[id="step-1-T12"]', "301");
  await tab.page.evaluate(() => {
    const press = (text) => [...document.querySelectorAll("button")].find((b) => b.textContent === text).click();
    press("Check, and lock in");
    const run = document.getElementById("part-run");
    for (const text of ["Run", "Stop"]) [...run.querySelectorAll("button")].find((b) => b.textContent === text).click();
  });
  await tab.page.waitForSelector("#lab-step-1 .feedback", { timeout: 120000 });
});

/** The page, where WebAssembly is refused. */
const brokenPage = (folder) => {
  const broken = path.join(folder, "broken.html");
  const mark = '<script type="text/plain" id="nowsim-worker">';
  const html = fs.readFileSync(pageFile, "utf8");
  check(html.includes(mark), "the page has no worker");
  const reject = 'WebAssembly.instantiate = () => Promise.reject(new Error("out of memory"));';
  fs.writeFileSync(
    broken,
    html.replace(mark, () => `${mark}${reject}\n`),
  );
  return broken;
};
daily("where WebAssembly cannot begin, or is not there, the page says so", "#about", async (tab) => {
  const [file, why] = flags.served
    ? [pageFile, "nowsim itself is not in this file"]
    : [brokenPage(tab.folder), "nowsim cannot begin in this browser (out of memory)"];
  tab.address = pathToFileURL(file).href;
  await tab.page.goto(tab.address);
  await tab.untilText("#loading", `This page cannot begin: ${why}`);
  tab.complaints = tab.complaints.filter((complaint) => !complaint.includes("out of memory"));
});

// ---- nowsim lab serve ------------------------------------------------------------------------------------------

/** An address, and what ends its server. */
const serve = () => {
  const program = spawn(nowsim, ["lab", "serve", "--port", "0", "--page", path.resolve(pageFile)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const end = () => program.kill("SIGINT");
  process.on("exit", end);
  program.on("exit", () => process.off("exit", end));
  return new Promise((resolve, reject) => {
    program.stdout.on("data", (said) => resolve([String(said).split("\n")[0], end]));
    program.on("exit", () => reject(new Error("'nowsim lab serve' has ended")));
  });
};
const served = async (act) => {
  const [own, end] = await serve();
  try {
    const tab = await Tab.open(browser, own, { part: "#labs" });
    await act(tab).finally(() => tab.close());
  } finally {
    end();
  }
};
test("with 'nowsim lab serve' behind it nothing is absent", "#about", async (fromDisk) => {
  check(
    flags.served || (await fromDisk.text("#part-about")).includes("SimGrid is not in this page"),
    "the page does not say what is absent",
  );
  await served(async (tab) => {
    const id = "Ann served";
    await begin(tab, "slowest", id);
    await answerOpenQuestions(tab, rightAnswers(run("lab", "key", "slowest", "--as", id)));
    await tab.press("Check, and lock in");
    await tab.page.waitForSelector("#lab-step-1 .feedback", { timeout: 120000 });
    await tab.reload();
    await tab.page.waitForSelector("#lab-step-1 .feedback", { timeout: 120000 });
    check((await tab.text("#part-labs")).includes("under this address"), "it is not said where answers stay");
    await tab.go("explore");
    await settled(tab);
    check((await tab.texts("#part-explore .problems")).length === 0, "Explore has problems");
    await tab.go("about");
    check((await tab.text("#part-about")).includes("Nothing: everything"), "something is absent");
    await tab.isFree();
  });
});

test("a file of code that is refused leaves the lab as it was", "#about", () =>
  served(async (tab) => {
    const id = "Ann codes";
    await begin(tab, "beat-fac2", id);
    const answers = rightAnswers(run("lab", "key", "beat-fac2", "--as", id));
    const loads = ".lab .code-files";
    for (let i = 0; (await tab.page.$(loads)) === null; ++i) {
      check(i < 5, "no step asks for code");
      await answerOpenQuestions(tab, answers);
      const steps = await tab.page.$$eval(".lab .question", (all) => all.length);
      await tab.page.$$eval(".lab button.check", (all) => all.at(-1).click());
      await tab.until((n) => document.querySelectorAll(".lab .question").length > n, steps);
    }
    const load = (name) => {
      const file = path.join(tab.folder, name);
      fs.writeFileSync(file, "def chunk(state):\n    return 1\n");
      return tab.give(file, async () => (await tab.page.$(`${loads} button`)).click());
    };
    for (const name of ["handout.html", "answers.yaml", ".mine.py", "my chunk.py", "mine.txt"]) {
      await load(name);
      await tab.untilText(`${loads} .problems`, `"${name}" is not taken`);
    }
    await load("mine.py");
    await tab.untilText(loads, "Remove mine.py");
    await tab.reload();
    await tab.untilText(loads, "Remove mine.py");
    await tab.press("Remove mine.py");
    await tab.until(() => !document.querySelector(".lab .code-files").textContent.includes("Remove"));
    await load("mine.py");
    await tab.untilText(loads, "Remove mine.py");
    await tab.isFree();
  }),
);

// ---- what must not go wrong ----------------------------------------------------------------------------------------

/** An experiment whose title, machine and panel are called so. */
const yamlNamed = (text) => {
  const name = JSON.stringify(text);
  return [
    `nowsim: 1\ntitle: ${name}\nplatform: {workstations: 2, speed: 1Gf, names: [${name}, b]}`,
    "job: {workload: base-task, work: 4Gf}\nrun: {replications: 2}\nmetrics: [tau, T_i]",
    `figure: {kind: workstations, panels: [{metrics: [T_i], title: ${name}}]}\n`,
  ].join("\n");
};

daily("every awkward text in every field acts nowhere", "#run", async (tab) => {
  const texts = awkwardTexts(kHeader, "nowsim-page-test-made");
  await tab.page.evaluate(
    () =>
      (window.before = [document.querySelectorAll("script, iframe, object, embed").length, Object.keys(window).length]),
  );
  await tab.write("#part-run textarea.code", yamlNamed("harmless"));
  const runWith = async (field, text) => {
    await tab.write(`#part-run ${field}`, text);
    await tab.page.$eval("#part-run", (part) => {
      part.querySelectorAll(".results > *, .problems").forEach((n) => n.remove());
      [...part.querySelectorAll("button")].find((b) => b.textContent === "Run").click();
    });
    await tab.page.waitForSelector("#part-run .results h3, #part-run .problems", { timeout: 60000 });
  };
  for (const text of texts) {
    await runWith("textarea.code", yamlNamed(text));
    await runWith("#run-set", text);
    await tab.write("#run-set", "");
  }
  await tab.go("explore");
  await tab.page.waitForSelector('[id="key-owner.TH"]', { timeout: 60000 });  // on a loaded machine it comes later
  for (const text of texts) {
    for (const key of ["owner.TH", "platform.workstations", "run.deadline"]) {
      await tab.write(`[id="key-${key}"]`, text);
      await tab.write(
        `[id="key-${key}"]`,
        { "owner.TH": "0.2", "platform.workstations": "4", "run.deadline": "250" }[key],
      );
    }
    await tab.write("#explore-seed", "1");
  }
  await tab.page.select("#preset", "farm");
  await tab.page.waitForSelector('[id="key-job.technique"]');
  await tab.page.select('[id="key-job.technique"]', "formula");
  await tab.page.waitForSelector('[id="key-job.chunk"]');
  for (const text of texts) await tab.write('[id="key-job.chunk"]', text);
  await tab.write('[id="key-job.chunk"]', "ceil(R/P)");
  await settled(tab);
  await tab.go("gantt");
  await tab.page.waitForSelector("#gantt-0-set");
  for (const text of texts) {
    await tab.write("#gantt-0-set", text);
    await pause(20);
    await tab.page.waitForSelector("#gantt-0-set");
  }
  await tab.go("labs");
  for (const text of texts) {
    await tab.write("#lab-id", text);
    const before = await tab.page.$eval("#part-labs", (part) => {
      [...part.querySelectorAll("button")].find((b) => b.textContent === "Start").click();
      return part.querySelectorAll(".mine li").length;
    });
    await tab.until(
      (n) =>
        document.querySelectorAll(".mine li").length > n ||
        document.querySelector("#part-labs .problems") !== null ||
        document.querySelector(".mine button[aria-current]") !== null,
      before,
    );
  }
  await begin(tab, "beat-fac2", "awkward");
  for (const text of texts)
    await tab.page.$$eval(
      ".lab .question input[type=text]",
      (all, value) =>
        all.forEach((node) => {
          node.value = value;
          node.dispatchEvent(new Event("input", { bubbles: true }));
        }),
      text,
    );
  await tab.write(".lab .question input[type=text]", "<b>1</b>: #");
  await tab.downloaded(() => tab.press("Download the answers"));
  const after = await tab.page.evaluate(() => [
    document.querySelectorAll("script, iframe, object, embed").length,
    Object.keys(window).length,
  ]);
  const before = await tab.page.evaluate(() => window.before);
  check(after[0] === before[0], "a text has become an element");
  check(
    (await tab.page.evaluate(() => document.querySelectorAll("main b").length)) === 0,
    "a text has become an element",
  );
});

daily("a reload loses nothing", "#run", async (tab) => {
  await tab.write("#part-run textarea.code", "nowsim: 1\n# mine\n");
  await tab.write("#run-set", "owner.TH=0.1");
  await tab.go("explore");
  await tab.page.waitForSelector('[id="key-owner.TH"]');
  await tab.write('[id="key-owner.TH"]', "0.17");
  await tab.go("labs");
  await begin(tab, "slowest", "Eve");
  await begin(tab, "chunks", "Eve");
  await tab.write('[id="step-1-middle"]', "not yet # checked");
  await tab.reload();
  await tab.page.waitForSelector('[id="step-1-middle"]', { timeout: 120000 });
  check((await tab.text('[id="step-1-middle"]')) === "not yet # checked", "a lab's answer is lost");
  check((await tab.texts(".mine li")).length === 2, "a lab is lost");
  await tab.go("run");
  await tab.until(() => document.querySelector("#part-run textarea.code").value === "nowsim: 1\n# mine\n");
  check((await tab.text("#run-set")) === "owner.TH=0.1", "what is set over it is lost");
  await tab.go("explore");
  await tab.page.waitForSelector('[id="key-owner.TH"]');
  check((await tab.text('[id="key-owner.TH"]')) === "0.17", "a slider's value is lost");
});

daily(
  "on 320 pixels nothing is wider than the screen",
  "#explore",
  async (tab) => {
    await settled(tab);
    for (const part of ["explore", "run", "gantt", "labs", "about"]) {
      await tab.go(part);
      if (part === "run") {
        await choose(tab, "labs/lab-night");
        await tab.write("#run-replications", "20");
        await tab.press("Run");
        await tab.page.waitForSelector("#part-run .results h3", { timeout: 60000 });
      }
      if (part === "gantt") {
        await tab.page.waitForSelector("#part-gantt .gantt svg[data-cursor]");
        await tab.press("to the beginning");
        await tab.press("on to the next event");
        const [wide, shown] = await tab.page.$eval(".states .wide", (n) => [n.scrollWidth, n.clientWidth]);
        check(wide <= shown, `the table at the cursor is ${wide} pixels wide, of ${shown}`);
      }
      if (part === "labs") await begin(tab, "gantt", "narrow");
      await tab.isDrawn();
      await tab.fitsItsWidth(part);
      await picture(tab, `narrow-${part}`);
    }
  },
  { width: 320, height: 640 },
);

daily("by keyboard alone: from the first key to a locked prediction, with the focus seen", "#explore", async (tab) => {
  await settled(tab);
  const { keyboard } = tab.page;
  const focused = () =>
    tab.page.evaluate(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
      return {
        id: document.activeElement.id,
        text: document.activeElement.textContent.trim(),
        isSeen: outlineStyle !== "none" && outlineWidth !== "0px",
      };
    });
  const tabTo = async (isIt) => {
    for (let i = 0; i < 150; ++i) {
      await keyboard.press("Tab");
      const now = await focused();
      check(now.isSeen, `the focus is not seen on ${now.id || now.text.slice(0, 40)}`);
      if (isIt(now)) return;
    }
    throw new Error("Tab does not lead there");
  };
  await tab.page.evaluate(() => document.activeElement.blur());
  await tabTo(({ text }) => text === "Skip to the content");
  await tabTo(({ text }) => text === "Labs");
  await keyboard.press("Enter");
  await tabTo(({ id }) => id === "lab-name");
  await keyboard.type("Who decides");
  await tabTo(({ id }) => id === "lab-id");
  await keyboard.type("Keys");
  await keyboard.press("Enter");
  await tab.page.waitForSelector(".lab .question", { timeout: 120000 });
  await tabTo(({ id }) => id === "step-1-T8");
  await keyboard.type("300");
  await tabTo(({ id }) => id === "step-1-T12");
  await keyboard.type("5min");
  await tabTo(({ text }) => text === "Check, and lock in");
  await keyboard.press("Enter");
  await tab.page.waitForSelector("#lab-step-2 .question", { timeout: 120000 });
});

test(
  "it is read in the dark and on paper",
  "#explore",
  async (tab) => {
    await settled(tab);
    await picture(tab, "dark-explore");
    await tab.go("gantt");
    await tab.page.waitForSelector("#part-gantt .gantt svg[data-cursor]");
    await picture(tab, "dark-gantt");
    await tab.go("about");
    await picture(tab, "dark-about");
    await tab.go("explore");
    await tab.page.pdf({ path: path.join(screens, "paper.pdf"), format: "A4", printBackground: true });
  },
  { dark: true },
);

test("pictures of all parts", "#explore", async (tab) => {
  for (const preset of ["barriers", "split", "lab-night", "farm", "merge-sort"]) {
    await tab.page.select("#preset", preset);
    await settled(tab);
    check(
      (await tab.texts("#part-explore .problems")).length === 0,
      `${preset}: ${(await tab.texts("#part-explore .problems")).join()}`,
    );
    await picture(tab, `explore-${preset}`);
    await tab.fitsItsWidth(preset);
  }
});

// ---- all of them ---------------------------------------------------------------------------------------------------

const [nth, of] = flags.part.split("/").map(Number);
const chosen = tests
  .filter(({ options }) => options.isDaily || !flags.daily)
  .filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)))
  .filter((_, i) => i % of === nth - 1);
check(chosen.length > 0, "no scene is called so");
const start_ms = Date.now();
if (flags.served) {
  const [pack, app] = ["pack.mjs", "app"].map((name) => path.join(kSources, "tools/page", name));
  execFileSync(process.execPath, [pack, app, path.dirname(modules), pageFile]);
}
address = flags.served ? (await serve())[0] : pathToFileURL(path.resolve(pageFile)).href;
browser = await puppeteer.launch({
  executablePath: browserFile,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
});
let failures = 0;
for (const { name, part, act, options } of chosen) {
  const begin_ms = Date.now();
  let tab;
  try {
    tab = await Tab.open(browser, address, { part, ...options });
    await act(tab);
    await tab.isFree();
    console.log(`ok: ${name} (${((Date.now() - begin_ms) / 1000).toFixed(1)} s)`);
  } catch (error) {
    ++failures;
    const where = [...error.stack.matchAll(/page_test\.mjs:(\d+)/g)].map(([, line]) => `line ${line}`).join(", ");
    const complaints = (tab?.complaints ?? []).map((c) => `\n  ${c}`).join("");
    console.log(`FAILED: ${name}: ${error.message} (${where})${complaints}`);
    await tab?.page.bringToFront().catch(() => {}); // of another tab there is no picture
    if (tab) await picture(tab, `failed-${nth}-${failures}`).catch(() => {});
  } finally {
    await tab?.close().catch(() => {});
  }
}
await browser.close();
console.log(`${chosen.length} of ${tests.length} scenes, ${((Date.now() - start_ms) / 1000).toFixed(0)} s`);
process.exit(failures === 0 ? 0 : 1);
