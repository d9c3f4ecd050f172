// The style of a report's page: light and dark, narrow and wide, on paper.
#include "experiments/driver/reports/html_parts.hpp"

namespace nowsim::html {

// Verdicts are blue and vermilion (Okabe & Ito's, told apart by everybody), darker or lighter for contrast.
const char* style() {
  return R"(
:root { color-scheme: light dark; --ink: #1c2128; --ground: #fff; --quiet: #59636e; --line: #d1d9e0;
  --soft: #f6f8fa; --link: #0550ae; --yes: #005a9c; --no: #b03a00; --open: #59636e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --ground: #0d1117; --quiet: #9198a1; --line: #3d444d;
  --soft: #151b23; --link: #79b8ff; --yes: #6cb6ff; --no: #ff9e5e; --open: #9198a1; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 78rem; color: var(--ink); background: var(--ground);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
h1, h2, h3, h4 { line-height: 1.25; margin: 1.5em 0 .5em; }
h1 { margin-top: .5em; }
h2 { border-bottom: 1px solid var(--line); padding-bottom: .2em; }
a { color: var(--link); }
p { margin: .5em 0; max-width: 50rem; }
table { border-collapse: collapse; font-size: .9rem; }
td { overflow-wrap: anywhere; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
thead th { background: var(--soft); }
tbody th { font-weight: 600; }
.totals td, .results td { overflow-wrap: normal; text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.board { width: 100%; table-layout: fixed; }
.board th:nth-child(1) { width: 15%; } .board th:nth-child(2) { width: 40%; } .board th:nth-child(3) { width: 13%; }
.board th:nth-child(4) { width: 19%; } .board th:nth-child(5) { width: 13%; }
.board .why { max-width: none; }
.board tr:target { background: var(--soft); }
.entry.variant th { padding-left: 1.6rem; font-weight: 400; }
#scoreboard > input { position: absolute; opacity: 0; pointer-events: none; }
.choices p { max-width: none; }
.choices label { display: inline-block; border: 1px solid var(--line); border-radius: 1rem; padding: .1rem .7rem; margin: .1rem 0;
  font-size: .9rem; cursor: pointer; }
.boards { display: flex; flex-direction: column; counter-reset: shown; }
.entry { counter-increment: shown; }
.shown { order: -1; }
.shown:after { content: "claims shown: " counter(shown); }
.boards .entry:target { display: table-row !important; }
.boards section:has(:target) { display: block !important; }
.gallery { list-style: none; padding: 0; display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); }
.gallery li { border: 1px solid var(--line); padding: .5rem; font-size: .85rem; }
.gallery a { display: block; text-decoration: none; }
.gallery img, .blank { display: block; width: 100%; height: 8rem; object-fit: contain; background: #fff; border: 0;
  margin-bottom: .4rem; }
.blank { display: grid; place-items: center; color: #59636e; }
.tally > span { white-space: nowrap; margin-right: .6em; }
.wide { overflow-x: auto; }
.quiet, small { color: var(--quiet); font-size: .85em; }
.why { color: var(--quiet); margin: .2em 0 0; }
.verdict { font-weight: 600; white-space: nowrap; }
.is-yes { color: var(--yes); } .is-no { color: var(--no); } .is-open { color: var(--open); }
.gaps { border-left: .3rem solid var(--no); background: var(--soft); padding: .5rem 1rem; }
article { border-top: 1px solid var(--line); padding: .2rem 0 1rem; }
.beside { display: grid; grid-template-columns: minmax(0, 3fr) minmax(16rem, 2fr); gap: 1rem 1.5rem; align-items: start; }
figure { margin: 0; }
img { width: 100%; height: auto; background: #fff; border: 1px solid var(--line); }
details { margin: .5em 0; }
summary { cursor: pointer; }
pre { overflow-x: auto; background: var(--soft); padding: .6rem; font-size: .8rem; line-height: 1.35; }
.claims li { margin: .6em 0; max-width: 60rem; }
@media (max-width: 50rem) {
  .beside { grid-template-columns: minmax(0, 1fr); }
  .board thead { display: none; }
  .board tr, .board th, .board td { display: block; border: 0; padding: .1rem 0; }
  .board tr > * { width: auto !important; }
  .boards .entry:target { display: block !important; }
  .board tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
  .board td:not(:empty):before { content: attr(data-of) ": "; color: var(--quiet); font-size: .85em; }
}
@media print {
  :root { --ink: #000; --ground: #fff; --quiet: #444; --line: #bbb; --soft: #f4f4f4; --link: #000;
    --yes: #005a9c; --no: #b03a00; --open: #444; }
  body { max-width: none; padding: 0; font-size: 9pt; }
  nav, .choices, details:not([open]) { display: none; }
  figure, tr, .claims li { break-inside: avoid; }
  h2, h3, h4 { break-after: avoid; }
}
)";
}

}  // namespace nowsim::html
