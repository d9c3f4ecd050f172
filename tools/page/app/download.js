// Files for the user: texts, pictures drawn as SVG, and canvases made whole with title, labels and legend as PNG.
{
  const save = (name, blob) => {
    const address = URL.createObjectURL(blob);
    const link = page.element("a", { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  };

  const saveText = (name, text, type = "text/plain") => save(name, new Blob([text], { type: `${type};charset=utf-8` }));

  const saveSvg = (name, svg) =>
    saveText(
      name,
      `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(svg)}\n`,
      "image/svg+xml",
    );

  const savePng = (name, canvas) => canvas.toBlob((blob) => blob && save(name, blob), "image/png");

  /** A file that the user chooses, as {name, text}; null where none was. */
  const chosenFile = (accept) =>
    new Promise((resolve) => {
      const input = page.element("input", { type: "file", accept, hidden: true, class: "file-chooser" });
      const done = (value) => (input.remove(), resolve(value));
      input.addEventListener("change", async () =>
        done(input.files[0] ? { name: input.files[0].name, text: await input.files[0].text() } : null),
      );
      input.addEventListener("cancel", () => done(null));
      document.body.append(input);
      input.click();
    });

  /** Puts a text on the clipboard, and says on the button how that went. */
  const copyText = async (text, button) => {
    const said = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      const area = page.element("textarea", { class: "off-screen", "aria-hidden": "true" });
      area.value = text;
      document.body.append(area);
      area.select();
      button.textContent = document.execCommand("copy") ? "Copied" : "Could not copy";
      area.remove();
      button.focus();
    }
    setTimeout(() => (button.textContent = said), 1500);
  };

  /** A name that every file system takes. */
  const fileName = (name, ending) =>
    `${
      name
        .replace(/\.[a-z]+$/i, "")
        .replace(/[^A-Za-z0-9._-]+/g, "-")
        .replace(/^[-.]+|-+$/g, "")
        .slice(0, 60) || "nowsim"
    }${ending}`;

  Object.assign(page, { saveText, saveSvg, savePng, chosenFile, copyText, fileName });
}
