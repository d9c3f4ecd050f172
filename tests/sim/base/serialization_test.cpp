// Structs that name their fields, packed and back.
#include "sim/base/serialization.hpp"

#include <catch2/catch.hpp>

using namespace nowsim;

namespace {

struct Point {
  int x;
  double y;
};

struct Named {
  std::string name;
  std::vector<Point> points;
  template <class All>
  void fields(All& all) {
    all(name, points);
  }
};

struct Nested {
  double seconds = 0;
  std::vector<Named> named;
  std::vector<std::vector<double>> columns;
  template <class All>
  void fields(All& all) {
    all(seconds, named, columns);
  }
};

}  // namespace

TEST_CASE("What a struct names as its fields comes back as it was packed", "[reads][serialization]") {
  Serializer out;
  out.put(Nested{1.5, {{"one", {{1, 2}, {3, 4}}}, {"", {}}}, {{}, {5, 6}}});
  const std::string bytes = out.take();
  Deserializer in(bytes);
  Nested back;
  back.named.resize(7);
  in.get_into(back);
  CHECK(in.at_end());
  CHECK(back.seconds == 1.5);
  REQUIRE(back.named.size() == 2);
  CHECK(back.named[0].name == "one");
  REQUIRE(back.named[0].points.size() == 2);
  CHECK(back.named[0].points[1].y == 4);
  CHECK(back.named[1].points.empty());
  CHECK(back.columns == std::vector<std::vector<double>>{{}, {5, 6}});
}

TEST_CASE("Bytes that end early are refused, whatever number of structs they announce", "[serialization]") {
  Serializer out;
  out.put(1.5);
  out.put(std::size_t{1} << 60);
  const std::string bytes = out.take();
  Deserializer in(bytes);
  Nested back;
  CHECK_THROWS_AS(in.get_into(back), std::runtime_error);
  out.put(std::string("text"));
  const std::string text = out.take();
  Deserializer whole(text), cut(std::string_view(text).substr(0, text.size() - 1));
  CHECK(whole.get<std::string>() == "text");
  CHECK(whole.at_end());
  CHECK_THROWS_AS(cut.get<std::string>(), std::runtime_error);
}
