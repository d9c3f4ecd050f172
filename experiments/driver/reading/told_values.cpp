// Taking braces apart.
#include "experiments/driver/reading/told_values.hpp"

#include <stdexcept>

#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// "METRIC AXIS=VALUE, AXIS=VALUE".
ToldValue parse_value(const std::string& text) {
  const auto wrong = [&](const std::string& why) {
    return std::invalid_argument("'{" + text + "}' " + why +
                                 "; it is a metric, and where it is told, such as {tau job.size=8}");
  };
  const std::string inner(trimmed(text));
  const auto blank = inner.find(' ');
  ToldValue value{inner.substr(0, blank), {}};
  if (value.metric.empty()) throw wrong("names no metric");
  std::string rest = blank == std::string::npos ? "" : inner.substr(blank);
  while (!trimmed(rest).empty()) {
    const auto equals = rest.find('=');
    if (equals == std::string::npos) throw wrong("has a part without '='");
    const auto comma = rest.find(", ", equals);
    const std::string part = rest.substr(0, comma);
    const std::string axis(trimmed(std::string_view(part).substr(0, equals))),
        at(trimmed(std::string_view(part).substr(equals + 1)));
    if (axis.empty() || at.empty()) throw wrong("has an axis or a value that is empty");
    if (!value.where.emplace(axis, at).second) throw wrong("names '" + axis + "' twice");
    rest = comma == std::string::npos ? "" : rest.substr(comma + 2);
  }
  return value;
}

}  // namespace

ToldSentence parse_told_sentence(const std::string& text) {
  ToldSentence sentence;
  for (std::size_t at = 0; at < text.size();) {
    const auto open = text.find('{', at);
    const std::string between = text.substr(at, open - at);
    if (between.find('}') != std::string::npos) throw std::invalid_argument("a '}' has no '{' before it");
    sentence.texts.back() += between;
    if (open == std::string::npos) break;
    const auto close = text.find('}', open);
    if (close == std::string::npos) throw std::invalid_argument("a '{' has no '}'");
    sentence.values.push_back(parse_value(text.substr(open + 1, close - open - 1)));
    sentence.texts.emplace_back();
    at = close + 1;
  }
  return sentence;
}

}  // namespace nowsim
