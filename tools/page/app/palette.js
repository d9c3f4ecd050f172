// Colours, light and dark: of pages by style.css, of pictures from here, told apart by the colour-blind.
{
  const kRamp = [
    [68, 1, 84],
    [70, 50, 126],
    [54, 92, 141],
    [39, 127, 142],
    [31, 161, 135],
    [74, 193, 109],
    [160, 218, 57],
    [253, 231, 37],
  ];

  /** The colour at a part (0 to 1) of a ramp from dark blue over green to yellow, as nowsim's pictures have it. */
  const rampColour = (part) => {
    const at = Math.min(Math.max(part, 0), 1) * (kRamp.length - 1);
    const i = Math.min(Math.floor(at), kRamp.length - 2);
    return `rgb(${kRamp[i].map((c, k) => Math.round(c + (at - i) * (kRamp[i + 1][k] - c))).join(", ")})`;
  };

  const kLight = {
    paper: "#ffffff",
    ink: "#1c2430",
    quiet: "#5a6472",
    line: "#d4d9e0",
    accent: "#b03020",
    area: "#e9edf2",
    series: [
      "#332288",
      "#c2410c",
      "#117733",
      "#aa3377",
      "#0077a8",
      "#806000",
      "#882255",
      "#3f7f7f",
      "#5b5b5b",
      "#a83250",
    ],
    cells: [
      "#332288",
      "#88ccee",
      "#117733",
      "#ddcc77",
      "#cc6677",
      "#44aa99",
      "#aa4499",
      "#999933",
      "#882255",
      "#bbbbbb",
    ],
    activities: {
      compute: "#36688d",
      send: "#2a9d7f",
      transfer: "#41b36a",
      "message-work": "#8a6fa8",
      spawn: "#b08d57",
      receive: "#a9d43c",
      barrier: "#f2d52b",
      sleep: "#c9c9c9",
      idle: "#707070",
      off: "#000000",
    },
    available: "#9a9a9a",
    taken: "#ececec",
  };
  const kDark = {
    paper: "#14181e",
    ink: "#e6e9ee",
    quiet: "#a3adba",
    line: "#39424e",
    accent: "#ff8a75",
    area: "#222932",
    series: [
      "#9db4ff",
      "#ffab70",
      "#6fd08c",
      "#f59ad0",
      "#66c7f0",
      "#e3c65b",
      "#e58aa8",
      "#7fd6d0",
      "#c0c4cc",
      "#ff9c9c",
    ],
    cells: [
      "#4b3fae",
      "#88ccee",
      "#1f9a4a",
      "#ddcc77",
      "#cc6677",
      "#44aa99",
      "#b95bb0",
      "#999933",
      "#a04070",
      "#9a9a9a",
    ],
    activities: {
      compute: "#5a94c4",
      send: "#2fae8d",
      transfer: "#55c97f",
      "message-work": "#a48bc4",
      spawn: "#c4a26c",
      receive: "#a9d43c",
      barrier: "#f2d52b",
      sleep: "#8d8d8d",
      idle: "#9a9a9a",
      off: "#f0f0f0",
    },
    available: "#8a8f96",
    taken: "#2b323b",
  };

  const wantsDark = matchMedia("(prefers-color-scheme: dark)");
  let isPrinting = false;

  /** The colours of pictures on the page as it is now; on paper, and in files, light ones. */
  const palette = (isFile = false) => (!isFile && !isPrinting && wantsDark.matches ? kDark : kLight);

  const watchers = new Map();
  const repaint = () => {
    for (const [node, paint] of watchers) node.isConnected ? paint() : watchers.delete(node);
  };
  /** Calls paint() when colours change, as long as the node is on the page. */
  const onPaletteChange = (node, paint) => watchers.set(node, paint);

  wantsDark.addEventListener("change", repaint);
  addEventListener("beforeprint", () => ((isPrinting = true), repaint()));
  addEventListener("afterprint", () => ((isPrinting = false), repaint()));

  /** A colour (#rrggbb) of which a part is kept, the rest being white. */
  const mixedWithWhite = (colour, part) => {
    const rgb = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
    return `rgb(${rgb.map((c) => Math.round(part * c + (1 - part) * 255)).join(", ")})`;
  };

  /** Black or white, whichever is read better on this colour (#rrggbb or rgb(r, g, b)). */
  const inkOn = (colour) => {
    const rgb = colour.startsWith("#")
      ? [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16))
      : colour.match(/\d+/g).map(Number);
    const linear = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] > 0.18 ? "#000000" : "#ffffff";
  };

  Object.assign(page, {
    palette,
    onPaletteChange,
    rampColour,
    inkOn,
    mixedWithWhite,
    dashes: [[], [10, 4], [3, 3], [10, 3, 3, 3], [10, 3, 3, 3, 3, 3]],
  });
}
