// A lab's questions as a form: a field for a number or a formula, a list for a choice, one for each item of several.
{
  const kCannotBeTold = "cannot be told";

  const choiceField = (question, id, value, isLocked, change) => {
    const words = question.options.map(({ word }) => word);
    const extra = [
      ...(words.includes(kCannotBeTold) ? [] : [kCannotBeTold]),
      ...(value !== "" && value !== kCannotBeTold && !words.includes(value) ? [value] : []),
    ];
    const options = [
      ["", "–"],
      ...question.options.map(({ word, meaning }) => [word, meaning ? `${word}: ${meaning}` : word]),
      ...extra.map((word) => [word]),
    ];
    return page.select(id, options, value, change, { disabled: isLocked });
  };

  const textField = (question, id, value, isLocked, change) => {
    const isLong = question.kind === "trial" && (question.takes === "formula" || question.takes === "code");
    const input = page.element("input", {
      type: "text",
      id,
      size: isLong ? 50 : 14,
      spellcheck: "false",
      autocomplete: "off",
      disabled: isLocked,
      oninput: () => change(input.value),
    });
    input.value = value;
    return input;
  };

  /** value: a text, or {item: text}; change(value) is told what the user writes. */
  const questionField = (question, id, value, isLocked, change) => {
    const isChoice = question.kind === "choice" || question.kind === "choices";
    const field = isChoice ? choiceField : textField;
    const unit = question.unit ? page.element("span", { class: "unit" }, ` ${question.unit}`) : null;
    if (!question.items || question.items.length === 0)
      return page.element(
        "p",
        {},
        page.element("label", { for: id }, "Answer "),
        field(question, id, typeof value === "string" ? value : "", isLocked, change),
        unit,
      );
    const all = { ...(typeof value === "object" ? value : {}) };
    return page.element(
      "div",
      { class: "items" },
      question.items.map((item, i) =>
        page.element(
          "p",
          {},
          page.element("label", { for: `${id}-${i}` }, `${item} `),
          field(question, `${id}-${i}`, all[item] ?? "", isLocked, (text) => {
            all[item] = text;
            change({ ...all });
          }),
          unit,
        ),
      ),
    );
  };

  /** One question with its hints. `pythonFile(question)` gives a button for code, where code can be run. */
  const questionNode = (step, question, value, change, codeButton) => {
    const id = `${step.key}-${question.key}`;
    return page.element(
      "div",
      { class: "question", role: "group", "aria-labelledby": `${id}-ask` },
      page.element("div", { id: `${id}-ask` }, page.nodesOf(question.ask)),
      question.hints.length > 0 && page.list(question.hints, { class: "quiet" }),
      question.absent
        ? page.element("p", { class: "absent" }, page.element("strong", {}, "Not here: "), question.absent)
        : null,
      questionField(question, id, value, step.is_locked, change),
      question.takes === "code" && !question.absent && !step.is_locked ? codeButton(question) : null,
    );
  };

  page.questionNode = questionNode;
}
