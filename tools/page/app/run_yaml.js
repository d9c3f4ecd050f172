// Run YAML: any shipped experiment or the user's own, keys set over it, its table, figure and files.
{
  const kCheck_ms = 500;

  const runYaml = (catalogue, goTo) => {
    const kept = page.kept.read("run", {
      name: catalogue.experiments[0]?.name ?? "mine",
      texts: {},
      sets: {},
      folders: {},
      replications: "",
    });
    const keep = () => page.kept.write("run", kept);
    /** Other tabs' texts are kept too; of one that both edit the last. */
    page.kept.listen((name) => {
      if (name !== "run") return;
      const theirs = page.kept.read("run", kept);
      for (const part of ["texts", "sets", "folders"]) {
        const mine = kept[part][kept.name];
        kept[part] = { ...theirs[part], ...(mine === undefined ? {} : { [kept.name]: mine }) };
      }
      drawChooser();
    });
    const isShipped = (name) => catalogue.experiments.some((e) => e.name === name);

    const chooser = page.element("div", {});
    const said = page.element("p", { class: "quiet", "aria-live": "polite" });
    const problems = page.element("div", {});
    const edit = page.editor("the experiment's YAML", (text) => {
      kept.texts[kept.name] = text;
      keep();
      checkSoon();
    });
    const set = page.element("textarea", {
      id: "run-set",
      rows: 3,
      spellcheck: "false",
      autocomplete: "off",
      placeholder: "owner.TH=0.2\nsplit.policy=proportional",
    });
    const replications = page.element("input", {
      id: "run-replications",
      type: "number",
      min: 1,
      step: 1,
      placeholder: "as the file says",
      value: kept.replications,
    });
    const progress = page.progressBar();
    const results = page.element("section", { class: "results", "aria-label": "Results", tabindex: "-1" });
    set.addEventListener("input", () => {
      kept.sets[kept.name] = set.value;
      keep();
      checkSoon();
    });
    replications.addEventListener("input", () => {
      kept.replications = replications.value;
      keep();
      checkSoon();
    });

    /** Files beside it are found where it is from. */
    const scenario = () => ({
      yaml: edit.text(),
      name: page.yamlName(kept.folders[kept.name] ?? kept.name),
      set: page.setLines(set.value),
      ...(kept.replications === "" ? {} : { replications: Number(kept.replications) }),
    });
    const show = (error) => {
      page.fill(problems, page.problemNodes(error, edit.goToLine));
      edit.mark((error.problems ?? []).map((p) => p.line).filter(Boolean));
    };
    const clear = () => {
      page.fill(problems);
      edit.mark([]);
    };

    // ---- what it says ----

    let [checkTimer, checks] = [null, 0];
    const check = async () => {
      const mine = ++checks;
      try {
        const d = await page.ask({ do: "describe", ...scenario() }, { inLane: "side" });
        if (mine !== checks) return;
        clear();
        const swept = d.axes.map(({ key, values }) => `${key} (${values.length})`).join(" × ");
        const points = `${d.points} ${d.points === 1 ? "point" : "points"}${swept && `, of ${swept}`}`;
        const how = `${d.replications} replications each, seed ${d.seed}, engine ${d.engine}`;
        said.textContent = [`${d.title}: ${points}; ${how}.`.replace("?: ", "? "), ...d.remarks].join(" ");
      } catch (error) {
        if (mine !== checks || error instanceof page.Stopped) return;
        said.textContent = "";
        show(error);
      }
    };
    const checkSoon = () => {
      clearTimeout(checkTimer);
      checkTimer = setTimeout(check, kCheck_ms);
    };

    const run = async () => {
      page.stop("run");
      page.fill(results);
      clear();
      progress.show(null);
      [runButton.disabled, stopButton.disabled] = [true, false];
      try {
        const answer = await page.ask({ do: "run", ...scenario() }, { inLane: "run", onProgress: progress.show });
        showResults(answer);
      } catch (error) {
        show(error);
      } finally {
        progress.hide();
        runButton.disabled = false;
        if (document.activeElement === stopButton) runButton.focus();
        stopButton.disabled = true;
      }
    };
    const showResults = (answer) => {
      const name = kept.name.split("/").at(-1);
      page.fill(
        results,
        page.element("h3", {}, answer.title),
        answer.has_failures
          ? page.element("p", { class: "problems" }, "Points have failed: the table says why.")
          : null,
        answer.figure ? page.figureNode(answer.figure, name) : null,
        page.listing("the table", answer.table),
        answer.splits && page.listing("how the work is split", answer.splits),
        answer.remarks.map((remark) => page.element("p", { class: "quiet" }, remark)),
        page.element("p", { class: "quiet" }, `computed in ${page.format.number(answer.seconds, 2)} s`),
        page.buttons(
          page.button("Results (CSV)", () => page.saveText(page.fileName(name, ".csv"), answer.csv, "text/csv")),
          page.button("Results (JSON)", () =>
            page.saveText(page.fileName(name, ".json"), JSON.stringify(answer.summary, null, 2), "application/json"),
          ),
        ),
      );
      results.focus({ preventScroll: true });
      results.scrollIntoView({ block: "nearest" });
    };

    // ---- which one ----

    const drawChooser = () => {
      const names = Object.keys(kept.texts).filter((name) => !isShipped(name));
      const own = names.map((name) => [name, `yours: ${name}`]);
      page.fill(chooser, page.experimentField(catalogue, "run-experiment", kept.name, choose, own));
    };
    /** What is chosen last counts: the text of another one comes too late. */
    let choices = 0;
    const choose = async (name) => {
      const mine = ++choices;
      page.stop("run"); // whose results would be taken for this one's
      try {
        const text = kept.texts[name] ?? (await page.shippedText(name));
        if (mine !== choices) return;
        kept.name = name;
        keep();
        drawChooser();
        edit.setText(text);
        set.value = kept.sets[name] ?? "";
        page.fill(results);
        clear();
        check();
      } catch (error) {
        if (mine === choices) page.fill(problems, page.problemNodes(error));
      }
    };
    /** The user's own text of that name as it was edited, or beside it where another one of that name is there. */
    const freeName = (name, yaml) => {
      const [, stem, ending] = name.match(/^(.*?)(\.ya?ml)?$/);
      for (let i = 1; ; ++i) {
        const free = i === 1 ? name : `${stem}-${i}${ending ?? ""}`;
        if (!isShipped(free) && (kept.texts[free] ?? yaml) === yaml) return free;
      }
    };
    /** Files beside it are found as of `folder`; `goesOn`: one that was opened before is as it was edited. */
    const open = ({ yaml, name, folder, set: lines = [], goesOn = false }) => {
      const own = goesOn && !isShipped(name) ? name : freeName(name, yaml);
      kept.texts[own] ??= yaml;
      kept.sets[own] = lines.join("\n");
      if (folder) kept.folders[own] = folder;
      return choose(own);
    };
    const revert = async () => {
      if (!isShipped(kept.name)) return;
      delete kept.texts[kept.name];
      delete kept.sets[kept.name];
      await choose(kept.name);
    };
    const forget = () => {
      if (isShipped(kept.name)) return revert();
      delete kept.texts[kept.name];
      delete kept.sets[kept.name];
      choose(catalogue.experiments[0].name);
    };
    const load = async () => {
      const file = await page.chosenFile(".yaml,.yml,text/*");
      if (file !== null) open({ yaml: file.text, name: file.name });
    };
    const written = async (act) => {
      try {
        act((await page.ask({ do: "written", ...scenario() }, { inLane: "side" })).yaml);
      } catch (error) {
        show(error);
      }
    };

    const runButton = page.button("Run", run, { class: "main" });
    const stopButton = page.button("Stop", () => page.stop("run"), { disabled: true });
    const node = page.element(
      "div",
      {},
      chooser,
      page.buttons(page.button("Load a file", load), page.button("As it is shipped", forget)),
      edit.node,
      page.element(
        "div",
        { class: "pair" },
        page.field(set.id, ["Keys set over it, one a line, as by ", page.element("code", {}, "--set")], set),
        page.field(replications.id, "Replications of each point", replications),
      ),
      said,
      problems,
      page.buttons(
        runButton,
        stopButton,
        page.button("Gantt chart", () => goTo("gantt", { ...scenario(), title: kept.name })),
        page.button("Copy the YAML", (event) => written((text) => page.copyText(text, event.target))),
        page.button("Download the YAML", () =>
          written((text) => page.saveText(page.fileName(kept.name.split("/").at(-1), ".yaml"), text)),
        ),
      ),
      progress.node,
      results,
    );
    drawChooser();
    choose(isShipped(kept.name) || kept.texts[kept.name] !== undefined ? kept.name : catalogue.experiments[0].name);
    return { node, open };
  };

  page.runYaml = runYaml;
}
