// Writing the frame: a link past the head, landmarks, headings in order.
#include "experiments/driver/labs/lab_page.hpp"

#include "experiments/driver/reports/html_parts.hpp"
#include "experiments/driver/reports/html_text.hpp"

namespace nowsim {
namespace {

constexpr const char* kLabStyle = R"(
.skip { position: absolute; left: -100rem; } .skip:focus { position: static; }
a:focus-visible, summary:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
nav ul { columns: auto; } caption { text-align: left; color: var(--quiet); padding: .3rem 0; }
table { margin: .5em 0; } td { font-variant-numeric: tabular-nums; }
code { background: var(--soft); padding: 0 .2em; } pre { font-size: .9rem; } pre code { padding: 0; }
.question { border-left: .3rem solid var(--line); padding: .1rem 1rem; margin: 1rem 0; max-width: 52rem; }
.question ul { margin: .3em 0; } li { max-width: 50rem; }
svg.score { max-width: 40rem; width: 100%; height: auto; }
@media print { .skip { display: none; } .question { break-inside: avoid; } }
)";

}  // namespace

std::string html_element(const std::string& tag, const std::string& text) {
  return "<" + tag + ">" + html_text(text) + "</" + tag.substr(0, tag.find(' ')) + ">\n";
}

std::string html_table(const std::string& caption, const std::vector<std::vector<std::string>>& rows) {
  std::string out = "<div class=\"wide\"><table>\n" + (caption.empty() ? "" : html_element("caption", caption));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    out += r == 0 ? "<thead><tr>" : "<tr>";
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const bool is_head = r == 0 || c == 0;
      const std::string tag = !is_head ? "td" : r == 0 ? "th scope=\"col\"" : "th scope=\"row\"";
      out += "<" + tag + ">" + html_text(rows[r][c]) + (is_head ? "</th>" : "</td>");
    }
    out += r == 0 ? "</tr></thead>\n<tbody>\n" : "</tr>\n";
  }
  return out + "</tbody>\n</table></div>\n";
}

std::string lab_page(const LabPage& page, const Texts& texts) {
  std::string out = "<!DOCTYPE html>\n<html lang=\"" + html_text(texts.say("page.language")) +
                    "\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
                    html_element("title", page.title) + "<style>" + html::style() + kLabStyle +
                    "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">" + html_text(texts.say("page.skip")) +
                    "</a>\n<header>\n" + html_element("h1", page.title) + page.head + "</header>\n";
  if (!page.contents.empty()) {
    out += "<nav aria-label=\"" + html_text(texts.say("page.contents")) + "\">\n<ul>\n";
    for (const auto& [id, heading] : page.contents)
      out += "<li><a href=\"#" + html_address(id) + "\">" + html_text(heading) + "</a></li>\n";
    out += "</ul>\n</nav>\n";
  }
  return out + "<main id=\"main\">\n" + page.body + "</main>\n</body>\n</html>\n";
}

}  // namespace nowsim
