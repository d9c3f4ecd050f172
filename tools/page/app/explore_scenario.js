// What Explore asks: the preset with the chosen values, as a sweep for curves or as one point for the distribution.
{
  const controlOf = (preset, key) => preset.controls.find((control) => control.key === key);

  /** What of the numbers' boxes is none, as nowsim's own "no" is told. */
  const checkNumbers = (preset, state, swept) => {
    const problems = [];
    const refuse = (key, text, like) => {
      const what = text === "" ? "a number is wanted" : `'${text}' is not a number: write one`;
      problems.push({ key, line: null, sentence: `${what}, such as ${like}` });
    };
    if (state.seed === "") refuse("run.seed", "", 1);
    for (const control of preset.controls) {
      const { key, choices, values, unit, value: first } = control;
      const value = state.values[key] ?? first;
      const mayBeEmpty = values === null;
      if (choices || swept.includes(key) || typeof value === "number" || (mayBeEmpty && value === "")) continue;
      refuse(key, value, `${page.shownValue(first || 100)}${unit ? `, in ${unit} but without the unit` : ""}`);
    }
    if (problems.length > 0) throw new page.Refused({ sentence: "", all: problems });
  };

  /** The keys' values, but those of swept ones; formulas where a value, or one that is swept, is one. */
  const valuesSet = (preset, state, swept) => {
    checkNumbers(preset, state, swept);
    const out = [];
    for (const control of preset.controls) {
      const isSwept = swept.includes(control.key);
      const value = state.values[control.key] ?? control.value;
      if (!isSwept && value !== "") out.push(page.setText(control.key, value));
      const chosen = isSwept ? page.amongOf(control, state) : [value];
      for (const { key, of, value: first } of control.formulas ?? []) {
        const text = state.values[key] ?? first;
        if (chosen.includes(of) && text !== "") out.push(page.setText(key, text));
      }
    }
    return out;
  };

  const common = (preset, state) => ["claims=[]", ...(preset.set ?? []), `run.seed=${state.seed}`];
  const yamlKey = (preset) => ({ yaml: preset.yaml, name: page.yamlName(preset.name) });

  /** Curves along state.x, one for each value of state.curves. */
  const curvesScenario = (preset, state, extra = []) => {
    const x = controlOf(preset, state.x),
      curves = controlOf(preset, state.curves);
    const axes = [];
    if (curves) axes.push(`${curves.key}: ${page.yamlList(page.amongOf(curves, state))}`);
    axes.push(`${x.key}: ${page.yamlList(x.along)}`);
    const figure = [
      `kind: curves`,
      `x: ${x.key}`,
      x.label ? `x_label: ${JSON.stringify(x.label + (x.unit ? ` [${x.unit}]` : ""))}` : null,
      x.scale ? `x_scale: ${x.scale}` : null,
      curves ? `series: ${curves.key}` : null,
      `panels: [{metric: ${JSON.stringify(state.metric)}}]`,
    ];
    const swept = [x.key, ...(curves ? [curves.key] : [])];
    return {
      ...yamlKey(preset),
      set: [
        ...common(preset, state),
        `sweep={${axes.join(", ")}}`,
        `figure={${figure.filter(Boolean).join(", ")}}`,
        `metrics=[${JSON.stringify(state.metric)}]`,
        "run.infeasible=skip",
        ...valuesSet(preset, state, swept),
        ...extra,
      ],
    };
  };

  const hasDeadline = (preset, state) =>
    (state.values["run.deadline"] ?? controlOf(preset, "run.deadline").value) !== "";

  /** One point: all keys at their values. */
  const pointScenario = (preset, state, extra = []) => ({
    ...yamlKey(preset),
    set: [
      ...common(preset, state),
      "sweep={}",
      "figure={kind: distribution}",
      `metrics=[tau, sigma_T${hasDeadline(preset, state) ? ", RF" : ""}]`,
      ...valuesSet(preset, state, []),
      ...extra,
    ],
  });

  Object.assign(page, { curvesScenario, pointScenario, controlOf });
}
