// Formulas over named variables: a strict reading of the text first, then muParser for the arithmetic.
#include "sim/base/formula.hpp"

#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

// muParser reads what it does not know in generous ways: `1e999` and `2x` become variables, `sin (x)` a variable
// followed by a surprise, `a, b` two results. So the text is cut into tokens here and refused where it is not what it
// seems; muParser then only judges the order of operands and operators and the number of arguments.

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view name_starts = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr const char* name_chars = "._0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Operators and separators, the longer before those they begin with; the ones with advice are refused with it.
struct Symbol {
  std::string_view text;
  std::string_view advice = {};
};
constexpr Symbol symbols[] = {
    {"<="}, {">="}, {"!="}, {"=="}, {"&&"}, {"||"}, {"**", "write '^' for a power"},
    {"<"}, {">"}, {"+"}, {"-"}, {"*"}, {"/"}, {"^"}, {"("}, {")"}, {"?"}, {":"}, {","},
    {"=", "a formula cannot assign; compare with '=='"},
    {";", "separate arguments with ','"},
    {"\"", "a formula cannot hold text"},
    {"'", "a formula cannot hold text"},
    {"!", "compare with '== 0' or '!='"},
    {"%", "write mod(a, b) for a remainder, or divide by 100"},
    {"&", "write '&&' for and"},
    {"|", "write '||' for or"},
    {"[", "write '(' and ')'"},
    {"]", "write '(' and ')'"},
    {"{", "write '(' and ')'"},
    {"}", "write '(' and ')'"},
};

/// What muParser may still find wrong; '%' stands for the token it found.
struct Complaint {
  mu::EErrorCodes code;
  std::string_view sentence;
};
constexpr Complaint complaints[] = {
    {mu::ecUNEXPECTED_OPERATOR, "the operator '%' is not expected here"},
    {mu::ecUNEXPECTED_VAL, "an operator is missing before '%'"},
    {mu::ecUNEXPECTED_VAR, "an operator is missing before '%'"},
    {mu::ecUNEXPECTED_FUN, "an operator is missing before '%'"},
    {mu::ecUNEXPECTED_PARENS, "'%' is not expected here"},
    {mu::ecUNEXPECTED_CONDITIONAL, "'%' is not expected here"},
    {mu::ecTOO_MANY_PARAMS, "'%' has too many arguments"},
    {mu::ecTOO_FEW_PARAMS, "'%' has too few arguments"},
    {mu::ecIDENTIFIER_TOO_LONG, "a name is longer than 100 characters"},
    {mu::ecEXPRESSION_TOO_LONG, "the formula is too long"},
};

enum class TokenKind { number, name, symbol };

struct Token {
  TokenKind kind;
  std::size_t start;
  std::string text;
};

/// to_chars would tell nan from -nan.
std::string value_text(double value) { return std::isnan(value) ? "not a number" : number_text(value); }

[[noreturn]] void fail(const std::string& formula, const std::string& sentence) {
  throw InputError("the formula " + quoted(formula) + " " + sentence);
}

[[noreturn]] void fail_at(const std::string& formula, std::size_t start, const std::string& sentence) {
  fail(formula, "is wrong at position " + std::to_string(start + 1) + ": " + sentence);
}

/// "; did you mean 'x'?" where one of a map's names is near, else "".
std::string suggestion(const std::string& name, const auto& known) {
  std::vector<std::string> names;
  for (const auto& [other, value] : known) names.push_back(other);
  const auto nearest = nearest_name(name, names);
  return nearest.empty() ? "" : "; did you mean " + quoted(nearest) + "?";
}

/// The character that begins a text as people see it: a printable one itself, a control character as its byte.
std::string shown(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text.front());
  if (byte >= 0x80) return foreign_character(text);
  if (byte > ' ' && byte < 127) return quoted(text.substr(0, 1));
  constexpr std::string_view hexadecimal = "0123456789abcdef";
  return std::string("the byte 0x") + hexadecimal[byte / 16] + hexadecimal[byte % 16];
}

