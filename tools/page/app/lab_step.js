// A step of a lab on the page: what to do, charts, experiments to open, the form, and what was said of the answers.
{
  const button = (said, act, more = {}) => page.element("button", { type: "button", onclick: act, ...more }, said);

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
      return page.element(
        "p",
        { class: "buttons" },
        page.element("code", {}, name),
        " ",
        button(`Remove ${name}`, remove),
      );
    });

  /** Where an answer is code: a file beside the answers. */
  const codeButton = (lab, addCode) => (question) => {
    const trouble = page.element("div", {});
    const names = page.element("div", {});
    const draw = () => page.fill(names, codeFiles(lab, draw));
    const load = async () => {
      page.fill(trouble);
      try {
        const file = await page.chosenFile(".py,text/*");
        if (file !== null) await addCode(file);
      } catch (error) {
        page.fill(trouble, page.problemNodes(error));
      }
      draw();
    };
    draw();
    return page.element("div", { class: "code-files" }, [
      page.element("p", { class: "buttons" }, button(`Load a Python file for ${question.key}`, load)),
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

  const feedbackOf = (step, { lab }) => {
    const { feedback, tried } = lab.told;
    const charts = tried.filter((chart) => chart.step === step.key);
    const drawn = [...step.charts, ...charts].map(({ title }) => title);
    const said = page.stepFeedback(feedback, step.key, drawn);
    if (said.length === 0) return null;
    return page.element("div", { class: "feedback", role: "region", "aria-label": `Feedback: ${step.name}` }, [
      page.element("h4", {}, "Feedback"),
      said,
      page.chartChooser(charts, `lab-${step.key}-tried`),
    ]);
  };

  /** `about`: {lab, files, check(), addCode(file), open(file, set)}. */
  const labStep = (step, about) => {
    if (!step.is_open) return closedStep(step);
    const { files, open, check } = about;
    const charts = step.charts.map(({ title, csv }) => ({ title, csv: files[csv] }));
    const has = (file) => files[file] !== undefined;
    const text = page.withRunButtons(page.stepText(files["handout.html"], step.key), has, open);
    const opened = new Set([...text.querySelectorAll("button")].map((one) => one.textContent));
    const experiments = step.experiments
      .filter((file) => !opened.has(`Open ${file}`))
      .map((file) => button(`Open ${file}`, () => open(file)));
    return page.element("section", { class: "step", id: `lab-${step.key}`, "aria-label": step.name }, [
      page.element(
        "h3",
        {},
        step.name,
        step.is_locked ? page.element("span", { class: "quiet" }, " (locked in)") : null,
      ),
      text,
      experiments.length > 0 ? page.element("p", { class: "buttons" }, "Experiments: ", experiments) : null,
      page.chartChooser(charts, `lab-${step.key}-chart`),
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
        : page.element("p", { class: "buttons" }, [
            button(step.is_prediction ? "Check, and lock in" : "Check", check, { class: "main check" }),
          ]),
      feedbackOf(step, about),
    ]);
  };

  Object.assign(page, { labStep, codeFiles });
}
