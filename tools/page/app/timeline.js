// One replication, read from nowsim's trace (CSV): what each workstation does and when, and what of it a chart shows.
{
  const kRounding = 1e-9; // what is shorter, as a part of T, takes no time

  /** Rows of RFC 4180, each a list of fields. */
  const csvRows = (text) => {
    const rows = [];
    let row = [];
    for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
      row.push(quoted !== undefined ? quoted.replaceAll('""', '"') : plain);
      if (end === ",") continue;
      if (row.length > 1 || row[0] !== "") rows.push(row);
      row = [];
    }
    return rows;
  };

  /** Without the apostrophe that keeps spreadsheets from taking a text for a formula. */
  const plainText = (field) => (/^'+[=+\-@]/.test(field) ? field.slice(1) : field);

  /** {makespan_s, replication, ..., workstations: [{name, activities, messages, availability, bandwidth}]} */
  const timelineOf = (csv) => {
    const [head, ...rows] = csvRows(csv);
    const column = Object.fromEntries(head.map((name, i) => [name, i]));
    const workstations = [];
    for (const row of rows) {
      const field = (name) => row[column[name]] ?? "";
      const i = Number(field("workstation")) - 1;
      const w = (workstations[i] ??= {
        name: plainText(field("name")),
        activities: [],
        messages: [],
        availability: [],
        bandwidth: [],
      });
      const what = field("what");
      const piece = { begin_s: Number(field("begin_s")), end_s: Number(field("end_s")) };
      const peer = field("peer") === "" ? -1 : Number(field("peer")) - 1;
      if (what === "message") w.messages.push({ ...piece, from: i, to: peer, bytes: Number(field("bytes")) });
      else if (what === "availability" || what === "bandwidth")
        w[what].push({ ...piece, value: Number(field("availability")) });
      else if (what !== "owner-job") w.activities.push({ ...piece, what, peer });
    }
    const [first] = rows;
    const known = (name) => (first === undefined ? "" : first[column[name]]);
    const ends = workstations.flatMap((w) => [...w.activities, ...w.availability].map((piece) => piece.end_s));
    return {
      makespan_s: ends.reduce((most, end) => Math.max(most, end), 0),
      workstations: workstations.filter(Boolean),
      replication: known("replication"),
      seed: known("seed"),
      engine: known("engine"),
      version: known("version"),
    };
  };

  /** A send whose message begins later waits for the receiver until then. */
  const travelsFrom_s = (send, messages, rounding_s) =>
    messages.find(
      (m) => m.to === send.peer && m.begin_s >= send.begin_s && Math.abs(m.end_s - send.end_s) <= rounding_s,
    )?.begin_s ?? send.begin_s;

  /** A workstation's activities that take time, neighbours of one kind joined. */
  const barsOf = (workstation, makespan_s) => {
    const rounding_s = kRounding * makespan_s;
    const bars = [];
    const add = (what, begin_s, end_s) => {
      if (end_s - begin_s <= rounding_s) return;
      const last = bars.at(-1);
      if (last?.what === what && begin_s - last.end_s <= rounding_s) last.end_s = end_s;
      else bars.push({ what, begin_s, end_s });
    };
    const byTo = Map.groupBy?.(workstation.messages, (m) => m.to);
    for (const a of workstation.activities) {
      const messages = a.what === "send" ? (byTo?.get(a.peer) ?? workstation.messages) : [];
      const from_s = a.what === "send" ? travelsFrom_s(a, messages, rounding_s) : a.begin_s;
      add("receive", a.begin_s, from_s);
      add(a.what, from_s, a.end_s);
    }
    return bars;
  };

  /** When all passed a barrier, by a workstation that was never off. */
  const barrierEnds = (timeline) => {
    const witness =
      timeline.workstations.find((w) => w.activities.every((a) => a.what !== "off")) ?? timeline.workstations[0];
    const ends = (witness?.activities ?? []).filter((a) => a.what === "barrier").map((a) => a.end_s);
    return [...new Set(ends)];
  };

  /** All times at which something begins or ends, in order. */
  const eventTimes = (timeline) => {
    const times = [0, timeline.makespan_s];
    for (const w of timeline.workstations) {
      for (const bar of w.bars) times.push(bar.begin_s, bar.end_s);
      for (const m of w.messages) times.push(m.begin_s, m.end_s);
    }
    times.sort((a, b) => a - b);
    const rounding_s = kRounding * timeline.makespan_s;
    return times.filter(
      (t, i) => t <= timeline.makespan_s * (1 + kRounding) && (i === 0 || t - times[i - 1] > rounding_s),
    );
  };

  /** Ready to be drawn: with bars, barriers and events. */
  const readTimeline = (csv) => {
    const timeline = timelineOf(csv);
    for (const w of timeline.workstations) w.bars = barsOf(w, timeline.makespan_s);
    timeline.barriers_s = barrierEnds(timeline);
    timeline.events_s = eventTimes(timeline);
    return timeline;
  };

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

  Object.assign(page, { readTimeline, pieceAt, csvRows });
}
