// The mutations, and which of them a dialect has.
#include "tests/fuzz/mutations.hpp"

#include <algorithm>
#include <utility>

namespace nowsim::test {
namespace {

/// A part of a text: where it begins and ends.
struct Span {
  std::size_t begin = 0, end = 0;
};
using Spans = std::vector<Span>;
using Mutation = void (*)(std::string&, Draw&);

std::string at(const std::string& text, const Span& span) { return text.substr(span.begin, span.end - span.begin); }

void put(std::string& text, const Span& span, const std::string& by) {
  text.replace(span.begin, span.end - span.begin, by);
}

/// Keys, values and numbers: what stands between marks.
Spans words_of(const std::string& text) {
  constexpr std::string_view kMarks = " \t\r\n,;:=[]{}()<>\"'|/";
  Spans out;
  for (std::size_t from = 0; (from = text.find_first_not_of(kMarks, from)) != std::string::npos;) {
    const std::size_t end = std::min(text.find_first_of(kMarks, from), text.size());
    out.push_back({from, end});
    from = end;
  }
  return out;
}

Spans keys_of(const std::string& text) {
  Spans out = words_of(text);
  std::erase_if(out, [&](const Span& s) { return s.end >= text.size() || text[s.end] != ':'; });
  return out;
}

Spans numbers_of(const std::string& text) {
  Spans out = words_of(text);
  std::erase_if(out, [&](const Span& s) { return text[s.begin] < '0' || text[s.begin] > '9'; });
  return out;
}

/// Lines with their ends.
Spans lines_of(const std::string& text) {
  Spans out;
  for (std::size_t from = 0; from < text.size(); from = out.back().end)
    out.push_back({from, std::min(text.find('\n', from), text.size() - 1) + 1});
  return out;
}

/// Tags, comments and the like: <...>.
Spans tags_of(const std::string& text) {
  Spans out;
  for (std::size_t from = 0; (from = text.find('<', from)) != std::string::npos; from = out.back().end)
    out.push_back({from, std::min(text.find('>', from), text.size() - 1) + 1});
  return out;
}

/// name="value", with the blank before it.
Spans attributes_of(const std::string& text) {
  Spans out;
  for (std::size_t quote = 0; (quote = text.find("=\"", quote)) != std::string::npos; quote += 2) {
    const std::size_t end = text.find('"', quote + 2), begin = text.rfind(' ', quote);
    if (end != std::string::npos && begin != std::string::npos) out.push_back({begin, end + 1});
  }
  return out;
}

template <Spans (*parts)(const std::string&)>
void drop(std::string& text, Draw& draw) {
  if (const Spans all = parts(text); !all.empty()) put(text, draw.of(all), "");
}

template <Spans (*parts)(const std::string&)>
void duplicate(std::string& text, Draw& draw) {
  const Spans all = parts(text);
  if (all.empty()) return;
  const std::string copy = at(text, draw.of(all));
  text.insert(draw.of(all).begin, copy);
}

template <Spans (*parts)(const std::string&)>
void swap(std::string& text, Draw& draw) {
  const Spans all = parts(text);
  if (all.empty()) return;
  Span a = draw.of(all), b = draw.of(all);
  if (a.begin > b.begin) std::swap(a, b);
  if (a.begin == b.begin) return;
  const std::string first = at(text, a), second = at(text, b);
  put(text, b, first);
  put(text, a, second);
}

template <Spans (*parts)(const std::string&)>
void make_awkward(std::string& text, Draw& draw) {
  const Spans all = parts(text);
  if (all.empty())
    text = awkward(draw);
  else
    put(text, draw.of(all), awkward(draw));
}

void truncate(std::string& text, Draw& draw) { text.resize(draw.below(text.size() + 1)); }

void flip_bit(std::string& text, Draw& draw) {
  if (text.empty()) return;
  char& byte = text[draw.below(text.size())];
  byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << draw.below(8)));
}

/// Of a byte that is not 0: most of a database's are.
void flip_bit_of_content(std::string& text, Draw& draw) {
  if (text.empty()) return;
  const std::size_t hit = text.find_first_not_of('\0', draw.below(text.size()));
  if (hit != std::string::npos)
    text[hit] = static_cast<char>(static_cast<unsigned char>(text[hit]) ^ (1U << draw.below(8)));
}

