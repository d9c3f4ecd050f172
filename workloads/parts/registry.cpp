// Looking workloads up, and making one with its identity.
#include "workloads/parts/registry.hpp"

#include <algorithm>
#include <cstdint>

#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// Passes every question on and notes the answer; of the parameters `later` only those that differ from their fallback.
class RecordingReader final : public ParameterReader {
 public:
  explicit RecordingReader(ParameterReader& inner, const std::vector<std::string>& later = {})
      : inner_(inner), later_(later) {}

  double work(const std::string& name, std::optional<double> fallback) override {
    return noted(name, inner_.work(name, fallback), fallback);
  }
  double bytes(const std::string& name, std::optional<double> fallback) override {
    return noted(name, inner_.bytes(name, fallback), fallback);
  }
  double time(const std::string& name, std::optional<double> fallback) override {
    return noted(name, inner_.time(name, fallback), fallback);
  }
  std::int64_t count(const std::string& name, std::optional<std::int64_t> fallback, std::int64_t least) override {
    const std::int64_t value = inner_.count(name, fallback, least);
    if (counts(name, value == fallback)) record_ += " " + name + "=" + std::to_string(value);
    return value;
  }
  std::size_t choice(const std::string& name, const std::vector<std::string>& words,
                     std::optional<std::size_t> fallback) override {
    const std::size_t value = inner_.choice(name, words, fallback);
    if (counts(name, value == fallback)) record_ += " " + name + "=" + words.at(value);
    return value;
  }

  double number(const std::string& name, std::optional<double> fallback, double least, double most) override {
    return noted(name, inner_.number(name, fallback, least, most), fallback);
  }
  /// Noted by how many there are and a checksum (FNV-1a, 64 bits) of what they are.
  std::vector<double> numbers_of_file(const std::string& name) override {
    std::vector<double> values = inner_.numbers_of_file(name);
    std::uint64_t sum = fnv1a("");
    for (const double value : values) sum = fnv1a(number_text(value) + ' ', sum);
    record_ += " " + name + "=" + std::to_string(values.size()) + ":" + std::to_string(sum);
    return values;
  }

  std::string path(const std::string& name) override { return inner_.path(name); }
  std::vector<std::string> texts(const std::string& name) override {
    std::vector<std::string> texts = inner_.texts(name);
    for (const auto& text : texts) record_ += " " + name + "+='" + text + "'";
    return texts;
  }
  /// Noted as it is written, and with the keys that it names.
  WrittenFormula formula(const std::string& name, const std::vector<std::string>& variables,
                         bool must_be_given) override {
    WrittenFormula written = inner_.formula(name, variables, must_be_given);
    if (!written.formula) return written;
    record_ += " " + name + "='" + written.text + "'";
    for (const auto& [key, value] : written.keys) record_ += " " + name + "." + key + "=" + number_text(value);
    return written;
  }

  /// " name=value" for each parameter that counts, in the order read.
  [[nodiscard]] const std::string& record() const { return record_; }

 private:
  [[nodiscard]] bool counts(const std::string& name, bool is_fallback) const {
    return !is_fallback || std::find(later_.begin(), later_.end(), name) == later_.end();
  }
  double noted(const std::string& name, double value, const std::optional<double>& fallback) {
    if (counts(name, value == fallback)) record_ += " " + name + "=" + number_text(value);
    return value;
  }
  ParameterReader& inner_;
  std::vector<std::string> later_;
  std::string record_;
};

}  // namespace

IdentifiedWorkload make_workload(const WorkloadInfo& info, ParameterReader& parameters) {
  RecordingReader reader(parameters, info.later);
  auto workload = info.make(reader);
  const std::string& code = workload->program().user_code.identity;
  std::string identity = info.name + " version=" + std::to_string(info.version) + reader.record();
  if (!code.empty()) identity += " code=" + code;
  if (const std::string& data = workload->program().data_identity; !data.empty()) identity += " data=" + data;
  return {std::move(workload), std::move(identity)};
}

}  // namespace nowsim
