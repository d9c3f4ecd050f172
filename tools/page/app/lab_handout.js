// A step of a lab as the page shows it: its part of the handout, its charts, its experiments to be opened.
{
  const kDropped = "h3, figure, details, .question";

  /** What a handout says above its steps: {goals, problem}. */
  const handoutHead = (handout) => {
    const whole = page.parsed(handout ?? "");
    const main = [...(whole.querySelector("main")?.children ?? [])];
    const firstStep = main.findIndex((node) => node.localName === "section");
    return {
      goals: page.copies(
        [...(whole.querySelector("header")?.children ?? [])].filter((node) => node.localName !== "h1"),
      ),
      problem: page.copies(main.slice(0, firstStep < 0 ? main.length : firstStep)),
    };
  };

  /** A step's text without its charts and questions, which the page has as charts and forms. */
  const stepText = (handout, key) => {
    const section = page.parsed(handout ?? "").getElementById(key);
    if (section === null) return [];
    const children = [...section.children];
    const questions = children.findIndex(
      (n) => n.localName === "h3" && children.slice(children.indexOf(n)).some((m) => m.classList.contains("question")),
    );
    return page.copies(
      children
        .slice(0, questions < 0 ? children.length : questions)
        .filter((n) => !n.matches(`h2, ${kDropped}`) || n.localName === "h3"),
    );
  };

  /** What was said of a step's answers, without pictures and tables of charts that the page draws itself. */
  const stepFeedback = (feedback, key, drawnTitles) => {
    const section = page.parsed(feedback ?? "").getElementById(key);
    if (section === null) return [];
    for (const figure of section.querySelectorAll("figure")) {
      if (!drawnTitles.includes(figure.querySelector("figcaption")?.textContent)) continue;
      if (figure.nextElementSibling?.localName === "details") figure.nextElementSibling.remove();
      figure.remove();
    }
    return page.copies([...section.children].filter((node) => node.localName !== "h2"));
  };

  const words = (line) =>
    [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+?)(?:'([^']*)'|"([^"]*)")?(?=\s|$)/g)].map(
      ([, a, b, c, d, e]) => a ?? b ?? c + (d ?? e ?? ""),
    );

  /** "nowsim run FILE --set a=b" as {file, set}; null for other commands. */
  const runCommand = (line) => {
    const [program, command, file, ...flags] = words(line.trim());
    if (program !== "nowsim" || command !== "run" || !file?.endsWith(".yaml")) return null;
    const set = [];
    for (let i = 0; i < flags.length; ++i) {
      if (flags[i] === "--set" || flags[i] === "-s") set.push(flags[++i]);
      else if (flags[i] === "--replications" || flags[i] === "-r") set.push(`run.replications=${flags[++i]}`);
      else if (flags[i] === "--seed") set.push(`run.seed=${flags[++i]}`);
    }
    return { file, set };
  };

  /** Adds below each command that runs a file of the folder a button that opens it. */
  const withRunButtons = (nodes, has, open) => {
    const holder = page.element("div", { class: "handout" }, nodes);
    for (const pre of holder.querySelectorAll("pre")) {
      const buttons = pre.textContent
        .replaceAll("\\\n", " ")
        .split("\n")
        .map(runCommand)
        .filter((c) => c !== null && has(c.file))
        .map(({ file, set }) =>
          page.element(
            "button",
            { type: "button", onclick: () => open(file, set) },
            `Open ${file}${set.length > 0 ? ` with ${set.join(", ")}` : ""}`,
          ),
        );
      if (buttons.length > 0) pre.after(page.element("p", { class: "buttons" }, buttons));
    }
    return holder;
  };

  /** Charts ({title, csv: its text}), one or two at a time. */
  const chartChooser = (charts, id) => {
    const known = charts.filter(({ csv }) => csv);
    if (known.length === 0) return null;
    const holder = page.element("div", {});
    const draw = () => {
      const chosen = [first.value, second.value].filter((v) => v !== "").map((v) => known[v]);
      page.fill(holder, page.ganttPlayer(chosen, chosen[0].title));
    };
    const first = page.element(
      "select",
      { id: `${id}-first`, onchange: draw },
      known.map(({ title }, i) => page.option(i, title)),
    );
    const second = page.element(
      "select",
      { id: `${id}-second`, onchange: draw },
      page.option("", "nothing"),
      known.map(({ title }, i) => page.option(i, title)),
    );
    draw();
    return page.element(
      "div",
      { class: "lab-charts" },
      known.length > 1
        ? page.element(
            "p",
            { class: "buttons" },
            page.element("label", { for: first.id }, "Chart "),
            first,
            page.element("label", { for: second.id }, " above "),
            second,
          )
        : null,
      holder,
    );
  };

  Object.assign(page, { handoutHead, stepText, stepFeedback, withRunButtons, chartChooser });
}
