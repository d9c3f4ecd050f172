// HTML: texts safe in it, in addresses and in templates, whose names all have values.
#include "experiments/driver/text/html.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>

#include "experiments/driver/text/name_lists.hpp"

using namespace nowsim;
using Catch::Contains;

TEST_CASE("Text is safe in HTML, paths in addresses, and pictures are whole in an address", "[computes][html]") {
  CHECK(html_text("a<b & \"c\">") == "a&lt;b &amp; &quot;c&quot;&gt;");
  CHECK(html_text("± é\r\n\x01") == "± é\n\xEF\xBF\xBD");
  CHECK(html_address("my folder/50%#1?.svg") == "my%20folder/50%25%231%3F.svg");
  CHECK(html_address("huang-lee-2007/fig05.svg") == "huang-lee-2007/fig05.svg");
  // RFC 4648, section 10.
  const std::string begin = "data:image/svg+xml;base64,";
  CHECK(svg_address("f") == begin + "Zg==");
  CHECK(svg_address("fo") == begin + "Zm8=");
  CHECK(svg_address("foo") == begin + "Zm9v");
  CHECK(svg_address("foobar") == begin + "Zm9vYmFy");
}

TEST_CASE("A template is filled with safe texts, list by list, and leaves out what is not so", "[html]") {
  const char* const page =
      "<p>{{a}}</p>\n{{#rows}}<li>{{#.}}<b>{{.}}</b>{{/.}}</li>\n{{/rows}}{{#none}}<i>{{none}}</i>\n{{/none}}{{{b}}}\n";
  const HtmlObject values{{"a", "<a> 'b'"},
                          {"rows", HtmlList{html_list(Words{"1", "&"}), html_list(Words{"2"})}},
                          {"none", if_any("")},
                          {"b", "<hr>"}};
  CHECK(filled_template(page, values) ==
        "<p>&lt;a&gt; 'b'</p>\n<li><b>1</b><b>&amp;</b></li>\n<li><b>2</b></li>\n<hr>\n");
  CHECK(filled_template("{{#x}}<i>{{x}}</i>{{/x}}", {{"x", if_any("y")}}) == "<i>y</i>");
  CHECK_THROWS_AS(filled_template("{{#x}}", {{"x", "y"}}), std::logic_error);
  CHECK_THROWS_WITH(filled_template("{{x}}", {{"y", "z"}}), Contains("asks for x"));
}
