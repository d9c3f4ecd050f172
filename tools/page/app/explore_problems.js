// What nowsim refuses of Explore's values: a sentence stands beside the field that it is about.
{
  const fieldOf = (key) => document.getElementById(key === "run.seed" ? "explore-seed" : `key-${key}`);

  /** {of(part), draw(), isWrong(part)}: a part is one that asks; onChange() is told where that changes. */
  const fieldProblems = (onChange) => {
    const refused = new Map();
    let [placed, shown] = [[], ""];

    /** Also where fields are drawn anew; what stands there already is not read out again. */
    const draw = () => {
      const sentences = new Map();
      for (const { key, sentence } of [...refused.values()].flat())
        if (fieldOf(key)) sentences.set(key, (sentences.get(key) ?? new Set()).add(sentence));
      const now = JSON.stringify([...sentences].map(([key, all]) => [key, ...all]));
      if (now === shown && placed.every(({ said }) => said.isConnected)) return;
      shown = now;
      for (const { said, inputs } of placed) {
        said.remove();
        for (const input of inputs) {
          input.removeAttribute("aria-describedby");
          input.removeAttribute("aria-invalid");
        }
      }
      placed = [...sentences].map(([key, all]) => {
        const control = fieldOf(key).closest(".control");
        const said = page.element("p", { class: "problems", id: `problem-${key}`, role: "alert" }, [...all].join("; "));
        const inputs = [...control.querySelectorAll("input, select")];
        for (const input of inputs) {
          input.setAttribute("aria-describedby", said.id);
          input.setAttribute("aria-invalid", "true");
        }
        control.append(said);
        return { said, inputs };
      });
    };

    /** Takes a part's error, or null; gives what is to be said elsewhere. */
    const of = (part) => (error) => {
      const problems = error?.problems ?? [];
      if (problems.length > 0 || refused.has(part)) {
        if (problems.length > 0) refused.set(part, problems);
        else refused.delete(part);
        draw();
        onChange();
      }
      if (error === null) return [];
      const keys = [...new Set(problems.map(({ key }) => key).filter(fieldOf))];
      const others = problems.filter(({ key }) => !fieldOf(key));
      return [
        keys.length > 0
          ? page.element(
              "p",
              { class: "problems" },
              "Not with these values: see what stands beside ",
              keys.flatMap((key, i) => [i > 0 ? ", " : "", page.element("code", {}, key)]),
              ".",
            )
          : null,
        others.length > 0 || problems.length === 0
          ? page.problemNodes(problems.length === 0 ? error : { problems: others })
          : null,
      ];
    };

    const isWrong = (part) => (part === undefined ? refused.size > 0 : refused.has(part));
    return { of, draw, isWrong };
  };

  page.fieldProblems = fieldProblems;
}
