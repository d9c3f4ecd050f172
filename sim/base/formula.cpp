// Formulas over named variables: a strict reading of the text first, then muParser for the arithmetic.
#include "sim/base/formula.hpp"

#include <muParser.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
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

/// ", did you mean 'x'?" where a known name is near, else "".
std::string suggestion(const std::string& name, const std::vector<std::string>& known) {
  const auto nearest = nearest_name(name, known);
  return nearest.empty() ? "" : "; did you mean " + quoted(nearest) + "?";
}

/// The character that begins a text as people see it: a printable one itself, a control character as its byte.
std::string shown(std::string_view text) {
  const char c = text.front();
  if (static_cast<unsigned char>(c) >= 0x80) return foreign_character(text);
  if (c > ' ' && c < 127) return quoted(text.substr(0, 1));
  constexpr std::string_view hexadecimal = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return std::string("the byte 0x") + hexadecimal[byte / 16] + hexadecimal[byte % 16];
}

/// Cuts a formula into tokens, and refuses what is no number, name or symbol, or stands where it cannot.
class Lexer {
 public:
  explicit Lexer(const std::string& formula) : text_(formula) {
    for (skip(blanks); at_ < text_.size(); skip(blanks)) tokens_.push_back(next());
    check_nesting();
    check_operands();
  }
  [[nodiscard]] const std::vector<Token>& tokens() const { return tokens_; }

 private:
  [[noreturn]] void refuse(std::size_t start, const std::string& sentence) const { fail_at(text_, start, sentence); }

  Token next() {
    start_ = at_;
    if (starts_number()) return number();
    return is_one_of(at_, name_starts) ? name() : symbol();
  }

  [[nodiscard]] bool is_one_of(std::size_t i, std::string_view set) const {
    return i < text_.size() && set.find(text_[i]) != std::string_view::npos;
  }
  [[nodiscard]] bool starts_number() const {
    return is_one_of(at_, kDigits) || (is_one_of(at_, ".") && is_one_of(at_ + 1, kDigits));
  }
  void skip(std::string_view set) { at_ = std::min(text_.find_first_not_of(set, at_), text_.size()); }
  [[nodiscard]] Token token(TokenKind kind) const { return {kind, start_, text_.substr(start_, at_ - start_)}; }

  Token number() {
    double value = 0;
    const char* const first = text_.data() + start_;
    const auto [end, error] = number_from_chars(first, text_.data() + text_.size(), value);
    at_ += static_cast<std::size_t>(end - first);
    if (error != std::errc{})
      refuse(start_, quoted(token(TokenKind::number).text) + " is too large or too small a number");
    if (!is_one_of(at_, name_chars)) return token(TokenKind::number);
    skip(name_chars);
    refuse(start_, quoted(token(TokenKind::number).text) + " is neither a number nor a name");
  }

  Token name() {
    skip(name_chars);
    const auto out = token(TokenKind::name);
    if (out.text.back() == '.' || out.text.find("..") != std::string::npos)
      refuse(start_, quoted(out.text) + " is not a name: a '.' stands between two parts of a name");
    return out;
  }

  Token symbol() {
    const std::string_view rest = std::string_view(text_).substr(start_);
    const auto* const found = std::ranges::find_if(symbols, [&](const Symbol& s) { return rest.starts_with(s.text); });
    if (found == std::end(symbols)) refuse(start_, shown(rest) + " is not part of a formula");
    if (!found->advice.empty())
      refuse(start_, quoted(found->text) + " is not part of a formula: " + std::string(found->advice));
    at_ += found->text.size();
    return token(TokenKind::symbol);
  }

