// Fields by name, each with a sentence where it is not what it should be.
#include "tools/page/page_request.hpp"

#include <cmath>

#include "sim/base/error.hpp"

namespace nowsim {
namespace {

[[noreturn]] void wrong_field(const char* name, const char* wanted) {
  throw InputError(Place{"", 0, name}, std::string("the question is to have ") + wanted + " here");
}

}  // namespace

PageRequest::PageRequest(const std::string& text) : all_(PageJson::parse(text, nullptr, /*allow_exceptions=*/false)) {
  if (all_.is_discarded()) throw InputError("a question is JSON in UTF-8, and this is none");
  if (!all_.is_object()) throw InputError("a question is an object, such as {\"do\": \"catalogue\"}");
}

bool PageRequest::has(const char* name) const {
  const auto found = all_.find(name);
  return found != all_.end() && !found->is_null();
}

const PageJson& PageRequest::field(const char* name) const {
  static const PageJson nothing;
  const auto found = all_.find(name);
  return found == all_.end() ? nothing : *found;
}

std::string PageRequest::text(const char* name) const {
  if (!field(name).is_string()) wrong_field(name, "a text");
  return field(name).get<std::string>();
}

std::string PageRequest::text_or(const char* name, const std::string& fallback) const {
  return has(name) ? text(name) : fallback;
}

std::vector<std::string> PageRequest::texts(const char* name) const {
  if (!has(name)) return {};
  if (!field(name).is_array()) wrong_field(name, "a list of texts");
  std::vector<std::string> out;
  for (const PageJson& item : field(name)) {
    if (!item.is_string()) wrong_field(name, "a list of texts");
    out.push_back(item.get<std::string>());
  }
  return out;
}

std::optional<std::uint64_t> PageRequest::whole(const char* name) const {
  if (!has(name)) return std::nullopt;
  if (!field(name).is_number_unsigned()) wrong_field(name, "a whole number from 0 on");
  return field(name).get<std::uint64_t>();
}

double PageRequest::number(const char* name) const {
  if (!field(name).is_number() || !std::isfinite(field(name).get<double>())) wrong_field(name, "a number");
  return field(name).get<double>();
}

const PageJson& PageRequest::object(const char* name) const {
  if (!field(name).is_object()) wrong_field(name, "an object");
  return field(name);
}

}  // namespace nowsim
