// What curves and distribution have in common: more and more replications, and results set aside until they are anew.
{
  /**
   * {node, compute(asks, passes), setAside(), stop(), clear(), round()}: `results` is shown below what is told of it.
   * asks() gives the question, or throws what is wrong with it; show(answer, question) shows an answer; told(error)
   * gives nodes that say it, told(null) that there is none; atRest() is told when nothing is asked any more.
   */
  const inPasses = (results, { lane, show, told, onProgress = () => {}, atRest = () => {} }) => {
    const trouble = page.element("div", {});
    const node = page.element("div", {}, trouble, results);
    let [round, hasShown] = [0, false];

    const isAside = () => results.classList.contains("aside");
    const before = () =>
      isAside() && hasShown
        ? page.element("p", { class: "problems" }, "What is shown here is of the values before.")
        : null;
    const rest = () => {
      node.removeAttribute("aria-busy");
      atRest();
    };
    const halt = () => {
      ++round;
      if (node.hasAttribute("aria-busy")) page.stop(lane);
      rest();
    };
    const setAside = () => {
      halt();
      results.classList.add("aside");
    };
    const compute = async (asks, passes) => {
      setAside();
      const mine = ++round;
      node.setAttribute("aria-busy", "true");
      try {
        for (const replications of passes) {
          const question = { ...asks(), replications };
          const progress = (done) => mine === round && onProgress(done, replications);
          const answer = await page.ask(question, { inLane: lane, onProgress: progress });
          if (mine !== round) return;
          results.classList.remove("aside");
          page.fill(trouble, told(null));
          hasShown = true;
          show(answer, question);
        }
      } catch (error) {
        if (mine === round && !(error instanceof page.Stopped)) page.fill(trouble, told(error), before());
      } finally {
        if (mine === round) rest();
      }
    };
    const stop = () => {
      halt();
      if (isAside()) page.fill(trouble, told(null), before());
    };
    const clear = () => {
      halt();
      page.fill(trouble, told(null));
      results.classList.remove("aside");
      hasShown = false;
    };
    return { node, compute, setAside, stop, clear, round: () => round };
  };

  page.inPasses = inPasses;
}
