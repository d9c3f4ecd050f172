// Tests of formulas: values worked out by hand, the positions of errors.
#include "sim/base/formula.hpp"

#include <catch2/catch.hpp>
#include <clocale>
#include <cmath>
#include <limits>
#include <locale>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "tests/thrown.hpp"

using nowsim::Formula;

namespace {

using Values = std::map<std::string, double>;

const Values sample{{"a", 3}, {"b", 2}, {"platform.workstations", 5}, {"TH", 0.5}, {"zero", 0}};

double value_of(const std::string& text) { return Formula(text).evaluate(sample); }

void check_values(const std::vector<std::pair<std::string, double>>& table) {
  for (const auto& [text, value] : table) {
    CAPTURE(text);
    CHECK(value_of(text) == value);
  }
}

std::string error_of(const std::string& text) { return nowsim::test::sentence_of([&] { value_of(text); }); }

struct Refusal {
  std::string text;
  int position;  ///< 1-based
  std::string words;
};

void check_refusals(const std::vector<Refusal>& refusals) {
  for (const auto& [text, position, words] : refusals) {
    const auto start = "the formula " + nowsim::quoted(text) + " is wrong at position " + std::to_string(position) + ": ";
    CHECK_THAT(error_of(text), Catch::StartsWith(start));
    CHECK_THAT(error_of(text), Catch::Contains(words));
  }
}

/// A locale that writes 1.5 as 1,5 and 1000 as 1.000.
struct CommaFormat : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

}  // namespace

TEST_CASE("Formulas follow the usual order of operations", "[reads][formula]") {
  check_values({{"1+2*3", 7}, {"(1+2)*3", 9}, {"7/2", 3.5}, {"10-3-2", 5}, {"2^3^2", 512}, {"-2^2", -4}, {"2^-1", 0.5},
                {"a--b", 5}, {"-a+b", -1}, {"+a", 3}, {".5+2.", 2.5}, {"1e3*1E-3", 1}});
}

TEST_CASE("Formulas compare and choose", "[formula]") {
  check_values({{"a > b ? 10 : 20", 10}, {"a < b ? 10 : 20", 20}, {"a<b ? 1 : a==3 ? 2 : 3", 2},
                {"zero ? 1/zero : 4", 4}, {"min(zero ? 1 : 2, 3)", 2}, {"a >= 3 && b != 2 || a <= 3", 1},
                {"(zero ? 1 : 2) + 3", 5}});
}

TEST_CASE("Formulas know functions and constants", "[formula]") {
  check_values({{"floor(-2.5)", -3}, {"ceil(2.1)", 3}, {"mod(7,3)", 1}, {"mod(7.5, 2)", 1.5}, {"mod(-1,12)", 11},
                {"mod(1,-12)", -11}, {"mod(-6,3)", 0}, {"sqrt(16)+exp(0)+ln(1)+log2(8)+log10(100)", 10},
                {"min(a,b,1) + max(a,b) + sum(1,2,3) + avg(1,3) + abs(-1)", 13}});
  CHECK(value_of("sin(_pi/2)") == Approx(1));
  CHECK(value_of("ln(_e)") == Approx(1));
}

TEST_CASE("A blank may stand before a function's parenthesis", "[formula]") {
  CHECK(value_of("sqrt  (16) + max (a, b)") == 7);
  CHECK(value_of("a\n  +\tb\r\n") == 5);
  CHECK_THAT(error_of("sqrt  (1, 2)"), Catch::Contains("position 1: 'sqrt' has too many arguments"));
}

TEST_CASE("Names may have inner dots, and the names of functions", "[formula]") {
  CHECK(value_of("platform.workstations/2") == 2.5);
  CHECK(Formula("max+1").evaluate({{"max", 4}}) == 5);
  CHECK(Formula("e1 + _x + a.b.c2").evaluate({{"e1", 1}, {"_x", 2}, {"a.b.c2", 3}}) == 6);
}

TEST_CASE("A formula lists its variables sorted and once", "[formula]") {
  CHECK(Formula("b + a*b + sin(TH) + _pi + platform.n").variables() ==
        std::vector<std::string>{"TH", "a", "b", "platform.n"});
  CHECK(Formula("1+1").variables().empty());
  CHECK(Formula("a ? b : 1").variables() == std::vector<std::string>{"a", "b"});
}

