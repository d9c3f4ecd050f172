// The page begins: the catalogue, then its five parts, each made when it is first looked at.
{
  const kTabs = ["explore", "run", "gantt", "labs", "about"];

  const begin = async () => {
    const loading = document.getElementById("loading");
    let catalogue;
    try {
      catalogue = await page.ask({ do: "catalogue" });
    } catch (error) {
      return page.fill(
        loading,
        page.element("span", { class: "problems" }, `This page cannot begin: ${error.message}`),
      );
    }
    loading.remove();
    const made = new Map();
    const makers = {
      explore: () => page.explore(catalogue, goTo),
      run: () => page.runYaml(catalogue, goTo),
      gantt: () => page.ganttView(catalogue),
      labs: () => page.labsView(catalogue, goTo),
      about: () => ({ node: page.aboutView(catalogue) }),
    };
    const part = (tab) => {
      if (!made.has(tab)) {
        made.set(tab, makers[tab]());
        document.getElementById(`part-${tab}`).append(made.get(tab).node);
        return [made.get(tab), true];
      }
      return [made.get(tab), false];
    };
    const show = (tab) => {
      for (const name of kTabs) {
        document.getElementById(`part-${name}`).hidden = name !== tab;
        const link = document.querySelector(`nav a[href="#${name}"]`);
        if (name === tab) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
      }
      page.kept.write("tab", tab);
      return part(tab);
    };
    /** Opens another part with something: a scenario, a file. */
    const goTo = (tab, what) => {
      if (location.hash !== `#${tab}`) history.pushState(null, "", `#${tab}`);
      const [{ open }] = show(tab);
      scrollTo({ top: 0 });
      document.getElementById(`part-${tab}`).focus({ preventScroll: true });
      return open?.(what);
    };
    const fromAddress = () => {
      const asked = location.hash.slice(1);
      const tab = kTabs.includes(asked) ? asked : page.kept.read("tab", "explore");
      const [view, isNew] = show(kTabs.includes(tab) ? tab : "explore");
      if (isNew) view.refresh?.();
    };
    addEventListener("hashchange", fromAddress);
    addEventListener("popstate", fromAddress);
    document.getElementById("version").textContent = `nowsim ${catalogue.version}`;
    fromAddress();
  };

  begin();
}
