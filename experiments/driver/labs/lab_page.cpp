// Writing the frame: a link past the head, landmarks, headings in order.
#include "experiments/driver/labs/lab_page.hpp"

#include "experiments/driver/reports/html_parts.hpp"
#include "experiments/driver/reports/html_text.hpp"

namespace nowsim {
namespace {

constexpr const char* kLabStyle = R"(
.skip { position: absolute; left: -100rem; } .skip:focus { position: static; }
a:focus-visible, summary:focus-visible, .wide:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
nav ul { columns: auto; } caption { text-align: left; color: var(--quiet); padding: .3rem 0; }
table { margin: .5em 0; } td { font-variant-numeric: tabular-nums; }
code { background: var(--soft); padding: 0 .2em; } pre { font-size: .9rem; } pre code { padding: 0; }
.question { border-left: .3rem solid var(--line); padding: .1rem 1rem; margin: 1rem 0; max-width: 52rem; }
.question ul { margin: .3em 0; } li { max-width: 50rem; }
svg.score { max-width: 40rem; width: 100%; height: auto; }
@media print { .skip { display: none; } .question { break-inside: avoid; } }
)";

/// What stands in it can be moved to and fro by keyboard.
std::string wide_region(const std::string& label) {
  return "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"" + html_text(label) + "\">";
}

/// Tables of Markdown have no captions.
std::string with_named_regions(std::string html, const Texts& texts) {
  const std::string plain = "<div class=\"wide\">", region = wide_region(texts.say("page.table"));
  for (auto at = html.find(plain); at != html.npos; at = html.find(plain, at + region.size()))
    html.replace(at, plain.size(), region);
  return html;
}

}  // namespace

std::string html_element(const std::string& tag, const std::string& text) {
  return "<" + tag + ">" + html_text(text) + "</" + tag.substr(0, tag.find(' ')) + ">\n";
}

std::string html_table(const std::string& caption, const std::vector<std::vector<std::string>>& rows,
                       std::size_t named_by) {
  std::string out = wide_region(caption) + "<table>\n" + html_element("caption", caption);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    out += r == 0 ? "<thead><tr>" : "<tr>";
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const bool is_head = r == 0 || c == named_by;
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
    out += "<nav aria-label=\"" + html_text(texts.say("page.contents")) + "\">\n" +
           html_element("h2", texts.say("page.contents")) + "<ul>\n";
    for (const auto& [id, heading] : page.contents)
      out += "<li><a href=\"#" + html_address(id) + "\">" + html_text(heading) + "</a></li>\n";
    out += "</ul>\n</nav>\n";
  }
  return out + "<main id=\"main\">\n" + with_named_regions(page.body, texts) + "</main>\n</body>\n</html>\n";
}

}  // namespace nowsim
