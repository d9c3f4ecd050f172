// Labels of figures, in which nowsim marks what is set low and high by <sub> and <sup>: as HTML, SVG, canvas and text.
{
  /** The parts of a label: [{text, shift}], shift being "", "sub" or "sup". */
  const labelParts = (html) => {
    const parts = [];
    const shifts = [];
    for (const [, tag, text] of html.matchAll(/<(\/?su[bp])>|([^<]+|<)/g)) {
      if (tag === undefined) {
        const plain = text
          .replaceAll("&lt;", "<")
          .replaceAll("&gt;", ">")
          .replaceAll("&quot;", '"')
          .replaceAll("&amp;", "&");
        parts.push({ text: plain, shift: shifts.at(-1) ?? "" });
      } else if (tag.startsWith("/")) shifts.pop();
      else shifts.push(tag);
    }
    return parts;
  };

  const labelText = (html) =>
    labelParts(html)
      .map(({ text }) => text)
      .join("");

  const labelNodes = (html) =>
    labelParts(html).map(({ text, shift }) => (shift === "" ? text : page.element(shift, {}, text)));

  /** For an SVG text: its tspans. */
  const labelSpans = (html) => {
    let down = 0;
    return labelParts(html).map(({ text, shift }) => {
      const wanted = shift === "sub" ? 3 : shift === "sup" ? -4 : 0;
      const span = page.svg("tspan", { dy: wanted - down, "font-size": shift === "" ? null : "75%" }, text);
      down = wanted;
      return span;
    });
  };

  /** Draws it on a canvas from x on, and says where it ends. */
  const drawLabel = (context, html, x, y, size_px) => {
    for (const { text, shift } of labelParts(html)) {
      context.font = `${shift === "" ? size_px : 0.75 * size_px}px sans-serif`;
      context.fillText(text, x, y + (shift === "sub" ? 0.25 : shift === "sup" ? -0.3 : 0) * size_px);
      x += context.measureText(text).width;
    }
    return x;
  };

  Object.assign(page, { labelText, labelNodes, labelSpans, drawLabel });
}
