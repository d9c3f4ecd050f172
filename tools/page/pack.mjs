// Puts the page into one file: index.html with its styles and scripts in it, nowsim's WebAssembly and the shipped files.
// usage: node pack.mjs APP MODULES [WASM_FOLDER SOURCES LICENCES.txt] PAGE.html
//   APP: the folder of index.html; MODULES: where its node_modules/ is; WASM_FOLDER: of nowsim_page.js and .wasm;
//   SOURCES: the folder of experiments/ and platforms/. Without these three: a page for `nowsim lab serve` alone.
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

const [app, modules, ...rest] = process.argv.slice(2);
const target = rest.pop();
const [wasmFolder, sources, licences] = rest;
const isServedOnly = rest.length === 0;
const textOf = (folder, ...names) => readFileSync(join(folder, ...names), "utf8");
const packed = (bytes) => gzipSync(bytes, { level: 9 }).toString("base64");

/** What an installed nowsim has of these folders, but for teachers' pages. */
const isShipped = (name) => /\.(yaml|xml|profile|csv|csv\.gz|py)$|(^|\/)(handout\.md|trace\.txt|rank-\d+\.txt\.gz)$/.test(name);
const filesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return relative(sources, path) === join("experiments", "driver") ? [] : filesIn(path);
    return isShipped(path) ? [path] : [];
  });
const folders = isServedOnly ? [] : ["experiments", "platforms"];
const shipped = folders.flatMap((folder) => filesIn(join(sources, folder))).sort();
/** Traces are read by what they hold, not by their names: what is compressed is packed as it is once unpacked. */
const shippedText = (path) => (path.endsWith(".gz") ? gunzipSync(readFileSync(path)).toString("utf8") : textOf(path));
const files = Object.fromEntries(shipped.map((path) => [relative(sources, path), shippedText(path)]));

/** A text as an element of HTML holds it that ends at its own name alone; code says the same in another way. */
const within = (element, text) => {
  if (new RegExp(`</${element}|<!--`, "i").test(text)) throw new Error(`a text holds what ends <${element}>`);
  return text;
};
const code = (text) => within("script", text.replace(/<\/(?=script)/gi, "<\\/").replace(/<!--/g, "<\\!--"));
const block = (id, text) => `<script type="text/plain" id="${id}">${within("script", text)}</script>`;

const ofPage = (name) => textOf(name.startsWith("node_modules/") ? modules : app, name);
const blocks = () =>
  [
    block("nowsim-worker", code(`${textOf(wasmFolder, "nowsim_page.js")}\n${textOf(app, "worker.js")}`)),
    block("nowsim-wasm", packed(readFileSync(join(wasmFolder, "nowsim_page.wasm")))),
    block("nowsim-files", packed(JSON.stringify(files))),
    block("nowsim-licences", code(readFileSync(licences, "utf8"))),
  ].join("\n");

let blocksFound = 0;
const html = textOf(app, "index.html")
  .replace(/<link rel="stylesheet" href="([^"]*)">/g, (_, name) => `<style>\n${within("style", ofPage(name))}</style>`)
  .replace(/<script type="text\/plain" id="([^"]*)" src="([^"]*)"><\/script>/g, (_, id, name) => block(id, ofPage(name)))
  .replace(/<script src="([^"]*)"><\/script>/g, (_, name) => `<script>\n${code(ofPage(name))}</script>`)
  .replace("<!-- nowsim blocks -->", () => (++blocksFound, isServedOnly ? "" : blocks()));
if (blocksFound !== 1) throw new Error("index.html has no place for nowsim's blocks");
const left = html.match(/<(link|script)[^>]*(href|src)="(?!data:)[^"]*"/);
if (left !== null) throw new Error(`index.html still asks for another file: ${left[0]}`);

writeFileSync(`${target}.new`, html);
renameSync(`${target}.new`, target);
const mebibytes = (text) => (Buffer.byteLength(text) / 2 ** 20).toFixed(2);
const parts = () => `WebAssembly ${mebibytes(packed(readFileSync(join(wasmFolder, "nowsim_page.wasm"))))}, ` +
                    `${shipped.length} files ${mebibytes(packed(JSON.stringify(files)))}`;
console.log(`${target}: ${mebibytes(html)} MiB, ${isServedOnly ? "for 'nowsim lab serve' alone" : `of which ${parts()}`}`);
