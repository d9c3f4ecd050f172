// Pictures that are cut short or have a hole, and PDFs of any time zone.
#include "experiments/driver/pictures/draw_picture.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>

#include "experiments/driver/pictures/page.hpp"
#include "experiments/driver/text/reproducible_pdf.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

std::string small_picture(PictureFormat format) {
  return draw_picture("title = 'A & B > c'\nfooter = 'footer'\n" + begin_pages({300, 200}, "", 1, format) +
                      "plot x title 'it''s'\n" + end_pages());
}

/// Has the environment variable TZ name a zone.
class ZoneOf {
 public:
  explicit ZoneOf(const char* zone) { setenv("TZ", zone, 1); }
  ~ZoneOf() { unsetenv("TZ"); }
};

}  // namespace

TEST_CASE("A picture is whole, and nothing that was cut from it or has a hole is", "[reads][picture][gnuplot]") {
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

TEST_CASE("A PDF whose table of objects is a stream is whole where the table is and ends as the file says", "[picture]") {
  const auto pdf = [](const std::string& object, const std::string& table) {
    return "%PDF-1.5\n4 0 obj\nendobj\n" + object + "startxref\n" + table + "\n%%EOF\n";
  };
  const std::string begin = "19 0 obj\n<< /Type /XRef\n   /Length 2\n>>\nstream\n", end = "\nendstream\nendobj\n";
  const std::string whole = pdf(begin + "x\x9c" + end, "24");
  CHECK(is_whole_picture(whole));
  for (std::size_t size = 0; size < whole.size(); ++size) CHECK_FALSE(is_whole_picture(whole.substr(0, size)));
  for (std::size_t at = 9; at < 24; ++at) CHECK_FALSE(is_whole_picture(std::string(whole).erase(at, 1)));
  for (const char* table : {"9", "23", "25", "90", "9000", ""}) CHECK_FALSE(is_whole_picture(pdf(begin + "x\x9c" + end, table)));
  CHECK_FALSE(is_whole_picture(pdf("19 0 obj\n<< /Type /ObjStm\n>>\nstream\n/Type /XRef" + end, "24")));
  CHECK_FALSE(is_whole_picture(pdf(begin + "x\x9c", "24")));
  CHECK_FALSE(is_whole_picture(pdf("19 0 obj\n<< /Type /XRef >>" + end, "24")));
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
