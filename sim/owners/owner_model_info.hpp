// How an owner model is described: its name, a line of help, its keys, and how it is made from them.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <typeindex>
#include <typeinfo>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/keys.hpp"
#include "sim/owners/owner.hpp"

namespace nowsim {

enum class NoteOn { gaps, partial_jobs, weekends, replays };

/// Files that were read, models that are equal, and the like: each made once, found by its type and an exact name.
class SharedParts {
 public:
  /// The part of that name, or else what `make` returns, a std::shared_ptr<const T>. What throws is not kept.
  template <class T, class Make>
  std::shared_ptr<const T> get(const std::string& name, const Make& make) {
    const auto key = std::pair(std::type_index(typeid(T)), name);
    if (const auto known = parts_.find(key); known != parts_.end())
      return std::static_pointer_cast<const T>(known->second);
    std::shared_ptr<const T> made = make();
    parts_.emplace(key, made);
    return made;
  }

  /// Keeps what is worth saying of them, each sentence once, and some of many of a kind: points of a sweep, or machines,
  /// may differ in a name or a number alone.
  void note(NoteOn what, const std::string& sentence) {
    constexpr std::size_t kMost = 4;
    if (std::ranges::count(notes_, sentence) == 0 && ++noted_[what] <= kMost) notes_.push_back(sentence);
  }
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  std::map<std::pair<std::type_index, std::string>, std::shared_ptr<const void>> parts_;
  std::vector<std::string> notes_;
  std::map<NoteOn, std::size_t> noted_;
};

/// For which workstation a model is made.
struct OwnerContext {
  const std::string& host;  ///< its name
  std::size_t index;        ///< its position
  std::size_t count;        ///< of workstations
  int cores;                ///< its
  bool spread;              ///< what is said holds for all workstations, so that SH spreads TH over them
  SharedParts& shared;
  bool by_hour = false;     ///< a pattern by hour (`diurnal`) is laid over the model
};

/// A line of `nowsim list owners`.
struct OwnerModelInfo {
  std::string name;
  std::string summary;
  KeyTable keys;
  /// Reads the keys. Where one is wrong, which the reader notes, any model will do. @throws InputError for a file that
  /// cannot be read; InfeasibleError, with its place, where a law cannot hold what it is asked for.
  std::function<OwnerPtr(KeyReader& read, const OwnerContext& context)> make;
  bool of_links = true;  ///< whether it can say what is left of a link
};

/// What the keys of a model name and is not there for one workstation, a file or its rows in one: what is missing of
/// several is told in one sentence, "BEFORE a, b, c AFTER".
class MissingOfHost : public InputError {
 public:
  MissingOfHost(std::string key, std::string before, const std::string& host, std::string after)
      : InputError(before + " " + host + after),
        key_(std::move(key)),
        host_(host),
        before_(std::move(before)),
        after_(std::move(after)) {}
  [[nodiscard]] const std::string& key() const { return key_; }
  [[nodiscard]] const std::string& host() const { return host_; }  ///< what is looked for: it may be called otherwise
  [[nodiscard]] const std::string& before() const { return before_; }
  [[nodiscard]] const std::string& after() const { return after_; }

 private:
  std::string key_, host_, before_, after_;
};

/// A text with the workstation's name in place of {host}.
std::string with_host(std::string text, const std::string& host);
/// Keys that several models have: the weight of what a workstation's owner has in common with others; the shape of
/// Pareto's law, where the key `law` says that it is the one.
Key correlation_key();
/// How a process stands when a replication begins: the words of OwnerStart, and `random` and `independent` for the second,
/// so that a block whose model is swept can say it of a recorded one too.
Key start_key(const std::string& fallback);
OwnerStart read_start(KeyReader& read);
Key shape_key(const std::string& name, const std::string& law);
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

}  // namespace nowsim