/// The token at a position; refuses what is no number, name or symbol.
Token token_at(const std::string& formula, std::size_t start) {
  const std::string_view rest = std::string_view(formula).substr(start);
  const auto is_digit = [&](std::size_t i) { return i < rest.size() && kDigits.find(rest[i]) != kDigits.npos; };
  const auto name_end = [&](std::size_t from) {
    return std::min(rest.find_first_not_of(name_chars, from), rest.size());
  };
  const auto token = [&](TokenKind kind, std::size_t size) {
    return Token{kind, start, std::string(rest.substr(0, size))};
  };
  const auto refuse = [&](std::size_t size, const std::string& sentence) {
    fail_at(formula, start, quoted(rest.substr(0, size)) + sentence);
  };
  if (is_digit(rest.front() == '.' ? 1 : 0)) {
    double value = 0;
    const auto [end, error] = number_from_chars(rest.data(), rest.data() + rest.size(), value);
    const auto size = static_cast<std::size_t>(end - rest.data());
    if (error != std::errc{}) refuse(size, " is too large or too small a number");
    if (name_end(size) > size) refuse(name_end(size), " is neither a number nor a name");
    return token(TokenKind::number, size);
  }
  if (name_starts.find(rest.front()) != name_starts.npos) {
    Token name = token(TokenKind::name, name_end(0));
    if (name.text.back() == '.' || name.text.find("..") != std::string::npos)
      refuse(name.text.size(), " is not a name: a '.' stands between two parts of a name");
    return name;
  }
  const auto* const found = std::ranges::find_if(symbols, [&](const Symbol& s) { return rest.starts_with(s.text); });
  if (found == std::end(symbols)) fail_at(formula, start, shown(rest) + " is not part of a formula");
  if (!found->advice.empty()) refuse(found->text.size(), " is not part of a formula: " + std::string(found->advice));
  return token(TokenKind::symbol, found->text.size());
}

/// Refuses parentheses and conditions that do not pair, and a ',' that would give a second result. muParser's own
/// bookkeeping mixes up a ':' with the parenthesis it stands in.
void check_nesting(const std::string& formula, const std::vector<Token>& tokens) {
  std::vector<std::size_t> open;  // the tokens' places
  const auto refuse_open = [&] {
    const Token& token = tokens[open.back()];
    fail_at(formula, token.start, "this " + quoted(token.text) + " has no " + (token.text == "(" ? "')'" : "':'"));
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto& [kind, start, text] = tokens[i];
    if (text == "(" || text == "?") open.push_back(i);
    if (text == ")" || text == ":") {
      const std::string opener = text == ")" ? "(" : "?";
      if (open.empty()) fail_at(formula, start, "this " + quoted(text) + " has no " + quoted(opener));
      if (tokens[open.back()].text != opener) refuse_open();
      open.pop_back();
    }
    if (text != ",") continue;
    if (open.empty()) fail_at(formula, start, "a formula has one result, this ',' would begin a second");
    if (tokens[open.back()].text == "?") refuse_open();
    if (open.back() == 0 || tokens[open.back() - 1].kind != TokenKind::name)
      fail_at(formula, start, "only a function takes several arguments");
  }
  if (!open.empty()) refuse_open();
}

/// Refuses a symbol that wants a value after it and has none: muParser takes the value before it for the missing one
/// where the symbol may be a sign, as in `a ? - : b`.
void check_operands(const std::string& formula, const std::vector<Token>& tokens) {
  constexpr std::string_view kValueStarts = "(+-";
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto& [kind, start, text] = tokens[i];
    if (kind != TokenKind::symbol || text == ")") continue;
    if (i + 1 == tokens.size()) fail_at(formula, start, "the formula ends after " + quoted(text));
    const Token& next = tokens[i + 1];
    const bool starts_value = next.kind != TokenKind::symbol || kValueStarts.find(next.text) != kValueStarts.npos;
    if (!starts_value && text + next.text != "()")
      fail_at(formula, next.start, quoted(next.text) + " cannot follow " + quoted(text));
  }
}

/// Those of a formula in which each stands where it can.
std::vector<Token> tokens_of(const std::string& formula) {
  std::vector<Token> tokens;
  for (std::size_t at = formula.find_first_not_of(blanks); at < formula.size();) {
    tokens.push_back(token_at(formula, at));
    at = formula.find_first_not_of(blanks, at + tokens.back().text.size());
  }
  check_nesting(formula, tokens);
  check_operands(formula, tokens);
  return tokens;
}

/// The remainder with the sign of the divisor, so that mod(-1, 12) is 11 and floor(a/b)*b + mod(a,b) is a.
double floored_mod(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0 && std::signbit(rest) != std::signbit(b) ? rest + b : rest;
}
double round_down(double x) { return std::floor(x); }
double round_up(double x) { return std::ceil(x); }