  /// Refuses parentheses and conditions that do not pair, and a ',' that would give a second result. muParser's own
  /// bookkeeping mixes up a ':' with the parenthesis it stands in.
  void check_nesting() const {
    std::vector<std::size_t> open;  // the tokens' places
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const auto& [kind, start, text] = tokens_[i];
      if (kind != TokenKind::symbol) continue;
      if (text == "(" || text == "?") open.push_back(i);
      if (text == ")" || text == ":") {
        const std::string opener = text == ")" ? "(" : "?";
        if (open.empty()) refuse(start, "this " + quoted(text) + " has no " + quoted(opener));
        if (tokens_[open.back()].text != opener) refuse_open(open.back());
        open.pop_back();
      }
      if (text != ",") continue;
      if (open.empty()) refuse(start, "a formula has one result, this ',' would begin a second");
      if (tokens_[open.back()].text == "?") refuse_open(open.back());
      if (open.back() == 0 || tokens_[open.back() - 1].kind != TokenKind::name)
        refuse(start, "only a function takes several arguments");
    }
    if (!open.empty()) refuse_open(open.back());
  }
  [[noreturn]] void refuse_open(std::size_t i) const {
    const Token& token = tokens_[i];
    refuse(token.start, "this " + quoted(token.text) + " has no " + (token.text == "(" ? "')'" : "':'"));
  }

  /// Refuses a symbol that wants a value after it and has none: muParser takes the value before it for the missing one
  /// where the symbol may be a sign, as in `a ? - : b`.
  void check_operands() const {
    constexpr std::string_view kValueStarts = "(+-";
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const auto& [kind, start, text] = tokens_[i];
      if (kind != TokenKind::symbol || text == ")") continue;
      if (i + 1 == tokens_.size()) refuse(start, "the formula ends after " + quoted(text));
      const Token& next = tokens_[i + 1];
      const bool starts_value = next.kind != TokenKind::symbol || kValueStarts.find(next.text) != kValueStarts.npos;
      if (!starts_value && text + next.text != "()")
        refuse(next.start, quoted(next.text) + " cannot follow " + quoted(text));
    }
  }

  const std::string& text_;
  std::vector<Token> tokens_;
  std::size_t start_ = 0;
  std::size_t at_ = 0;
};

/// The remainder with the sign of the divisor, so that mod(-1, 12) is 11 and floor(a/b)*b + mod(a,b) is a.
double floored_mod(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0 && std::signbit(rest) != std::signbit(b) ? rest + b : rest;
}
double round_down(double x) { return std::floor(x); }
double round_up(double x) { return std::ceil(x); }

void prepare(mu::Parser& parser) {
  parser.ResetLocale();           // '.' and ',' whatever the user's locale
  parser.EnableOptimizer(false);  // it reorders: 3*(x+1) becomes 3*x+3, and 1e300*x*1e300 not a number at x = 0
  parser.DefineNameChars(name_chars);
  parser.DefineFun("floor", round_down);
  parser.DefineFun("ceil", round_up);
  parser.DefineFun("mod", floored_mod);
}

std::vector<std::string> function_names(const mu::Parser& parser) {
  std::vector<std::string> out;
  for (const auto& [name, callback] : parser.GetFunDef()) out.push_back(name);
  return out;
}

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
  mutable std::vector<double> values;  // muParser holds the addresses: never resized after compile()

  explicit Impl(std::string formula) : text(std::move(formula)) {
    if (text.find_first_not_of(blanks) == std::string::npos) throw InputError("a formula is empty");
    prepare(parser);
    const auto spelling = read_names(Lexer(text).tokens());
    try {
      compile(spelling);
    } catch (const mu::ParserError& error) {
      fail_at(text, start_of(error, text), sentence_of(error));
    }
  }

  /// Collects the variables; gives the text as muParser wants it, each function's name next to its parenthesis.
  std::string read_names(const std::vector<Token>& tokens) {
    std::string spelling = text;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].kind != TokenKind::name) continue;
      const bool called = i + 1 < tokens.size() && tokens[i + 1].text == "(";
      if (called)
        read_function(tokens[i], tokens[i + 1].start, spelling);
      else if (parser.GetConst().count(tokens[i].text) == 0)
        names.push_back(tokens[i].text);
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return spelling;
  }

  void read_function(const Token& name, std::size_t parenthesis, std::string& spelling) const {
    if (parser.GetFunDef().count(name.text) == 0)
      fail_at(text, name.start,
              "there is no function " + quoted(name.text) + suggestion(name.text, function_names(parser)));
    const auto first = spelling.begin() + static_cast<std::ptrdiff_t>(name.start);
    std::rotate(first, first + static_cast<std::ptrdiff_t>(name.text.size()),
                spelling.begin() + static_cast<std::ptrdiff_t>(parenthesis));
  }

  void compile(const std::string& spelling) {
    values.assign(names.size(), 0.0);
    for (std::size_t i = 0; i < names.size(); ++i) parser.DefineVar(names[i], &values[i]);
    parser.SetExpr(spelling);
    parser.Eval();  // the first evaluation compiles; the value at zeros is of no interest
  }

  [[nodiscard]] double value_of(const std::string& name, const std::map<std::string, double>& given) const {
    const auto found = given.find(name);
    if (found != given.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [key, value] : given) known.push_back(key);
    fail(text, "needs " + quoted(name) + ", which is not given" + suggestion(name, known));
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
  std::transform(impl_->names.begin(), impl_->names.end(), impl_->values.begin(),
                 [&](const std::string& name) { return impl_->value_of(name, values); });
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
