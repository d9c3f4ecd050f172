// Looking workloads up, and making one with its identity.
#include "workloads/parts/registry.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// Passes every question on and notes the answer: what the workload's identity is made of.
class RecordingReader final : public KeyReader {
 public:
  RecordingReader(const WorkloadInfo& info, KeyReader& inner) : info_(info), inner_(inner) {}

  const Key& row(const std::string& name) const override {
    const auto found = std::ranges::find(info_.keys, name, &Key::name);
    if (found == info_.keys.end()) throw std::logic_error(info_.name + " has no key '" + name + "'");
    return *found;
  }
  std::optional<double> usual(const Key& key) const override { return inner_.usual(key); }
  bool has(const std::string& name) override { return inner_.has(name); }
  /// Plain numbers of programs may be percentages.
  double number_at(const Key& key, const Bounds& bounds, std::optional<double> fallback) override {
    Key asked = key;
    if (key.type == KeyType::number) asked.type = KeyType::share;
    const double value = inner_.number_at(asked, bounds, fallback);
    note(key.name, number_text(value), value == fallback);
    return value;
  }
  std::int64_t whole_at(const Key& key, const Bounds& bounds, std::optional<double> fallback) override {
    const std::int64_t value = inner_.whole_at(key, bounds, fallback);
    note(key.name, std::to_string(value), static_cast<double>(value) == fallback);
    return value;
  }
  std::size_t word_at(const Key& key) override {
    const std::size_t value = inner_.word_at(key);
    note(key.name, key.words.at(value), value == usual_word(key));
    return value;
  }
  /// Noted as it is written, and with the keys that it names.
  WrittenFormula formula_at(const Key& key) override {
    WrittenFormula written = inner_.formula_at(key);
    if (!written.formula) return written;
    note(key.name, "'" + written.text + "'");
    for (const auto& [name, value] : written.keys) note(key.name + "." + name, number_text(value));
    return written;
  }
  std::vector<double> values(const std::string& name) override {
    std::vector<double> values = inner_.values(name);
    for (const double value : values) note(name + "+", number_text(value));
    return values;
  }
  std::string text(const std::string& name) override {
    std::string text = inner_.text(name);
    note(name, "'" + text + "'");
    return text;
  }
  std::vector<std::string> texts(const std::string& name) override {
    std::vector<std::string> texts = inner_.texts(name);
    for (const auto& text : texts) note(name + "+", "'" + text + "'");
    return texts;
  }
  /// What of a file or folder results depend on is the program's to say (ProgramDescription::data_identity).
  std::string path(const std::string& name) override { return inner_.path(name); }
  /// Noted by how many there are and a checksum (FNV-1a, 64 bits) of what they are.
  std::vector<double> numbers_of_file(const std::string& name) override {
    std::vector<double> values = inner_.numbers_of_file(name);
    std::uint64_t sum = fnv1a("");
    for (const double value : values) sum = fnv1a(number_text(value) + ' ', sum);
    note(name, std::to_string(values.size()) + ":" + std::to_string(sum));
    return values;
  }
  std::string checked_file(const std::string& name, const std::string& file) override {
    return inner_.checked_file(name, file);
  }
  Place place(const std::string& name) override { return inner_.place(name); }
  void problem(const std::string& name, const std::string& sentence) override { inner_.problem(name, sentence); }

  /// " name=value" for each parameter that counts, in the order read.
  [[nodiscard]] const std::string& record() const { return record_; }

 private:
  /// Of the parameters `later` only those count that differ from what counts without them.
  void note(const std::string& name, const std::string& value, bool is_usual = false) {
    if (!is_usual || std::ranges::count(info_.later, name) == 0) record_ += " " + name + "=" + value;
  }

  const WorkloadInfo& info_;
  KeyReader& inner_;
  std::string record_;
};

}  // namespace

double read_positive(KeyReader& read, const std::string& name, const std::string& why) {
  const double value = read.value_within(name, {});
  if (!(value > 0)) throw InputError(name + " must be more than 0" + why);
  return value;
}

double read_size(KeyReader& read, const std::string& name, const std::string& of_what) {
  return read_positive(read, name, " bytes: it is the size of " + of_what);
}

IdentifiedWorkload make_workload(const WorkloadInfo& info, KeyReader& parameters) {
  RecordingReader reader(info, parameters);
  auto workload = info.make(reader);
  const std::string& code = workload->program().user_code.identity;
  std::string identity = info.name + " version=" + std::to_string(info.version) + reader.record();
  if (!code.empty()) identity += " code=" + code;
  if (const std::string& data = workload->program().data_identity; !data.empty()) identity += " data=" + data;
  return {std::move(workload), std::move(identity)};
}

}  // namespace nowsim