void set_byte(std::string& text, Draw& draw) {
  if (!text.empty()) text[draw.below(text.size())] = static_cast<char>(draw.below(256));
}

void insert_awkward(std::string& text, Draw& draw) { text.insert(draw.below(text.size() + 1), awkward(draw)); }

/// A stretch of any bounds, elsewhere once more.
void copy_stretch(std::string& text, Draw& draw) {
  constexpr std::size_t kLongest = 200;
  const std::size_t from = draw.below(text.size() + 1);
  const std::string stretch = text.substr(from, draw.below(kLongest));
  text.insert(draw.below(text.size() + 1), stretch);
}

void clear_stretch(std::string& text, Draw& draw) {
  constexpr std::size_t kLongest = 5000;
  const std::size_t from = draw.below(text.size() + 1);
  const std::size_t size = std::min(draw.below(kLongest), text.size() - from);
  std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(from), size, '\0');
}

/// The same number, larger, smaller, of other sign or unit.
void change_number(std::string& text, Draw& draw) {
  static const std::vector<std::string> before{"-", "+", "0", "1", "9", "1e", "0."};
  static const std::vector<std::string> after{"0", "000000", "e3", "e300", "e-300", ".5", "%",
                                              "s", "Gf",     "MB", "Mbps", "x",     " ",  "f"};
  const Spans all = numbers_of(text);
  if (all.empty()) return;
  const Span number = draw.of(all);
  if (draw.below(2) == 0)
    text.insert(number.begin, draw.of(before));
  else
    text.insert(number.end, draw.of(after));
}

/// A key's value moved away, into a list, a map or a nest of them.
void nest(std::string& text, Draw& draw) {
  static const std::vector<std::pair<std::string, std::string>> shells{
      {"[", "]"}, {"{a: ", "}"}, {"[1, ", "]"}, {"{0.5: ", "}"}};
  const Spans all = words_of(text);
  if (all.empty()) return;
  const Span word = draw.of(all);
  const auto& [opening, closing] = draw.of(shells);
  std::string nested = at(text, word);
  const std::size_t depth = draw.below(4) == 0 ? draw.below(300) : 1;
  for (std::size_t d = 0; d < depth; ++d) nested = opening + nested + closing;
  put(text, word, nested);
}

/// A key once more beside itself, with another value.
void repeat_key(std::string& text, Draw& draw) {
  const Spans all = keys_of(text);
  if (all.empty()) return;
  const Span key = draw.of(all);
  const bool is_in_flow = text.rfind('{', key.begin) != std::string::npos &&
                          text.rfind('\n', key.begin) != std::string::npos &&
                          text.rfind('{', key.begin) > text.rfind('\n', key.begin);
  text.insert(key.begin, at(text, key) + ": " + awkward(draw) + (is_in_flow ? ", " : "\n"));
}

/// Another document's line or word in this one's place.
void join(std::string& text, const std::string& other, Draw& draw) {
  const Spans here = lines_of(text), there = lines_of(other);
  if (!here.empty() && !there.empty()) put(text, draw.of(here), at(other, draw.of(there)));
}

