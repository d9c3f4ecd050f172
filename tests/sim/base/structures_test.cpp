// Structures of the simulator's own: rare parts, sums whose terms come and go, structs that are packed and back.
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "sim/base/copy_on_write.hpp"
#include "sim/base/running_sum.hpp"
#include "sim/base/serialization.hpp"

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

TEST_CASE("A rare part reads as a new one until it is edited, and copies go their own ways then", "[reads][rare]") {
  CopyOnWrite<std::string> one;
  CHECK(one->empty());
  one.edit() = "a";
  CopyOnWrite<std::string> other = one;
  other.edit() += "b";
  CHECK(*one.operator->() == "a");
  CHECK(*other.operator->() == "ab");
  const std::string* before = other.operator->();
  other.edit() += "c";  // its own already
  CHECK(other.operator->() == before);
  CHECK(sizeof(CopyOnWrite<std::string>) <= 2 * sizeof(void*));
}

TEST_CASE("What has come and gone leaves nothing in a running sum", "[running_sum]") {
  nowsim::RunningSum sum;
  double plain = 0;
  for (const double x : {0.125, 1e16, 3.25, -1e16}) {
    sum.add(x);
    plain += x;
  }
  CHECK(sum.value() == 3.375);
  CHECK(plain == 4);  // so there is something to be kept
  sum.add(-3.25);
  sum.add(-0.125);
  CHECK(sum.value() == 0);
}

TEST_CASE("A running sum of a million terms among much larger ones is the exact one", "[running_sum]") {
  nowsim::RunningSum sum;
  double plain = 0;
  std::int64_t exact = 0;
  for (std::int64_t k = 1; k <= 1'000'000; ++k) {
    const std::int64_t term = (k * k * 7919) % 1'000'003;
    const double large = static_cast<double>(term) * 0x1p45;
    exact += k % 3 == 0 ? -term : term;
    for (const double x : {large, static_cast<double>(k % 3 == 0 ? -term : term), -large}) {
      sum.add(x);
      plain += x;
    }
  }
  CHECK(sum.value() == static_cast<double>(exact));
  CHECK(plain != static_cast<double>(exact));
}

TEST_CASE("What a struct names as its fields comes back as it was packed", "[serialization]") {
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
