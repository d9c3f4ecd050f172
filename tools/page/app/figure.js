// A figure of nowsim's, from its JSON: panels of curves, marks or cells, with legend, footer and downloads.
{
  const curvesOf = (figure, panel) =>
    panel.curves.map((curve) => {
      const series = figure.series[curve.series];
      const isMarks = figure.kind === "workstations";
      return {
        label: figure.legend || series.theory ? series.label : "",
        colour: curve.beside ?? curve.series,
        isMarks,
        isThin: series.theory,
        dash: series.theory ? [2, 3] : page.dashes[curve.series % page.dashes.length],
        points: curve.points,
      };
    });

  const chartOf = (figure, panel) => {
    const x = panel.x ?? figure.x;
    const isStepped = figure.kind === "distribution";
    const markers = panel.deadline_s === undefined ? [] : [{ at: panel.deadline_s / 10 ** x.power, label: "deadline" }];
    const isWide = figure.kind === "workstations";
    return page.curveChart({
      x: isWide && x.values.length > 40 ? { ...x, tics: [] } : x,
      y: panel.value,
      curves: curvesOf(figure, panel),
      markers,
      isStepped,
      hasBars: !isStepped,
      alt: `${page.labelText(panel.value.label)} against ${page.labelText(x.label)}. The table has the same numbers.`,
    });
  };

  /** All panels as one canvas, light, with title, labels, legend and footer. */
  const composed = (figure, charts) => {
    const plots = charts.map(({ chart }) => chart.plot()).filter((plot) => plot !== null);
    if (plots.length === 0) return null;
    const s = devicePixelRatio,
      gap = 24 * s;
    const entries = charts[0].chart.curves().filter((curve) => curve.label !== "");
    const legend_px = entries.length * 18 * s;
    const tops = [];
    let height = 60 * s;
    for (const plot of plots) {
      tops.push(height + 40 * s);
      height += plot.ctx.canvas.height + 72 * s;
    }
    const width = Math.max(...plots.map((plot) => plot.ctx.canvas.width)) + 2 * gap;
    const canvas = page.element("canvas", { width, height: height + legend_px + 40 * s });
    const context = canvas.getContext("2d");
    const colours = page.palette();
    context.fillStyle = colours.paper;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = colours.ink;
    page.drawLabel(context, figure.title.replace(/&/g, "&amp;").replace(/</g, "&lt;"), gap, 32 * s, 15 * s);
    charts.forEach(({ panel, chart }, i) => {
      if (chart.plot() === null) return;
      page.drawLabel(context, `${panel.caption} ${panel.value.label}`, gap, tops[i] - 10 * s, 13 * s);
      context.drawImage(plots[i].ctx.canvas, gap, tops[i]);
      page.drawLabel(
        context,
        (panel.x ?? figure.x).label,
        width / 2,
        tops[i] + plots[i].ctx.canvas.height + 16 * s,
        13 * s,
      );
    });
    entries.forEach((curve, i) => {
      const y = height + (i + 0.5) * 18 * s;
      context.strokeStyle = charts[0].chart.colourOf(curve);
      context.lineWidth = 2.5 * s;
      context.setLineDash(curve.dash.map((d) => d * s));
      context.beginPath();
      context.moveTo(gap, y);
      context.lineTo(gap + 34 * s, y);
      context.stroke();
      context.fillStyle = colours.ink;
      page.drawLabel(context, curve.label, gap + 42 * s, y + 4 * s, 12 * s);
    });
    context.fillStyle = colours.quiet;
    page.drawLabel(
      context,
      figure.footer.replace(/&/g, "&amp;").replace(/</g, "&lt;"),
      gap,
      canvas.height - 14 * s,
      11 * s,
    );
    return canvas;
  };

  /** As nodes; `name` is what downloads are called. */
  const figureNode = (figure, name) => {
    const charts = [],
      buttons = [];
    const panels = figure.panels.map((panel, i) => {
      const caption = page.element(
        "h4",
        {},
        page.labelNodes(panel.caption.replace(/^\([a-z]\) *$/, figure.panels.length > 1 ? panel.caption : "")),
      );
      if (!panel.has_results)
        return page.element("div", {}, caption, page.element("p", { class: "quiet" }, "no results"));
      if (panel.curves) {
        const chart = chartOf(figure, panel);
        charts.push({ panel, chart });
        return page.element("div", {}, caption, chart.node);
      }
      const chart = page.cellChart(figure, panel);
      const letter = figure.panels.length > 1 ? ` (${"abcdef"[i]})` : "";
      const save = () => page.saveSvg(page.fileName(name + letter, ".svg"), chart.svg());
      buttons.push(page.button(`Picture${letter} (SVG)`, save));
      return page.element(
        "div",
        {},
        caption,
        page.element("p", { class: "y-label" }, page.labelNodes(panel.value.label)),
        chart.node,
      );
    });
    if (charts.length > 0)
      buttons.push(
        page.button("Picture (PNG)", () => {
          const canvas = composed(figure, charts);
          if (canvas !== null) page.savePng(page.fileName(name, ".png"), canvas);
        }),
      );
    return page.element(
      "section",
      { class: "figure", "aria-label": "Figure" },
      page.element("div", { class: `panels kind-${figure.kind}` }, panels),
      figure.note ? page.element("p", { class: "quiet" }, page.labelNodes(figure.note)) : null,
      figure.remark ? page.element("p", { class: "quiet" }, figure.remark) : null,
      page.element("p", { class: "footer" }, figure.footer),
      page.buttons(buttons),
    );
  };

  Object.assign(page, { figureNode, curvesOf });
}
