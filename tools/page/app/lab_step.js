// A step of a lab on the page: what to do, charts, experiments to open, the form, and what was said of the answers.
{
  const terminalNote = (commands) =>
    page.element(
      "p",
      { class: "quiet terminal" },
      "Not in this page: ",
      commands.map((command, i) => [i > 0 ? " and " : null, page.element("code", {}, command)]),
      commands.length > 1 ? " need" : " needs",
      " the program, in a terminal.",
    );

  const runSaid = ({ file, set, draws }) =>
    `Open ${file}${set.length > 0 ? ` with ${set.join(", ")}` : ""}${draws ? ", for a Gantt chart" : ""}`;

  /** What to do, block by block: below each what it runs, and what it takes the program for. */
  const stepText = (blocks, open) =>
    page.element(
      "div",
      { class: "handout" },
      blocks.map(({ html, runs, terminal }) => [
        page.nodesOf(html),
        runs.length > 0 && page.buttons(runs.map((run) => page.button(runSaid(run), () => open(run.file, run.set)))),
        terminal.length > 0 && terminalNote(terminal),
      ]),
    );

  /** Charts (answers to `gantt` with a title), one or two at a time. */
  const chartChooser = (charts, id) => {
    if (charts.length === 0) return null;
    const holder = page.element("div", {});
    const draw = () => {
      const chosen = [first.value, second.value].filter((v) => v !== "").map((v) => charts[v]);
      page.fill(holder, page.ganttPlayer(chosen, chosen[0].title));
    };
    const options = charts.map(({ title }, i) => [i, title]);
    const first = page.select(`${id}-first`, options, 0, draw);
    const second = page.select(`${id}-second`, [["", "nothing"], ...options], "", draw);
    draw();
    return page.element("div", { class: "lab-charts" }, [
      charts.length > 1 &&
        page.buttons([
          page.element("label", { for: first.id }, "Chart "),
          first,
          page.element("label", { for: second.id }, " above "),
          second,
        ]),
      holder,
    ]);
  };

  const closedStep = (step) =>
    page.element("section", { class: "step closed" }, [
      page.element("h3", {}, step.name),
      page.element("p", { class: "quiet" }, "Opens when the step above is answered and checked."),
    ]);

  /** The files of code beside a lab's answers, each with a button that takes it away; onRemoved() is told of it. */
  const codeFiles = (lab, onRemoved) =>
    Object.keys(lab.item.extra).map((name) => {
      const remove = () => {
        lab.change((item) => delete item.extra[name]);
        onRemoved();
      };
      return page.buttons(page.element("code", {}, name), " ", page.button(`Remove ${name}`, remove));
    });

  /** Where an answer is code: a file beside the answers. */
  const codeButton = (lab, addCode) => (question) => {
    const trouble = page.element("div", {});
    const names = page.element("div", {});
    const draw = () => page.fill(names, codeFiles(lab, draw));
    const load = async () => {
      await page.attempt(trouble, async () => {
        const file = await page.chosenFile(".py,text/*");
        if (file !== null) await addCode(file);
      });
      draw();
    };
    draw();
    return page.element("div", { class: "code-files" }, [
      page.buttons(page.button(`Load a Python file for ${question.key}`, load)),
      trouble,
      names,
    ]);
  };

  const draftOf = (lab, step, { key }) => (step.is_locked ? undefined : lab.item.drafts[step.key]?.[key]);

  const questionForm = (step, { lab, addCode }) =>
    step.questions.map((question) => {
      const written = draftOf(lab, step, question) ?? question.answer ?? "";
      const change = (value) =>
        lab.change((item) => {
          (item.drafts[step.key] ??= {})[question.key] = value;
        });
      return page.questionNode(step, question, written, change, codeButton(lab, addCode));
    });

  /** Whether a prediction was changed while it was being locked in. */
  const cameTooLate = (step, { lab }) => {
    const late = Object.entries((step.is_locked && lab.item.drafts[step.key]) || {});
    const answers = Object.fromEntries(step.questions.map(({ key, answer }) => [key, answer]));
    return late.some(([key, typed]) => JSON.stringify(typed) !== JSON.stringify(answers[key]));
  };

  const judgedNode = (step, { key, standing, sign, told, answer, says }) =>
    page.element("div", { class: "question" }, [
      page.element("h3", {}, [
        page.element("code", {}, key),
        " ",
        page.element("span", { class: `verdict ${standing}` }, `${sign} ${told}`),
      ]),
      page.nodesOf(step.questions.find((question) => question.key === key)?.ask ?? ""),
      answer && page.element("p", {}, answer),
      page.nodesOf(says),
    ]);

  const feedbackOf = (step, { lab }) => {
    const judged = lab.told.judged.find((one) => one.step === step.key);
    if (judged === undefined) return null;
    return page.element("div", { class: "feedback", role: "region", "aria-label": `Feedback: ${step.name}` }, [
      page.element("h4", {}, "Feedback"),
      judged.answers.map((answer) => judgedNode(step, answer)),
      chartChooser(judged.charts, `lab-${step.key}-tried`),
    ]);
  };

  /** `about`: {lab, check(), addCode(file), open(file, set)}. */
  const labStep = (step, about) => {
    if (!step.is_open) return closedStep(step);
    const { open, check } = about;
    const experiments = step.experiments.map((file) => page.button(`Open ${file}`, () => open(file)));
    return page.element("section", { class: "step", id: `lab-${step.key}`, "aria-label": step.name }, [
      page.element(
        "h3",
        {},
        step.name,
        step.is_locked ? page.element("span", { class: "quiet" }, " (locked in)") : null,
      ),
      stepText(step.text, open),
      experiments.length > 0 ? page.buttons("Experiments: ", experiments) : null,
      chartChooser(step.charts, `lab-${step.key}-chart`),
      page.element("h4", {}, "Questions"),
      step.is_prediction && !step.is_locked
        ? page.element("p", { class: "quiet" }, "A prediction: it is locked in when you check it.")
        : null,
      questionForm(step, about),
      cameTooLate(step, about)
        ? page.element("p", { class: "quiet" }, "What was typed here after it was locked in does not count.")
        : null,
      step.is_locked
        ? null
        : page.buttons([
            page.button(step.is_prediction ? "Check, and lock in" : "Check", check, { class: "main check" }),
          ]),
      feedbackOf(step, about),
    ]);
  };

  Object.assign(page, { labStep, codeFiles });
}
