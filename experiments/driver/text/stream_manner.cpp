// A place that streams keep for such things (ios_base::xalloc); a table of the characters that nowsim writes.
#include "experiments/driver/text/stream_manner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

/// A place that streams keep for such things.
int place_of_manner() {
  static const int place = std::ios_base::xalloc();
  return place;
}

StreamManner* manner_of(std::ios_base& stream) { return static_cast<StreamManner*>(stream.pword(place_of_manner())); }

}  // namespace

void set_manner(std::ios_base& stream, StreamManner* manner) { stream.pword(place_of_manner()) = manner; }

std::size_t columns_of(std::ios_base& stream) {
  const StreamManner* manner = manner_of(stream);
  return manner == nullptr || manner->is_for_programs || !manner->columns ? 0 : manner->columns();
}

bool wants_ascii(std::ios_base& stream) {
  const StreamManner* manner = manner_of(stream);
  return manner != nullptr && manner->is_ascii && !manner->is_for_programs;
}

const TableWriter* table_writer_of(std::ios_base& stream) {
  const StreamManner* manner = manner_of(stream);
  return manner != nullptr && manner->tables ? &manner->tables : nullptr;
}

ForPrograms::ForPrograms(std::ios_base& stream) : manner_(manner_of(stream)) {
  if (manner_ == nullptr) return;
  before_ = manner_->is_for_programs;
  manner_->is_for_programs = true;
}

ForPrograms::~ForPrograms() {
  if (manner_ != nullptr) manner_->is_for_programs = before_;
}

namespace {

struct InAscii {
  char32_t code;
  const char* text;
};
// clang-format off
constexpr InAscii kInAscii[] = {
    {U'±', "+/-"}, {U'−', "-"}, {U'–', "-"}, {U'—', "-"}, {U'·', "*"}, {U'×', "x"}, {U'²', "^2"}, {U'³', "^3"},
    {U'≤', "<="}, {U'≥', ">="}, {U'≈', "~"}, {U'→', "->"}, {U'…', "..."}, {U'∞', "inf"},
    {U'✓', "yes"}, {U'✗', "no"},
    {U'‘', "'"}, {U'’', "'"}, {U'“', "\""}, {U'”', "\""}, {0xA0, " "},
    {U'│', "|"}, {U'─', "-"}, {U'└', "+"}, {U'├', "+"},
    {U'α', "alpha"}, {U'β', "beta"}, {U'γ', "gamma"}, {U'δ', "delta"}, {U'ε', "epsilon"}, {U'λ', "lambda"},
    {U'µ', "u"}, {U'μ', "mu"}, {U'ρ', "rho"}, {U'σ', "sigma"}, {U'τ', "tau"}, {U'φ', "phi"}, {U'ω', "omega"},
    {U'Δ', "Delta"}, {U'Σ', "Sigma"}, {U'η', "eta"}, {U'θ', "theta"}, {U'κ', "kappa"}, {U'π', "pi"},
    {U'χ', "chi"}, {U'ψ', "psi"}, {U'Ω', "Omega"},
    {U'Ç', "C"}, {U'é', "e"},  // of names that are cited
};
// clang-format on

std::string in_ascii(const Utf8Character& c, std::string_view bytes) {
  if (!c.is_whole || c.code < 128) return std::string(bytes);
  const auto* known = std::ranges::find(kInAscii, c.code, &InAscii::code);
  return known != std::end(kInAscii) ? known->text : fmt::format("\\u{:04x}", static_cast<unsigned>(c.code));
}

}  // namespace

std::string ascii_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Utf8Character c = first_character(text);
    out += in_ascii(c, text.substr(0, c.bytes));
    text.remove_prefix(c.bytes);
  }
  return out;
}

}  // namespace nowsim
