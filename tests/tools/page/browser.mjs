// What tests of the page have in common: a browser, a page whose every complaint is kept, fields, files and checks.
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";

/** Debian's. */
export const chromium = () => ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((file) => fs.existsSync(file));

/** puppeteer-core of a folder of modules; undefined where it is not there. */
export const puppeteerIn = (modules) => {
  try {
    const found = createRequire(path.join(path.resolve(modules), "x.js"))("puppeteer-core");
    return found.default ?? found;
  } catch {
    return undefined;
  }
};

export const check = (holds, sentence) => {
  if (!holds) throw new Error(sentence);
};

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A page of its own storage, which has only what was on a disk: whatever goes wrong in it is in `complaints`. */
export class Tab {
  constructor(context, page, address, folder) {
    Object.assign(this, { context, page, address, folder, complaints: [] });
    page.on("console", (message) => {
      if (["error", "warn"].includes(message.type())) this.complaints.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => this.complaints.push(`error: ${error.message}`));
    page.on("dialog", (dialog) => {
      this.complaints.push(`dialog: ${dialog.message()}`);
      dialog.dismiss();
    });
    page.on("request", (request) => {
      const isOwn =
        /^(data|blob|about):/.test(request.url()) || request.url().startsWith(this.address.replace(/[^/]*$/, ""));
      if (!isOwn) this.complaints.push(`asked for ${request.url()}`);
    });
  }

  /** `beside`: a tab whose storage and folder it has too. */
  static async open(browser, address, { part = "", width = 1200, height = 900, dark = false, touch = false, beside = null } = {}) {
    const context = beside?.context ?? (await browser.createBrowserContext());
    const page = await context.newPage();
    const folder = beside?.folder ?? fs.mkdtempSync(path.join(os.tmpdir(), "nowsim-page-"));
    const tab = new Tab(context, page, address, folder);
    await page.setViewport({ width, height, hasTouch: touch });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
    const session = await browser.target().createCDPSession();
    const { browserContextIds } = await session.send("Target.getBrowserContexts");
    await session.send("Browser.setDownloadBehavior", {
      behavior: "allow",
      downloadPath: folder,
      browserContextId: browserContextIds.includes(context.id) ? context.id : undefined,
    });
    const begin_ms = performance.now();
    await page.goto(address + part);
    await page.waitForFunction(() => document.getElementById("loading") === null, { timeout: 60000 });
    if (part === "") await page.waitForSelector("#part-explore .curves .footer", { timeout: 60000 });
    tab.ready_ms = performance.now() - begin_ms;
    return tab;
  }

  async close() {
    await this.context.close();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  // ---- looking ----

  text(selector) {
    return this.page.$eval(selector, (node) =>
      node.matches("input, textarea, select") ? node.value : node.textContent,
    );
  }
  texts(selector) {
    return this.page.$$eval(selector, (nodes) => nodes.map((node) => node.textContent));
  }
  /** Waits until a function of the page (with arguments) gives something. */
  until(what, ...given) {
    return this.page.waitForFunction(what, { timeout: 120000, polling: 50 }, ...given);
  }
  untilText(selector, part) {
    return this.until(
      (s, t) => [...document.querySelectorAll(s)].some((n) => n.textContent.includes(t)),
      selector,
      part,
    );
  }

  /** What is there by now is on the screen, of the tab in front. */
  isDrawn() {
    return this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  }

  // ---- acting ----

  /** Presses the button of that text, below `root`. */
  async press(text, root = "main > section:not([hidden])") {
    const button = await this.page.evaluateHandle(
      (t, r) => [...document.querySelectorAll(`${r} button`)].find((b) => [b.textContent, b.ariaLabel].includes(t)),
      text,
      root,
    );
    check(button.asElement() !== null, `there is no button '${text}' in ${root}`);
    await button.asElement().click();
  }
  /** Writes into a field as a user who leaves it then. */
  write(selector, text) {
    return this.page.$eval(
      selector,
      (node, value) => {
        node.value = value;
        node.dispatchEvent(new Event("input", { bubbles: true }));
        node.dispatchEvent(new Event("change", { bubbles: true }));
      },
      text,
    );
  }
  async go(part) {
    await this.page.click(`nav a[href="#${part}"]`);
    await this.page.waitForSelector(`#part-${part}:not([hidden])`);
  }
  async reload() {
    await this.page.reload();
    await this.page.waitForFunction(() => document.getElementById("loading") === null, { timeout: 60000 });
  }

  // ---- files ----

  /** What is downloaded by an action. */
  async downloaded(act) {
    const before = new Set(fs.readdirSync(this.folder));
    await act();
    for (let tries = 0; tries < 200; ++tries) {
      const name = fs
        .readdirSync(this.folder)
        .find((n) => !before.has(n) && !n.endsWith(".crdownload") && !n.startsWith("."));
      if (name !== undefined) return { name, text: fs.readFileSync(path.join(this.folder, name), "utf8") };
      await pause(50);
    }
    throw new Error("nothing was downloaded");
  }
  /** Gives a file to the chooser that an action opens. */
  async give(file, act) {
    const [chooser] = await Promise.all([this.page.waitForFileChooser({ timeout: 20000 }), act()]);
    await chooser.accept([file]);
  }

  // ---- what must hold on every page ----

  async isFree() {
    check(this.complaints.length === 0, this.complaints.join("\n"));
  }
  async fitsItsWidth(what) {
    const [wide, shown] = await this.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    check(wide <= shown, `${what} is ${wide} pixels wide, of ${shown}`);
  }
}
