// Questions to the page's own nowsim, in WebAssembly, under Node: as the page's worker runs it, without a browser.
//   node ask.mjs nowsim-labs.html < questions > answers        a line of JSON each
import { readFileSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { runInThisContext } from "node:vm";
import { gunzipSync } from "node:zlib";

const page = readFileSync(process.argv[2], "utf8");
const block = (id) => {
  const found = page.match(new RegExp(`<script type="text/plain" id="${id}">([^]*?)</script>`));
  if (found === null) throw new Error(`${process.argv[2]} has no block ${id}`);
  return found[1];
};

// What the worker is told to, and what it tells.
let answered = null;
globalThis.self = globalThis;
globalThis.location = new URL("blob:nowsim");
globalThis.postMessage = ({ answer }) => answer !== undefined && answered(answer);
runInThisContext(block("nowsim-worker"), { filename: "nowsim-worker" });
const wasm = new WebAssembly.Module(gunzipSync(Buffer.from(block("nowsim-wasm"), "base64")));
self.onmessage({ data: { wasm, files: block("nowsim-files") } });

let id = 0;
for await (const request of createInterface({ input: process.stdin }))
  await new Promise((resolve) => {
    answered = (answer) => (writeSync(1, `${answer}\n`), resolve());
    self.onmessage({ data: { id: ++id, request } });
  });