TEST_CASE("A formula is evaluated anew for every point", "[formula]") {
  const Formula twice("2*x");
  for (const double x : {1.0, -2.0, 0.5}) CHECK(twice.evaluate({{"x", x}, {"unused", 7}}) == 2 * x);
}

TEST_CASE("Operations are carried out as written", "[formula]") {
  CHECK(Formula("x*1e300*1e300").evaluate({{"x", 0}}) == 0);
  CHECK(Formula("(x+1)*3").evaluate({{"x", 0.1}}) == (0.1 + 1) * 3);
}

TEST_CASE("A formula survives being moved", "[formula]") {
  Formula first("a+1");
  Formula second(std::move(first));
  CHECK(second.evaluate({{"a", 1}}) == 2);
  Formula third("0");
  third = std::move(second);
  CHECK(third.evaluate({{"a", 2}}) == 3);
}

TEST_CASE("Formulas do not depend on the locale", "[formula]") {
  const auto before = std::locale::global(std::locale(std::locale::classic(), new CommaFormat));
  const double value = Formula("max(1.5, 0.25) + 1000").evaluate(std::map<std::string, double>{});
  const auto error = error_of("1/zero + 1000*TH");
  std::locale::global(before);
  CHECK(value == 1001.5);
  CHECK_THAT(error, Catch::Contains("TH = 0.5, zero = 0"));
}

TEST_CASE("An empty formula is refused", "[formula]") {
  for (const std::string text : {"", " ", " \t\n "}) CHECK(error_of(text) == "a formula is empty");
}

TEST_CASE("What is no number, name or symbol is refused where it stands", "[formula]") {
  check_refusals({{"a = 2", 3, "cannot assign; compare with '=='"},
                  {"=a", 1, "cannot assign"},
                  {"min(a; b)", 6, "separate arguments with ','"},
                  {"a + \"x\"", 5, "text"},
                  {"a + 'x'", 5, "text"},
                  {"a ** b", 3, "'^'"},
                  {"a % b", 3, "mod(a, b)"},
                  {"!a", 1, "'!'"},
                  {"a & b", 3, "'&&'"},
                  {"a[1]", 2, "write '(' and ')'"},
                  {"a + $b", 5, "'$' is not part of a formula"},
                  {"1 + \xC2\xB5", 5, "'\xC2\xB5' (U+00B5, a micro sign, where 'u' is wanted) is not part of a formula"},
                  {"1 \xE2\x88\x92 2", 3, "(U+2212, a typographic minus, where '-' is wanted) is not part of a formula"},
                  {"1 + \xC2 x", 5, "the byte 0xc2"},
                  {"1 + x.", 5, "'x.' is not a name"},
                  {"x..y", 1, "'x..y' is not a name"},
                  {"1 + .x", 5, "'.'"},
                  {"1 + 2x", 5, "'2x' is neither a number nor a name"},
                  {"2e", 1, "'2e' is neither"},
                  {"0x1F", 1, "'0x1F' is neither"},
                  {"1.2.3", 1, "'1.2.3' is neither"},
                  {"1 + 1e999", 5, "'1e999' is too large or too small"}});
}

TEST_CASE("Control characters are named and shown, and do not act", "[formula]") {
  CHECK(error_of(std::string("a\0b", 3)) ==
        "the formula 'a\\x00b' is wrong at position 2: the byte 0x00 is not part of a formula");
  CHECK(error_of("a\n+") == "the formula 'a\\n+' is wrong at position 3: the formula ends after '+'");
}

TEST_CASE("Operators want values, and values operators", "[formula]") {
  check_refusals({{"a + * b", 5, "'*' cannot follow '+'"},
                  {"a +", 3, "the formula ends after '+'"},
                  {"-", 1, "the formula ends after '-'"},
                  {"a ? - : b", 7, "':' cannot follow '-'"},
                  {"* a", 1, "the operator '*' is not expected here"},
                  {"--a", 2, "the operator '-' is not expected here"},
                  {"a b", 3, "an operator is missing before 'b'"},
                  {"1 2", 3, "an operator is missing before '2'"},
                  {"a sin(b)", 3, "an operator is missing before 'sin'"},
                  {"2(3)", 2, "'(' is not expected here"},
                  {"a + ()", 6, "')' is not expected here"}});
}

