// Keys that several owner models have: files of a workstation's own, what it has in common with others; and laws, by
// name, mean and spread, from a file, or as a formula of the uniform number.
#pragma once

#include <string>

#include "sim/owners/owner_models.hpp"
#include "sim/statistics/laws.hpp"

namespace nowsim {

/// A text with the workstation's name in place of {host}.
std::string with_host(std::string text, const std::string& host);
/// The weight of what a workstation's owner has in common with others.
Key correlation_key();
/// What stands at `correlation` where only a random start can have anything in common; 0 after a problem. `key` says
/// whether it is random.
double read_correlation_of_start(KeyReader& read, const char* key, bool is_random);
/// The file that a key names; {host} stands for the workstation's name. "" after a problem. @throws MissingOfHost where
/// there is none for this workstation.
std::string file_of_host(KeyReader& read, const std::string& key, const std::string& host);
/// What stands at `file`, in `folder` where one is given; likewise.
std::string read_file_of_host(KeyReader& read, const std::string& host);
/// The two keys that it reads.
Key file_key(const std::string& what);
Key folder_key();

/// What keys say, told for people ("file loads.txt"), and all of it exactly.
struct ToldKeys {
  std::string label, exactly;
  ToldKeys& operator+=(const ToldKeys& more) {
    label += more.label;
    exactly += more.exactly;
    return *this;
  }
  ToldKeys& operator+=(const std::string& of_both) { return *this += ToldKeys{of_both, of_both}; }
};

/// A law that data or a formula says: its mean follows. Null after a problem.
struct SaidLaw {
  DistributionPtr law;
  ToldKeys told;
};

/// The keys of a block that say a law of times beside the key of its mean.
struct TimeLawKeys {
  const char *law, *shape, *cv, *file, *formula;
};

/// A law of times, whose mean may still be open.
struct TimeLaw {
  std::string name = "constant";  ///< among length_laws(), or `file`, `formula`
  double spread = 0;
  std::string spread_text = {};   ///< " shape=3": with the key's name; "" where the law has none
  SaidLaw said = {};              ///< of `file` and `formula`
  [[nodiscard]] bool has_own_mean() const { return name == "file" || name == "formula"; }
  /// With this mean, unless it has its own. @throws InputError where that is not possible.
  [[nodiscard]] DistributionPtr with_mean(double mean) const;
  /// " length=pareto", with " length=file 1 2 3" exactly, for all of the data.
  [[nodiscard]] ToldKeys told(const std::string& key) const;
};
/// Notes problems; after one the law is a constant, of 1 where it has its own mean.
TimeLaw read_time_law(KeyReader& read, const OwnerContext& context, const TimeLawKeys& keys);
/// The words of the key `law`, and the table's rows of the other four.
std::vector<std::string> time_law_words();
KeyTable time_law_rows(const TimeLawKeys& keys);

/// The words of `value:` that stand for data or a formula, beside the names in value_laws(); and what the keys say then.
const std::vector<std::string>& said_value_words();
SaidLaw read_said_values(KeyReader& read, const OwnerContext& context, const std::string& word);
KeyTable said_value_rows();

/// Notes that a key is not wanted, with the reason, where it is given.
void refuse_keys(KeyReader& read, std::initializer_list<const char*> keys, const std::string& reason);

/// What `make` makes; where that cannot be, notes why, with the key's place where the error has none: then it is empty.
template <class Make>
auto noted(KeyReader& read, const std::string& key, const Make& make) {
  try {
    return make();
  } catch (const MissingOfHost&) {
    throw;  // told of all machines together
  } catch (const InputError& e) {
    if (e.place().line > 0) throw;
    read.problem(key, e.what());
    return decltype(make())();
  }
}

}  // namespace nowsim
