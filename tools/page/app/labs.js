// Labs: which there are, begun under a name, several kept in this browser, and loaded back from an answers file.
{
  const kFirst = "slowest"; // it has the words that all others use
  const kCourseFile = "course.yaml"; // what nowsim calls it

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
    /** `course`: {name, text} of the file. */
    const readForm = () => page.kept.read("labs-form", { lab: kFirst, id: "", course: null });
    const form = readForm();
    const keep = () => page.kept.write("labs-form", form);
    if (catalogue.labs.some(({ name }) => name === form.lab)) labSelect.value = form.lab;
    idField.value = form.id;
    idField.addEventListener("input", () => ((form.id = idField.value), keep()));
    const courseSaid = page.element("span", { class: "quiet" });
    const question = page.element("p", { class: "quiet" });
    const tell = () => (question.textContent = catalogue.labs.find((l) => l.name === labSelect.value)?.question ?? "");
    labSelect.addEventListener("change", () => (tell(), (form.lab = labSelect.value), keep()));

    /** What is asked and shown last counts: an answer about another lab comes too late. */
    let [round, shown] = [0, null];
    const ask = (request) => page.ask(request, { inLane: "labs" });
    /** Keeps a new one, and shows it unless another one has been chosen meanwhile. */
    const add = async (asked, isLoaded = false) => {
      const mine = ++round;
      const state = await asked;
      const isIt = ({ signature }) => signature === state.signature;
      const there = isLoaded ? undefined : page.keptLabs.all().find(isIt);
      if (there !== undefined) return go(there.key);
      const key = page.keptLabs.add(state);
      if (mine !== round) return drawMine();
      choose(key);
      show(page.keptLabs.open(key), state);
    };
    const attempt = (act) => (event) => {
      event?.preventDefault();
      return page.attempt(trouble, act);
    };
    const start = attempt(() => {
      const course = form.course === null ? {} : { course: form.course.text };
      return add(ask({ do: "lab.start", lab: labSelect.value, id: idField.value, ...course }));
    });
    const choose = (key) => {
      shown = { key, view: null };
      page.kept.write("lab-current", key);
      drawMine();
    };
    const show = (lab, state) => {
      const { course, signature } = state;
      if (lab.item.signature === undefined) lab.change((item) => Object.assign(item, { course, signature }));
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
      if (file !== null) await add(ask({ do: "lab.state", files: { "answers.yaml": file.text } }), true);
    });
    const leaveCourse = () => {
      form.course = null;
      keep();
      drawCourse();
    };
    const drawCourse = () =>
      page.fill(
        courseSaid,
        form.course === null
          ? "without a course's file"
          : [`of the course in ${form.course.name} `, page.button("Leave the course out", leaveCourse)],
      );
    /** A course that another tab has chosen is not written over. */
    page.kept.listen((name) => {
      if (name !== "labs-form") return;
      form.course = readForm().course;
      drawCourse();
    });
    /** It is read when it is chosen: by a lab that is begun with it, and thrown away. */
    const chooseCourse = attempt(async () => {
      const file = await page.chosenFile(".yaml,.yml,text/*");
      if (file === null) return;
      startButton.disabled = true;
      courseSaid.textContent = `reading ${file.name} …`;
      try {
        const lab = labSelect.value;
        await page.ask({ do: "lab.start", lab, id: "course", course: file.text }, { inLane: "course" });
        form.course = file;
        keep();
      } catch (error) {
        for (const problem of error.problems ?? [])
          problem.sentence = problem.sentence.replace(kCourseFile, () => file.name);
        throw error;
      } finally {
        drawCourse();
        startButton.disabled = false;
      }
    });
    const startButton = page.element("button", { type: "submit", class: "main" }, "Start");
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
      const begun = page.keptLabs.all().map(({ key, lab, title, course }) => {
        const open = attempt(() => go(key));
        return [
          page.button(`${title}, ${key.slice(lab.length + 1)}`, open, { "aria-current": key === shown?.key && "true" }),
          ` ${page.courseSaid(course)} `,
          page.button("delete", () => forget(key), { class: "quiet", "aria-label": `delete ${key}` }),
        ];
      });
      const list = [page.element("h3", {}, "Begun here"), page.list(begun, { class: "mine" })];
      page.fill(mine, begun.length > 0 && list);
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
            " to hand it in, download the answers. The program takes that file under the name it has: nowsim lab " +
            "check FILE goes on with it, in a folder of its own, and nowsim lab grade FILE ... gives marks.",
        ),
        page.field(labSelect.id, "Lab", labSelect),
        question,
        page.field(idField.id, "Your name or number", idField),
        page.buttons(startButton, page.button("Course file (if your teacher gave one)", chooseCourse), courseSaid),
        page.buttons(page.button("Load a file of answers", loadAnswers)),
      ),
      trouble,
      mine,
      current,
    );
    tell();
    drawCourse();
    drawMine();
    const last = page.kept.read("lab-current", "");
    if (page.keptLabs.open(last) !== null) attempt(() => go(last))();
    return { node };
  };

  page.labsView = labsView;
}