TEST_CASE("Parentheses and conditions pair, and there is one result", "[formula]") {
  check_refusals({{"(a + (b", 6, "this '(' has no ')'"},
                  {"a + b)", 6, "this ')' has no '('"},
                  {"a ? b", 3, "this '?' has no ':'"},
                  {"a : b", 3, "this ':' has no '?'"},
                  {"(a ? b) : 1", 4, "this '?' has no ':'"},
                  {"a ? sin(1 : 2)", 8, "this '(' has no ')'"},
                  {"min(a ? 1, 2)", 7, "this '?' has no ':'"},
                  {"a, b", 2, "one result"},
                  {"a,", 2, "one result"},
                  {"(a, b)", 3, "only a function"}});
}

TEST_CASE("Functions are known and take their number of arguments", "[formula]") {
  check_refusals({{"1 + flor(a)", 5, "there is no function 'flor'; did you mean 'floor'?"},
                  {"1 + system(a)", 5, "there is no function 'system'"},
                  {"1 + sin()", 5, "'sin' has too few arguments"},
                  {"1 + mod(a)", 5, "'mod' has too few arguments"},
                  {"1 + sum()", 5, "'sum' has too few arguments"},
                  {"1 + sin(a, b)", 5, "'sin' has too many arguments"}});
}

TEST_CASE("Very long and very deep formulas are read or refused", "[formula]") {
  CHECK(value_of(std::string(5000, '(') + "1" + std::string(5000, ')')) == 1);
  CHECK_THAT(error_of("1" + std::string(30'000, ' ') + "+1"), Catch::Contains("too long"));
  CHECK_THAT(error_of(std::string(101, 'x')), Catch::Contains("longer than 100 characters"));
}

TEST_CASE("A variable that is not given is named, with the nearest one given", "[formula]") {
  CHECK(error_of("2*thresh") == "the formula '2*thresh' needs 'thresh', which is not given");
  CHECK(error_of("1 + platform.workstation") ==
        "the formula '1 + platform.workstation' needs 'platform.workstation', which is not given; did you mean "
        "'platform.workstations'?");
}

TEST_CASE("A value that is not finite is refused with the point", "[formula]") {
  CHECK(error_of("a/zero") == "the formula 'a/zero' has no finite value with a = 3, zero = 0 (it gives inf)");
  CHECK(error_of("-a/zero") == "the formula '-a/zero' has no finite value with a = 3, zero = 0 (it gives -inf)");
  CHECK(error_of("sqrt(-1)") == "the formula 'sqrt(-1)' has no finite value (it gives not a number)");
  CHECK(error_of("sqrt(-TH)") == "the formula 'sqrt(-TH)' has no finite value with TH = 0.5 (it gives not a number)");
  CHECK(error_of("mod(a, zero)") ==
        "the formula 'mod(a, zero)' has no finite value with a = 3, zero = 0 (it gives not a number)");
  CHECK_THROWS_WITH(Formula("x").evaluate({{"x", std::numeric_limits<double>::quiet_NaN()}}),
                    Catch::Contains("with x = not a number"));
}

TEST_CASE("Whatever the symbols, a formula has a value or an InputError", "[formula]") {
  const std::vector<std::string> parts{"a", "b", "1",  "2.5", "(", ")", "?",    ":",    ",",    "+", "-", "*",
                                       "/", "^", "==", "&&",  "<", " ", "sin(", "min(", "mod(", ".", "=", "_pi"};
  std::mt19937 random(20070601);
  std::uniform_int_distribution<std::size_t> any_part(0, parts.size() - 1), any_length(1, 10);
  int values = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (auto n = any_length(random); n > 0; --n) text += parts[any_part(random)];
    try {
      if (std::isfinite(value_of(text))) ++values;
    } catch (const nowsim::InputError&) {
    }
  }
  CHECK(values > 50);  // else the loop would only test refusals
}

TEST_CASE("Values in the order of a formula's variables give what named ones give, finite or not", "[formula]") {
  const Formula formula("a/b + a*TH");
  REQUIRE(formula.variables() == std::vector<std::string>{"TH", "a", "b"});
  CHECK(formula.value_at(std::vector{0.5, 3.0, 2.0}) == formula.evaluate(sample));
  CHECK(std::isinf(formula.value_at(std::vector{0.5, 3.0, 0.0})));
  CHECK(formula.value_at(std::vector{0.5, 3.0, 2.0}) == 3);  // nothing is left of what it could not give
}
