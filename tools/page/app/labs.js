// Labs: which there are, begun under a name, several kept in this browser, and loaded back from an answers file.
{
  const labsView = (catalogue, goTo) => {
    const kept = page.kept.read("labs", { current: "", all: {} });
    const keep = () => page.kept.write("labs", kept);
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

    const freeKey = (lab, id) => {
      const key = `${lab}-${id}`;
      for (let i = 1; ; ++i) {
        const free = i === 1 ? key : `${key} (${i})`;
        if (kept.all[free] === undefined) return free;
      }
    };
    const add = (state) => {
      const key = freeKey(state.lab, state.id);
      kept.all[key] = {
        lab: state.lab,
        id: state.id,
        title: state.title,
        answers: state.files["answers.yaml"],
        extra: {},
        drafts: {},
        feedback: "",
        tried: [],
        said: "",
      };
      kept.current = key;
      keep();
      drawMine();
      show(state);
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
    const start = attempt(async () => {
      const id = idField.value;
      const there = Object.keys(kept.all).find(
        (key) => kept.all[key].lab === labSelect.value && kept.all[key].id === id,
      );
      if (there !== undefined && course === null) return go(there);
      add(
        await page.ask({
          do: "lab.start",
          lab: labSelect.value,
          id,
          ...(course === null ? {} : { course: course.text }),
        }),
      );
    });
    const go = async (key) => {
      kept.current = key;
      keep();
      drawMine();
      const lab = kept.all[key];
      show(await page.ask({ do: "lab.state", files: { ...lab.extra, "answers.yaml": lab.answers } }));
    };
    const show = (state) => page.fill(current, page.labView(kept.all[kept.current], state, keep, goTo));
    const loadAnswers = attempt(async () => {
      const file = await page.chosenFile(".yaml,.yml,text/*");
      if (file !== null) add(await page.ask({ do: "lab.state", files: { "answers.yaml": file.text } }));
    });
    const chooseCourse = attempt(async () => {
      course = await page.chosenFile(".yaml,.yml,text/*");
      courseSaid.textContent = course === null ? "without a course's file" : `of the course in ${course.name}`;
    });
    const forget = (key) => {
      if (!confirm(`Delete the lab ${key} with its answers from this browser?`)) return;
      delete kept.all[key];
      if (kept.current === key) {
        kept.current = "";
        page.fill(current);
      }
      keep();
      drawMine();
    };
    const drawMine = () => {
      const keys = Object.keys(kept.all);
      page.fill(
        mine,
        keys.length === 0
          ? null
          : [
              page.element("h3", {}, "Begun here"),
              page.element(
                "ul",
                { class: "mine" },
                keys.map((key) =>
                  page.element(
                    "li",
                    {},
                    page.element(
                      "button",
                      {
                        type: "button",
                        "aria-current": key === kept.current ? "true" : null,
                        onclick: attempt(() => go(key)),
                      },
                      `${kept.all[key].title}, ${key.slice(kept.all[key].lab.length + 1)}`,
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
            "of answers.yaml and of nowsim lab check, here are fields and a button. Everything stays in this " +
            "browser: to hand it in, download answers.yaml, which nowsim lab check and nowsim lab grade read too.",
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
    if (kept.all[kept.current] !== undefined) attempt(() => go(kept.current))();
    return { node };
  };

  page.labsView = labsView;
}
