// Commas, blanks and quotation marks.
#include "sim/owners/comma_fields.hpp"

#include <algorithm>

#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// One field from position `at` on, which ends up at the comma or the end behind it.
std::string quoted_field(std::string_view line, std::size_t& at, const Place& place) {
  std::string field;
  for (++at; at < line.size(); ++at) {
    if (line[at] != '"') {
      field += line[at];
    } else if (at + 1 < line.size() && line[at + 1] == '"') {
      field += line[at++];  // "" is a quotation mark
    } else {
      const std::size_t end = std::min(line.find(',', ++at), line.size());
      if (!trimmed(line.substr(at, end - at)).empty())
        throw InputError(
            place, "a field goes on after its closing quotation mark; a quotation mark inside a field is doubled.");
      at = end;
      return field;
    }
  }
  throw InputError(place,
                   "a quotation mark opens a field here and never closes it on this line; close it or remove it.");
}

}  // namespace

void refuse_many_fields(const Place& place) {
  throw InputError(place, "this line has more than " + std::to_string(kMostFields) + " fields, as no table has.");
}

std::vector<std::string> comma_fields(std::string_view line, const Place& place) {
  std::vector<std::string> fields;
  for (std::size_t at = 0;; ++at) {
    if (fields.size() == kMostFields) refuse_many_fields(place);
    const std::size_t comma = std::min(line.find(',', at), line.size());
    const std::string_view plain = trimmed(line.substr(at, comma - at));
    if (plain.starts_with('"')) {
      at = line.find('"', at);
      fields.emplace_back(trimmed(quoted_field(line, at, place)));
    } else {
      fields.emplace_back(plain);
      at = comma;
    }
    if (at == line.size()) return fields;
  }
}

}  // namespace nowsim
