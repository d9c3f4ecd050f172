// A lab that was begun: its problem and its steps; answers filled in, checked, downloaded, and kept as they are typed.
{
  const kMostKept = 400000;
  /** A feedback as it is kept over a reload: a long one without its pictures, since browsers keep a few megabytes. */
  const keptFeedback = (html) => (html.length > kMostKept ? html.replace(/<img\b[^>]*>/g, "") : html);

  /** What has been typed into steps that are not locked: {step: {question: answer}}. */
  const typedAnswers = (lab, state) => {
    const open = state.steps.filter((step) => step.is_open && !step.is_locked && lab.drafts[step.key]);
    return Object.fromEntries(open.map((step) => [step.key, { ...lab.drafts[step.key] }]));
  };

  /** What was sent is no draft any more, unless it has been typed over meanwhile. */
  const forgetSent = (lab, sent) => {
    for (const [step, answers] of Object.entries(sent))
      for (const [question, answer] of Object.entries(answers))
        if (lab.drafts[step]?.[question] === answer) delete lab.drafts[step][question];
  };

  const saidOf = (answer, state) => {
    if (answer.is_done) return "All steps are answered.";
    const step = state.steps.find(({ key, name }) => answer.opened === key || answer.opened === name);
    return step
      ? `The next step is open: ${step.name}.`
      : "Checked: how each answer stands is told below the questions.";
  };

  /**
   * `lab` is what is kept of it ({lab, id, answers, extra, drafts, feedback, tried, said}); keep() writes it, goTo(tab,
   * what) opens another part of the page.
   */
  const labView = (lab, state, keep, goTo) => {
    const trouble = page.element("div", {});
    const status = page.element("p", { class: "check-said", "aria-live": "polite", tabindex: "-1" });
    const steps = page.element("div", {});
    const progress = page.progressBar();
    const node = page.element("div", { class: "lab", "data-lab": lab.lab });

    const files = () => ({ ...lab.extra, "answers.yaml": lab.answers });
    const take = (answer) => {
      state = answer;
      lab.answers = answer.files["answers.yaml"];
      keep();
    };
    const fill = async () => {
      const sent = typedAnswers(lab, state);
      if (Object.keys(sent).length === 0) return;
      take(await page.ask({ do: "lab.fill", files: files(), answers: sent }));
      forgetSent(lab, sent);
      keep();
    };
    const attempt = async (act) => {
      page.fill(trouble);
      for (const button of node.querySelectorAll("button.check")) button.disabled = true;
      try {
        await act();
      } catch (error) {
        page.fill(trouble, page.problemNodes(error));
      } finally {
        progress.hide();
        for (const button of node.querySelectorAll("button.check")) button.disabled = false;
      }
    };
    const check = () =>
      attempt(async () => {
        progress.show(null, "checking: ");
        await fill();
        const onProgress = (done) => progress.show(done, "checking: ");
        const answer = await page.ask({ do: "lab.check", files: files() }, { onProgress });
        take(answer);
        lab.tried = answer.tried ?? [];
        lab.feedback = keptFeedback(answer.feedback);
        lab.said = answer.text;
        keep();
        draw(answer.feedback);
        status.textContent = saidOf(answer, state);
        status.focus();
      });
    const saveAnswers = () =>
      attempt(async () => {
        await fill();
        page.saveText("answers.yaml", lab.answers, "application/yaml");
      });
    const open = (file, set = []) =>
      goTo("run", {
        yaml: state.files[file],
        name: `${lab.lab}-${lab.id.replace(/[^\w.-]/g, "_").slice(0, 40)}/${file}`,
        folder: `labs/${lab.lab}/${file}`,
        set,
        goesOn: true,
      });
    const draw = (feedback = lab.feedback) => {
      const about = { lab, keep, files: state.files, feedback, tried: lab.tried ?? [], check, open };
      const said = page.element(
        "pre",
        { tabindex: "0", role: "region", "aria-label": "what lab check says" },
        lab.said,
      );
      page.fill(steps, [
        state.steps.map((step) => page.labStep(step, about)),
        lab.said
          ? page.element("details", {}, page.element("summary", {}, "What 'nowsim lab check' says of it"), said)
          : null,
      ]);
    };

    const button = (said, act) => page.element("button", { type: "button", onclick: act }, said);
    const saveHandout = () => page.saveText("handout.html", state.files["handout.html"], "text/html");
    const saveFeedback = () =>
      lab.feedback === ""
        ? page.fill(status, "There is no feedback yet: check first.")
        : page.saveText("feedback.html", lab.feedback, "text/html");
    const { goals, problem } = page.handoutHead(state.files["handout.html"]);
    page.fill(node, [
      page.element("h2", {}, state.title, page.element("span", { class: "quiet" }, `, ${state.id}`)),
      page.element("details", {}, page.element("summary", {}, "Goals, and what to know before"), goals),
      page.element("p", { class: "buttons" }, [
        button("Download answers.yaml", saveAnswers),
        button("Download the handout", saveHandout),
        button("Download the feedback", saveFeedback),
      ]),
      page.element("div", { class: "handout" }, problem),
      status,
      trouble,
      progress.node,
      steps,
    ]);
    draw();
    return node;
  };

  page.labView = labView;
}
