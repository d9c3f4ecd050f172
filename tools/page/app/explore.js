// Explore: sliders, curves whose intervals shrink while it computes, the distribution and its deadline, the YAML.
{
  const kPasses = [100, 400, 1600, 6400, 25600];
  const kWait_ms = 180;

  const fresh = (preset) => ({
    values: {},
    among: {},
    x: preset.x,
    curves: preset.curves,
    metric: "tau",
    limit: 1600,
    seed: 1,
  });

  /** A user's file as a preset: what it sweeps has sliders and lists. */
  const presetOf = async (name, yaml) => {
    const description = await page.ask({ do: "describe", yaml, name: page.yamlName(name), set: [] });
    const controls = description.axes.map(({ key, values }) => {
      const numbers = values.map(Number);
      if (values.some((v) => v.trim() === "") || numbers.some((v) => !Number.isFinite(v)))
        return {
          key,
          label: "",
          choices: values.map((v) => ({ name: v })).map(({ name: v }) => v),
          value: values[0],
          among: values,
        };
      return { key, label: "", values: numbers, value: numbers[0], along: numbers, among: numbers };
    });
    const x = controls.find((control) => !control.choices)?.key ?? "";
    return {
      id: "mine",
      title: `Your file: ${description.title || name}`,
      name,
      yaml,
      about: "What your file sweeps has a slider or a list here.",
      controls: [...controls, { key: "run.deadline", label: "deadline", unit: "s", value: "", values: null }],
      x,
      curves: controls.find((c) => c.key !== x)?.key ?? "",
    };
  };

  const explore = (catalogue, goTo) => {
    const kept = page.kept.read("explore", { preset: page.presets[0].id, states: {}, mine: null });
    const presets = [...page.presets];
    let preset, state;
    const keep = () => page.kept.write("explore", kept);

    const chooser = page.element("select", { id: "preset" });
    const about = page.element("p", { class: "quiet" });
    const controls = page.element("div", { class: "controls-list" });
    const axes = page.element("div", {});
    const trouble = page.element("div", {});
    const progress = page.progressBar();
    const curvesHolder = page.element("div", { "aria-live": "off" });
    const distribution = page.distributionPanel((deadline_s, isDone) => {
      state.values["run.deadline"] = deadline_s;
      const field = document.getElementById("key-run.deadline");
      if (field) field.value = deadline_s;
      keep();
      if (isDone) later(state.metric === "RF");
    });
    const timesTrouble = page.element("div", {});
    const yaml = page.element("textarea", {
      id: "explore-yaml",
      rows: 14,
      readonly: true,
      spellcheck: "false",
      "aria-label": "the scenario as YAML",
    });
    const table = page.element("pre", { tabindex: "0", role: "region", "aria-label": "the table" });

    // ---- computing ----

    let [round, timer] = [0, null];
    const isCurrent = (mine) => mine === round;
    const limits = () => {
      const limit = Number(state.limit);
      return [...kPasses.filter((n) => n < limit), limit];
    };
    const computeCurves = async (mine) => {
      if (!state.x) return page.fill(curvesHolder, page.element("p", { class: "quiet" }, "Nothing is swept."));
      const scenario = page.curvesScenario(preset, state);
      let shown = null;
      try {
        for (const replications of limits()) {
          const answer = await page.ask(
            { do: "run", ...scenario, replications },
            {
              inLane: "curves",
              onProgress: (p) => isCurrent(mine) && progress.show(p, `${replications} replications: `),
            },
          );
          if (!isCurrent(mine)) return;
          shown = drawCurves(answer, shown);
          page.fill(
            trouble,
            answer.remarks.length > 0
              ? page.element(
                  "details",
                  { class: "quiet" },
                  page.element("summary", {}, `Remarks (${answer.remarks.length})`),
                  answer.remarks.map((r) => page.element("p", {}, r)),
                )
              : null,
          );
        }
      } catch (error) {
        if (isCurrent(mine)) page.fill(trouble, page.problemNodes(error));
      } finally {
        if (isCurrent(mine)) progress.hide();
      }
    };
    const drawCurves = (answer, shown) => {
      table.textContent = answer.table;
      const { figure } = answer;
      if (figure === null) {
        page.fill(
          curvesHolder,
          page.element("p", {}, "There is nothing to draw: no point can be realised. The table says why."),
        );
        return null;
      }
      const [panel] = figure.panels;
      const at = Number(state.values[state.x] ?? page.controlOf(preset, state.x).value);
      const markers = Number.isFinite(at) ? [{ at: at / 10 ** figure.x.power, label: "value below" }] : [];
      const curves = page.curvesOf(figure, panel);
      const p = figure.provenance;
      const footer = `${p.replications} replications, bands: ${p.confidence} confidence, seed ${p.seed}, engine ${p.engine}, nowsim ${p.version}`;
      if (shown !== null && shown.count === curves.length) {
        shown.chart.update(curves, markers);
        shown.footer.textContent = footer;
        return shown;
      }
      const chart = page.curveChart({
        x: figure.x,
        y: panel.value,
        curves,
        markers,
        alt: `${page.labelText(panel.value.label)} against ${page.labelText(figure.x.label)}; the table below has the same numbers.`,
      });
      const line = page.element("p", { class: "footer" }, footer);
      page.fill(curvesHolder, chart.node, line);
      return { chart, footer: line, count: curves.length };
    };
    const computeTimes = async (mine) => {
      try {
        for (const replications of limits()) {
          const answer = await page.ask(
            { do: "times", ...page.pointScenario(preset, state), replications },
            { inLane: "times" },
          );
          if (!isCurrent(mine)) return;
          page.fill(timesTrouble);
          distribution.show(answer);
        }
      } catch (error) {
        if (isCurrent(mine)) page.fill(timesTrouble, page.problemNodes(error));
      }
    };
    const computeYaml = async (mine) => {
      try {
        const scenario = state.x
          ? page.curvesScenario(preset, state, [`run.replications=${state.limit}`])
          : page.pointScenario(preset, state);
        const { yaml: text } = await page.ask({ do: "written", ...scenario });
        if (isCurrent(mine)) yaml.value = text;
      } catch {
        if (isCurrent(mine)) yaml.value = "";
      }
    };
    /** Computes anew, unless something is changed again at once. */
    const later = (withCurves = true) => {
      clearTimeout(timer);
      if (!withCurves) return (timer = setTimeout(() => computeYaml(round), kWait_ms));
      timer = setTimeout(() => {
        ++round;
        page.stop("curves");
        page.stop("times");
        computeCurves(round);
        computeTimes(round);
        computeYaml(round);
      }, kWait_ms);
    };
    const stopAll = () => {
      ++round;
      page.stop("curves");
      page.stop("times");
      progress.hide();
    };

    // ---- what is chosen ----

    const change = (key, value) => {
      state.values[key] = value;
      keep();
      if (key === "run.deadline") {
        distribution.setDeadline(Number(value));
        return later(state.metric === "RF");
      }
      if (preset.controls.some((control) => control.key === key && control.formulas)) drawControls();
      later();
    };
    const drawControls = () => {
      const focused = document.activeElement?.id;
      page.fill(controls, page.controlRows(preset, state, catalogue, change));
      drawAxes();
      if (focused) document.getElementById(focused)?.focus();
    };
    const drawAxes = () => {
      const set = (name) => (event) => {
        state[name] = event.target.value;
        if (state.x === state.curves) state.curves = "";
        keep();
        drawControls();
        later();
      };
      const select = (id, said, options, value, act) => {
        const node = page.element(
          "select",
          { id, onchange: act },
          options.map(([v, text]) => page.option(v, text)),
        );
        node.value = value;
        return page.element("div", { class: "control" }, page.element("label", { for: id }, said), node);
      };
      const along = preset.controls.filter((c) => c.along && !c.choices),
        curves = preset.controls.filter((c) => (c.among || c.along) && c.key !== state.x);
      const chosen = page.controlOf(preset, state.curves);
      page.fill(
        axes,
        select("explore-metric", "Shown", page.exploreMetrics, state.metric, set("metric")),
        along.length > 0
          ? select(
              "explore-x",
              "Along x",
              along.map((c) => [c.key, c.key]),
              state.x,
              set("x"),
            )
          : null,
        select(
          "explore-curves",
          "Curves",
          [["", "one"], ...curves.map((c) => [c.key, `one for each ${c.key}`])],
          state.curves,
          set("curves"),
        ),
        chosen
          ? page.amongBoxes(chosen, state, catalogue, (key, values) => {
              state.among[key] = values;
              keep();
              drawControls();
              later();
            })
          : null,
        select(
          "explore-limit",
          "Replications, at most",
          kPasses.map((n) => [String(n), String(n)]),
          String(state.limit),
          set("limit"),
        ),
        page.element(
          "div",
          { class: "control" },
          page.element("label", { for: "explore-seed" }, "Seed ", page.element("code", {}, "run.seed")),
          page.element("input", {
            id: "explore-seed",
            type: "number",
            min: 0,
            step: 1,
            value: state.seed,
            onchange: set("seed"),
          }),
        ),
      );
    };
    const choose = async (id) => {
      try {
        preset = presets.find((p) => p.id === id) ?? presets[0];
        kept.preset = preset.id;
        state = kept.states[preset.id] ??= fresh(preset);
        keep();
        chooser.value = preset.id;
        about.textContent = preset.about;
        preset.yaml ??= await page.shippedText(preset.name);
        drawControls();
        distribution.setDeadline(Number(state.values["run.deadline"] ?? page.controlOf(preset, "run.deadline")?.value));
        later();
      } catch (error) {
        page.fill(trouble, page.problemNodes(error));
      }
    };
    const addMine = async (file) => {
      const mine = await presetOf(file.name, file.text);
      const at = presets.findIndex((p) => p.id === "mine");
      if (at >= 0) presets[at] = mine;
      else presets.push(mine);
      kept.mine = file;
      drawChooser();
    };
    const drawChooser = () =>
      page.fill(
        chooser,
        presets.map((p) => page.option(p.id, p.title)),
      );
    chooser.addEventListener("change", () => choose(chooser.value));

    const load = async () => {
      const file = await page.chosenFile(".yaml,.yml,text/*");
      if (file === null) return;
      try {
        await addMine(file);
        delete kept.states.mine;
        await choose("mine");
      } catch (error) {
        page.fill(trouble, page.problemNodes(error));
      }
    };
    const reset = () => {
      delete kept.states[preset.id];
      choose(preset.id);
    };
    const button = (said, act) => page.element("button", { type: "button", onclick: act }, said);
    const fileNameOf = () => page.fileName(`explore-${preset.id}`, ".yaml");

    const node = page.element(
      "div",
      { class: "explore" },
      page.element(
        "section",
        { class: "side", "aria-label": "Scenario" },
        page.element("h2", {}, "Scenario"),
        page.element("div", { class: "control" }, page.element("label", { for: "preset" }, "Begin with"), chooser),
        about,
        controls,
        page.element(
          "p",
          { class: "buttons" },
          button("Back to its first values", reset),
          button("Load a YAML file", load),
        ),
      ),
      page.element(
        "section",
        { class: "results", "aria-label": "Results" },
        page.element("h2", {}, "Curves"),
        page.element("div", { class: "axes" }, axes),
        page.element(
          "p",
          { class: "buttons" },
          button("Stop", stopAll),
          button("Compute", () => later()),
        ),
        trouble,
        progress.node,
        curvesHolder,
        page.element("details", {}, page.element("summary", {}, "The same as a table"), table),
        page.element("h2", {}, "How long it may take"),
        page.element(
          "p",
          { class: "quiet" },
          "The distribution of T with the values at the left. Drag the deadline, or move it by arrow keys.",
        ),
        timesTrouble,
        distribution.node,
        page.element(
          "p",
          { class: "buttons" },
          button("Gantt chart of this scenario", () =>
            goTo("gantt", { ...page.pointScenario(preset, state), title: preset.title }),
          ),
        ),
        page.element("h2", {}, "The scenario as YAML"),
        page.element(
          "p",
          { class: "quiet" },
          "In a file it gives the same in every nowsim: ",
          page.element("code", {}, "nowsim run FILE.yaml"),
          ".",
        ),
        yaml,
        page.element(
          "p",
          { class: "buttons" },
          button("Copy", (event) => page.copyText(yaml.value, event.target)),
          button("Download", () => page.saveText(fileNameOf(), yaml.value)),
          button("Open in Run YAML", () => goTo("run", { yaml: yaml.value, name: fileNameOf(), folder: preset.name })),
        ),
      ),
    );

    (async () => {
      drawChooser();
      if (kept.mine) await addMine(kept.mine).catch(() => (kept.mine = null));
      await choose(kept.preset);
    })();
    return { node, loadText: async (file) => (await addMine(file), delete kept.states.mine, choose("mine")) };
  };

  page.explore = explore;
}
