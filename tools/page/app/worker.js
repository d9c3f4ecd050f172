// A session in a worker. The first message brings nowsim, compiled, and the files that come with it: {wasm, files}; every
// later one a question: {id, request}, answered by {id, answer}, and before that {id, progress} now and then.
"use strict";

const kLeastBetween_ms = 50; // progress is for eyes
let inside = null; // a promise of what the first message brought: {wasm, files}
let session = null;
let asking = null; // whose question is being answered
let told_ms = 0;

const unzipped = async (base64) => {
  const bytes = Uint8Array.from(atob(base64.trim()), (c) => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
};

const tell = (progress) => {
  const now_ms = performance.now();
  if (now_ms - told_ms < kLeastBetween_ms) return;
  told_ms = now_ms;
  postMessage({ id: asking, progress });
};

const begin = async ({ wasm, files }) => {
  let fail;
  const failed = new Promise((_, reject) => (fail = reject)); // nowsimModule waits for ever for an instance
  const instantiateWasm = (imports, done) => {
    WebAssembly.instantiate(wasm, imports)
      .then((instance) => done(instance, wasm))
      .catch(fail);
    return {};
  };
  const made = nowsimModule({ instantiateWasm, print: console.log, printErr: console.warn });
  const nowsim = await Promise.race([made, failed]);
  for (const [name, text] of Object.entries(files)) {
    const path = `/nowsim/${name}`;
    nowsim.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    nowsim.FS.writeFile(path, text);
  }
  return new nowsim.Session(tell);
};

/** Where nowsim itself ends, for want of memory, the next question gets a new one. */
const answerTo = async (request) => {
  let what = "cannot begin in this browser";
  try {
    session ??= await begin(await inside);
    what = "has ended over this question";
    return session.answer(request);
  } catch (error) {
    session = null;
    const sentence = `nowsim ${what} (${error.message ?? error}): it may want more memory than a page has`;
    return JSON.stringify({ error: { sentence, line: null, key: "" } });
  }
};

let last = Promise.resolve(); // one question after the other
self.onmessage = ({ data }) => {
  if (data.wasm !== undefined) {
    inside = unzipped(data.files).then((text) => ({ wasm: data.wasm, files: JSON.parse(text) }));
    return;
  }
  last = last.then(async () => {
    asking = data.id;
    postMessage({ id: data.id, answer: await answerTo(data.request) });
  });
};
