// The table of formats.
#include "experiments/driver/text/document.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <optional>
#include <ostream>

#include "experiments/driver/text/stream_manner.hpp"

namespace nowsim {
namespace {

constexpr FormatInfo kFormats[] = {
    {Format::table, "table", [](const Document& d, std::ostream& out) { d.text(out); }},
    {Format::csv, "csv", [](const Document& d, std::ostream& out) { write_csv(d.head, d.rows, out); }},
    {Format::json, "json", [](const Document& d, std::ostream& out) { write_json(d.whole, out); }},
};

}  // namespace

std::span<const FormatInfo> formats() { return kFormats; }

void write_document(const Document& document, Format format, std::ostream& out) {
  const auto* info = std::ranges::find(kFormats, format, &FormatInfo::format);
  assert(info != std::end(kFormats));
  std::optional<ForPrograms> for_programs;
  if (format != Format::table) for_programs.emplace(out);
  info->write(document, out);
}

}  // namespace nowsim
