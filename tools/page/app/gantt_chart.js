// A Gantt chart as SVG: bars of activities, what the owner leaves below them, messages as arrows, a cursor.
{
  const kSaid = {
    compute: "computes",
    send: "sends",
    transfer: "moves bytes",
    "message-work": "works for a message",
    spawn: "starts tasks, or waits to be started",
    receive: "waits for sender or receiver",
    barrier: "waits at a barrier",
    sleep: "sleeps",
    idle: "has finished",
    off: "switched off",
  };
  const kMostLanes = 64,
    kMostMessages = 400,
    kMostBarriers = 200;
  const kTop = 6,
    kBelow = 40,
    kRight = 12;

  const shortened = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

  /** Pieces in a window as so many columns, each with what takes most of it: no finer than pixels. */
  const condensed = (bars, from_s, to_s, columns) => {
    const inside = bars.filter((bar) => bar.end_s > from_s && bar.begin_s < to_s);
    if (inside.length <= columns) return inside;
    const width_s = (to_s - from_s) / columns;
    const seconds = Array.from({ length: columns }, () => new Map());
    for (const bar of inside)
      for (
        let c = Math.max(0, Math.floor((bar.begin_s - from_s) / width_s));
        c < columns && from_s + c * width_s < bar.end_s;
        ++c
      ) {
        const s = Math.min(bar.end_s, from_s + (c + 1) * width_s) - Math.max(bar.begin_s, from_s + c * width_s);
        seconds[c].set(bar.what, (seconds[c].get(bar.what) ?? 0) + s);
      }
    const out = [];
    seconds.forEach((by, c) => {
      const [what] = [...by].reduce((most, one) => (one[1] > most[1] ? one : most), [null, 0]);
      if (what === null) return;
      const begin_s = from_s + c * width_s;
      if (out.at(-1)?.what === what && begin_s - out.at(-1).end_s < 1e-6 * width_s)
        out.at(-1).end_s = begin_s + width_s;
      else out.push({ what, begin_s, end_s: begin_s + width_s });
    });
    return out;
  };

  /** The outline of a strip whose height is a share; of very many pieces the mean of each column. */
  const stripPath = (pieces, x, top, height, from_s, to_s, columns) => {
    let shown = pieces.filter((p) => p.end_s > from_s && p.begin_s < to_s);
    if (shown.length > columns) {
      const width_s = (to_s - from_s) / columns;
      const sums = new Float64Array(columns);
      for (const p of shown)
        for (
          let c = Math.max(0, Math.floor((p.begin_s - from_s) / width_s));
          c < columns && from_s + c * width_s < p.end_s;
          ++c
        )
          sums[c] +=
            (p.value * (Math.min(p.end_s, from_s + (c + 1) * width_s) - Math.max(p.begin_s, from_s + c * width_s))) /
            width_s;
      shown = [...sums].map((value, c) => ({
        begin_s: from_s + c * width_s,
        end_s: from_s + (c + 1) * width_s,
        value,
      }));
    }
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
    const columns = Math.max(50, Math.floor(plot.right - plot.left));
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
          d: stripPath(w.availability, x, strip, strip_px, from_s, to_s, columns),
          fill: colours.available,
        }),
      );
      if (w.bandwidth.length > 0)
        picture.append(
          page.svg("path", {
            d: stripPath(w.bandwidth, x, strip + strip_px, strip_px / 2, from_s, to_s, columns),
            fill: colours.activities.transfer,
          }),
        );
      const bars = condensed(w.bars, from_s, to_s, columns);
      if (bars.length < w.bars.length && bars.length >= columns / 2)
        notes.push("each pixel shows what takes most of it");
      for (const bar of bars) {
        const isLine = bar.what === "idle";
        picture.append(
          page.svg("rect", {
            x: x(bar.begin_s).toFixed(2),
            y: isLine ? top + bar_px / 2 - 1 : top,
            width: Math.max(0.4, x(bar.end_s) - x(bar.begin_s)).toFixed(2),
            height: isLine ? 2 : bar_px,
            fill: colours.activities[bar.what] ?? colours.quiet,
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
      .filter((m) => m.to >= 0 && m.to < lanes.length && m.to !== m.from && m.end_s >= from_s && m.begin_s <= to_s);
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
    return { picture, x, plot, notes: [...new Set(notes)], unit };
  };

  const swatch = (colour, shape = {}) =>
    page.svg(
      "svg",
      { width: 22, height: 12, "aria-hidden": "true" },
      page.svg("rect", { x: 0, y: 0, width: 22, height: 12, fill: colour, ...shape }),
    );

  /** The legend of what these timelines show. */
  const ganttLegend = (timelines, colours) => {
    const has = (what) => timelines.some((t) => t.workstations.some((w) => w.bars.some((bar) => bar.what === what)));
    const entries = Object.entries(kSaid)
      .filter(([what]) => has(what))
      .map(([what, said]) =>
        page.element("li", {}, swatch(colours.activities[what], what === "idle" ? { y: 5, height: 2 } : {}), said),
      );
    entries.push(page.element("li", {}, swatch(colours.available), "what the owner leaves, 0 to 100 %"));
    if (timelines.some((t) => t.workstations.some((w) => w.bandwidth.length > 0)))
      entries.push(
        page.element("li", {}, swatch(colours.activities.transfer, { y: 3, height: 6 }), "what is left of its link"),
      );
    if (timelines.some((t) => t.barriers_s.length > 0))
      entries.push(
        page.element(
          "li",
          {},
          page.svg(
            "svg",
            { width: 22, height: 12, "aria-hidden": "true" },
            page.svg("line", { x1: 11, x2: 11, y1: 0, y2: 12, stroke: colours.accent, "stroke-dasharray": "4 3" }),
          ),
          "all pass a barrier",
        ),
      );
    if (timelines.some((t) => t.workstations.some((w) => w.messages.length > 0)))
      entries.push(
        page.element(
          "li",
          {},
          page.svg("svg", { width: 22, height: 12, "aria-hidden": "true" }, arrow(1, 2, 20, 10, colours.ink)),
          "message",
        ),
      );
    return page.element("ul", { class: "legend" }, entries);
  };

  Object.assign(page, { drawGantt, ganttLegend, activitySaid: kSaid });
}
