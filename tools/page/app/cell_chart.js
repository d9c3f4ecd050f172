// Figures whose panels are cells: a surface's values as colours, and maps of who wins where; as SVG.
{
  const kCell = { least_px: 56, most_px: 110, height_px: 44 },
    kLeft = 70,
    kBelow = 52,
    kAbove = 8;
  const { shortened } = page.format;
  const font = (size_px, extra = {}) => ({ "font-size": size_px, "font-family": "sans-serif", ...extra });

  /** Places of values on an axis, in its order. */
  const slots = (axis, found) =>
    axis.values.length > 0 ? axis.values.map((v) => v.at) : [...new Set(found)].sort((a, b) => a - b);

  const slotLabels = (axis, places) => {
    const named = new Map((axis.tics ?? []).map((tic) => [tic.at, tic.label]));
    return places.map(
      (at, i) =>
        named.get(at) ?? axis.values[i]?.text?.replace(/&/g, "&amp;").replace(/</g, "&lt;") ?? page.format.number(at),
    );
  };

  /** Columns and rows, the first row at the bottom; cell(column, row) gives {fill, ink, lines, title} or null. */
  const grid = ({ x, y, columns, rows, cell, width_px, colours, below = 0 }) => {
    const w = Math.min(kCell.most_px, Math.max(kCell.least_px, (width_px - kLeft - 10) / columns.length));
    const height = kAbove + rows.length * kCell.height_px + kBelow;
    const width = Math.max(kLeft + w * columns.length + 10, width_px > 600 ? 0 : width_px);
    const picture = page.svg(
      "svg",
      { width, height: height + below, viewBox: `0 0 ${width} ${height + below}`, xmlns: "http://www.w3.org/2000/svg" },
      page.svg("rect", { x: 0, y: 0, width, height: height + below, fill: colours.paper }),
    );
    rows.forEach((row, r) => {
      const top = kAbove + (rows.length - 1 - r) * kCell.height_px;
      picture.append(
        page.svg(
          "text",
          font(12, { x: kLeft - 6, y: top + kCell.height_px / 2 + 4, "text-anchor": "end", fill: colours.ink }),
          page.labelSpans(row),
        ),
      );
      columns.forEach((column, c) => {
        const shown = cell(c, r);
        const left = kLeft + c * w;
        picture.append(
          page.svg(
            "rect",
            { x: left + 1, y: top + 1, width: w - 2, height: kCell.height_px - 2, fill: shown?.fill ?? colours.area },
            page.svg("title", {}, shown?.title ?? "no results"),
          ),
        );
        (shown?.lines ?? []).forEach((line, i, all) =>
          picture.append(
            page.svg(
              "text",
              font(i === 0 ? 12 : 10, {
                x: left + w / 2,
                y: top + kCell.height_px / 2 + 4 + (i - (all.length - 1) / 2) * 12,
                "text-anchor": "middle",
                fill: shown.ink,
                "pointer-events": "none",
              }),
              shortened(line, Math.floor(w / (i === 0 ? 7 : 5.8))),
            ),
          ),
        );
      });
    });
    columns.forEach((column, c) =>
      picture.append(
        page.svg(
          "text",
          font(12, { x: kLeft + (c + 0.5) * w, y: height - kBelow + 16, "text-anchor": "middle", fill: colours.ink }),
          page.labelSpans(column),
        ),
      ),
    );
    picture.append(
      page.svg(
        "text",
        font(12, {
          x: kLeft + (columns.length * w) / 2,
          y: height - kBelow + 36,
          "text-anchor": "middle",
          fill: colours.ink,
        }),
        page.labelSpans(x.label),
      ),
    );
    return { picture, width, height };
  };

  const surfaceSvg = (figure, panel, width_px, colours) => {
    const x = panel.x ?? figure.x,
      y = figure.y;
    const xs = slots(
        x,
        panel.surface.map((p) => p.x),
      ),
      ys = slots(
        y,
        panel.surface.map((p) => p.y),
      );
    const known = panel.surface.filter((p) => p.value !== null);
    const value = new Map(panel.surface.map((p) => [`${p.x} ${p.y}`, p.value]));
    const least = Math.min(...known.map((p) => p.value)),
      most = Math.max(...known.map((p) => p.value));
    const isLog = panel.value.scale === "log" && least > 0;
    const part = (v) =>
      most > least ? (isLog ? Math.log(v / least) / Math.log(most / least) : (v - least) / (most - least)) : 0.5;
    const [columns, rows] = [slotLabels(x, xs), slotLabels(y, ys)];
    const nameOf = (axis, slot) => `${page.labelText(axis)} ${page.labelText(slot)}`;
    const cell = (c, r) => {
      const v = value.get(`${xs[c]} ${ys[r]}`) ?? null;
      if (v === null) return null;
      const fill = page.rampColour(part(v));
      const text = page.format.number(v);
      return {
        fill,
        ink: page.inkOn(fill),
        lines: [text],
        title: `${nameOf(x.label, columns[c])}, ${nameOf(y.label, rows[r])}: ${text}`,
      };
    };
    const { picture, width, height } = grid({ x, y, columns, rows, cell, width_px, colours, below: 30 });
    const bar_px = Math.min(220, width - kLeft - 80);
    for (let i = 0; i < 40; ++i)
      picture.append(
        page.svg("rect", {
          x: kLeft + (i * bar_px) / 40,
          y: height,
          width: bar_px / 40 + 0.5,
          height: 10,
          fill: page.rampColour((i + 0.5) / 40),
        }),
      );
    picture.append(
      page.svg("text", font(11, { x: kLeft, y: height + 24, fill: colours.ink }), page.format.number(least)),
      page.svg(
        "text",
        font(11, { x: kLeft + bar_px, y: height + 24, "text-anchor": "end", fill: colours.ink }),
        `${page.format.number(most)}${isLog ? " (log scale)" : ""}`,
      ),
    );
    return picture;
  };

  const kTiedPart = 0.42; // of a colour, where the best cannot be told from others; the rest is white

  /** How far a mean is from the best one, as nowsim's own pictures write it. */
  const excessText = (excess) => {
    if (excess >= 9.95) return `×${page.format.number(excess + 1, 3)}`;
    return `${excess < 0 ? "−" : "+"}${(100 * Math.abs(excess)).toFixed(Math.abs(excess) < 0.0995 ? 1 : 0)} %`;
  };

  const winnersSvg = (figure, panel, width_px, colours) => {
    const x = panel.x ?? figure.x;
    const { y } = figure;
    const names = figure.series.map((s) => page.labelText(s.label));
    const xs = slots(
      x,
      panel.cells.map((c) => c.column),
    );
    const ys = slots(
      y,
      panel.cells.map((c) => c.row),
    );
    const [columns, rows] = [slotLabels(x, xs), slotLabels(y, ys)];
    const at = new Map(panel.cells.map((c) => [`${c.column} ${c.row}`, c]));
    const cell = (c, r) => {
      const found = at.get(`${c} ${r}`);
      if (found === undefined) return null;
      const colour = colours.cells[found.best % colours.cells.length];
      const fill = found.ties.length > 0 ? page.mixedWithWhite(colour, kTiedPart) : colour;
      const best = names[found.best] + (found.among_fewer ? "*" : "");
      const ties = found.ties.map((s) => names[s]).join(", ");
      const isCompared = found.compared !== null && found.excess !== null;
      const excess = isCompared ? `${names[found.compared]} ${excessText(found.excess)}` : "";
      const lines = [best, ties && `≈ ${ties}`, excess].filter((line) => line !== "");
      const where = `${page.labelText(columns[c])}, ${page.labelText(rows[r])}`;
      const title = `${where}: ${best}${ties && `, cannot be told from ${ties}`}${excess && `; ${excess}`}`;
      return { fill, ink: page.inkOn(fill), lines, title };
    };
    return grid({ x, y, columns, rows, cell, width_px, colours }).picture;
  };

  /** A panel of such a figure: {node, svg()} - the latter as it goes into a file. */
  const cellChart = (figure, panel) => {
    const make = panel.surface ? surfaceSvg : winnersSvg;
    const holder = page.element("div", {
      class: "wide",
      tabindex: "0",
      role: "region",
      "aria-label": `${page.labelText(panel.caption)} ${page.labelText(panel.value.label)}`,
    });
    const node = page.element(
      "figure",
      { class: "chart" },
      page.element("p", { class: "y-label" }, "vertically: ", page.labelNodes(figure.y.label)),
      holder,
    );
    let drawn_px = 0;
    const draw = () => {
      drawn_px = holder.clientWidth;
      page.fill(holder, make(figure, panel, drawn_px, page.palette()));
    };
    new ResizeObserver(() => holder.clientWidth > 0 && Math.abs(holder.clientWidth - drawn_px) > 8 && draw()).observe(
      holder,
    );
    page.onPaletteChange(node, draw);
    return { node, svg: () => make(figure, panel, 700, page.palette(true)) };
  };

  page.cellChart = cellChart;
}