std::string sentence_of(const mu::ParserError& error) {
  const auto* const found = std::ranges::find(complaints, error.GetCode(), &Complaint::code);
  std::string out(found == std::end(complaints) ? std::string_view("this is not understood") : found->sentence);
  if (const auto hole = out.find('%'); hole != std::string::npos) out.replace(hole, 1, error.GetToken());
  return out;
}

/// muParser's place is that of the token or just behind it, or none; the last such token up to there is meant.
std::size_t start_of(const mu::ParserError& error, const std::string& text) {
  const auto end = text.find_last_not_of(blanks) + 1;
  if (error.GetPos() < 0) return end;
  const auto near = static_cast<std::size_t>(error.GetPos());
  const auto found = error.GetToken().empty() ? std::string::npos : text.rfind(error.GetToken(), near);
  return std::min(found == std::string::npos ? near : found, end);
}

}  // namespace

struct Formula::Impl {
  std::string text;
  mu::Parser parser;
  std::vector<std::string> names;
  mutable std::vector<double> values;  // muParser holds the addresses: not resized once it is made

  explicit Impl(std::string formula) : text(std::move(formula)) {
    if (text.find_first_not_of(blanks) == std::string::npos) throw InputError("a formula is empty");
    parser.ResetLocale();           // '.' and ',' whatever the user's locale
    parser.EnableOptimizer(false);  // it reorders: 3*(x+1) becomes 3*x+3, and 1e300*x*1e300 not a number at x = 0
    parser.DefineNameChars(name_chars);
    parser.DefineFun("floor", round_down);
    parser.DefineFun("ceil", round_up);
    parser.DefineFun("mod", floored_mod);
    const std::string spelling = read_names(tokens_of(text));
    try {
      values.assign(names.size(), 0.0);
      for (std::size_t i = 0; i < names.size(); ++i) parser.DefineVar(names[i], &values[i]);
      parser.SetExpr(spelling);
      parser.Eval();  // the first evaluation compiles; the value at zeros is of no interest
    } catch (const mu::ParserError& error) {
      fail_at(text, start_of(error, text), sentence_of(error));
    }
  }

  /// Collects the variables; gives the text as muParser wants it, each function's name next to its parenthesis.
  std::string read_names(const std::vector<Token>& tokens) {
    std::string spelling = text;
    std::set<std::string> variables;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const auto& [kind, start, name] = tokens[i];
      if (kind != TokenKind::name) continue;
      if (i + 1 < tokens.size() && tokens[i + 1].text == "(") {
        const auto& functions = parser.GetFunDef();
        if (!functions.contains(name))
          fail_at(text, start, "there is no function " + quoted(name) + suggestion(name, functions));
        char* const first = spelling.data() + start;
        std::rotate(first, first + name.size(), spelling.data() + tokens[i + 1].start);
      } else if (!parser.GetConst().contains(name)) {
        variables.insert(name);
      }
    }
    names.assign(variables.begin(), variables.end());
    return spelling;
  }

  [[nodiscard]] double finite_value() const {
    const double value = parser.Eval();
    if (std::isfinite(value)) return value;
    std::string point;
    for (std::size_t i = 0; i < names.size(); ++i)
      point += (i == 0 ? " with " : ", ") + names[i] + " = " + value_text(values[i]);
    fail(text, "has no finite value" + point + " (it gives " + value_text(value) + ")");
  }
};

Formula::Formula(const std::string& text) : impl_(new Impl(text), [](Impl* impl) { delete impl; }) {}

const std::vector<std::string>& Formula::variables() const { return impl_->names; }

double Formula::evaluate(const std::map<std::string, double>& values) const {
  for (std::size_t i = 0; const std::string& name : impl_->names) {
    const auto found = values.find(name);
    if (found == values.end())
      fail(impl_->text, "needs " + quoted(name) + ", which is not given" + suggestion(name, values));
    impl_->values[i++] = found->second;
  }
  return impl_->finite_value();
}

double Formula::evaluate(std::span<const double> values) const {
  std::ranges::copy(values, impl_->values.begin());
  return impl_->finite_value();
}

double Formula::value_at(std::span<const double> values) const {
  std::ranges::copy(values, impl_->values.begin());
  return impl_->parser.Eval();
}

}  // namespace nowsim
