// A lab that was begun: its steps with text, charts, experiments and questions; checked, and told what was right.
{
  const kMostKept = 400000; // characters of a feedback that is kept over a reload

  /** `lab`: what is kept of it ({lab, id, answers, extra, drafts, feedback}); keep() writes it; goTo(tab, what) opens others. */
  const labView = (lab, state, keep, goTo) => {
    let charts = [];
    const trouble = page.element("div", {});
    const status = page.element("p", { class: "check-said", "aria-live": "polite", tabindex: "-1" });
    const steps = page.element("div", {});
    const progress = page.progressBar();
    const node = page.element("div", { class: "lab" });

    const files = () => ({ ...lab.extra, "answers.yaml": lab.answers });
    const take = (answer) => {
      state = answer;
      lab.answers = answer.files["answers.yaml"];
      keep();
    };
    const draftsOf = () => {
      const answers = {};
      for (const step of state.steps)
        if (step.is_open && !step.is_locked && lab.drafts[step.key]) answers[step.key] = lab.drafts[step.key];
      return answers;
    };
    const fill = async () => {
      const answers = draftsOf();
      if (Object.keys(answers).length === 0) return;
      take(await page.ask({ do: "lab.fill", files: files(), answers }));
      lab.drafts = {};
      keep();
    };
    const check = async () => {
      page.fill(trouble);
      for (const button of node.querySelectorAll("button.check")) button.disabled = true;
      progress.show(null, "checking: ");
      try {
        await fill();
        const answer = await page.ask(
          { do: "lab.check", files: files() },
          { onProgress: (p) => progress.show(p, "checking: ") },
        );
        take(answer);
        lab.feedback = answer.feedback.length > kMostKept ? "" : answer.feedback;
        lab.said = answer.text;
        charts = answer.charts ?? [];
        keep();
        draw(answer.feedback);
        const opened = answer.opened
          ? `The next step is open: ${state.steps.find((s) => s.key === answer.opened || s.name === answer.opened)?.name ?? ""}.`
          : "";
        status.textContent = answer.is_done
          ? "All steps are answered."
          : opened || "Checked: what was right stands below each question.";
        status.focus();
      } catch (error) {
        page.fill(trouble, page.problemNodes(error));
      } finally {
        progress.hide();
        for (const button of node.querySelectorAll("button.check")) button.disabled = false;
      }
    };

    const openExperiment = (file, set = []) =>
      goTo("run", {
        yaml: state.files[file],
        name: `${lab.lab}-${lab.id.replace(/[^\w.-]/g, "_").slice(0, 40)}/${file}`,
        folder: `labs/${lab.lab}/${file}`,
        set,
        goesOn: true,
      });
    const codeButton = (question) => {
      const names = page.element("span", { class: "quiet" }, Object.keys(lab.extra).join(", "));
      return page.element(
        "p",
        { class: "buttons" },
        page.element(
          "button",
          {
            type: "button",
            onclick: async () => {
              const file = await page.chosenFile(".py,text/*");
              if (file === null) return;
              lab.extra[file.name] = file.text;
              keep();
              names.textContent = Object.keys(lab.extra).join(", ");
            },
          },
          `Load a Python file for ${question.key}`,
        ),
        names,
      );
    };

    const stepNode = (step, feedback) => {
      if (!step.is_open)
        return page.element(
          "section",
          { class: "step closed" },
          page.element("h3", {}, step.name),
          page.element("p", { class: "quiet" }, "Opens when the step above is answered and checked."),
        );
      const said = page.stepFeedback(feedback, step.key);
      const runnable = state.files;
      return page.element(
        "section",
        { class: "step", id: `lab-${step.key}`, "aria-label": step.name },
        page.element(
          "h3",
          {},
          step.name,
          step.is_locked ? page.element("span", { class: "quiet" }, " (locked in)") : null,
        ),
        page.withRunButtons(
          page.stepText(state.files["handout.html"], step.key),
          (file) => runnable[file] !== undefined,
          openExperiment,
        ),
        step.experiments.length > 0
          ? page.element(
              "p",
              { class: "buttons" },
              "Experiments: ",
              step.experiments.map((file) =>
                page.element(
                  "button",
                  { type: "button", onclick: () => openExperiment(file) },
                  `Open ${file} in Run YAML`,
                ),
              ),
            )
          : null,
        page.chartChooser(step.charts, state.files, `lab-${step.key}-chart`),
        page.element("h4", {}, "Questions"),
        step.is_prediction && !step.is_locked
          ? page.element("p", { class: "quiet" }, "A prediction: it is locked in when you check it.")
          : null,
        step.questions.map((question) =>
          page.questionNode(
            step,
            question,
            lab.drafts[step.key]?.[question.key] ?? question.answer ?? "",
            (value) => {
              (lab.drafts[step.key] ??= {})[question.key] = value;
              keep();
            },
            codeButton,
          ),
        ),
        step.is_locked
          ? null
          : page.element(
              "p",
              { class: "buttons" },
              page.element(
                "button",
                { type: "button", class: "main check", onclick: check },
                step.is_prediction ? "Check, and lock in" : "Check",
              ),
            ),
        said.length > 0
          ? page.element(
              "div",
              { class: "feedback", role: "region", "aria-label": `Feedback: ${step.name}` },
              page.element("h4", {}, "Feedback"),
              said,
            )
          : null,
      );
    };
    const draw = (feedback = lab.feedback) => {
      page.fill(
        steps,
        state.steps.map((step) => stepNode(step, feedback)),
        charts.length > 0
          ? page.element(
              "section",
              { class: "step" },
              page.element("h3", {}, "Charts of what you tried"),
              page.chartChooser(charts, state.files, "lab-tried"),
            )
          : null,
        lab.said
          ? page.element(
              "details",
              {},
              page.element("summary", {}, "What 'nowsim lab check' says of it"),
              page.element("pre", { tabindex: "0", role: "region", "aria-label": "what lab check says" }, lab.said),
            )
          : null,
      );
    };

    const saveAnswers = async () => {
      try {
        await fill();
        page.saveText("answers.yaml", lab.answers, "application/yaml");
        draw();
      } catch (error) {
        page.fill(trouble, page.problemNodes(error));
      }
    };
    const saveFile = (name, type) => () =>
      page.saveText(name, name === "feedback.html" ? lab.feedback : state.files[name], type);
    const button = (said, act) => page.element("button", { type: "button", onclick: act }, said);
    page.fill(
      node,
      page.element("h2", {}, state.title, page.element("span", { class: "quiet" }, ` – ${state.id}`)),
      page.element(
        "details",
        {},
        page.element("summary", {}, "What it is about"),
        page.handoutHead(state.files["handout.html"]),
      ),
      page.element(
        "p",
        { class: "buttons" },
        button("Download answers.yaml", saveAnswers),
        button("Download the handout", saveFile("handout.html", "text/html")),
        lab.feedback ? button("Download the feedback", saveFile("feedback.html", "text/html")) : null,
      ),
      page.element(
        "p",
        { class: "quiet" },
        "The file answers.yaml is the one that 'nowsim lab check' and 'nowsim lab grade' read.",
      ),
      status,
      trouble,
      progress.node,
      steps,
    );
    draw();
    return node;
  };

  page.labView = labView;
}
