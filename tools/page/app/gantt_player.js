// Gantt charts that play: one or two replications on one time axis, a cursor that runs, steps and is dragged.
{
  const kSpeeds = [
    ["5", "whole chart in 5 s"],
    ["15", "in 15 s"],
    ["60", "in a minute"],
    ["300", "in 5 minutes"],
  ];

  /** The piece that holds at a time; pieces are in order. */
  const pieceAt = (pieces, t_s) => {
    let [low, high] = [0, pieces.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pieces[middle].end_s > t_s) high = middle;
      else low = middle + 1;
    }
    return pieces[low] !== undefined && pieces[low].begin_s <= t_s ? pieces[low] : undefined;
  };

  const stateTable = ({ title, makespan_s, said, workstations }, t_s) => {
    const isOver = t_s >= makespan_s;
    const rows = workstations.map((w) => {
      const bar = pieceAt(w.bars, t_s);
      const left = pieceAt(w.availability, t_s);
      const sends = w.messages
        .filter((m) => m.begin_s <= t_s && m.end_s > t_s)
        .map((m) => `${workstations[m.to]?.name ?? "?"} (${page.format.bytes(m.bytes)})`);
      return [
        w.name,
        isOver ? "has finished" : bar ? said[bar.what] : "–",
        left && !isOver ? `${page.format.number(100 * left.value, 3)} %` : "–",
        sends.slice(0, 3).join(", ") + (sends.length > 3 ? ", …" : ""),
      ];
    });
    const head = ["workstation", "does", "owner leaves", "message under way to"];
    return page.table(title, head, rows, { label: `State: ${title}`, isNamed: true });
  };

  const barTable = ({ said, workstations }) => {
    const { number } = page.format;
    const rows = workstations.flatMap(({ name, bars }) =>
      bars.map(({ what, begin_s, end_s }) => [name, said[what], number(begin_s, 6), number(end_s, 6)]),
    );
    const shown = rows.slice(0, 500);
    const caption =
      rows.length > shown.length
        ? `The first ${shown.length} of ${rows.length} activities; the CSV has all.`
        : "Activities";
    return page.table(caption, ["workstation", "does", "from [s]", "to [s]"], shown, { label: "Activities" });
  };

  /** All times at which something begins or ends, in order. */
  const eventTimes = (runs) => {
    const pieces = runs.flatMap((run) => run.workstations.flatMap((w) => [...w.bars, ...w.messages]));
    return [0, ...pieces.flatMap(({ begin_s, end_s }) => [begin_s, end_s])].sort((a, b) => a - b);
  };

  /** runs: answers to `gantt` with a title, one or two. Gives a node; `name` is what downloads are called. */
  const ganttPlayer = (runs, name) => {
    const most_s = Math.max(...runs.map((run) => run.makespan_s)) || 1;
    const events_s = eventTimes(runs);
    const { number } = page.format;
    let [cursor_s, zoom, from_s, to_s, playing] = [most_s, 1, 0, most_s, null];
    let drawn = [];

    const charts = page.element("div", { class: "gantt-charts" });
    const legend = page.element("div", {});
    const notes = page.element("p", { class: "quiet", "aria-live": "polite" });
    const states = page.element("div", { class: "states" });
    const clock = page.element("output", { class: "clock" });
    const slider = page.element("input", { type: "range", min: 0, max: 1000, step: 1, value: 0, "aria-label": "time" });
    const speed = page.select(null, kSpeeds, "5", () => {}, { "aria-label": "speed" });
    const button = (sign, said, act) => page.button(sign, act, { "aria-label": said, title: said });

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
        runs.map((run) => stateTable(run, cursor_s)),
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
      drawn = runs.map((run) => {
        const one = page.drawGantt(run, { from_s, to_s, width_px, colours });
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
          `Gantt chart: ${run.title}. The table below says what each workstation does at the cursor.`,
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
            page.element("figcaption", {}, `${runs[i].title}: T = ${timeText(runs[i].makespan_s)}`),
            picture,
            page.element("p", { class: "footer" }, runs[i].origin),
          ),
        ),
      );
      page.fill(legend, page.ganttLegend(runs, colours));
      notes.textContent = [...new Set(drawn.flatMap((one) => one.notes))].join("; ");
      paintCursor();
    };
    const timeText = (t_s) => {
      const unit = page.format.timeUnit(t_s);
      return `${number(t_s / unit.seconds, 5)} ${unit.name}`;
    };

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

    const savePicture = (run, file) => {
      const whole = { from_s, to_s, width_px: 900, colours: page.palette(true), title: run.title };
      page.saveSvg(file, page.drawGantt(run, whole).picture);
    };
    const downloads = runs.flatMap((run, i) => {
      const which = runs.length > 1 ? ` ${"AB"[i]}` : "";
      const file = (ending) => page.fileName(name + which, ending);
      return [
        page.button(`CSV${which}`, () => page.saveText(file(".csv"), run.csv, "text/csv")),
        page.button(`Picture${which} (SVG)`, () => savePicture(run, file(".svg"))),
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
            event.target.open && event.target.childElementCount < 2 && event.target.append(...runs.map(barTable)),
        },
        page.element("summary", {}, "All activities as a table"),
      ),
      page.buttons(downloads),
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
