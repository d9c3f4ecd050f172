// A text area for YAML with line numbers, in which the lines of problems are marked.
{
  /** {node, text(), setText(text), mark(lines), goToLine(line)}; onChange(text) is told what the user writes. */
  const editor = (label, onChange) => {
    const numbers = page.element("pre", { class: "line-numbers", "aria-hidden": "true" });
    const area = page.element("textarea", {
      class: "code",
      rows: 22,
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
      wrap: "off",
      "aria-label": label,
    });
    let marked = new Set();
    const drawNumbers = () => {
      const count = area.value.split("\n").length;
      page.fill(
        numbers,
        Array.from({ length: count }, (_, i) =>
          page.element("span", { class: marked.has(i + 1) ? "marked" : null }, `${i + 1}\n`),
        ),
      );
      numbers.scrollTop = area.scrollTop;
    };
    area.addEventListener("input", () => {
      drawNumbers();
      onChange(area.value);
    });
    area.addEventListener("scroll", () => (numbers.scrollTop = area.scrollTop));
    const goToLine = (line) => {
      const lines = area.value.split("\n");
      const begin = lines.slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0);
      area.focus();
      area.setSelectionRange(begin, begin + (lines[line - 1] ?? "").length);
      area.scrollTop = Math.max(0, (line - 5) * (area.scrollHeight / Math.max(1, lines.length)));
    };
    const setText = (text) => {
      area.value = text;
      marked = new Set();
      drawNumbers();
    };
    drawNumbers();
    return {
      node: page.element("div", { class: "editor" }, numbers, area),
      text: () => area.value,
      setText,
      goToLine,
      mark: (lines) => {
        marked = new Set(lines);
        area.setAttribute("aria-invalid", marked.size > 0 ? "true" : "false");
        drawNumbers();
      },
    };
  };

  page.editor = editor;
}
