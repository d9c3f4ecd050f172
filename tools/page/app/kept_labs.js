// Labs that this browser keeps, each in an item of its own, so that tabs side by side lose nothing of each other's.
{
  const kWait_ms = 300;
  const kName = "lab.";
  const kMostFeedback = 400000;
  const nothingTold = () => ({ feedback: "", marks: "", judged: [], said: "" });

  /** A feedback as it is kept over a reload: a long one without its pictures, since browsers keep a few megabytes. */
  const keptFeedback = (html) => (html.length > kMostFeedback ? html.replace(/<img\b[^>]*>/g, "") : html);

  /**
   * A lab as this tab has it: `item` {lab, id, title, course, signature, answers, extra, drafts}, `told` {feedback,
   * marks, judged, said}.
   */
  class KeptLab {
    #changes = []; // which the item in the browser has not yet
    #refused = []; // changes that it had no room for

    constructor(key, item) {
      Object.assign(this, { key, item });
      this.told = nothingTold();
      this.readTold();
    }
    /** act(item) is done here at once, and soon to what is kept, whatever other tabs have written into it meanwhile. */
    change(act) {
      act(this.item);
      this.#changes.push(act);
      flushSoon();
    }
    /** What was said of the answers: all of it here, and what there is room for over a reload. */
    tell(told) {
      this.told = told;
      const short = { ...told, feedback: keptFeedback(told.feedback) };
      const undrawn = told.judged.map((step) => ({ ...step, charts: [] }));
      page.kept.writeSpare(kName + this.key, [
        short,
        { ...short, judged: undrawn },
        { ...nothingTold(), said: told.said },
      ]);
    }
    readTold() {
      this.told = { ...this.told, ...page.kept.readSpare(kName + this.key, {}) };
    }
    readItem() {
      const item = page.kept.read(kName + this.key, null);
      if (item === null) return false;
      for (const act of this.#changes) act(item);
      this.item = item;
      return true;
    }
    /** One that was deleted stays so. */
    flush() {
      if (this.#changes.length > 0 && this.readItem()) {
        const isKept = page.kept.write(kName + this.key, this.item);
        this.#refused = isKept ? [] : [...this.#refused, ...this.#changes];
      }
      this.#changes = [];
    }
    /** Another tab has written the item: what there was no room for is to be done to that one. */
    takeTheirs() {
      this.#changes.unshift(...this.#refused.splice(0));
      this.flush();
      this.readItem();
    }
    files() {
      return { ...this.item.extra, "answers.yaml": this.item.answers };
    }
  }

  const opened = new Map();
  let timer = null;
  const flush = () => {
    clearTimeout(timer);
    timer = null;
    for (const lab of opened.values()) lab.flush();
  };
  const flushSoon = () => (timer ??= setTimeout(flush, kWait_ms));
  addEventListener("pagehide", flush);
  document.addEventListener("visibilitychange", () => document.hidden && flush());

  /** [{key, lab, id, title, course, signature}], in the order in which they were begun. */
  const all = () =>
    page.kept
      .names(kName)
      .map((name) => ({ key: name.slice(kName.length), ...page.kept.read(name, {}) }))
      .filter(({ lab }) => lab !== undefined)
      .sort((a, b) => a.begun_ms - b.begun_ms || (a.key < b.key ? -1 : 1));

  /** The one of that key; null where it is not there any more. */
  const open = (key) => {
    const item = page.kept.read(kName + key, null);
    if (item === null) opened.delete(key);
    else if (!opened.has(key)) opened.set(key, new KeptLab(key, item));
    return opened.get(key) ?? null;
  };

  /** Keeps a lab state as a new one; gives its key. */
  const add = ({ lab, id, title, course, signature, files }) => {
    const taken = new Set(all().map(({ key }) => key));
    let key = `${lab}-${id}`;
    for (let i = 2; taken.has(key); ++i) key = `${lab}-${id} (${i})`;
    const answers = files["answers.yaml"];
    const item = { lab, id, title, course, signature, answers, extra: {}, drafts: {}, begun_ms: Date.now() };
    page.kept.write(kName + key, item);
    return key;
  };

  const remove = (key) => {
    opened.delete(key);
    page.kept.forget(kName + key);
    page.kept.forgetSpare(kName + key);
  };

  /** act(key) is told which lab another tab has begun, changed or deleted. */
  const listen = (act) =>
    page.kept.listen((name, isSpare) => {
      if (!name.startsWith(kName)) return;
      const key = name.slice(kName.length);
      if (isSpare) opened.get(key)?.readTold();
      else opened.get(key)?.takeTheirs();
      act(key);
    });

  page.keptLabs = { all, open, add, remove, listen };
}
