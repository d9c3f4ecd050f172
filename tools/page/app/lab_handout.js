// A step of a lab as the page shows it: its part of the handout, its charts, its experiments to be opened.
{
  const kInstead = "Write your answers into the fields below, and press Check.";
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

  /** The sum of marks, which stands second at the feedback's head. */
  const marksSaid = (feedback) => page.parsed(feedback ?? "").querySelectorAll("header p")[1]?.textContent ?? "";

  const words = (line) =>
    [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+?)(?:'([^']*)'|"([^"]*)")?(?=\s|$)/g)].map(
      ([, a, b, c, d, e]) => a ?? b ?? c + (d ?? e ?? ""),
    );

  /** "nowsim run FILE --set a=b" as {file, set, draws}; null for other commands. */
  const runCommand = (line) => {
    const [program, command, file, ...flags] = words(line.trim());
    if (program !== "nowsim" || command !== "run" || !file?.endsWith(".yaml")) return null;
    const set = [];
    for (let i = 0; i < flags.length; ++i) {
      if (flags[i] === "--set" || flags[i] === "-s") set.push(flags[++i]);
      else if (flags[i] === "--replications" || flags[i] === "-r") set.push(`run.replications=${flags[++i]}`);
      else if (flags[i] === "--seed") set.push(`run.seed=${flags[++i]}`);
    }
    return { file, set, draws: flags.includes("--gantt") };
  };

  /** What a command line begins with that a terminal alone can do; null where the page does the same, or it is none. */
  const terminalCommand = (line) => {
    const [program, ...more] = words(line.trim());
    if (program === "python3" && more[1] === "nowsim") return "python3 -m nowsim";
    const isHere = more[0] === "run" || (more[0] === "lab" && more[1] === "check");
    return program === "nowsim" && more.length > 0 && !isHere ? `nowsim ${more[0]}` : null;
  };
  const terminalNote = (commands) =>
    page.element(
      "p",
      { class: "quiet terminal" },
      "Not in this page: ",
      commands.map((command, i) => [i > 0 ? " and " : null, page.element("code", {}, command)]),
      commands.length > 1 ? " need" : " needs",
      " the program, in a terminal.",
    );
  const commandsIn = (nodes) => [
    ...new Set(
      nodes.flatMap((node) => node.textContent.split("\n").map(terminalCommand)).filter((command) => command !== null),
    ),
  ];
  /** Says below each block of commands, or the text with the first of them, what takes the program. */
  const noteTerminal = (holder) => {
    const blocks = [...holder.querySelectorAll("pre")];
    const said = new Set(commandsIn(blocks));
    for (const block of [...blocks, ...holder.querySelectorAll("p, ul, ol, table")]) {
      const isBlock = block.localName === "pre";
      const commands = commandsIn(isBlock ? [block] : [...block.querySelectorAll("code")]);
      const unsaid = isBlock ? commands : commands.filter((command) => !said.has(command));
      for (const command of unsaid) said.add(command);
      if (unsaid.length > 0) block.after(terminalNote(unsaid));
    }
  };

  /** A sentence that sends to `nowsim lab check .` is about a folder: here are fields and a button. */
  const sayFields = (holder) => {
    for (const code of holder.querySelectorAll("p > code")) {
      if (code.textContent !== "nowsim lab check .") continue;
      const cut = (next, end, kept) => {
        for (let node = code[next]; node !== null; node = code[next]) {
          const found = node.nodeType === Node.TEXT_NODE ? node.data.match(end) : null;
          if (found !== null) return (node.data = found[kept]);
          node.remove();
        }
      };
      cut("previousSibling", /^([^]*[.?!]\s+)/, 1);
      cut("nextSibling", /[.?!](\s[^]*|$)/, 1);
      code.replaceWith(kInstead);
    }
  };

  /** Adds below each command that runs a file of the folder a button that opens it. */
  const withRunButtons = (nodes, has, open) => {
    const holder = page.element("div", { class: "handout" }, nodes);
    sayFields(holder);
    noteTerminal(holder);
    for (const pre of holder.querySelectorAll("pre")) {
      const buttons = pre.textContent
        .replaceAll("\\\n", " ")
        .split("\n")
        .map(runCommand)
        .filter((c) => c !== null && has(c.file))
        .map(({ file, set, draws }) =>
          page.element(
            "button",
            { type: "button", onclick: () => open(file, set) },
            `Open ${file}${set.length > 0 ? ` with ${set.join(", ")}` : ""}${draws ? ", for a Gantt chart" : ""}`,
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

  Object.assign(page, { handoutHead, stepText, stepFeedback, marksSaid, withRunButtons, chartChooser });
}
