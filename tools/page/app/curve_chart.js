// Curves with their intervals as bands or bars, drawn by uPlot; labels with low and high parts stand beside it as HTML.
{
  const clear = (colour, share) => {
    const [r, g, b] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
    return `rgba(${r}, ${g}, ${b}, ${share})`;
  };

  /** uPlot wants one list of x for all: of each curve the values there, and gaps elsewhere. */
  const aligned = (curves) => {
    const xs = [...new Set(curves.flatMap((curve) => curve.points.map((p) => p.x)))]
      .filter((x) => x !== null)
      .sort((a, b) => a - b);
    const at = new Map(xs.map((x, i) => [x, i]));
    const data = [xs];
    for (const curve of curves)
      for (const name of ["high", "y", "low"]) {
        const values = new Array(xs.length).fill(undefined);
        for (const point of curve.points)
          if (point.x !== null) values[at.get(point.x)] = point[name] ?? (name === "y" ? null : point.y);
        data.push(values);
      }
    return data;
  };

  /** A curve's values hold from each x on until its next one, where another curve may have more x's. */
  const held = (data) =>
    data.map((values, i) => {
      if (i === 0) return values;
      const last = values.findLastIndex((v) => v !== undefined);
      let value;
      return values.map((v, k) => (k > last ? null : ((value = v === undefined ? value : v) ?? null)));
    });

  const drawBars = (u, first, colour) => {
    const { ctx } = u;
    const tick = 4 * devicePixelRatio;
    ctx.save();
    ctx.strokeStyle = colour;
    ctx.lineWidth = devicePixelRatio;
    for (let i = 0; i < u.data[0].length; ++i) {
      const [high, , low] = u.data.slice(first, first + 3).map((values) => values[i]);
      if (high === undefined || high === null || low === null || high === low) continue;
      const x = u.valToPos(u.data[0][i], "x", true);
      const [top, bottom] = [high, low].map((y) => u.valToPos(y, "y", true));
      ctx.beginPath();
      ctx.moveTo(x, top);
      ctx.lineTo(x, bottom);
      for (const y of [top, bottom]) {
        ctx.moveTo(x - tick, y);
        ctx.lineTo(x + tick, y);
      }
      ctx.stroke();
    }
    ctx.restore();
  };

  const drawMarker = (u, { at, label }) => {
    const { ctx, bbox } = u;
    const x = u.valToPos(at, "x", true);
    if (!(x >= bbox.left && x <= bbox.left + bbox.width)) return;
    ctx.save();
    ctx.strokeStyle = page.palette().accent;
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.font = `${11 * devicePixelRatio}px sans-serif`;
    const isRight = x > bbox.left + bbox.width / 2;
    ctx.textAlign = "left";
    const [width, height] = [ctx.measureText(label).width, 15 * devicePixelRatio];
    const left = x + (isRight ? -5 * devicePixelRatio - width : 5 * devicePixelRatio);
    const values = u.data.filter((_, i) => i % 3 === 2).map((column) => column[u.valToIdx(at)]);
    const isAbove = values.some((y) => Number.isFinite(y) && u.valToPos(y, "y", true) < bbox.top + 2 * height);
    const top = bbox.top + (isAbove ? bbox.height - height : 0);
    ctx.fillStyle = page.palette().paper; // lest a curve further on strike it through
    ctx.fillRect(left - 2 * devicePixelRatio, top, width + 4 * devicePixelRatio, height);
    ctx.fillStyle = page.palette().accent;
    ctx.fillText(label, left, top + 11 * devicePixelRatio);
    ctx.restore();
  };

  /** What an axis shows: its own range, or the values' with a margin; values that differ by rounding alone are one. */
  const rangeOf = (axis, isY) => (u, least, most) => {
    const [from, to] = axis.range ?? [null, null];
    if (axis.scale === "log") {
      if (!(least > 0)) [least, most] = [1, 10];
      const margin = most < least * 1.001 ? 2 : isY ? 1.15 : 1;
      return [from ?? least / margin, to ?? most * margin];
    }
    if (least === null || most === null) [least, most] = [0, 1];
    const isOne = most - least <= 1e-9 * Math.abs(most);
    const margin = isOne ? 0.05 * Math.abs(most) || 1 : isY ? 0.05 * (most - least) : 0;
    return [from ?? least - margin, to ?? most + margin];
  };

  const axisOptions = (axis, isY, colours) => {
    const tics = axis.tics ?? [];
    const out = {
      stroke: () => colours().ink,
      grid: { stroke: () => colours().line, width: 1 },
      ticks: { stroke: () => colours().line, width: 1 },
      font: "12px sans-serif",
      size: isY ? 62 : 34,
      space: isY ? 34 : 56,
    };
    if (tics.length > 0) {
      out.splits = () => tics.map((tic) => tic.at);
      out.values = (u) => {
        const all = tics.map((tic) => page.labelText(tic.label));
        const room_px = (u.bbox?.width ?? 600) / devicePixelRatio / Math.max(1, tics.length);
        const every = isY
          ? 1
          : Math.max(1, Math.ceil((7 * Math.max(...all.map((text) => text.length), 2) + 8) / room_px));
        return all.map((text, i) => (i % every === 0 ? text : ""));
      };
      out.filter = (u, splits) => splits;
    } else {
      out.values = (u, splits) => page.format.axisNumbers(splits);
      if (axis.scale === "log") {
        out.splits = (u, i, least, most) => {
          const room_px = (isY ? u.bbox.height : u.bbox.width) / devicePixelRatio;
          return page.format.logTicks(least, most, Math.floor(room_px / out.space));
        };
        out.filter = (u, splits) => splits;
      }
    }
    return out;
  };

  /**
   * A chart: {x, y: axes as in nowsim's figures, curves: [{label (HTML), colour, dash, points, isMarks, isThin}],
   * markers: [{at, label}], isStepped, hasBars, height_px, alt}. Gives {node, update(curves, markers), plot(), ...}.
   */
  const curveChart = (spec) => {
    const colours = () => page.palette();
    const colourOf = (curve) => colours().series[curve.colour % colours().series.length];
    const holder = page.element("div", { class: "plot" });
    const legend = page.element("ul", { class: "legend" });
    const yLabel = page.element("p", { class: "y-label" }, page.labelNodes(spec.y.label));
    const node = page.element(
      "figure",
      { class: "chart", role: "group", "aria-label": spec.alt },
      yLabel,
      holder,
      page.element("p", { class: "x-label" }, page.labelNodes(spec.x.label)),
      legend,
    );
    let plot = null;
    let { curves, markers = [] } = spec;

    const dataOf = () => {
      const data = aligned(curves);
      return spec.isStepped
        ? held(data)
        : data.map((values, i) => (i === 0 ? values : values.map((v) => (v === undefined ? null : v))));
    };
    const seriesOf = (curve, i) => {
      const paths = spec.isStepped ? uPlot.paths.stepped({ align: 1 }) : uPlot.paths.linear();
      const ends = { stroke: "transparent", width: 0, points: { show: false }, spanGaps: true, paths };
      return [
        { ...ends },
        {
          stroke: () => colourOf(curves[i]),
          width: curve.isMarks ? 0 : curve.isThin ? 1.2 : 2,
          dash: curve.dash,
          spanGaps: true,
          paths,
          points: {
            show: !spec.isStepped && !curve.isThin,
            size: 6,
            stroke: () => colourOf(curves[i]),
            fill: () => colourOf(curves[i]),
          },
        },
        { ...ends },
      ];
    };
    const options = () => ({
      width: Math.max(120, holder.clientWidth),
      height: spec.height_px ?? 300,
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, points: { show: true, size: 8 } },
      scales: {
        x: { time: false, distr: spec.x.scale === "log" ? 3 : 1, range: rangeOf(spec.x, false) },
        y: { distr: spec.y.scale === "log" ? 3 : 1, range: rangeOf(spec.y, true) },
      },
      axes: [axisOptions(spec.x, false, colours), axisOptions(spec.y, true, colours)],
      series: [{}, ...curves.flatMap(seriesOf)],
      bands: spec.hasBars
        ? []
        : curves.map((curve, i) => ({ series: [3 * i + 1, 3 * i + 3], fill: () => clear(colourOf(curve), 0.2) })),
      hooks: {
        draw: [
          (u) => {
            if (spec.hasBars) curves.forEach((curve, i) => drawBars(u, 3 * i + 1, colourOf(curve)));
            for (const marker of markers) drawMarker(u, marker);
          },
        ],
      },
    });
    const drawLegend = () => {
      page.fill(
        legend,
        curves
          .filter((curve) => curve.label !== "")
          .map((curve) =>
            page.element(
              "li",
              {},
              page.svg(
                "svg",
                { width: 34, height: 10, "aria-hidden": "true" },
                curve.isMarks
                  ? page.svg("circle", { cx: 17, cy: 5, r: 4, fill: colourOf(curve) })
                  : page.svg("line", {
                      x1: 0,
                      y1: 5,
                      x2: 34,
                      y2: 5,
                      stroke: colourOf(curve),
                      "stroke-width": curve.isThin ? 1.2 : 2.5,
                      "stroke-dasharray": curve.dash.join(" ") || null,
                    }),
              ),
              page.labelNodes(curve.label),
            ),
          ),
      );
      legend.hidden = legend.childElementCount === 0;
    };
    const draw = () => {
      plot?.destroy();
      plot = new uPlot(options(), dataOf(), holder);
      spec.onDrawn?.(plot);
      drawLegend();
    };
    const update = (newCurves, newMarkers = markers) => {
      const isAlike = plot !== null && newCurves.length === curves.length;
      [curves, markers] = [newCurves, newMarkers];
      if (!isAlike) return plot === null ? undefined : draw();
      plot.setData(dataOf());
      drawLegend();
    };
    new ResizeObserver(() => {
      if (holder.clientWidth === 0) return;
      if (plot === null) draw();
      else if (Math.abs(plot.width - holder.clientWidth) > 1)
        plot.setSize({ width: holder.clientWidth, height: spec.height_px ?? 300 });
    }).observe(holder);
    page.onPaletteChange(node, () => plot !== null && draw());
    return {
      node,
      update,
      plot: () => plot,
      curves: () => curves,
      colourOf,
      setMarkers: (m) => ((markers = m), plot?.redraw(false)),
    };
  };

  page.curveChart = curveChart;
}
