// The texts of tests/awkward_texts.hpp, read from there.
import fs from "node:fs";

/** Each of them that could act would make this name known; of bytes that are no UTF-8 the letters of those numbers. */
export const awkwardTexts = (header, made) => {
  const text = fs.readFileSync(header, "utf8");
  const [, list] = text.match(/return \{([\s\S]*?)\};/) ?? [];
  if (list === undefined) throw new Error(`${header} has no list of texts that is known here`);
  const script = list.replace(/"\s*\n\s*"/g, '" + "').replace(/std::string\((\d+), '(.)'\)/g, '"$2".repeat($1)');
  return new Function("made", `return [${script}];`)(made);
};
