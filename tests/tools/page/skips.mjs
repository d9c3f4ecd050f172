// Skips that are seen: status 77, or 1 where NOWSIM_NO_SKIPS is set and NOWSIM_MAY_SKIP does not name what is missing, as
// in tests/skips.hpp. Words here: chromium, page, puppeteer.

/** Ends the script. */
export const skip = (missing, why) => {
  const { NOWSIM_NO_SKIPS: strict = "", NOWSIM_MAY_SKIP: named = "" } = process.env;
  const may = ["", "0"].includes(strict) || named.split(",").includes(missing);
  console.log(may ? `skipped: ${why}` : `not skipped, by NOWSIM_NO_SKIPS: ${why} (NOWSIM_MAY_SKIP=${missing})`);
  process.exit(may ? 77 : 1);
};
