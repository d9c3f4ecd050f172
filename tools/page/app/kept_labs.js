// Labs that this browser keeps, each in an item of its own, so that tabs side by side lose nothing of each other's.
{
  const kWait_ms = 300;
  const kName = "lab.";
  const kMostFeedback = 400000;
  const nothingTold = () => ({ feedback: "", tried: [], said: "" });

  /** A feedback as it is kept over a reload: a long one without its pictures, since browsers keep a few megabytes. */
  const keptFeedback = (html) => (html.length > kMostFeedback ? html.replace(/<img\b[^>]*>/g, "") : html);

  /** What an answers file says at its head of the course that it was begun in. */
  const courseSaid = (answers) => {
    const [, text = '""'] = answers.match(/^course: *(.*)$/m) ?? [];
    let name = text;
    try {
      name = String(JSON.parse(text));
    } catch {
      // as somebody else wrote it
    }
    return name === "" ? "without a course" : `of the course "${name}"`;
  };
  /** Whether two are answers to one problem, by their signatures. */
  const isSameProblem = (one, other) => {
    const [a, b] = [one, other].map((answers) => answers.match(/^problem: *(.*)$/m)?.[1]);
    return a !== undefined && a === b;
  };

  /** A lab as this tab has it: `item` {lab, id, title, answers, extra, drafts}, `told` {feedback, tried, said}. */
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
      page.kept.writeSpare(kName + this.key, [short, { ...short, tried: [] }, { ...nothingTold(), said: told.said }]);
    }
    readTold() {
      this.told = page.kept.readSpare(kName + this.key, this.told);
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

  /** [{key, lab, id, title, answers}], in the order in which they were begun. */
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
  const add = ({ lab, id, title, files }) => {
    const taken = new Set(all().map(({ key }) => key));
    let key = `${lab}-${id}`;
    for (let i = 2; taken.has(key); ++i) key = `${lab}-${id} (${i})`;
    const item = { lab, id, title, answers: files["answers.yaml"], extra: {}, drafts: {}, begun_ms: Date.now() };
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

  Object.assign(page, { courseSaid, keptLabs: { all, open, add, remove, listen, isSameProblem } });
}
