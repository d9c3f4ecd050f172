// Pictures that are cut short or have a hole, and PDFs of any time zone.
#include "experiments/picture_check.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>

#include "experiments/draw_picture.hpp"
#include "experiments/pdf_date.hpp"
#include "experiments/picture_page.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

std::string small_picture(PictureFormat format) {
  return draw_picture(picture_page({format, 300, 200, {"A & B > c"}, "footer"}) +
                      "plot x title 'it''s'\nunset output\n");
}

/// Has the environment variable TZ name a zone.
class ZoneOf {
 public:
  explicit ZoneOf(const char* zone) { setenv("TZ", zone, 1); }
  ~ZoneOf() { unsetenv("TZ"); }
};

}  // namespace

TEST_CASE("A picture is whole, and nothing that was cut from it or has a hole is", "[picture][gnuplot]") {
  for (const auto& [format, ending] : picture_endings()) {
    INFO(ending);
    const std::string picture = small_picture(format);
    CHECK(is_whole_picture(picture));
    const std::size_t step = picture.size() / 200 + 1, last = picture.size() - 2;  // an SVG ends in empty lines
    for (std::size_t size = 0; size < last; size += step) CHECK_FALSE(is_whole_picture(picture.substr(0, size)));
    for (std::size_t size = last - 30; size < last - 2; ++size) CHECK_FALSE(is_whole_picture(picture.substr(0, size)));
    std::string hole = picture;
    CHECK_FALSE(is_whole_picture(hole.erase(picture.size() / 3, picture.size() / 2)));
  }
  CHECK_FALSE(is_whole_picture(""));
  CHECK_FALSE(is_whole_picture("text"));
}

TEST_CASE("An SVG is whole only as well-formed XML", "[picture]") {
  const auto svg = [](const std::string& text) {
    return "<?xml version=\"1.0\"?>\n<svg a='>'><t>" + text + "</t></svg>\n";
  };
  for (const char* text : {"a &amp; b &lt; > ]]", "&#xe9; é", "<tspan/>"}) CHECK(is_whole_picture(svg(text)));
  for (const char* text : {"]]>", "a & b", "&bogus;", "&#27;", "<b>", "</t><t/>", "\x1b", "\xff", "\xEF\xBF\xBE"})
    CHECK_FALSE(is_whole_picture(svg(text)));
}

TEST_CASE("A PDF is the same file in every time zone, drawn by nowsim or by its script alone", "[picture][gnuplot]") {
  std::vector<std::string> drawn;
  for (const char* zone : {"UTC0", "JST-9", "NST3:30"}) {
    const ZoneOf set(zone);
    drawn.push_back(small_picture(PictureFormat::pdf));
    CHECK(is_whole_picture(drawn.back()));
    CHECK(drawn.back() == drawn.front());
    CHECK(without_date(drawn.back()) == drawn.back());
  }
}
