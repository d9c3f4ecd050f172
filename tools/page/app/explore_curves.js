// Explore's curves: computed with more and more replications, so that their intervals shrink while one looks.
{
  const remarkNode = (remarks) =>
    remarks.length === 0
      ? null
      : page.element("details", { class: "quiet" }, [
          page.element("summary", {}, `Remarks (${remarks.length})`),
          remarks.map((remark) => page.element("p", {}, remark)),
        ]);

  /** {node, compute(scenario(), passes, at), ...}: `at` is where on x the values below are. */
  const curvesPanel = (told) => {
    const remarksHolder = page.element("div", {});
    const progress = page.progressBar();
    const holder = page.element("div", { class: "curves" });
    const table = page.listing("the table");
    const tables = page.details("The same as a table", table);
    const results = page.element("div", {}, remarksHolder, progress.node, holder, tables);
    let [shown, at] = [null, null];

    const draw = ({ figure, table: text, remarks }) => {
      table.textContent = text;
      page.fill(remarksHolder, remarkNode(remarks));
      if (figure === null) {
        page.fill(
          holder,
          page.element("p", {}, "There is nothing to draw: no point can be realised. The table says why."),
        );
        return null;
      }
      const [panel] = figure.panels;
      const curves = page.curvesOf(figure, panel);
      const markers = Number.isFinite(at) ? [{ at: at / figure.x.unit, label: "distribution below" }] : [];
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

    const passes = page.inPasses(results, {
      lane: "curves",
      told,
      show: (answer) => (shown = draw(answer)),
      onProgress: (done, replications) => progress.show(done, `${replications} replications: `),
      atRest: progress.hide,
    });
    const compute = (scenario, counts, where) => {
      [shown, at] = [null, where];
      tables.hidden = false;
      return passes.compute(() => ({ do: "run", ...scenario() }), counts);
    };
    const clear = () => {
      passes.clear();
      tables.hidden = true;
      page.fill(remarksHolder);
      page.fill(holder, page.element("p", {}, "There are no curves: nothing here is a number that could be along x."));
    };
    return { ...passes, compute, clear };
  };

  page.curvesPanel = curvesPanel;
}
