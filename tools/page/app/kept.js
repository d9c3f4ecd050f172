// What the page keeps in this browser, so that a reload loses nothing; else until it is closed.
{
  const kPrefix = "nowsim-page-1."; // another version's things are left alone
  const kSpare = "spare-"; // what can be had again: it makes room for everything else
  const memory = new Map(); // what the browser did not take; null where another tab has written it since

  const tellWhetherKept = () => {
    const notice = document.getElementById("kept-nothing");
    if (notice) notice.hidden = memory.size === 0;
  };

  /** All names that begin so, of other tabs too. */
  const names = (begin = "") => {
    const all = new Set(memory.keys());
    try {
      for (let i = 0; i < localStorage.length; ++i)
        if (localStorage.key(i).startsWith(kPrefix)) all.add(localStorage.key(i).slice(kPrefix.length));
    } catch {
      // a browser that keeps nothing
    }
    return [...all].filter((name) => name.startsWith(begin));
  };

  /** Read anew each time: another tab may have written it. */
  const read = (name, otherwise) => {
    try {
      const text = memory.get(name) ?? localStorage.getItem(kPrefix + name);
      return text === null ? otherwise : JSON.parse(text);
    } catch {
      return otherwise;
    }
  };

  const forget = (name) => {
    memory.delete(name);
    try {
      localStorage.removeItem(kPrefix + name);
    } catch {
      // nothing is kept there
    }
    tellWhetherKept();
  };

  const isTaken = (name, text) => {
    try {
      localStorage.setItem(kPrefix + name, text);
      return true;
    } catch {
      return false;
    }
  };

  /** Whether the browser took it; where it is full, what can be had again goes first. */
  const write = (name, value) => {
    const text = JSON.stringify(value);
    let keeps = isTaken(name, text);
    if (!keeps) {
      names(kSpare).forEach(forget);
      keeps = isTaken(name, text);
    }
    if (keeps) memory.delete(name);
    else memory.set(name, text);
    tellWhetherKept();
    return keeps;
  };

  /** Keeps the first of these that the browser takes, or nothing: what can be computed again. */
  const writeSpare = (name, values) => {
    forget(kSpare + name);
    return values.some((value) => isTaken(kSpare + name, JSON.stringify(value)));
  };
  const readSpare = (name, otherwise) => read(kSpare + name, otherwise);
  const forgetSpare = (name) => forget(kSpare + name);

  const forgetAll = () => names().forEach(forget);

  /** act(name, newValue) is told what another tab has written or deleted. */
  const onChange = (act) =>
    addEventListener("storage", ({ key, newValue, storageArea }) => {
      if (storageArea === localStorage && key?.startsWith(kPrefix)) act(key.slice(kPrefix.length), newValue);
    });
  onChange((name, newValue) => {
    if (!memory.has(name)) return;
    if (newValue === null) memory.delete(name);
    else memory.set(name, null);
    tellWhetherKept();
  });
  /** act(name, isSpare) is told it too; of what can be had again its name without "spare-". */
  const listen = (act) => onChange((name) => act(name.replace(/^spare-/, ""), name.startsWith(kSpare)));

  page.kept = { names, read, write, forget, readSpare, writeSpare, forgetSpare, forgetAll, listen };
}
