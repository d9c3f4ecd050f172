// A lab that was begun: its problem and its steps; answers filled in, checked, downloaded, and kept as they are typed.
{
  /** A name for a file of code that every folder takes. */
  const isCodeName = (name) => /^[\w-][\w.-]*\.py$/.test(name);

  /** What has been typed into steps that are not locked: {step: {question: answer}}. */
  const typedAnswers = ({ drafts }, state) => {
    const open = state.steps.filter((step) => step.is_open && !step.is_locked && drafts[step.key]);
    const typed = open.filter((step) => Object.keys(drafts[step.key]).length > 0);
    return Object.fromEntries(typed.map((step) => [step.key, { ...drafts[step.key] }]));
  };

  /** What was sent is no draft any more, unless it has been typed over meanwhile. */
  const forgetSent = ({ drafts }, sent) => {
    for (const [step, answers] of Object.entries(sent))
      for (const [question, answer] of Object.entries(answers))
        if (JSON.stringify(drafts[step]?.[question]) === JSON.stringify(answer)) delete drafts[step][question];
  };

  /** Earlier pages did not keep it. */
  const courseSaid = (course = null) =>
    course === null ? "" : course === "" ? "without a course" : `of the course "${course}"`;

  const saidOf = (answer, state) => {
    if (answer.is_done) return "All steps are answered.";
    const step = state.steps.find(({ key, name }) => answer.opened === key || answer.opened === name);
    return step
      ? `The next step is open: ${step.name}.`
      : "Checked: how each answer stands is told below the questions.";
  };

  /**
   * {node, refresh()}: `lab` is a kept lab, goTo(tab, what) opens another part of the page; refresh() where another tab
   * has changed the lab.
   */
  const labView = (lab, state, goTo) => {
    const trouble = page.element("div", {});
    const status = page.element("p", { class: "check-said", "aria-live": "polite", tabindex: "-1" });
    const marks = page.element("p", { class: "marks" });
    const steps = page.element("div", {});
    const progress = page.progressBar();
    const node = page.element("div", { class: "lab", "data-lab": lab.item.lab });

    const ask = (request, onProgress) => page.ask(request, { inLane: "labs", onProgress });
    /** Whether it is kept, which it is in the place of those answers alone that it was made of. */
    const take = (answer, old, sent) => {
      const made = answer.files["answers.yaml"];
      lab.change((item) => {
        if (item.answers !== old) return;
        item.answers = made;
        forgetSent(item, sent);
      });
      lab.flush();
      return lab.item.answers === made;
    };
    /** What comes of request(), kept; asked anew where another tab has put other answers there meanwhile. */
    const taken = async (request, onProgress) => {
      for (;;) {
        const { answers } = lab.item;
        if (state.files["answers.yaml"] !== answers) state = await ask({ do: "lab.state", files: lab.files() });
        if (lab.item.answers !== answers) continue;
        const asked = { ...request(), files: lab.files() };
        const answer = await ask(asked, onProgress);
        if (!take(answer, answers, asked.answers ?? {})) continue;
        state = answer;
        return answer;
      }
    };
    const fill = () => taken(() => ({ do: "lab.fill", answers: typedAnswers(lab.item, state) }));
    const attempt = (act) => page.attempt(trouble, act);
    let isChecking = false;
    const showChecking = () => {
      for (const button of [saveButton, ...node.querySelectorAll("button.check")]) button.disabled = isChecking;
      if (!isChecking) progress.hide();
    };
    const check = async () => {
      isChecking = true;
      showChecking();
      await attempt(async () => {
        progress.show(null, "checking: ");
        await fill();
        const answer = await taken(
          () => ({ do: "lab.check" }),
          (done) => progress.show(done, "checking: "),
        );
        const { feedback, marks, judged, text } = answer;
        lab.tell({ feedback, marks, judged, said: text });
        draw();
        status.textContent = saidOf(answer, state);
        status.focus();
      });
      isChecking = false;
      showChecking();
    };
    const saveAnswers = () =>
      attempt(async () => {
        await fill();
        page.saveText(fileName("answers", "yaml"), lab.item.answers, "application/yaml");
      });
    const open = (file, set = []) =>
      goTo("run", {
        yaml: state.files[file],
        name: `${state.folder}/${file}`,
        folder: `labs/${lab.item.lab}/${file}`,
        set,
        goesOn: true,
      });
    /** Kept only when the lab goes on with it. Of the folder's own files it takes the place of code alone. */
    const addCode = async ({ name, text }) => {
      if (!isCodeName(name))
        throw new Error(
          `"${name}" is not taken: the name of a Python file is of letters, digits, "_", "-" and "." alone, begins ` +
            "with no dot, and ends in .py",
        );
      await ask({ do: "lab.state", files: { ...lab.files(), [name]: text } });
      lab.change((item) => {
        item.extra[name] = text;
      });
    };
    const draw = () => {
      const about = { lab, check, addCode, open };
      const said = page.listing("what lab check says", lab.told.said);
      page.fill(marks, lab.told.marks);
      page.fill(steps, [
        state.steps.map((step) => page.labStep(step, about)),
        lab.told.said && page.details("What 'nowsim lab check' says of it", said),
      ]);
      showChecking();
    };

    /** As the folder is called, so that a class's files have names of their own. */
    const fileName = (what, ending) => `${what}-${state.folder}.${ending}`;
    const saveHandout = () => page.saveText(fileName("handout", "html"), state.files["handout.html"], "text/html");
    const saveButton = page.button("Download the answers", saveAnswers);
    const saveFeedback = () =>
      lab.told.feedback === ""
        ? page.fill(status, "There is no feedback yet: check first.")
        : page.saveText(fileName("feedback", "html"), lab.told.feedback, "text/html");
    const goals = [
      state.question !== "" && page.element("p", {}, page.element("strong", {}, state.question)),
      page.element("p", { class: "quiet" }, state.of),
      state.lists.map(({ heading, items }) => [page.element("h2", {}, heading), page.list(items)]),
    ];
    page.fill(node, [
      page.element(
        "h2",
        {},
        state.title,
        page.element("span", { class: "quiet" }, `, ${state.id}, ${page.courseSaid(state.course)}`),
      ),
      page.details("Goals, and what to know before", goals),
      page.buttons([
        saveButton,
        page.button("Download the handout", saveHandout),
        page.button("Download the feedback", saveFeedback),
      ]),
      page.element("div", { class: "handout" }, page.nodesOf(state.problem)),
      status,
      marks,
      trouble,
      progress.node,
      steps,
    ]);
    draw();
    /** What is being typed here keeps its focus. */
    const redraw = () => {
      const focused = document.activeElement?.id;
      draw();
      if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    };
    const refresh = async () => {
      const { answers } = lab.item;
      if (answers === state.files["answers.yaml"]) return redraw();
      const newer = await ask({ do: "lab.state", files: lab.files() }).catch(() => null);
      if (newer === null) return; // something else is told
      if (lab.item.answers !== answers) return refresh();
      state = newer;
      redraw();
    };
    return { node, refresh };
  };

  Object.assign(page, { labView, courseSaid });
}
