// Questions and answers: to a session in a worker of this file, or to `nowsim lab serve`.
{
  const block = (id) => document.getElementById(id)?.textContent ?? "";
  const isServed = () => document.getElementById("nowsim-served") !== null;

  /** What was asked was stopped, by another question or by hand: nothing to be told. */
  class Stopped extends Error {}

  /** nowsim's own "no": sentence, and where it is known line, key, and all of several. */
  class Refused extends Error {
    constructor({ sentence, line = null, key = "", all = [] }) {
      super(sentence);
      this.problems = all.length > 0 ? all : [{ sentence, line, key }];
    }
  }

  const answerOf = (text) => {
    const answer = typeof text === "string" ? JSON.parse(text) : text;
    if (answer.error) throw new Refused(answer.error);
    return answer.ok;
  };

  // ---- the worker ----

  /** The bytes of a text in base64 that are gzip's. */
  const unzipped = (base64) => {
    const zipped = new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]);
    return new Response(zipped.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  };

  let compiled = null;
  const compiledModule = () => {
    compiled ??= (async () => {
      const zipped = block("nowsim-wasm").trim();
      if (zipped === "")
        throw new Error(
          "nowsim itself is not in this file. tools/build-page makes one with it; " +
            "'nowsim lab serve --page FILE' serves this one.",
        );
      return WebAssembly.compile(await unzipped(zipped));
    })();
    return compiled;
  };

  const makeWorker = async () => {
    const module = await compiledModule();
    const address = URL.createObjectURL(new Blob([block("nowsim-worker")], { type: "text/javascript" }));
    const worker = new Worker(address);
    worker.postMessage({ wasm: module, files: block("nowsim-files") });
    return { worker, address };
  };

  /** One session in a worker, which answers one question after the other. */
  class WorkerLane {
    #made = null;
    #waiting = new Map();
    #last = 0;

    #worker() {
      this.#made ??= makeWorker().then((made) => {
        made.worker.onmessage = ({ data }) => this.#take(data);
        made.worker.onerror = (event) => this.#fail(new Error(event.message ?? "the worker has stopped"));
        return made;
      });
      return this.#made;
    }
    #take({ id, answer, progress }) {
      const waits = this.#waiting.get(id);
      if (waits === undefined) return;
      if (progress !== undefined)
        return waits.onProgress?.(typeof progress === "string" ? JSON.parse(progress) : progress);
      this.#waiting.delete(id);
      try {
        waits.resolve(answerOf(answer));
      } catch (error) {
        waits.reject(error);
      }
    }
    #fail(error) {
      const waiting = [...this.#waiting.values()];
      this.#waiting.clear();
      this.#made?.then(
        ({ worker, address }) => (worker.terminate(), URL.revokeObjectURL(address)),
        () => {},
      );
      this.#made = null;
      for (const { reject } of waiting) reject(error);
    }
    ask(request, onProgress) {
      const id = ++this.#last;
      return new Promise((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject, onProgress });
        this.#worker().then(
          ({ worker }) => this.#waiting.has(id) && worker.postMessage({ id, request: JSON.stringify(request) }),
          (error) => (this.#waiting.delete(id), (this.#made = null), reject(error)),
        );
      });
    }
    stop() {
      if (this.#waiting.size > 0) this.#fail(new Stopped());
    }
  }

  // ---- nowsim lab serve ----

  class ServedLane {
    #asked = new Set();

    async ask(request) {
      const control = new AbortController();
      this.#asked.add(control);
      try {
        const response = await fetch("ask", { method: "POST", body: JSON.stringify(request), signal: control.signal });
        if (!response.ok) throw new Error(`'nowsim lab serve' answered ${response.status}: is it still the same one?`);
        return answerOf(await response.text());
      } catch (error) {
        if (control.signal.aborted) throw new Stopped();
        if (error instanceof TypeError) throw new Error("'nowsim lab serve' does not answer: has it ended?");
        throw error;
      } finally {
        this.#asked.delete(control);
      }
    }
    stop() {
      for (const control of this.#asked) control.abort();
    }
  }

  const lanes = new Map();
  const lane = (name) => {
    if (!lanes.has(name)) lanes.set(name, isServed() ? new ServedLane() : new WorkerLane());
    return lanes.get(name);
  };

  /**
   * Asks nowsim. What is asked in one lane is answered one by one, and stopped together; lanes go side by side.
   * Rejects with Refused where nowsim says no, with Stopped where the lane was stopped.
   */
  const ask = (request, { onProgress, inLane = "main" } = {}) => lane(inLane).ask(request, onProgress);

  Object.assign(page, { ask, stop: (name = "main") => lane(name).stop(), isServed, Stopped, Refused });
}
