// A Gantt chart as SVG: bars of activities, what the owner leaves below them, messages as arrows, a cursor.
{
  const kMostLanes = 64,
    kMostMessages = 400,
    kMostBarriers = 200;
  const kTop = 6,
    kBelow = 40,
    kRight = 12;

  const { shortened } = page.format;

  /**
   * Of pieces in a window what pixels show: of more than columns one for each column, as merged([[piece, seconds in
   * it], ...], seconds) says.
   */
  const inColumns = (pieces, { from_s, to_s, columns }, merged) => {
    const inside = pieces.filter((piece) => piece.end_s > from_s && piece.begin_s < to_s);
    if (inside.length <= columns) return { shown: inside, isMerged: false };
    const width_s = (to_s - from_s) / columns;
    const begin_s = (c) => from_s + c * width_s;
    const parts = Array.from({ length: columns }, () => []);
    for (const piece of inside)
      for (
        let c = Math.max(0, Math.floor((piece.begin_s - from_s) / width_s));
        c < columns && begin_s(c) < piece.end_s;
        ++c
      )
        parts[c].push([piece, Math.min(piece.end_s, begin_s(c + 1)) - Math.max(piece.begin_s, begin_s(c))]);
    const shown = parts.map((some, c) => ({ begin_s: begin_s(c), end_s: begin_s(c + 1), ...merged(some, width_s) }));
    return { shown, isMerged: true };
  };
  const mean = (parts, width_s) => ({ value: parts.reduce((sum, [{ value }, s]) => sum + (value * s) / width_s, 0) });
  /** What takes most of a column. */
  const prevailing = (parts) => {
    const seconds = {};
    for (const [{ what }, s] of parts) seconds[what] = (seconds[what] ?? 0) + s;
    return { what: Object.keys(seconds).reduce((most, one) => (seconds[one] > (seconds[most] ?? 0) ? one : most), "") };
  };
  /** Without seams between columns of one kind. */
  const joined = (bars) =>
    bars.reduce((all, bar) => {
      if (all.at(-1)?.what === bar.what) all.at(-1).end_s = bar.end_s;
      else all.push(bar);
      return all;
    }, []);

  /** The outline of a strip whose height is a share. */
  const stripPath = (pieces, x, top, height, inWindow) => {
    const { shown } = inColumns(pieces, inWindow, mean);
    if (shown.length === 0) return "";
    const bottom = top + height;
    const steps = shown
      .map((p) => `L${x(p.begin_s).toFixed(1)} ${(bottom - p.value * height).toFixed(1)}H${x(p.end_s).toFixed(1)}`)
      .join("");
    return `M${x(shown[0].begin_s).toFixed(1)} ${bottom}${steps}V${bottom}Z`;
  };

  const arrow = (x1, y1, x2, y2, colour) => {
    const angle = Math.atan2(y2 - y1, x2 - x1);
    const tip = `${x2.toFixed(1)} ${y2.toFixed(1)}`;
    const wing = (turn) =>
      `${(x2 - 7 * Math.cos(angle + turn)).toFixed(1)} ${(y2 - 7 * Math.sin(angle + turn)).toFixed(1)}`;
    return page.svg("path", {
      d: `M${x1.toFixed(1)} ${y1.toFixed(1)}L${tip}M${wing(0.4)}L${tip}L${wing(-0.4)}`,
      stroke: colour,
      "stroke-width": 1,
      fill: "none",
      opacity: 0.75,
    });
  };

  /**
   * The picture of a timeline from from_s to to_s: {picture, x(t), plot: {left, right, top, bottom}, notes}; texts
   * and colours are the palette's.
   */
  const drawGantt = (timeline, { from_s, to_s, width_px, colours, title = "" }) => {
    const lanes = timeline.workstations.slice(0, kMostLanes);
    const lane_px = lanes.length > 12 ? 28 : 38,
      bar_px = lanes.length > 12 ? 13 : 18,
      strip_px = lanes.length > 12 ? 7 : 10;
    const letters = width_px < 480 ? 10 : 16;
    const left = 12 + 7 * Math.min(letters, Math.max(3, ...lanes.map((w) => w.name.length)));
    const plot = { left, right: width_px - kRight, top: kTop + (title === "" ? 0 : 22), bottom: 0 };
    plot.bottom = plot.top + lanes.length * lane_px;
    const height = plot.bottom + kBelow;
    const inWindow = { from_s, to_s, columns: Math.max(50, Math.floor(plot.right - plot.left)) };
    const x = (t_s) =>
      plot.left + ((Math.min(Math.max(t_s, from_s), to_s) - from_s) / (to_s - from_s || 1)) * (plot.right - plot.left);
    const text = (content, more) =>
      page.svg("text", { "font-family": "sans-serif", "font-size": 12, fill: colours.ink, ...more }, content);
    const picture = page.svg(
      "svg",
      { xmlns: "http://www.w3.org/2000/svg", width: width_px, height, viewBox: `0 0 ${width_px} ${height}` },
      page.svg("rect", { width: width_px, height, fill: colours.paper }),
    );
    const notes = [];
    if (title !== "")
      picture.append(text(shortened(title, Math.floor(width_px / 7)), { x: 6, y: 16, "font-weight": "bold" }));

    lanes.forEach((w, i) => {
      const top = plot.top + i * lane_px + 2;
      picture.append(
        page.svg(
          "g",
          {},
          page.svg("title", {}, w.name),
          text(shortened(w.name, letters), { x: plot.left - 6, y: top + bar_px / 2 + 5, "text-anchor": "end" }),
        ),
      );
      const strip = top + bar_px + 2;
      picture.append(
        page.svg("rect", {
          x: plot.left,
          y: strip,
          width: x(timeline.makespan_s) - plot.left, // a run that is over has no owners
          height: strip_px,
          fill: colours.taken,
        }),
      );
      picture.append(
        page.svg("path", {
          d: stripPath(w.availability, x, strip, strip_px, inWindow),
          fill: colours.available,
        }),
      );
      if (w.bandwidth.length > 0)
        picture.append(
          page.svg("path", {
            d: stripPath(w.bandwidth, x, strip + strip_px, strip_px / 2, inWindow),
            fill: colours.activities.transfer,
          }),
        );
      const { shown, isMerged } = inColumns(w.bars, inWindow, prevailing);
      if (isMerged) notes.push("each pixel shows what takes most of it");
      for (const bar of isMerged ? joined(shown) : shown) {
        if (bar.what === "") continue;
        const isLine = bar.what === "idle";
        picture.append(
          page.svg("rect", {
            x: x(bar.begin_s).toFixed(2),
            y: isLine ? top + bar_px / 2 - 1 : top,
            width: Math.max(0.4, x(bar.end_s) - x(bar.begin_s)).toFixed(2),
            height: isLine ? 2 : bar_px,
            fill: colours.activities[bar.what],
          }),
        );
      }
    });

    const shownBarriers = timeline.barriers_s.filter((t) => t >= from_s && t <= to_s);
    if (shownBarriers.length <= kMostBarriers)
      for (const t of shownBarriers)
        picture.append(
          page.svg("line", {
            x1: x(t),
            x2: x(t),
            y1: plot.top,
            y2: plot.bottom,
            stroke: colours.accent,
            "stroke-width": 1,
            "stroke-dasharray": "4 3",
          }),
        );
    else notes.push(`${shownBarriers.length} barriers are not drawn: zoom in`);

    const messages = lanes
      .flatMap((w) => w.messages)
      .filter((m) => m.to < lanes.length && m.to !== m.from && m.end_s >= from_s && m.begin_s <= to_s);
    const middle = (i) => plot.top + i * lane_px + 2 + bar_px / 2;
    if (messages.length <= kMostMessages)
      for (const m of messages)
        picture.append(arrow(x(m.begin_s), middle(m.from), x(m.end_s), middle(m.to), colours.ink));
    else notes.push(`${messages.length} messages are not drawn: zoom in`);
    if (timeline.workstations.length > lanes.length)
      notes.push(`the first ${kMostLanes} of ${timeline.workstations.length} workstations`);

    const unit = page.format.timeUnit(to_s);
    for (const at of page.format.ticks(
      from_s / unit.seconds,
      to_s / unit.seconds,
      Math.max(2, (plot.right - plot.left) / 80),
    )) {
      const px = x(at * unit.seconds);
      picture.append(
        page.svg("line", { x1: px, x2: px, y1: plot.bottom, y2: plot.bottom + 5, stroke: colours.ink }),
        text(page.format.number(at, 8), { x: px, y: plot.bottom + 18, "text-anchor": "middle" }),
      );
    }
    picture.append(
      page.svg("line", { x1: plot.left, x2: plot.right, y1: plot.bottom, y2: plot.bottom, stroke: colours.ink }),
      text(`time [${unit.name}]`, { x: (plot.left + plot.right) / 2, y: plot.bottom + 34, "text-anchor": "middle" }),
    );
    return { picture, x, plot, notes };
  };

  const key = (said, ...shapes) =>
    page.element("li", {}, page.svg("svg", { width: 22, height: 12, "aria-hidden": "true" }, shapes), said);
  const swatch = (fill, shape = {}) => page.svg("rect", { x: 0, y: 0, width: 22, height: 12, fill, ...shape });

  /** The legend of what these timelines show. */
  const ganttLegend = (timelines, colours) => {
    const has = (what) => timelines.some((t) => t.workstations.some((w) => w[what].length > 0));
    const barrier = { x1: 11, x2: 11, y1: 0, y2: 12, stroke: colours.accent, "stroke-dasharray": "4 3" };
    return page.element("ul", { class: "legend" }, [
      Object.entries(Object.assign({}, ...timelines.map((t) => t.said))).map(([what, said]) =>
        key(said, swatch(colours.activities[what], what === "idle" ? { y: 5, height: 2 } : {})),
      ),
      key("what the owner leaves, 0 to 100 %", swatch(colours.available)),
      has("bandwidth") && key("what is left of its link", swatch(colours.activities.transfer, { y: 3, height: 6 })),
      timelines.some((t) => t.barriers_s.length > 0) && key("all pass a barrier", page.svg("line", barrier)),
      has("messages") && key("message", arrow(1, 2, 20, 10, colours.ink)),
    ]);
  };

  Object.assign(page, { drawGantt, ganttLegend });
}
