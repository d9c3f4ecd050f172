// Explore's curves: computed with more and more replications, so that their intervals shrink while one looks.
{
  const remarkNode = (remarks) =>
    remarks.length === 0
      ? null
      : page.element("details", { class: "quiet" }, [
          page.element("summary", {}, `Remarks (${remarks.length})`),
          remarks.map((remark) => page.element("p", {}, remark)),
        ]);

  /** {node, compute(scenario, passes, at), stop()}: `at` is where on x the values below are. */
  const curvesPanel = () => {
    const trouble = page.element("div", {});
    const progress = page.progressBar();
    const holder = page.element("div", { class: "curves" });
    const table = page.element("pre", { tabindex: "0", role: "region", "aria-label": "the table" });
    const node = page.element("div", {}, [
      trouble,
      progress.node,
      holder,
      page.element("details", {}, page.element("summary", {}, "The same as a table"), table),
    ]);
    let round = 0;

    const show = ({ figure, table: text, remarks }, at, shown) => {
      table.textContent = text;
      page.fill(trouble, remarkNode(remarks));
      if (figure === null) {
        page.fill(
          holder,
          page.element("p", {}, "There is nothing to draw: no point can be realised. The table says why."),
        );
        return null;
      }
      const [panel] = figure.panels;
      const curves = page.curvesOf(figure, panel);
      const markers = Number.isFinite(at) ? [{ at: at / 10 ** figure.x.power, label: "distribution below" }] : [];
      const { replications, confidence, seed, engine, version } = figure.provenance;
      const how = `bands: ${confidence} confidence, seed ${seed}, engine ${engine}, nowsim ${version}`;
      const said = `${replications} replications, ${how}`;
      if (shown !== null && shown.count === curves.length) {
        shown.chart.update(curves, markers);
        shown.footer.textContent = said;
        return shown;
      }
      const names = `${page.labelText(panel.value.label)} against ${page.labelText(figure.x.label)}`;
      const alt = `${names}; the table below has the same numbers.`;
      const chart = page.curveChart({ x: figure.x, y: panel.value, curves, markers, alt });
      const footer = page.element("p", { class: "footer" }, said);
      page.fill(holder, chart.node, footer);
      return { chart, footer, count: curves.length };
    };

    const compute = async (scenario, passes, at) => {
      stop();
      const mine = ++round;
      node.setAttribute("aria-busy", "true");
      let shown = null;
      try {
        for (const replications of passes) {
          const onProgress = (done) => mine === round && progress.show(done, `${replications} replications: `);
          const answer = await page.ask({ do: "run", ...scenario, replications }, { inLane: "curves", onProgress });
          if (mine !== round) return;
          shown = show(answer, at, shown);
        }
      } catch (error) {
        if (mine === round) page.fill(trouble, page.problemNodes(error));
      } finally {
        if (mine === round) rest();
      }
    };
    const rest = () => {
      progress.hide();
      node.removeAttribute("aria-busy");
    };
    const stop = () => {
      ++round;
      page.stop("curves");
      rest();
    };
    return { node, compute, stop };
  };

  page.curvesPanel = curvesPanel;
}
