// Numbers and names as they are shown: with as many digits as are read at a glance, none of them computed.
{
  /** Four significant digits, without zeros at the end; "?" for what is not known. */
  const number = (x, digits = 4) => {
    if (x === null || x === undefined || !Number.isFinite(x)) return "?";
    if (x !== 0 && (Math.abs(x) >= 1e6 || Math.abs(x) < 1e-3))
      return x.toExponential(digits - 1).replace(/\.?0+e/, "e");
    return String(Number(x.toPrecision(digits)));
  };

  /** Digits of the value that its interval supports, two of its width. */
  const digitsFor = (value, low, high) => {
    const width = (high - low) / 2;
    if (!(width > 0) || value === 0) return 5;
    return Math.min(9, Math.max(1, Math.floor(Math.log10(Math.abs(value))) - Math.floor(Math.log10(width)) + 2));
  };

  /** "205.12 (204.98 to 205.26)". */
  const estimate = ({ value, low, high }, unit = "") => {
    const digits = digitsFor(value, low, high);
    const behind = unit === "" ? "" : ` ${unit}`;
    if (low === null || high === null || low === undefined || low === high) return number(value, digits) + behind;
    return `${number(value, digits)}${behind} (${number(low, digits)} to ${number(high, digits)})`;
  };

  const kTimeUnits = [
    [86400 * 2, 86400, "d"],
    [7200, 3600, "h"],
    [600, 60, "min"],
    [0.5, 1, "s"],
    [5e-4, 1e-3, "ms"],
    [0, 1e-6, "µs"],
  ];

  /** The unit in which times up to this many seconds are read at a glance: {seconds, name}. */
  const timeUnit = (most_s) => {
    const [, seconds, name] = kTimeUnits.find(([from]) => most_s >= from) ?? kTimeUnits.at(-1);
    return { seconds, name };
  };

  const bytes = (n) => {
    const [size, unit] = n >= 1e9 ? [1e9, "GB"] : n >= 1e6 ? [1e6, "MB"] : n >= 1e3 ? [1e3, "kB"] : [1, "B"];
    return `${number(n / size, 3)} ${unit}`;
  };

  /** About so many round values from least to most. */
  const ticks = (least, most, count) => {
    const raw = (most - least) / Math.max(1, count);
    if (!(raw > 0)) return [least];
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].find((x) => x * power >= raw * 0.999) * power;
    const out = [];
    for (let i = Math.ceil(least / step - 1e-9); i * step <= most + 1e-9 * step; ++i)
      out.push(Number((i * step).toPrecision(12)));
    return out;
  };

  /** Round values on a logarithmic axis, at most so many: 1, 2 and 5 of each power of ten, or fewer of them. */
  const logTicks = (least, most, count) => {
    const [first, last] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most))];
    const inside = (digits, every = 1) =>
      Array.from({ length: last - first + 1 }, (_, i) => first + i)
        .filter((power) => power % every === 0)
        .flatMap((power) => digits.map((digit) => Number(`${digit}e${power}`)))
        .filter((x) => x >= least && x <= most);
    if (inside([1, 2, 5]).length < 3) return ticks(least, most, count);
    const few = [[1, 2, 5], [1, 5], [1]].map((digits) => inside(digits)).find(({ length }) => length <= count);
    return few ?? inside([1], Math.ceil((last - first) / Math.max(1, count)));
  };

  /** Numbers that stand along an axis, all in one notation. */
  const axisNumbers = (values) => {
    const isLong = (x) => x !== 0 && (Math.abs(x) >= 1e6 || Math.abs(x) < 1e-3);
    const areLong = values.some((x) => x !== null && isLong(x));
    const text = (x) => (areLong && x !== 0 ? x.toExponential() : String(x));
    return values.map((x) => (x === null ? "" : text(Number(x.toPrecision(10)))));
  };

  const shortened = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

  page.format = { shortened, number, estimate, timeUnit, bytes, ticks, logTicks, axisNumbers };
}
