// The page of `nowsim reproduce --index` in a real browser, its scripts switched off: node results_page_test.mjs NOWSIM
// NODE_MODULES SCREENS. What is checked above the scoreboard chooses its claims, by mouse and by keyboard; links lead where
// they say; nothing asks for a network; it fits its width. Skipped where something is not here: skips.mjs.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { check, chromium, puppeteerIn } from "./browser.mjs";
import { skip } from "./skips.mjs";

const [nowsim, modules, screens] = process.argv.slice(2);
const browserFile = chromium();
if (browserFile === undefined) skip("chromium", "there is no chromium (Debian: apt-get install chromium)");
const puppeteer = puppeteerIn(modules);
if (puppeteer === undefined)
  skip("puppeteer", `puppeteer-core is not in ${modules} (npm ci, with tools/page/app/package-lock.json)`);

const kScratch = fs.mkdtempSync(path.join(os.tmpdir(), "nowsim-results-page-"));
fs.mkdirSync(screens, { recursive: true });
const kShown = ["bazterra-2004/fig04", "bazterra-2004/fig04-few", "huang-lee-2007/fig06", "bosque-2011/formula"];
const claims = JSON.parse(
  execFileSync(
    nowsim,
    ["reproduce", ...kShown, "--out", kScratch, "--index", "--quiet", "--format", "json", "--replications", "20"],
    { encoding: "utf8", maxBuffer: 1 << 28 },
  ),
);
const isOf = (letters) => (claim) => claim.source.startsWith(`${letters} `);
const hasVerdict = (verdict) => (claim) => claim.verdict === verdict;
const count = (...rules) => claims.filter((claim) => rules.every((rule) => rule(claim))).length;

const browser = await puppeteer.launch({
  executablePath: browserFile,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"].concat(
    ["--disable-background-networking", "--disable-component-update", "--disable-sync"],
  ),
});
try {
  const page = await browser.newPage();
  const asked = [];
  page.on("request", (request) => {
    if (!/^(data|file):/.test(request.url())) asked.push(request.url());
  });
  await page.setJavaScriptEnabled(false);
  await page.setViewport({ width: 1200, height: 900 });
  await page.goto(pathToFileURL(path.join(kScratch, "index.html")).href);

  const shown = () =>
    page.$$eval(".entry", (rows) => rows.filter((row) => row.offsetParent !== null).map((row) => row.id));
  const choose = (group, what) => page.click(`label[for="show-${group}-${what}"]`);
  const expect = async (wanted, what) => {
    const ids = await shown();
    check(ids.length === wanted, `${what}: ${ids.length} claims are shown, not ${wanted}`);
  };

  check(count() > 20, "there are too few claims to choose among");
  for (const [mark, rule] of Object.entries({
    "read back": (claim) => claim.calibrated && claim.variant_of === "",
    "chosen after looking": (claim) => claim.chosen !== "" && !claim.calibrated,
    "another reading": (claim) => claim.variant_of !== "",
  }))
    check(count(rule) > 0, `there is no claim that is ${mark}`);
  await expect(count(), "at first");
  await choose("paper", "BZ");
  await expect(count(isOf("BZ")), "of Bazterra et al.");
  await choose("verdict", "no");
  await expect(count(isOf("BZ"), hasVerdict("not_reproduced")), "of these, not reproduced");
  await page.screenshot({ path: path.join(screens, "results-chosen.png") });
  await choose("paper", "all");
  await expect(count(hasVerdict("not_reproduced")), "all that are not reproduced");
  await choose("verdict", "all");
  await choose("mark", "calibrated");
  await expect(count((claim) => claim.calibrated && claim.variant_of === ""), "read back");
  await choose("mark", "chosen");
  await expect(count((claim) => claim.chosen !== "" && !claim.calibrated), "chosen after looking");
  await choose("mark", "variant");
  await expect(count((claim) => claim.variant_of !== ""), "other readings");
  await choose("mark", "all");

  // By keyboard: the group's checked input is focused, and an arrow goes to the next.
  await page.focus("#show-verdict-all");
  await page.keyboard.press("ArrowRight");
  await expect(count(hasVerdict("reproduced")), "after an arrow key, reproduced");
  await page.keyboard.press("ArrowLeft");
  await expect(count(), "and back");

  // Links: a card leads to an article, a claim's name in it to its row.
  await page.click(".gallery a");
  const article = decodeURIComponent(new URL(page.url()).hash.slice(1));
  check(kShown.includes(article), `a card leads to '${article}'`);
  const broken = await page.$$eval('a[href^="#"]', (links) =>
    links.map((link) => link.getAttribute("href").slice(1)).filter((id) => document.getElementById(id) === null),
  );
  check(broken.length === 0, `links lead nowhere: ${broken.slice(0, 5).join(", ")}`);
  const opened = await page.$eval(".entry details", (details) => details.open);
  await page.click(".entry details summary");
  check((await page.$eval(".entry details", (details) => details.open)) !== opened, "a claim's details do not open");

  // A claim's row is shown where a link leads to it, whatever is chosen; every choice has a name with its group's.
  await choose("verdict", "no");
  const link = await page.$$eval("article .claims li", (items) =>
    items.find((item) => item.textContent.includes("✓ reproduced")).querySelector("a").getAttribute("href").slice(1),
  );
  check(!(await shown()).includes(link), "a reproduced claim is shown among those that are not");
  await page.goto(`${page.url().split("#")[0]}#${link}`);
  await choose("verdict", "no");
  check((await shown()).includes(link), "the claim that a link leads to is hidden");
  await choose("verdict", "all");
  const names = await page.$$eval("#scoreboard > input", (inputs) => inputs.map((input) => input.ariaLabel));
  check(names.length > 12 && new Set(names).size === names.length, `the choices are called ${names.join(", ")}`);

  for (const width of [1200, 800, 360]) {
    await page.setViewport({ width, height: 900 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    check(wide <= width, `the page is ${wide} pixels wide, of ${width}`);
    await page.screenshot({ path: path.join(screens, `results-${width}.png`), fullPage: true });
  }
  check(asked.length === 0, `the page asked for ${asked.join(", ")}`);
  console.log(`${claims.length} claims: chosen by paper, verdict and mark, by mouse and by keyboard, at three widths`);
} finally {
  await browser.close();
  fs.rmSync(kScratch, { recursive: true, force: true });
}
