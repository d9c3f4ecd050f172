// What the page keeps in this browser, so that a reload loses nothing; else until it is closed.
{
  const kPrefix = "nowsim-page-1."; // another version's things are left alone
  const memory = new Map();
  let keeps = true;

  const read = (name, otherwise) => {
    if (memory.has(name)) return memory.get(name);
    try {
      const text = localStorage.getItem(kPrefix + name);
      return text === null ? otherwise : JSON.parse(text);
    } catch {
      return otherwise;
    }
  };

  /** Whether the browser took it. */
  const write = (name, value) => {
    memory.set(name, value);
    try {
      localStorage.setItem(kPrefix + name, JSON.stringify(value));
      keeps = true;
    } catch {
      keeps = false;
      document.getElementById("kept-nothing")?.removeAttribute("hidden");
    }
    return keeps;
  };

  const forget = (name) => {
    memory.delete(name);
    try {
      localStorage.removeItem(kPrefix + name);
    } catch {
      keeps = false;
    }
  };

  page.kept = { read, write, forget };
}
