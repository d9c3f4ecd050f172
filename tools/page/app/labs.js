// Labs: which there are, begun under a name, several kept in this browser, and loaded back from an answers file.
{
  const labsView = (catalogue, goTo) => {
    const trouble = page.element("div", {});
    const mine = page.element("div", {});
    const current = page.element("div", {});

    const labSelect = page.element(
      "select",
      { id: "lab-name" },
      catalogue.labs.map(({ name, title, minutes, needs_python }) =>
        page.option(
          name,
          `${title} (${minutes} min${needs_python && catalogue.absent.python ? "; one step wants Python" : ""})`,
        ),
      ),
    );
    const idField = page.element("input", { id: "lab-id", type: "text", autocomplete: "off", size: 20 });
    let course = null;
    const courseSaid = page.element("span", { class: "quiet" }, "without a course's file");
    const question = page.element("p", { class: "quiet" });
    const tell = () => (question.textContent = catalogue.labs.find((l) => l.name === labSelect.value)?.question ?? "");
    labSelect.addEventListener("change", tell);

    /** What is asked and shown last counts: an answer about another lab comes too late. */
    let [round, shown] = [0, null];
    const ask = (request) => page.ask(request, { inLane: "labs" });
    /** Keeps a new one, and shows it unless another one has been chosen meanwhile. */
    const add = async (asked, isAnother = true) => {
      const mine = ++round;
      const state = await asked;
      const there = isAnother ? undefined : begun(state.lab, state.id);
      if (there !== undefined) return go(there.key);
      const key = page.keptLabs.add(state);
      if (mine !== round) return drawMine();
      choose(key);
      show(page.keptLabs.open(key), state);
    };
    const attempt = (act) => async (event) => {
      event?.preventDefault();
      page.fill(trouble);
      try {
        await act();
      } catch (error) {
        page.fill(trouble, page.problemNodes(error));
      }
    };
    const begun = (lab, id) => page.keptLabs.all().find((kept) => kept.lab === lab && kept.id === id);
    const start = attempt(async () => {
      const [lab, id] = [labSelect.value, idField.value];
      const there = course === null ? begun(lab, id) : undefined;
      if (there !== undefined) return go(there.key);
      const asked = ask({ do: "lab.start", lab, id, ...(course === null ? {} : { course: course.text }) });
      await add(asked, course !== null);
    });
    const choose = (key) => {
      shown = { key, view: null };
      page.kept.write("lab-current", key);
      drawMine();
    };
    const show = (lab, state) => {
      shown.view = page.labView(lab, state, goTo);
      page.fill(current, shown.view.node);
    };
    /** Where a lab cannot be shown with its files of code, they can still be taken away. */
    const go = async (key) => {
      const mine = ++round;
      const lab = page.keptLabs.open(key);
      if (lab === null) return drop(key);
      choose(key);
      page.fill(current);
      try {
        const state = await upToDate(lab);
        if (mine === round) show(lab, state);
      } catch (error) {
        if (mine !== round) return;
        page.fill(
          current,
          page.codeFiles(lab, () => attempt(() => go(key))()),
        );
        throw error;
      }
    };
    /** The state of its files as they are when it is there: a check that ends meanwhile writes into them. */
    const upToDate = async (lab) => {
      for (;;) {
        const { answers } = lab.item;
        const state = await ask({ do: "lab.state", files: lab.files() });
        if (lab.item.answers === answers) return state;
      }
    };
    const loadAnswers = attempt(async () => {
      const file = await page.chosenFile(".yaml,.yml,text/*");
      if (file !== null) await add(ask({ do: "lab.state", files: { "answers.yaml": file.text } }));
    });
    const chooseCourse = attempt(async () => {
      course = await page.chosenFile(".yaml,.yml,text/*");
      courseSaid.textContent = course === null ? "without a course's file" : `of the course in ${course.name}`;
    });
    const drop = (key) => {
      if (shown?.key === key) {
        ++round;
        shown = null;
        page.fill(current);
      }
      drawMine();
    };
    const forget = (key) => {
      if (!confirm(`Delete the lab ${key} with its answers from this browser?`)) return;
      page.keptLabs.remove(key);
      drop(key);
    };
    page.keptLabs.listen((key) => {
      const lab = page.keptLabs.open(key);
      if (lab === null) return drop(key);
      drawMine();
      if (shown?.key === key) shown.view?.refresh();
    });
    const drawMine = () => {
      const labs = page.keptLabs.all();
      page.fill(
        mine,
        labs.length === 0
          ? null
          : [
              page.element("h3", {}, "Begun here"),
              page.element(
                "ul",
                { class: "mine" },
                labs.map(({ key, lab, title }) =>
                  page.element(
                    "li",
                    {},
                    page.element(
                      "button",
                      {
                        type: "button",
                        "aria-current": key === shown?.key ? "true" : null,
                        onclick: attempt(() => go(key)),
                      },
                      `${title}, ${key.slice(lab.length + 1)}`,
                    ),
                    " ",
                    page.element(
                      "button",
                      { type: "button", class: "quiet", "aria-label": `delete ${key}`, onclick: () => forget(key) },
                      "delete",
                    ),
                  ),
                ),
              ),
            ],
      );
    };

    const node = page.element(
      "div",
      {},
      page.element(
        "form",
        { onsubmit: start },
        page.element("h2", {}, "Labs"),
        page.element(
          "p",
          { class: "quiet" },
          "Predict, run, be told what was right and why. Numbers are your own, by your name. Where a handout speaks " +
            "of answers.yaml and of nowsim lab check, here are fields and a button. Everything stays in this browser" +
            (page.isServed() ? ", under this address: to be safe, and" : ":") +
            " to hand it in, download answers.yaml, which nowsim lab check and nowsim lab grade read too.",
        ),
        page.element("div", { class: "control" }, page.element("label", { for: "lab-name" }, "Lab"), labSelect),
        question,
        page.element(
          "div",
          { class: "control" },
          page.element("label", { for: "lab-id" }, "Your name or number"),
          idField,
        ),
        page.element(
          "p",
          { class: "buttons" },
          page.element("button", { type: "submit", class: "main" }, "Start"),
          page.element("button", { type: "button", onclick: chooseCourse }, "Course file (if your teacher gave one)"),
          courseSaid,
        ),
        page.element(
          "p",
          { class: "buttons" },
          page.element("button", { type: "button", onclick: loadAnswers }, "Load an answers.yaml"),
        ),
      ),
      catalogue.absent.python
        ? page.element(
            "p",
            { class: "absent" },
            "Where an answer is Python code: ",
            catalogue.absent.python,
            ". Start it by ",
            page.element("code", {}, "nowsim lab serve"),
            ".",
          )
        : null,
      trouble,
      mine,
      current,
    );
    tell();
    drawMine();
    const last = page.kept.read("lab-current", "");
    if (page.keptLabs.open(last) !== null) attempt(() => go(last))();
    return { node };
  };

  page.labsView = labsView;
}
