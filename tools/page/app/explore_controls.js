// Explore's sliders, lists and formulas: a preset's keys, with the values that the user has chosen.
{
  const nearest = (values, x) =>
    values.reduce((best, v, i) => (Math.abs(v - x) < Math.abs(values[best] - x) ? i : best), 0);
  const asValue = (text) => (text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text.trim());

  /** As it is read in a small field. */
  const shown = (value) => (typeof value === "number" && value >= 1e9 ? value.toExponential() : String(value));

  const slider = (control, value, change) => {
    const id = `key-${control.key}`;
    const exact = page.element("input", {
      type: "text",
      id,
      size: 8,
      inputmode: "decimal",
      value: shown(value),
      "aria-label": `${control.key}, exactly`,
      spellcheck: "false",
    });
    const take = (x) => change(control.key, x);
    exact.addEventListener("change", () => take(asValue(exact.value)));
    if (control.values === null)
      return [page.element("span", { class: "exact" }, exact, control.unit ? ` ${control.unit}` : "")];
    const range = page.element("input", {
      type: "range",
      min: 0,
      max: control.values.length - 1,
      step: 1,
      value: nearest(control.values, typeof value === "number" ? value : control.value),
      "aria-label": control.key,
      "aria-valuetext": `${value} ${control.unit ?? ""}`,
    });
    range.addEventListener("input", () => {
      const x = control.values[range.value];
      exact.value = shown(x);
      range.setAttribute("aria-valuetext", `${x} ${control.unit ?? ""}`);
      take(x);
    });
    exact.addEventListener("change", () => {
      const x = asValue(exact.value);
      if (typeof x !== "number") return;
      range.value = nearest(control.values, x);
      range.setAttribute("aria-valuetext", `${x} ${control.unit ?? ""}`);
    });
    return [range, page.element("span", { class: "exact" }, exact, control.unit ? ` ${control.unit}` : "")];
  };

  const choice = (control, choices, value, change) => {
    const options = choices.map(({ name, help }) => [name, help ? `${name}: ${help}`.slice(0, 90) : name]);
    return page.select(`key-${control.key}`, options, value, (chosen) => change(control.key, chosen));
  };

  const formulaRow = (formula, values, change) => {
    const input = page.element("input", {
      type: "text",
      id: `key-${formula.key}`,
      value: values[formula.key] ?? formula.value,
      spellcheck: "false",
      autocomplete: "off",
      onchange: () => change(formula.key, input.value),
    });
    return page.field(input.id, [formula.label, " ", page.element("code", {}, formula.key)], input);
  };

  /** The choices of a control: its own, or those that nowsim lists. */
  const choicesOf = (control, catalogue) => {
    const listed = typeof control.choices === "string" ? catalogue[control.choices] : null;
    return (
      listed ??
      (control.choices ?? []).map((name) => ({
        name,
        help: (catalogue.policies ?? []).find((p) => p.name === name)?.help,
      }))
    );
  };

  const usesFormula = (control, formula, state) =>
    state.values[control.key] === formula.of ||
    (state.curves === control.key && (state.among[control.key] ?? control.among ?? []).includes(formula.of));

  /** The rows of a preset's controls; change(key, value) is told what the user chooses. */
  const controlRows = (preset, state, catalogue, change) =>
    preset.controls.flatMap((control) => {
      const value = state.values[control.key] ?? control.value;
      const isSwept = state.x === control.key || state.curves === control.key;
      const swept =
        state.x === control.key
          ? " along x in the curves; this value in the distribution"
          : " a curve for each; this value in the distribution";
      const row = page.field(
        `key-${control.key}`,
        [
          control.label,
          " ",
          page.element("code", {}, control.key),
          isSwept && page.element("span", { class: "quiet" }, swept),
        ],
        page.element(
          "div",
          { class: "inputs" },
          control.choices
            ? choice(control, choicesOf(control, catalogue), value, change)
            : slider(control, value, change),
        ),
      );
      return [
        row,
        ...(control.formulas ?? [])
          .filter((f) => usesFormula(control, f, state))
          .map((f) => formulaRow(f, state.values, change)),
      ];
    });

  /** Which values get a curve each, as boxes to tick. */
  const amongBoxes = (control, state, catalogue, change) => {
    const all = control.choices
      ? choicesOf(control, catalogue).map(({ name }) => name)
      : (control.along ?? control.values ?? []);
    const chosen = state.among[control.key] ?? control.among ?? all.slice(0, 3);
    return page.element(
      "fieldset",
      { class: "among" },
      page.element("legend", {}, "A curve for each of these"),
      all.map((value) => {
        const box = page.element("input", {
          type: "checkbox",
          checked: chosen.includes(value),
          onchange: () =>
            change(
              control.key,
              all.filter((v) => (v === value ? box.checked : chosen.includes(v))),
            ),
        });
        return page.element("label", {}, box, ` ${value}`);
      }),
    );
  };

  const amongOf = (control, state) => {
    const all = control.along ?? control.values ?? [];
    return state.among[control.key] ?? control.among ?? all.slice(0, 3);
  };

  Object.assign(page, { controlRows, amongBoxes, amongOf, shownValue: shown });
}
