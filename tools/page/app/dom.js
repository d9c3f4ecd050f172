// Elements made of data: text stays text, and of HTML that nowsim made only what is known to be harmless is taken over.
{
  const kSvg = "http://www.w3.org/2000/svg";

  const append = (node, children) => {
    for (const child of children.flat(Infinity))
      if (child !== null && child !== undefined && child !== false) node.append(child);
    return node;
  };

  const set = (node, properties) => {
    for (const [name, value] of Object.entries(properties)) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else node.setAttribute(name, value === true ? "" : value);
    }
    return node;
  };

  /** An HTML element; properties are attributes, or listeners (onclick), children nodes, texts, or lists of them. */
  const element = (tag, properties = {}, ...children) => append(set(document.createElement(tag), properties), children);

  /** An SVG element. */
  const svg = (tag, properties = {}, ...children) =>
    append(set(document.createElementNS(kSvg, tag), properties), children);

  const button = (said, onclick, more = {}) => element("button", { type: "button", onclick, ...more }, said);

  /** Buttons, and what stands among them. */
  const buttons = (...children) => element("p", { class: "buttons" }, children);

  /** Each item a node, a text, or a list of them. */
  const list = (items, properties = {}) =>
    element(
      "ul",
      properties,
      items.map((item) => element("li", {}, item)),
    );

  const details = (summary, ...more) => element("details", {}, element("summary", {}, summary), more);

  const option = (value, said = value) => element("option", { value }, said);
  /** Options are [value, what is said of it]; act(value) is told what is chosen. */
  const select = (id, options, value, act, more = {}) => {
    const choices = options.map((one) => option(...one));
    const node = element("select", { id, onchange: () => act(node.value), ...more }, choices);
    node.value = value;
    return node;
  };

  /** An input with what it is called before it. */
  const field = (id, said, ...input) =>
    element("div", { class: "control" }, element("label", { for: id }, said), input);

  /** Lines as they are, which are moved by keyboard where they are wide. */
  const listing = (label, text) => element("pre", { tabindex: "0", role: "region", "aria-label": label }, text);

  /** A table that is moved by keyboard where it is wide; `isNamed`: the first cell of a row says what it is about. */
  const table = (caption, head, rows, { label = caption, isNamed = false } = {}) => {
    const cell = (text, i) => (isNamed && i === 0 ? element("th", { scope: "row" }, text) : element("td", {}, text));
    const heads = head.map((text) => element("th", { scope: "col" }, text));
    return element(
      "div",
      { class: "wide", tabindex: "0", role: "region", "aria-label": label },
      element("table", {}, [
        element("caption", {}, caption),
        element("thead", {}, element("tr", {}, heads)),
        element(
          "tbody",
          {},
          rows.map((row) => element("tr", {}, row.map(cell))),
        ),
      ]),
    );
  };

  /** Puts these children in the place of all that a node has. */
  const fill = (node, ...children) => {
    node.replaceChildren();
    return append(node, children);
  };

  // ---- HTML that nowsim made ----

  const words = (...texts) => new Set(texts.flatMap((text) => text.split(" ")));
  const kTags = words(
    "p h2 h3 h4 ul ol li table thead tbody tr th td caption strong em b i code pre sub sup br hr blockquote div span",
    "section figure figcaption details summary img dl dt dd small svg g rect line path circle text tspan title",
  );
  const kAttributes = words(
    "class colspan rowspan scope alt role aria-label tabindex open viewBox width height x y x1 x2 y1 y2 cx cy r rx",
    "ry d fill stroke stroke-width stroke-dasharray text-anchor font-size",
  );

  const copy = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE) return null;
    const children = [...node.childNodes].map(copy);
    const tag = node.localName;
    if (tag === "script" || tag === "style") return null;
    if (tag === "a") return element("span", {}, children);
    if (!kTags.has(tag)) return children;
    const out = node.namespaceURI === kSvg ? svg(tag) : element(tag);
    for (const { name, value } of node.attributes)
      if (kAttributes.has(name) || (name === "src" && value.startsWith("data:image/svg+xml")))
        out.setAttribute(name, value);
    return append(out, [children]);
  };

  /** What of a piece of HTML that nowsim made is harmless, as nodes: nothing in it is run or loaded. */
  const nodesOf = (html) => [...new DOMParser().parseFromString(html, "text/html").body.childNodes].map(copy);

  Object.assign(page, {
    element,
    svg,
    button,
    buttons,
    list,
    details,
    option,
    select,
    field,
    listing,
    table,
    fill,
    nodesOf,
  });
}
