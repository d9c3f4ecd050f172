// Scenarios: YAML, where it came from, and keys set over it; what is said of one that nowsim refuses.
{
  /** A value as --set wants it: numbers as they are, texts in quotes, so that nothing in them acts. */
  const setText = (key, value) => `${key}=${typeof value === "number" ? value : JSON.stringify(value)}`;
  const yamlList = (values) =>
    `[${values.map((value) => (typeof value === "number" ? value : JSON.stringify(value))).join(", ")}]`;

  /** Lines of "key=value"; empty ones are left out. */
  const setLines = (text) =>
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");

  const texts = new Map();
  /** The YAML of a shipped experiment. */
  const shippedText = async (name) => {
    if (!texts.has(name)) texts.set(name, (await page.ask({ do: "text", name })).yaml);
    return texts.get(name);
  };
  const yamlName = (name) => (/\.ya?ml$/.test(name) ? name : `${name}.yaml`);

  /** A list of problems as they are shown, `whose` before each; onLine(line) is called where a user asks for a line. */
  const problemNodes = (error, onLine = null, whose = "") => {
    if (error instanceof page.Stopped) return [];
    const problems = error.problems ?? [{ sentence: error.message, line: null }];
    const said = problems.map(({ sentence, line, key }) => [
      line && onLine && [page.button(`line ${line}`, () => onLine(line), { class: "line" }), " "],
      whose,
      key && [page.element("code", {}, key), " "],
      sentence,
    ]);
    return [page.list(said, { class: "problems", role: "alert" })];
  };

  /** act(), and what is wrong with it into a node. */
  const attempt = async (trouble, act) => {
    page.fill(trouble);
    try {
      await act();
    } catch (error) {
      page.fill(trouble, problemNodes(error));
    }
  };

  /** A list of `first` and of all shipped experiments, by folder; act(name) is told which is chosen. */
  const experimentField = (catalogue, id, value, act, first) => {
    const select = page.select(id, first, value, act);
    const folders =
      Map.groupBy?.(catalogue.experiments, ({ name }) => name.split("/")[0]) ??
      new Map([["experiments", catalogue.experiments]]);
    for (const [label, experiments] of folders) {
      const said = ({ name, title }) => `${name.split("/").slice(1).join("/") || name}: ${title}`;
      const options = experiments.map((one) => page.option(one.name, said(one)));
      select.append(page.element("optgroup", { label }, options));
    }
    select.value = value;
    return page.field(id, "Experiment", select);
  };

  /** How far a run is, from progress messages: {node, show(progress), hide()}. */
  const progressBar = () => {
    const bar = page.element("progress", { max: 1 });
    const said = page.element("span", {});
    const node = page.element("p", { class: "progress", hidden: true }, bar, " ", said);
    const show = (progress, what = "") => {
      node.hidden = false;
      const { points_done, points, replications_done, replications_expected, left_s } = progress ?? {};
      if (replications_expected > 0) bar.value = Math.min(1, replications_done / replications_expected);
      else bar.removeAttribute("value");
      const left = Number.isFinite(left_s) ? `, about ${page.format.number(left_s, 2)} s left` : "";
      said.textContent =
        points > 0
          ? `${what}${points_done} of ${points} ${points === 1 ? "point" : "points"}${left}`
          : `${what}computing …`;
    };
    return { node, show, hide: () => (node.hidden = true) };
  };

  Object.assign(page, {
    setText,
    yamlList,
    setLines,
    shippedText,
    yamlName,
    problemNodes,
    attempt,
    experimentField,
    progressBar,
  });
}