const std::vector<Mutation>& mutations_of(Dialect dialect) {
  static const std::vector<Mutation> words{
      make_awkward<words_of>, change_number, drop<words_of>, swap<words_of>, insert_awkward,
      copy_stretch,           truncate,      flip_bit,       set_byte,       make_awkward<words_of>};
  static const std::vector<Mutation> table{make_awkward<words_of>,
                                           make_awkward<numbers_of>,
                                           change_number,
                                           change_number,
                                           drop<words_of>,
                                           swap<words_of>,
                                           drop<lines_of>,
                                           duplicate<lines_of>,
                                           swap<lines_of>,
                                           insert_awkward,
                                           copy_stretch,
                                           truncate,
                                           flip_bit,
                                           set_byte};
  static const std::vector<Mutation> yaml{make_awkward<words_of>,
                                          make_awkward<numbers_of>,
                                          make_awkward<keys_of>,
                                          change_number,
                                          change_number,
                                          drop<words_of>,
                                          swap<words_of>,
                                          swap<keys_of>,
                                          repeat_key,
                                          nest,
                                          drop<lines_of>,
                                          duplicate<lines_of>,
                                          swap<lines_of>,
                                          insert_awkward,
                                          copy_stretch,
                                          truncate,
                                          flip_bit,
                                          set_byte};
  static const std::vector<Mutation> xml{make_awkward<words_of>,
                                         make_awkward<numbers_of>,
                                         change_number,
                                         change_number,
                                         swap<words_of>,
                                         drop<tags_of>,
                                         duplicate<tags_of>,
                                         swap<tags_of>,
                                         drop<attributes_of>,
                                         duplicate<attributes_of>,
                                         swap<attributes_of>,
                                         insert_awkward,
                                         copy_stretch,
                                         truncate,
                                         flip_bit,
                                         set_byte};
  static const std::vector<Mutation> bytes{flip_bit, flip_bit_of_content, flip_bit_of_content, flip_bit_of_content,
                                           set_byte, copy_stretch,        clear_stretch,       truncate};
  switch (dialect) {
    case Dialect::words:
      return words;
    case Dialect::table:
      return table;
    case Dialect::yaml:
      return yaml;
    case Dialect::xml:
      return xml;
    case Dialect::bytes:
      break;
  }
  return bytes;
}

std::string repeated(const std::string& piece, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += piece;
  return out;
}

}  // namespace

std::size_t Draw::below(std::size_t n) {
  return std::min(static_cast<std::size_t>(stream_.uniform() * static_cast<double>(n)), n > 0 ? n - 1 : 0);
}

std::string awkward(Draw& draw) {
  static const std::vector<std::string> values{
      // numbers
      "0", "-0", "-1", "1", "1e-400", "5e-324", "1e300", "1.8e308", "1e309", "9007199254740993", "2147483648",
      "4294967297", "9223372036854775808", "18446744073709551616", "nan", "inf", "-inf", "0x10", "010", "1_000", "1e",
      ".", "1.2.3", "1,5", repeated("9", 1000), "0." + repeated("0", 1000) + "1",
      "\xe2\x88\x92"
      "5",
      "\xd9\xa3",
      // quantities and formulas
      "10 s", "1Gf", "1e300Gf", "3 apples", "50%", "-5%", "1000%", "4KiB", "3d", "= 1/0", "= x",
      "= 2 * platform.workstations", "= i", "= 0 ? 1", "= " + repeated("(", 200), "= " + repeated("-", 500) + "1",
      "= " + repeated("2^", 300) + "2", "= \"a\"", "= let.a",
      // structure
      "", "[]", "{}", "[1, 2]", "{a: 1}", "null", "~", "true", "*a", "&a b", "!t x", "|", ">", "? x", "- 1", "# x",
      "---", "...", "%YAML 1.2", "<<", repeated("[", 200), repeated("{a: ", 200), repeated("- ", 200), "n[1-99999]",
      "n[3-1]", "n[[1]]", "*", "all", "]]>", "<![CDATA[", "<!--", "<!DOCTYPE x [<!ENTITY a \"b\">]>", "&a;", "&#0;",
      "&#x1b;", "</platform>", "<zone>",
      // texts
      "'", "\"", "\\", "%s%n", "${HOME}", "`id`", "$(id)", "\xc3\xa9", "\xe6\xbc\xa2", "\xf0\x9f\x98\x80",
      "\xe2\x80\xae", "\xef\xbb\xbf", "\xff", "\xc3", "\xed\xa0\x80", std::string(1, '\0'), "\x01", "\x1b[31m", "\x7f",
      "\r", "\n", "\t", "\xc2\x85", repeated("a", 5000), repeated("a.", 500), "..", "-", "--", "--help", "=", ":", ": ",
      ",", ";"};
  return draw.of(values);
}

std::string mutated(const std::vector<std::string>& texts, Dialect dialect, Draw& draw) {
  std::string text = draw.of(texts);
  for (std::size_t left = 1 + draw.below(4); left > 0; --left) {
    constexpr std::size_t kOneIn = 12;
    if (draw.below(kOneIn) == 0)
      join(text, draw.of(texts), draw);
    else
      draw.of(mutations_of(dialect))(text, draw);
  }
  return text;
}

}  // namespace nowsim::test
