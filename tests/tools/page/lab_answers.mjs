// Right answers as 'nowsim lab key' prints them, and how they are written into the page's form.
import { check } from "./browser.mjs";

/** {question: text, or {item: text}}, of the steps in one. */
export const rightAnswers = (key) => {
  const answers = {};
  for (const [, question, right] of key.matchAll(/^- `(\w+)`:[^\n]*\n(?:(?!- `)[^\n]*\n)*? *- right: ([^\n]*)$/gm)) {
    const plain = right.replace(/ \([^)]*\)/g, "");
    const items = /^\w+: /.test(plain) ? plain.split(/, (?=\w+: )/).map((part) => part.split(": ")) : null;
    answers[question] = items === null ? plain : Object.fromEntries(items);
  }
  return answers;
};

/** Writes what is known into all open questions that are asked now; gives the questions. */
export const answerOpenQuestions = async (tab, answers) => {
  const asked = await tab.page.$$eval(".lab .question", (nodes) =>
    nodes
      .filter((node) => node.querySelector("input:not(:disabled), select:not(:disabled)") !== null)
      .map((node) => ({
        key: node.getAttribute("aria-labelledby").replace(/^step-\d+-|-ask$/g, ""),
        fields: [...node.querySelectorAll("input, select")].map(({ id }) => ({
          id,
          item: node.querySelector(`label[for="${id}"]`).textContent.trim(),
        })),
      })),
  );
  for (const { key, fields } of asked)
    for (const { id, item } of fields) {
      const answer = typeof answers[key] === "object" ? answers[key][item] : answers[key];
      check(answer !== undefined, `'nowsim lab key' has no answer to ${key} ${item}`);
      await tab.write(`[id="${id}"]`, answer);
    }
  return asked.map(({ key }) => key);
};
