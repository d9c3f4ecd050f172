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
    limit: preset.limit ?? 1600,
    seed: 1,
  });

  const passesTo = (limit) => [...kPasses.filter((n) => n < Number(limit)), Number(limit)];

  /** A swept key of a file: a slider over its values where they are numbers, else a list of them. */
  const controlOfAxis = ({ key, values }) => {
    const numbers = values.map(Number);
    const areNumbers = values.every((text, i) => text.trim() !== "" && Number.isFinite(numbers[i]));
    if (!areNumbers) return { key, label: "", choices: values, value: values[0], among: values };
    return { key, label: "", values: numbers, value: numbers[0], along: numbers, among: numbers };
  };

  /** A user's file as a preset. */
  const presetOf = async ({ name, text }) => {
    const { axes, title } = await page.ask({ do: "describe", yaml: text, name: page.yamlName(name), set: [] });
    const controls = axes.map(controlOfAxis);
    const x = controls.findLast((control) => !control.choices)?.key ?? "";
    return {
      id: "mine",
      title: `Your file: ${title || name}`,
      name,
      yaml: text,
      about: "What your file sweeps has a slider or a list here.",
      controls: [...controls, { key: "run.deadline", label: "deadline", unit: "s", value: "", values: null }],
      x,
      curves: controls.findLast((control) => control.key !== x)?.key ?? "",
    };
  };

  const select = (id, said, options, value, act) => page.field(id, said, page.select(id, options, value, act));

  /** goTo(tab, what) opens another part of the page. */
  const explore = (catalogue, goTo) => {
    const kept = page.kept.read("explore", { preset: page.presets[0].id, states: {}, mine: null });
    const keep = () => page.kept.write("explore", kept);
    const presets = [...page.presets];
    let preset, state;

    const chooser = page.element("select", {
      id: "preset",
      onchange: () => {
        page.fill(notLoaded);
        choose(chooser.value);
      },
    });
    const about = page.element("p", { class: "quiet" });
    const controls = page.element("div", {});
    const axes = page.element("div", { class: "axes" });
    const trouble = page.element("div", {});
    const notLoaded = page.element("div", {});
    const notWritten = page.element("div", {});
    const problems = page.fieldProblems(() => drawYaml());
    const curves = page.curvesPanel(problems.of("curves"));
    const distribution = page.distributionPanel(problems.of("distribution"), (deadline_s, isDone) => {
      state.values["run.deadline"] = deadline_s;
      const shown = document.getElementById("key-run.deadline");
      if (shown) shown.value = deadline_s;
      keep();
      if (isDone) deadlineHasMoved();
    });
    const yaml = page.element("textarea", {
      id: "explore-yaml",
      rows: 14,
      readonly: true,
      spellcheck: "false",
      "aria-label": "the scenario as YAML",
    });

    // ---- computing ----

    let [timer, running, written, text] = [null, 0, 0, ""];
    const drawYaml = () => {
      const isWrong = problems.isWrong();
      yaml.value = isWrong ? "" : text;
      yaml.placeholder = isWrong ? "There is none while a value is refused." : "";
      for (const taken of yamlButtons) taken.disabled = yaml.value === "";
      ganttButton.disabled = problems.isWrong("distribution");
    };
    const curvesScenario = (extra) => page.curvesScenario(preset, state, extra);
    const pointScenario = () => page.pointScenario(preset, state);
    const write = async () => {
      const mine = ++written;
      let error = null;
      try {
        const scenario = state.x ? curvesScenario([`run.replications=${state.limit}`]) : pointScenario();
        const answer = await page.ask({ do: "written", ...scenario });
        if (mine === written) text = answer.yaml;
      } catch (caught) {
        error = caught;
      }
      if (mine !== written || error instanceof page.Stopped) return;
      if (error) text = "";
      page.fill(notWritten, problems.of("yaml")(error));
      drawYaml();
    };
    const showStop = () => (stopButton.disabled = timer === null && running === 0);
    const whileRunning = async (work) => {
      ++running;
      await work;
      --running;
      showStop();
    };
    const compute = () => {
      const passes = passesTo(state.limit);
      if (state.x) {
        const at = state.values[state.x] ?? page.controlOf(preset, state.x).value;
        whileRunning(curves.compute(curvesScenario, passes, at === "" ? NaN : Number(at)));
      } else curves.clear();
      whileRunning(distribution.compute(pointScenario, passes));
      write();
    };
    const atRest = () => {
      clearTimeout(timer);
      timer = null;
      node.removeAttribute("aria-busy");
    };
    const stop = () => {
      if (timer !== null) write();
      atRest();
      curves.stop();
      distribution.stop();
      showStop();
    };
    /** Unless something is changed again at once. */
    const later = (act) => {
      clearTimeout(timer);
      if (act === compute) for (const panel of [curves, distribution]) panel.setAside();
      node.setAttribute("aria-busy", "true");
      timer = setTimeout(() => {
        atRest();
        act();
        showStop();
      }, kWait_ms);
      showStop();
    };
    /** Of the curves the risk alone knows it. */
    const deadlineHasMoved = () => later(state.metric === "RF" ? compute : write);

    // ---- what is chosen ----

    const changed = () => {
      keep();
      drawControls();
      later(compute);
    };
    const change = (key, value) => {
      state.values[key] = value;
      if (key === "run.deadline") {
        keep();
        distribution.setDeadline(value);
        return deadlineHasMoved();
      }
      if (preset.controls.some((control) => control.key === key && control.formulas)) return changed();
      keep();
      later(compute);
    };
    const set = (name) => (value) => {
      state[name] = value;
      if (state.x === state.curves) state.curves = "";
      changed();
    };
    const drawControls = () => {
      const focused = document.activeElement?.id;
      page.fill(controls, page.controlRows(preset, state, catalogue, change));
      document.getElementById("key-run.deadline")?.parentNode.append(distribution.deadlineSaid);
      drawAxes();
      problems.draw();
      if (focused) document.getElementById(focused)?.focus();
    };
    const drawAxes = () => {
      const along = preset.controls.filter((c) => c.along && !c.choices).map((c) => [c.key, c.key]);
      const among = preset.controls.filter((c) => (c.among || c.along) && c.key !== state.x);
      const many = among.map((c) => [c.key, `one for each ${c.key}`]);
      const chosen = page.controlOf(preset, state.curves);
      const chooseAmong = (key, values) => {
        state.among[key] = values;
        changed();
      };
      const takeSeed = (event) => {
        state.seed = event.target.value;
        keep();
        later(compute);
      };
      const seed = { id: "explore-seed", type: "number", min: 0, step: 1, value: state.seed, onchange: takeSeed };
      page.fill(
        axes,
        page.element("div", {}, [
          select("explore-metric", "Shown", page.exploreMetrics, state.metric, set("metric")),
          along.length > 0 ? select("explore-x", "Along x", along, state.x, set("x")) : null,
          select("explore-curves", "Curves", [["", "one"], ...many], state.curves, set("curves")),
          chosen ? page.amongBoxes(chosen, state, catalogue, chooseAmong) : null,
          select(
            "explore-limit",
            "Replications, at most",
            kPasses.map((n) => [n]),
            state.limit,
            set("limit"),
          ),
          page.field(
            "explore-seed",
            ["Seed ", page.element("code", {}, "run.seed")],
            page.element("input", seed),
          ),
        ]),
      );
    };
    const attempt = (act) => page.attempt(trouble, act);
    const choose = (id) =>
      attempt(async () => {
        node.setAttribute("aria-busy", "true");
        preset = presets.find((p) => p.id === id) ?? presets[0];
        kept.preset = preset.id;
        state = kept.states[preset.id] ??= fresh(preset);
        keep();
        chooser.value = preset.id;
        about.textContent = preset.about;
        preset.yaml ??= await page.shippedText(preset.name);
        drawControls();
        distribution.setDeadline(state.values["run.deadline"] ?? page.controlOf(preset, "run.deadline").value);
        later(compute);
      });
    const addMine = async (file) => {
      const mine = await presetOf(file);
      presets.splice(page.presets.length, 1, mine);
      kept.mine = file;
      drawChooser();
    };
    const drawChooser = () =>
      page.fill(
        chooser,
        presets.map((p) => page.option(p.id, p.title)),
      );

    const sayNotLoaded = (name) => (error) =>
      page.fill(
        notLoaded,
        page.element("p", { class: "problems" }, `"${name}" is not taken; the scenario from before is still here:`),
        page.problemNodes(error),
      );
    const load = async () => {
      const file = await page.chosenFile(".yaml,.yml,text/*");
      if (file === null) return;
      page.fill(notLoaded);
      try {
        await addMine(file);
      } catch (error) {
        return sayNotLoaded(file.name)(error);
      }
      delete kept.states.mine;
      await choose("mine");
    };
    const reset = () => {
      delete kept.states[preset.id];
      choose(preset.id);
    };
    const fileName = () => page.fileName(`explore-${preset.id}`, ".yaml");
    const showGantt = () => goTo("gantt", { ...pointScenario(), title: preset.title });
    const openInRun = () => goTo("run", { yaml: yaml.value, name: fileName(), folder: preset.name });

    // ---- the page ----

    const stopButton = page.button("Stop", stop);
    const ganttButton = page.button("Gantt chart of this scenario", showGantt);
    const yamlButtons = [
      page.button("Copy", (event) => page.copyText(yaml.value, event.target)),
      page.button("Download", () => page.saveText(fileName(), yaml.value)),
      page.button("Open in Run YAML", openInRun),
    ];
    const node = page.element("div", { class: "explore" }, [
      page.element("section", { class: "side", "aria-label": "Scenario" }, [
        page.element("h2", {}, "Scenario"),
        page.field("preset", "Begin with", chooser),
        about,
        trouble,
        controls,
        page.buttons(page.button("Back to its first values", reset),
          page.button("Load a YAML file", load),
        ),
        notLoaded,
      ]),
      page.element("section", { class: "results", "aria-label": "Results" }, [
        page.element("h2", {}, "Curves"),
        axes,
        page.buttons(stopButton,
          page.button("Compute", () => later(compute)),
        ),
        curves.node,
        page.element("h2", {}, "How long it may take"),
        page.element(
          "p",
          { class: "quiet" },
          "The distribution of T with the values of the sliders. Drag the deadline, or move it by arrow keys.",
        ),
        distribution.node,
        page.buttons(ganttButton),
        page.element("h2", {}, "The scenario as YAML"),
        page.element(
          "p",
          { class: "quiet" },
          "In a file it gives the same in every nowsim: ",
          page.element("code", {}, "nowsim run FILE.yaml"),
          ".",
        ),
        notWritten,
        yaml,
        page.buttons(yamlButtons),
      ]),
    ]);
    attempt(async () => {
      drawChooser();
      if (kept.mine) await addMine(kept.mine).catch(sayNotLoaded(kept.mine.name));
      await choose(kept.preset);
    });
    return { node };
  };

  page.explore = explore;
}
