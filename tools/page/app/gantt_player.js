// Gantt charts that play: one or two replications on one time axis, a cursor that runs, steps and is dragged.
{
  const kSpeeds = [
    ["5", "whole chart in 5 s"],
    ["15", "in 15 s"],
    ["60", "in a minute"],
    ["300", "in 5 minutes"],
  ];

  const stateRows = (timeline, t_s) =>
    timeline.workstations.map((w) => {
      const bar = page.pieceAt(w.bars, t_s);
      const left = page.pieceAt(w.availability, t_s);
      const isOver = t_s >= timeline.makespan_s;
      const sends = w.messages
        .filter((m) => m.begin_s <= t_s && m.end_s > t_s)
        .map((m) => `${timeline.workstations[m.to]?.name ?? "?"} (${page.format.bytes(m.bytes)})`);
      return [
        w.name,
        isOver ? "has finished" : bar ? (page.activitySaid[bar.what] ?? bar.what) : "–",
        left && !isOver ? `${page.format.number(100 * left.value, 3)} %` : "–",
        sends.slice(0, 3).join(", ") + (sends.length > 3 ? ", …" : ""),
      ];
    });

  const stateTable = (title, timeline, t_s) => {
    const head = ["workstation", "does", "owner leaves", "message under way to"];
    return page.element(
      "div",
      { class: "wide", tabindex: "0", role: "region", "aria-label": `State: ${title}` },
      page.element(
        "table",
        {},
        page.element("caption", {}, title),
        page.element(
          "thead",
          {},
          page.element(
            "tr",
            {},
            head.map((h) => page.element("th", { scope: "col" }, h)),
          ),
        ),
        page.element(
          "tbody",
          {},
          stateRows(timeline, t_s).map(([name, ...cells]) =>
            page.element(
              "tr",
              {},
              page.element("th", { scope: "row" }, name),
              cells.map((cell) => page.element("td", {}, cell)),
            ),
          ),
        ),
      ),
    );
  };

  const barTable = (timeline) => {
    const rows = timeline.workstations.flatMap((w) =>
      w.bars.map((bar) => [
        w.name,
        page.activitySaid[bar.what] ?? bar.what,
        page.format.number(bar.begin_s, 6),
        page.format.number(bar.end_s, 6),
      ]),
    );
    const shown = rows.slice(0, 500);
    return page.element(
      "div",
      { class: "wide", tabindex: "0", role: "region", "aria-label": "Activities" },
      page.element(
        "table",
        {},
        page.element(
          "caption",
          {},
          rows.length > shown.length
            ? `The first ${shown.length} of ${rows.length} activities; the CSV has all.`
            : "Activities",
        ),
        page.element(
          "thead",
          {},
          page.element(
            "tr",
            {},
            ["workstation", "does", "from [s]", "to [s]"].map((h) => page.element("th", { scope: "col" }, h)),
          ),
        ),
        page.element(
          "tbody",
          {},
          shown.map((row) =>
            page.element(
              "tr",
              {},
              row.map((cell) => page.element("td", {}, cell)),
            ),
          ),
        ),
      ),
    );
  };

  /** runs: [{title, csv}], one or two. Gives a node; `name` is what downloads are called. */
  const ganttPlayer = (runs, name) => {
    const timelines = runs.map((run) => page.readTimeline(run.csv));
    const most_s = Math.max(...timelines.map((t) => t.makespan_s)) || 1;
    const events_s = [...new Set(timelines.flatMap((t) => t.events_s))].sort((a, b) => a - b);
    const { number } = page.format;
    let [cursor_s, zoom, from_s, to_s, playing] = [most_s, 1, 0, most_s, null];
    let drawn = [];

    const charts = page.element("div", { class: "gantt-charts" });
    const legend = page.element("div", {});
    const notes = page.element("p", { class: "quiet", "aria-live": "polite" });
    const states = page.element("div", { class: "states" });
    const clock = page.element("output", { class: "clock" });
    const slider = page.element("input", { type: "range", min: 0, max: 1000, step: 1, value: 0, "aria-label": "time" });
    const speed = page.element(
      "select",
      { "aria-label": "speed" },
      kSpeeds.map(([value, said]) => page.element("option", { value }, said)),
    );
    const button = (sign, said, act) =>
      page.element("button", { type: "button", "aria-label": said, title: said, onclick: act }, sign);

    const paintCursor = () => {
      for (const { picture, x, plot, line, shade } of drawn) {
        const px = x(cursor_s);
        line.setAttribute("x1", px);
        line.setAttribute("x2", px);
        line.setAttribute("visibility", cursor_s >= from_s && cursor_s <= to_s ? "visible" : "hidden");
        shade.setAttribute("x", px);
        shade.setAttribute("width", Math.max(0, plot.right - px));
        picture.dataset.cursor = cursor_s;
      }
      const unit = page.format.timeUnit(most_s);
      clock.textContent = `t = ${number(cursor_s / unit.seconds, 5)} ${unit.name}`;
      slider.value = Math.round((1000 * cursor_s) / most_s);
      slider.setAttribute("aria-valuetext", clock.textContent);
    };
    const paintStates = () =>
      page.fill(
        states,
        timelines.map((timeline, i) => stateTable(runs[i].title, timeline, cursor_s)),
      );
    const moveTo = (t_s) => {
      cursor_s = Math.min(Math.max(t_s, 0), most_s);
      if (zoom > 1 && (cursor_s < from_s || cursor_s > to_s)) look(cursor_s);
      paintCursor();
      if (playing === null) paintStates();
    };
    const timeOf = (event, { picture, plot }) => {
      const box = picture.getBoundingClientRect();
      const px = ((event.clientX - box.left) / box.width) * picture.viewBox.baseVal.width;
      return from_s + ((px - plot.left) / (plot.right - plot.left)) * (to_s - from_s);
    };

    const draw = () => {
      const colours = page.palette();
      const width_px = Math.max(260, charts.clientWidth);
      drawn = timelines.map((timeline, i) => {
        const one = page.drawGantt(timeline, { from_s, to_s, width_px, colours });
        const { plot, picture } = one;
        one.shade = page.svg("rect", {
          y: plot.top,
          height: plot.bottom - plot.top,
          fill: colours.paper,
          opacity: 0.6,
          "pointer-events": "none",
        });
        one.line = page.svg("line", {
          y1: plot.top,
          y2: plot.bottom,
          stroke: colours.accent,
          "stroke-width": 2,
          "pointer-events": "none",
        });
        picture.append(one.shade, one.line);
        picture.setAttribute("role", "img");
        picture.setAttribute(
          "aria-label",
          `Gantt chart: ${runs[i].title}. The table below says what each workstation does at the cursor.`,
        );
        picture.addEventListener("pointerdown", (event) => {
          pause();
          picture.setPointerCapture(event.pointerId);
          moveTo(timeOf(event, one));
          picture.onpointermove = (move) => moveTo(timeOf(move, one));
        });
        picture.addEventListener("pointerup", () => (picture.onpointermove = null));
        picture.addEventListener("pointercancel", () => (picture.onpointermove = null));
        return one;
      });
      page.fill(
        charts,
        drawn.map(({ picture }, i) =>
          page.element(
            "figure",
            { class: "gantt" },
            page.element("figcaption", {}, `${runs[i].title}: T = ${timeText(timelines[i].makespan_s)}`),
            picture,
            page.element("p", { class: "footer" }, provenance(timelines[i])),
          ),
        ),
      );
      page.fill(legend, page.ganttLegend(timelines, colours));
      notes.textContent = [...new Set(drawn.flatMap((one) => one.notes))].join("; ");
      paintCursor();
    };
    const timeText = (t_s) => {
      const unit = page.format.timeUnit(t_s);
      return `${number(t_s / unit.seconds, 5)} ${unit.name}`;
    };
    const provenance = (t) => `replication ${t.replication}, seed ${t.seed}, engine ${t.engine}, nowsim ${t.version}`;

    const look = (middle_s) => {
      const width_s = most_s / zoom;
      from_s = Math.min(Math.max(0, middle_s - width_s / 2), most_s - width_s);
      to_s = from_s + width_s;
      draw();
    };
    const zoomBy = (factor) => {
      zoom = Math.min(Math.max(zoom * factor, 1), 4096);
      look(cursor_s);
    };

    const pause = () => {
      if (playing !== null) cancelAnimationFrame(playing);
      playing = null;
      play.textContent = "▶";
      play.setAttribute("aria-label", "play");
      play.title = "play";
      paintStates();
    };
    const run = (last_ms) => (now_ms) => {
      if (!node.isConnected) return pause();
      moveTo(cursor_s + (((now_ms - last_ms) / 1000) * most_s) / Number(speed.value));
      if (cursor_s >= most_s) return pause();
      playing = requestAnimationFrame(run(now_ms));
    };
    const start = () => {
      if (cursor_s >= most_s) moveTo(0);
      play.textContent = "❚❚";
      play.setAttribute("aria-label", "pause");
      play.title = "pause";
      playing = requestAnimationFrame(run(performance.now()));
    };
    const play = button("▶", "play", () => (playing === null ? start() : pause()));
    const step = (forward) => {
      pause();
      const small = 1e-9 * most_s;
      const next = forward
        ? events_s.find((t) => t > cursor_s + small)
        : events_s.findLast((t) => t < cursor_s - small);
      if (next !== undefined) moveTo(next);
    };
    slider.addEventListener("input", () => (pause(), moveTo((slider.value / 1000) * most_s)));

    const downloads = runs.flatMap((run, i) => {
      const which = runs.length > 1 ? ` ${"AB"[i]}` : "";
      return [
        page.element(
          "button",
          { type: "button", onclick: () => page.saveText(page.fileName(name + which, ".csv"), run.csv, "text/csv") },
          `CSV${which}`,
        ),
        page.element(
          "button",
          {
            type: "button",
            onclick: () =>
              page.saveSvg(
                page.fileName(name + which, ".svg"),
                page.drawGantt(timelines[i], {
                  from_s,
                  to_s,
                  width_px: 900,
                  colours: page.palette(true),
                  title: run.title,
                }).picture,
              ),
          },
          `Picture${which} (SVG)`,
        ),
      ];
    });
    const node = page.element(
      "section",
      { class: "player", "aria-label": "Gantt chart" },
      page.element(
        "div",
        { class: "controls" },
        button("|◀", "to the beginning", () => (pause(), moveTo(0))),
        button("◀|", "back to the event before", () => step(false)),
        play,
        button("|▶", "on to the next event", () => step(true)),
        button("▶|", "to the end", () => (pause(), moveTo(most_s))),
        slider,
        clock,
        speed,
        button("−", "zoom out", () => zoomBy(0.5)),
        button("+", "zoom in", () => zoomBy(2)),
      ),
      charts,
      legend,
      notes,
      page.element("details", { open: true }, page.element("summary", {}, "At the cursor"), states),
      page.element(
        "details",
        {
          ontoggle: (event) =>
            event.target.open && event.target.childElementCount < 2 && event.target.append(...timelines.map(barTable)),
        },
        page.element("summary", {}, "All activities as a table"),
      ),
      page.element("p", { class: "buttons" }, downloads),
    );
    let drawn_px = 0;
    new ResizeObserver(
      () =>
        charts.clientWidth > 0 &&
        Math.abs(charts.clientWidth - drawn_px) > 4 &&
        ((drawn_px = charts.clientWidth), draw()),
    ).observe(charts);
    page.onPaletteChange(node, draw);
    paintStates();
    return node;
  };

  page.ganttPlayer = ganttPlayer;
}
