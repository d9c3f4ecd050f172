// About: which nowsim this is, what cannot be had here and why, and whose work is in the file.
{
  const block = (id) => document.getElementById(id)?.textContent.trim() ?? "";

  const kParts = [
    ["nowsim", "the simulator itself, compiled to WebAssembly"],
    ["uPlot", "curves; MIT licence"],
    ["yaml-cpp", "reading YAML; MIT licence"],
    ["muParser", "formulas; BSD 2-clause licence"],
    ["pugixml", "platform files; MIT licence"],
    ["NLopt", "searching splits; MIT licence, parts LGPL"],
    ["cmark", "handouts; BSD 2-clause licence"],
    ["Mustache (Kevin Wojniak)", "templates of pages; Boost Software License"],
    ["JSON for Modern C++", "questions and answers; MIT licence"],
    ["Boost", "statistics; Boost Software License"],
    ["xxHash", "hashes; BSD 2-clause licence"],
    ["Emscripten, musl, libc++", "what makes WebAssembly of it; MIT and Apache 2.0 with LLVM exception"],
  ];

  const named = ([name, what]) => [page.element("strong", {}, name), `: ${what}`];

  const aboutView = (catalogue) => {
    const absent = Object.entries(catalogue.absent);
    const licences = [
      ["uPlot", block("licence-uplot")],
      ["Everything in the WebAssembly", block("nowsim-licences")],
    ].filter(([, text]) => text !== "");
    return page.element(
      "div",
      {},
      page.element("h2", {}, "About"),
      page.element(
        "p",
        {},
        `nowsim ${catalogue.version}, engines: ${catalogue.engines.join(", ")}. `,
        page.isServed()
          ? "This page is served by 'nowsim lab serve' on this machine."
          : "All of it is in this file: nothing is sent anywhere, and no network is needed.",
      ),
      page.element(
        "p",
        {},
        "How long will a parallel job take on machines that others use too, how sure is its deadline, and how should " +
          "it be split? Every answer comes from simulation, with its confidence interval; the same YAML gives the " +
          "same numbers in the program.",
      ),
      page.element("h3", {}, "What cannot be had here"),
      absent.length === 0
        ? page.element("p", {}, "Nothing: everything of the program's is here.")
        : page.list(absent.map(named)),
      page.element("h3", {}, "What this page keeps"),
      page.element(
        "p",
        {},
        `What you write is kept in this browser's own storage for this ${page.isServed() ? "address" : "file"}, and ` +
          "nowhere else. To take it along, download it.",
      ),
      page.buttons(
        page.button("Delete all of it", () => {
          if (!confirm("Delete everything that this page keeps in this browser, all labs' answers included?")) return;
          page.kept.forgetAll();
          location.reload();
        }),
      ),
      page.element("h3", {}, "Whose work is in it"),
      page.list(kParts.map(named)),
      licences.map(([name, text]) => page.details(`Licence: ${name}`, page.listing(`licence of ${name}`, text))),
    );
  };

  page.aboutView = aboutView;
}
