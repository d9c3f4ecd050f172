// Gantt: which scenario, which replication, and beside it another one.
{
  /** Values for keys that are swept, until one point is left: [{key, values, value}]. */
  const fixedAxes = async (scenario, wanted) => {
    const fixed = [];
    for (;;) {
      const set = [...scenario.set, ...fixed.map(({ key, value }) => `${key}=${value}`)];
      const { axes, points } = await page.ask({ do: "describe", ...scenario, set }, { inLane: "side" });
      const [axis] = axes;
      if (axis === undefined || points <= 1) return fixed;
      fixed.push({ ...axis, value: axis.values.includes(wanted[axis.key]) ? wanted[axis.key] : axis.values[0] });
    }
  };

  const replicationOf = (text) => {
    if (!/^\d+$/.test(text)) throw new Error(`replication: "${text}" is no whole number from 0 on`);
    return Number(text);
  };

  const ganttView = (catalogue) => {
    const kept = page.kept.read("gantt", {
      name: "zhang-yan-1995/one-run",
      other: null,
      compares: false,
      runs: [
        { fixed: {}, set: "", replication: 0 },
        { fixed: {}, set: "", replication: 1 },
      ],
    });
    const keep = () => page.kept.write("gantt", kept);
    const chooser = page.element("div", {});
    const holder = page.element("div", { class: "pair" });
    const trouble = page.element("div", {});
    const result = page.element("div", {});
    let round = 0;

    const scenario = async () =>
      kept.name === ""
        ? kept.other
        : { yaml: await page.shippedText(kept.name), name: page.yamlName(kept.name), set: [] };
    const shownRuns = () => kept.runs.slice(0, kept.compares ? 2 : 1);

    const runForm = (run, i, axes) => {
      const prefix = `gantt-${i}`;
      const change = (changes) => {
        Object.assign(run, changes);
        keep();
        refresh();
      };
      const selects = axes.map(({ key, values, value }, k) => {
        const id = `${prefix}-axis-${k}`;
        const options = values.map((v) => [v]);
        const select = page.select(id, options, value, (v) => change({ fixed: { ...run.fixed, [key]: v } }));
        return page.field(id, page.element("code", {}, key), select);
      });
      const set = page.element("textarea", {
        id: `${prefix}-set`,
        rows: 2,
        spellcheck: "false",
        autocomplete: "off",
        placeholder: "owner.TH=0.4",
        onchange: () => change({ set: set.value }),
      });
      set.value = run.set;
      const replication = page.element("input", {
        id: `${prefix}-replication`,
        type: "number",
        min: 0,
        step: 1,
        value: run.replication,
        onchange: () => change({ replication: replication.value }),
      });
      return page.element(
        "fieldset",
        {},
        page.element("legend", {}, kept.compares ? `Run ${"AB"[i]}` : "The run"),
        selects,
        page.field(replication.id, "replication", replication),
        page.field(set.id, "keys set over it, one a line", set),
      );
    };
    const titleOf = (base, run, axes) => {
      const parts = [
        ...axes.map(({ key, value }) => `${key}=${value}`),
        ...page.setLines(run.set),
        `replication ${run.replication}`,
      ];
      return `${base.title ?? kept.name}, ${parts.join(", ")}`;
    };
    const refresh = async () => {
      const mine = ++round;
      const focused = document.activeElement?.id;
      page.fill(trouble);
      const whose = (i) => (kept.compares ? `Run ${"AB"[i]}: ` : "");
      /** One that is refused says so, and leaves the other as it is. */
      const attempt = async (i, act) => {
        try {
          return await act();
        } catch (error) {
          if (mine === round) trouble.append(...page.problemNodes(error, null, whose(i)));
          return null;
        }
      };
      try {
        const base = await scenario();
        const forms = [],
          runs = [];
        for (const [i, run] of shownRuns().entries()) {
          const own = { ...base, set: [...base.set, ...page.setLines(run.set)] };
          const axes = await attempt(i, () => fixedAxes(own, run.fixed));
          if (mine !== round) return;
          forms.push(runForm(run, i, axes ?? []));
          if (axes === null) continue;
          const set = [...own.set, ...axes.map(({ key, value }) => `${key}=${value}`)];
          const ask = () => ({ ...own, do: "gantt", set, replication: replicationOf(run.replication) });
          runs.push({ i, title: whose(i) + titleOf(base, run, axes), ask });
        }
        page.fill(holder, forms);
        if (focused) document.getElementById(focused)?.focus();
        const answers = [];
        for (const { i, title, ask } of runs) {
          const answer = await attempt(i, () => page.ask(ask(), { inLane: "side" }));
          if (mine !== round) return;
          if (answer !== null) answers.push({ title, ...answer });
        }
        page.fill(result, answers.length > 0 ? page.ganttPlayer(answers, kept.name || "gantt") : null);
      } catch (error) {
        if (mine === round) page.fill(trouble, page.problemNodes(error));
      }
    };

    const drawChooser = () => {
      const choose = (name) => {
        kept.name = name;
        for (const run of kept.runs) run.fixed = {};
        keep();
        refresh();
      };
      const first = kept.other ? [["", `from another part of this page: ${kept.other.title}`]] : [];
      page.fill(chooser, page.experimentField(catalogue, "gantt-experiment", kept.name, choose, first));
    };
    const open = (other) => {
      kept.other = { yaml: other.yaml, name: other.name, set: other.set ?? [], title: other.title };
      kept.name = "";
      for (const run of kept.runs) [run.fixed, run.set] = [{}, ""];
      keep();
      drawChooser();
      return refresh();
    };

    const compare = page.element("input", {
      type: "checkbox",
      id: "gantt-compare",
      checked: kept.compares,
      onchange: () => {
        kept.compares = compare.checked;
        keep();
        refresh();
      },
    });
    const node = page.element(
      "div",
      {},
      chooser,
      page.element(
        "p",
        {},
        page.element(
          "label",
          {},
          compare,
          " Compare with a second run on the same axis: another replication, or other settings",
        ),
      ),
      holder,
      trouble,
      result,
    );
    drawChooser();
    return { node, open, refresh };
  };

  page.ganttView = ganttView;
}
