// What Explore begins with: shipped experiments, the keys that have a slider or a list, and what is drawn at first.
{
  const range = (from, to, step) =>
    Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => Number((from + i * step).toPrecision(10)));

  const TH = (value, most, along) => ({
    key: "owner.TH",
    label: "TH, temporal heterogeneity",
    values: range(0, most, 0.01),
    value,
    along,
  });
  const SH = (value, most, along) => ({
    key: "owner.SH",
    label: "SH, spatial heterogeneity",
    values: range(0, most, 0.01),
    value,
    along,
  });
  const N = (value, values, along) => ({
    key: "platform.workstations",
    label: "N, number of machines",
    values,
    value,
    along,
  });
  const interval = (value, along) => ({
    key: "owner.interval",
    label: "how long owners stay as they are, in the mean",
    unit: "s",
    values: [1, 2, 3, 5, 7, 10, 15, 20, 30, 60, 120, 180, 300, 600],
    value,
    along,
  });
  const policy = (value, choices = ["equal", "proportional", "equalize", "equalize-linear", "formula"]) => ({
    key: "split.policy",
    label: "split",
    choices,
    value,
    among: ["equal", "proportional"],
    formulas: [
      {
        key: "split.weight",
        of: "formula",
        label: "a machine's weight, by s, alpha, a, TH, sigma, i, N",
        value: "s/(1 + TH)",
      },
    ],
  });
  const deadline = (value) => ({ key: "run.deadline", label: "deadline", unit: "s", value, values: null });

  page.presets = [
    {
      id: "barriers",
      title: "Ten machines that meet at barriers",
      name: "huang-lee-2007/fig09",
      about:
        "A job in N_s phases: in each, every machine computes, then waits for the last (Huang & Lee 2007, Fig. 9).",
      controls: [
        TH(0.28, 0.57, range(0, 0.5, 0.1)),
        SH(0, 0.28, range(0, 0.28, 0.07)),
        N(10, range(1, 40, 1), [1, 2, 4, 8, 12, 16, 24, 32]),
        {
          key: "job.phases",
          label: "N_s, synchronisation points",
          values: [1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70, 100],
          value: 5,
          along: [1, 2, 5, 10, 20, 50, 100],
          among: [1, 10, 100],
        },
        interval(10, [1, 2, 5, 10, 20, 60]),
        policy("equal"),
        deadline(250),
      ],
      x: "owner.TH",
      curves: "job.phases",
    },
    {
      id: "split",
      title: "Six machines, the faster the less steady: who gets how much?",
      name: "labs/steady-machines",
      about: "How to split a job over machines that differ in speed and steadiness; also by a formula of your own.",
      controls: [
        TH(0.25, 0.5, range(0.2, 0.36, 0.04)),
        SH(0.2, 0.25, range(0, 0.2, 0.05)),
        interval(120, [10, 30, 60, 120, 300, 600]),
        policy("proportional", ["equal", "proportional", "equalize", "equalize-linear", "optimal", "formula"]),
        deadline(1380),
      ],
      x: "owner.TH",
      curves: "split.policy",
    },
    {
      id: "lab-night",
      title: "A lab of mixed machines at night",
      name: "labs/lab-night",
      about: "Ten machines of three speeds, with owners of every model: which split, and on how many of them?",
      controls: [
        N(10, range(1, 10, 1), [1, 2, 4, 6, 8, 10]),
        policy("equal"),
        {
          key: "job.work",
          label: "work",
          unit: "flop",
          values: range(2e13, 3e14, 1e13),
          value: 1e14,
          along: [2e13, 5e13, 1e14, 2e14, 3e14],
        },
        deadline(10800),
      ],
      x: "platform.workstations",
      curves: "split.policy",
    },
    {
      id: "farm",
      title: "A loop of tasks on request: self-scheduling",
      name: "self-scheduling/th",
      about: "A server hands out 1000 tasks to eight workers with unsteady owners: by which technique?",
      controls: [
        {
          key: "job.technique",
          label: "technique",
          choices: "techniques",
          value: "FAC2",
          among: ["SS", "GSS", "FAC2", "static"],
          formulas: [
            {
              key: "job.chunk",
              of: "formula",
              label: "chunk, of R tasks that remain, for P workers",
              value: "ceil(R/(2*P))",
            },
            { key: "job.batch", of: "formula", label: "batch (may stay empty)", value: "" },
          ],
        },
        {
          key: "job.overhead",
          label: "what a chunk costs the server",
          unit: "s",
          values: [0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1],
          value: 0.05,
          along: [0.001, 0.01, 0.05, 0.1, 0.2, 0.5],
          scale: "log",
        },
        TH(0.28, 0.57, range(0, 0.5, 0.1)),
        SH(0, 0.28, range(0, 0.28, 0.07)),
        interval(30, [5, 10, 30, 60, 120, 300, 600]),
        N(9, range(2, 33, 1), [2, 3, 5, 9, 17, 33]),
        deadline(280),
      ],
      x: "owner.TH",
      curves: "job.technique",
      limit: 400,
    },
    {
      id: "merge-sort",
      title: "A merge sort on one Ethernet",
      name: "zhang-yan-1995/one-run",
      about: "Half a million numbers on workstations whose owners take a part of every period (Zhang & Yan 1995).",
      set: ["job={workload: merge-sort, size: 524288}", "platform.weights=merge-sort"],
      controls: [
        N(8, range(1, 12, 1), [1, 2, 4, 6, 8, 10, 12]),
        {
          key: "owner.u",
          label: "u, the owner's part of every period",
          values: range(0, 0.6, 0.02),
          value: 0.1,
          along: range(0, 0.5, 0.1),
          among: [0, 0.1, 0.3],
        },
        {
          key: "owner.period",
          label: "period",
          unit: "s",
          values: [1, 2, 5, 10, 20, 30, 60],
          value: 10,
          along: [1, 2, 5, 10, 20, 60],
          scale: "log",
        },
        policy("proportional", ["equal", "proportional", "formula"]),
        deadline(8),
      ],
      x: "platform.workstations",
      curves: "owner.u",
    },
  ];

  /** What curves may show: the metric, and what it is called. */
  page.exploreMetrics = [
    ["tau", "mean time tau [s]"],
    ["sigma_T", "standard deviation sigma_T [s]"],
    ["sigma_T/tau", "sigma_T/tau"],
    ["RF", "risk of the deadline, RF"],
    ["speedup", "speedup"],
    ["T_90", "nine in ten runs take no longer: T_90 [s]"],
  ];
}
