// What Explore asks: the preset with the chosen values, as a sweep for curves or as one point for the distribution.
{
  const controlOf = (preset, key) => preset.controls.find((control) => control.key === key);

  const valuesSet = (preset, state, left_out) => {
    const out = [];
    for (const control of preset.controls) {
      const value = state.values[control.key] ?? control.value;
      if (!left_out.includes(control.key) && value !== "") out.push(page.setText(control.key, value));
      for (const formula of control.formulas ?? []) {
        const text = state.values[formula.key] ?? formula.value;
        if (
          page.usesFormula(control, formula, {
            ...state,
            curves: left_out.includes(state.curves) ? state.curves : "",
          }) &&
          text !== ""
        )
          out.push(page.setText(formula.key, text));
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

  /** One point: all keys at their values. */
  const pointScenario = (preset, state, extra = []) => ({
    ...yamlKey(preset),
    set: [
      ...common(preset, state),
      "sweep={}",
      "figure={kind: distribution}",
      "metrics=[tau, sigma_T, RF]",
      ...valuesSet(preset, state, []),
      ...extra,
    ],
  });

  Object.assign(page, { curvesScenario, pointScenario, controlOf });
}
