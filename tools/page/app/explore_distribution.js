// The distribution of T of one point, with a deadline to drag and the risk beside it.
{
  const { number, estimate, timeUnit } = page.format;

  /**
   * {node, compute(scenario(), passes), ..., setDeadline(deadline_s), deadlineSaid: a node that says it in the unit of
   * the picture}; onDeadline(deadline_s, isDone) is told where the user drags it.
   */
  const distributionPanel = (told, onDeadline) => {
    const risk = page.element("output", { class: "risk", "aria-live": "polite" });
    const facts = page.element("p", { class: "footer" });
    const holder = page.element("div", {});
    const deadlineSaid = page.element("span", { class: "quiet" });
    const results = page.element("div", { class: "distribution" }, risk, holder, facts);
    let [chart, times, unit, deadline_s] = [null, null, { seconds: 1, name: "s" }, null];
    let [asked, wanted, isAnswered] = [false, null, false]; // the session's last question was about these times
    let request = null; // that of the times that are shown

    const ask = (question) => page.ask(question, { inLane: "times" });
    /** Of the times that are shown: a session that does not know them, a new one or another tab's, is told again. */
    const riskOf = async (at_s) => {
      const mine = passes.round();
      const question = () => ask({ do: "risk", deadline_s: at_s, id: times.id });
      try {
        return await question();
      } catch (error) {
        if (error.problems?.[0]?.key !== "id") throw error;
        if (mine !== passes.round()) throw new page.Stopped(); // newer times are on their way
        const again = await ask(request);
        if (mine !== passes.round()) throw new page.Stopped();
        times = again;
        return question();
      }
    };
    const showRisk = (at_s, { text }) =>
      page.fill(
        risk,
        "Risk that T is more than ",
        page.element("strong", {}, inUnit(at_s)),
        ": ",
        page.element("strong", {}, text),
        page.element("span", { class: "quiet" }, ` (${number(100 * times.confidence, 6)} % interval)`),
      );
    /** One question at a time; what is dragged over meanwhile is left out. */
    const askRisk = async () => {
      if (asked) return;
      asked = true;
      while (wanted !== null && isAnswered) {
        const at_s = wanted;
        wanted = null;
        try {
          showRisk(at_s, await riskOf(at_s));
        } catch (error) {
          if (!(error instanceof page.Stopped)) page.fill(risk, page.problemNodes(error));
        }
      }
      asked = false;
    };
    const inUnit = (value_s) => `${number(value_s / unit.seconds, 5)} ${unit.name}`;
    const markers = () =>
      deadline_s === null ? [] : [{ at: deadline_s / unit.seconds, label: `deadline ${inUnit(deadline_s)}` }];
    const sayDeadline = () =>
      (deadlineSaid.textContent = deadline_s === null || unit.name === "s" ? "" : ` = ${inUnit(deadline_s)}`);
    /** A number; anything else is none. */
    const setDeadline = (value_s) => {
      deadline_s = Number.isFinite(value_s) && value_s >= 0 ? value_s : null;
      sayDeadline();
      wanted = deadline_s;
      if (deadline_s === null) page.fill(risk, "No deadline: drag one in the picture, or write one.");
      chart?.setMarkers(markers());
      describeHandle();
      askRisk();
    };
    const ends_s = () => {
      const spread_s = times.most_s - times.least_s;
      const margin_s = spread_s > 1e-6 * times.most_s ? 0.06 * spread_s : 0.1 * times.most_s;
      return [Math.max(0, times.least_s - margin_s), times.most_s + margin_s];
    };
    const drag = (value_s, isDone) => {
      const [least_s, most_s] = ends_s();
      const rounded_s = Number(Math.min(Math.max(value_s, least_s, 1e-9), most_s).toPrecision(4));
      setDeadline(rounded_s);
      onDeadline(rounded_s, isDone);
    };

    const describeHandle = () => {
      const handle = chart?.plot()?.over;
      if (!handle || times === null) return;
      const [least_s, most_s] = ends_s();
      const attributes = {
        role: "slider",
        tabindex: 0,
        "aria-label": "deadline",
        "aria-valuemin": least_s,
        "aria-valuemax": most_s,
        "aria-valuenow": deadline_s ?? times.most_s,
        "aria-valuetext": deadline_s === null ? "none" : inUnit(deadline_s),
      };
      for (const [name, value] of Object.entries(attributes)) handle.setAttribute(name, value);
    };
    const onDrawn = (plot) => {
      const { over } = plot;
      over.classList.add("deadline-handle");
      const at_s = (event) => plot.posToVal(event.clientX - over.getBoundingClientRect().left, "x") * unit.seconds;
      let held = null; // what is dragged: from where, and from which deadline
      const move = (event) => {
        const [right, down] = [event.clientX - held.x, event.clientY - held.y].map(Math.abs);
        held.isDragged ||= event.pointerType !== "touch" || right > down; // a finger that goes down scrolls
        if (held.isDragged) drag(at_s(event), false);
      };
      over.addEventListener("pointerdown", (event) => {
        over.setPointerCapture(event.pointerId);
        held = { x: event.clientX, y: event.clientY, before_s: deadline_s, isDragged: false };
        if (event.pointerType !== "touch") move(event);
      });
      over.addEventListener("pointermove", (event) => held && move(event));
      over.addEventListener("pointerup", (event) => {
        if (held) drag(at_s(event), true);
        held = null;
        over.focus({ preventScroll: true });
      });
      over.addEventListener("pointercancel", () => {
        if (held?.isDragged) {
          setDeadline(held.before_s);
          onDeadline(held.before_s ?? "", true);
        }
        held = null;
      });
      over.addEventListener("keydown", (event) => {
        const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
        const [least_s, most_s] = ends_s();
        if (steps !== undefined) drag((deadline_s ?? times.most_s) + (steps * (most_s - least_s)) / 200, true);
        else if (event.key === "Home") drag(least_s, true);
        else if (event.key === "End") drag(most_s, true);
        else return;
        event.preventDefault();
      });
      describeHandle();
    };

    const curves = () => {
      const [least_s, most_s] = ends_s();
      const points = times.curve.map(({ t_s, late, low, high }) => ({ x: t_s / unit.seconds, y: late, low, high }));
      const first = { ...points[0], x: least_s / unit.seconds, y: 1, low: points[0].low, high: 1 };
      const last = { ...points.at(-1), x: most_s / unit.seconds };
      return [{ label: "", colour: 0, dash: [], points: [first, ...points, last] }];
    };
    const show = (answer, question) => {
      [times, request] = [answer, question];
      isAnswered = true;
      unit = timeUnit(times.most_s);
      sayDeadline();
      const [least_s, most_s] = ends_s();
      const focused = chart?.plot()?.over === document.activeElement;
      chart = page.curveChart({
        x: { label: `t [${unit.name}]`, scale: "linear", range: [least_s / unit.seconds, most_s / unit.seconds] },
        y: { label: "probability that T &gt; t", scale: "linear", range: [0, 1.04] },
        curves: curves(),
        markers: markers(),
        isStepped: true,
        height_px: 260,
        onDrawn,
        alt: "Distribution of T: how likely it is longer than t. The deadline is moved by mouse, touch or arrow keys.",
      });
      page.fill(holder, chart.node);
      if (focused) requestAnimationFrame(() => chart.plot()?.over.focus());
      const { mean, sd, n, confidence, seed, engine, version } = times;
      const interval = `${number(100 * confidence, 6)} % confidence at each t`;
      const inUnits = (x) => (Number.isFinite(x) ? x / unit.seconds : x);
      const read = ({ value, low, high }) =>
        estimate({ value: inUnits(value), low: inUnits(low), high: inUnits(high) }, unit.name);
      facts.textContent = [
        `mean of T ${read(mean)}, its standard deviation ${read(sd)}; ${n} replications`,
        `band: ${interval}, seed ${seed}, engine ${engine}, nowsim ${version}`,
      ].join(", ");
      wanted = deadline_s;
      askRisk();
    };
    const passes = page.inPasses(results, {
      lane: "times",
      told,
      show,
      atRest: () => (isAnswered = request !== null),
    });
    const compute = (scenario, counts) =>
      passes.compute(() => {
        isAnswered = false;
        return { do: "times", ...scenario() };
      }, counts);
    return { ...passes, compute, setDeadline, deadlineSaid };
  };

  page.distributionPanel = distributionPanel;
}
