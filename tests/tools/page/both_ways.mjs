// Every lab's experiments, started, run, filled in and checked by the page's WebAssembly and by the program's own
// machine code: the same answers, byte by byte; where a split is searched for, within the search's tolerance.
// usage: node both_ways.mjs NOWSIM_ANSWERS SOURCES PAGE.html     skipped (skips.mjs) where the page was not built
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { skip } from "./skips.mjs";

const [program, sources, page] = process.argv.slice(2);
if (!existsSync(page)) skip("page", `there is no ${page} (tools/build-page makes it)`);

/** A process that answers questions, a line of JSON each. */
class Answerer {
  constructor(command, words) {
    // No gnuplot is found, which a browser has not either: the pictures of labs are no answers of nowsim's own.
    this.process = spawn(command, words, { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, PATH: "" } });
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
    this.seconds = 0;
  }
  async ask(question) {
    const begin = performance.now();
    this.process.stdin.write(JSON.stringify(question) + "\n");
    const { value, done } = await this.lines.next();
    if (done) throw new Error(`no answer to ${question.do}`);
    this.seconds += (performance.now() - begin) / 1000;
    return comparable(value);
  }
  end() {
    this.process.stdin.end();
  }
}

const ask = fileURLToPath(new URL("ask.mjs", import.meta.url));
const native = new Answerer(program, [`${sources}/experiments`, `${sources}/experiments/labs`, "--browser"]);
const browser = new Answerer(process.execPath, [ask, page]);

let compared = 0, differing = 0;

const kNoPicture = /there is no gnuplot here to draw it with \(on Debian: apt-get install gnuplot-nox\)|gnuplot, which draws pictures, cannot be called here/g;

/** What took how long is no answer, nor where the files are; why there is no picture each says in its own words. */
function comparable(text) {
  const answer = JSON.parse(text.replaceAll(`${sources}/`, "/nowsim/").replace(kNoPicture, "no gnuplot"));
  if (answer.ok) delete answer.ok.seconds;
  if (answer.ok?.feedback) answer.ok.text = answer.ok.text.replace(/\s+/g, " ").replace(kNoPicture, "no gnuplot"); // lines end elsewhere
  return answer;
}

/** The first place where two values differ; "" where they do not. Numbers within a share of each other are alike. */
function difference(a, b, share, at = "") {
  if (typeof a === "number" && typeof b === "number" && Math.abs(a - b) <= share * Math.max(Math.abs(a), Math.abs(b))) return "";
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null)
    return a === b ? "" : `${at}: ${JSON.stringify(a)} natively, ${JSON.stringify(b)} in WebAssembly`.slice(0, 600);
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const found = difference(a[key], b[key], share, `${at}.${key}`);
    if (found) return found;
  }
  return "";
}

const kSearchTolerance = 0.02;  // as split: optimal promises, and what follows from it

/** Of a searched split the numbers alone are compared: texts show more digits than the search promises. */
function searched(answer) {
  return answer.ok?.summary ? { rows: answer.ok.summary } : answer;
}

async function both(question, about) {
  const [a, b] = await Promise.all([native.ask(question), browser.ask(question)]);
  ++compared;
  const found = a.ok?.splits ? difference(searched(a), searched(b), kSearchTolerance) : difference(a, b, 0);
  if (found) {
    ++differing;
    console.log(`${about}: ${found}`);
  }
  return a;
}

/** An answer that can be read, right or wrong, and is not asked back. */
function some_answer(question) {
  const one = question.takes === "formula" ? "ceil(R/(2*N))"
    : question.options.length > 0 ? question.options[0].word : question.unit === "%" ? "12%" : "3!";
  return question.items.length === 0 ? one : Object.fromEntries(question.items.map((item) => [item, one]));
}

const catalogue = await both({ do: "catalogue" }, "the catalogue");
for (const { name } of catalogue.ok.experiments.filter((e) => e.name.startsWith("labs/"))) {
  const text = await both({ do: "text", name }, name);
  const scenario = { yaml: text.ok.yaml, name: text.ok.name, set: [] };
  const described = await both({ do: "describe", ...scenario }, `${name}: described`);
  const replications = Math.min(described.ok?.replications ?? 40, 40);
  await both({ do: "run", ...scenario, replications }, name);
}
for (const { name } of catalogue.ok.labs) {
  let state = (await both({ do: "lab.start", lab: name, id: "ada" }, `lab ${name}: start`)).ok;
  for (let step = 0; state && step < 2; ++step) {
    const open = state.steps.filter((s) => s.is_open).at(-1);
    const answers = { [open.key]: Object.fromEntries(open.questions.filter((q) => !q.absent).map((q) => [q.key, some_answer(q)])) };
    const filled = (await both({ do: "lab.fill", files: state.files, answers }, `lab ${name}: ${open.key} filled in`)).ok;
    state = filled && (await both({ do: "lab.check", files: filled.files }, `lab ${name}: ${open.key} checked`)).ok;
  }
}
native.end();
browser.end();
console.log(`${compared} answers compared, ${differing} differ; ${native.seconds.toFixed(1)} s natively, ` +
            `${browser.seconds.toFixed(1)} s in WebAssembly, at the same time`);
process.exit(differing === 0 && compared > 80 ? 0 : 1);
