// Owner models that are functions of uniform numbers, or generators of intervals.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/text.hpp"
#include "sim/owners/path.hpp"
#include "tools/python/kept.hpp"
#include "tools/python/python_additions.hpp"
#include "tools/python/python_function.hpp"
#include "tools/python/raised.hpp"

namespace nowsim {

namespace py = pybind11;

namespace {

constexpr const char* kInterval = "how long the interval lasts [s], more than 0, and the availability in it, from 0 to 1";
/// Of which mean and standard deviation are measured where nobody gives them.
constexpr int kPilotPaths = 100, kPilotSteps = 200;
/// Shorter intervals than any owner's are a mistake that engines would be busy with for ever.
constexpr double kShortest_s = 1e-9;

/// A pair, or a list of two.
Step step_of(const PythonFunction& function, const py::object& given, const std::function<std::string()>& state) {
  if (!py::isinstance<py::sequence>(given) || py::isinstance<py::str>(given) || py::len(given) != 2)
    function.refuse(given, kInterval, state());
  const py::sequence pair = given;
  const Step step{function.number(py::object(pair[0]), kInterval, state), function.number(py::object(pair[1]), kInterval, state)};
  if (!(step.duration_s >= kShortest_s) || !(step.value >= 0 && step.value <= 1)) function.refuse(given, kInterval, state());
  return step;
}

/// The function, with what stands at its keys.
struct CalledOwner {
  PythonFunctionPtr function;
  std::vector<py::object> keys;
  std::string label;  ///< describes it exactly, but for its code
  std::string code;
};
using CalledOwnerPtr = std::shared_ptr<const CalledOwner>;

/// Whose owner's, and whether a run asks or a sample.
struct OwnerPlace {
  StreamKey key;
  bool is_in_run = true;
};

/// One interval after another. What is wrong with one is told with whose it is, and from when on it was to last.
class PythonPath : public Path {
 public:
  explicit PythonPath(const OwnerPlace& of) : Path(kLeastAvailability), of_(of) {}

 private:
  Step draw() final {
    try {
      const Step step = interval();
      begin_s_ += step.duration_s;
      return step;
    } catch (const RunError& e) {
      if (!of_.is_in_run) throw;
      throw RunError("in replication " + std::to_string(of_.key.replication) + " the owner of rank " +
                     std::to_string(of_.key.workstation) + "'s workstation stopped at t = " + short_number(begin_s_) +
                     " s: " + e.what());
    }
  }
  virtual Step interval() = 0;
  OwnerPlace of_;
  double begin_s_ = 0;
};

/// One interval per call.
class CalledPath final : public PythonPath {
 public:
  CalledPath(CalledOwnerPtr owner, const OwnerPlace& of)
      : PythonPath(of), owner_(std::move(owner)), stream_(of.key), drawn_(owner_->function->variables().size()) {}

 private:
  Step interval() override {
    for (std::size_t k = 0; k < drawn_.size(); ++k) drawn_[k] = py::float_(stream_.uniform());
    const py::object given = owner_->function->call(drawn_, owner_->keys);
    return step_of(*owner_->function, given, [&] {
      std::string state = owner_->label;
      for (std::size_t k = 0; k < drawn_.size(); ++k)
        state += " " + owner_->function->variables()[k] + "=" + short_number(drawn_[k].cast<double>());
      return state;
    });
  }
  CalledOwnerPtr owner_;
  Stream stream_;
  std::vector<py::object> drawn_;
};

/// What a generator yields, one interval after another; the last one lasts for ever.
class YieldedPath final : public PythonPath {
 public:
  YieldedPath(CalledOwnerPtr owner, const OwnerPlace& of) : PythonPath(of), owner_(std::move(owner)) {
    const std::vector<py::object> random{
        py::cpp_function([stream = Stream(of.key)]() mutable { return stream.uniform(); })};
    generator_ = owner_->function->call(random, owner_->keys);
  }
  ~YieldedPath() override { owner_->function->close(generator_); }

 private:
  Step interval() override {
    const py::object given = owner_->function->next(generator_);
    if (given) return last_ = step_of(*owner_->function, given, [&] { return owner_->label; });
    if (last_.duration_s == 0) owner_->function->refuse(py::none(), kInterval, owner_->label);
    return last_ = {kInfinity, last_.value};
  }
  CalledOwnerPtr owner_;
  py::object generator_;
  Step last_{0, 0};
};

std::unique_ptr<Path> path_of(const CalledOwnerPtr& owner, const OwnerPlace& of) {
  if (owner->function->described().attr("is_generator").cast<bool>()) return std::make_unique<YieldedPath>(owner, of);
  return std::make_unique<CalledPath>(owner, of);
}

SampledMoments measured(const CalledOwnerPtr& owner) {
  const auto path = [&owner](std::uint64_t replication) {
    return path_of(owner, {.key = {.replication = replication}, .is_in_run = false});
  };
  const SampledMoments moments = sampled_moments(path, kPilotPaths, kPilotSteps);
  if (moments.mean > kLeastAvailability) return moments;
  throw InputError(owner->function->by() + " leaves nothing: the availability is 0 in all intervals of " +
                   std::to_string(kPilotPaths) + " paths that were tried");
}

/// As they were given, or measured.
std::pair<SampledMoments, bool> moments_of(const CalledOwnerPtr& owner) {
  py::list keys;
  for (const py::object& key : owner->keys) keys.append(key);
  const py::object& described = owner->function->described();
  const py::object given = said_of_itself(described, [&] { return described.attr("moments")(*keys); });
  if (given.is_none()) return {measured(owner), false};
  const py::tuple pair = given;
  const SampledMoments moments{pair[0].cast<double>(), pair[1].cast<double>()};
  if (moments.mean >= 0 && moments.mean <= 1 && moments.sd >= 0 && moments.sd <= 0.5) return {moments, true};
  throw InputError(owner->function->by() + ": mean and sd of an availability are from 0 to 1 and from 0 to 0.5, not " +
                   short_number(moments.mean) + " and " + short_number(moments.sd));
}

class PythonOwner final : public UserOwner {
 public:
  explicit PythonOwner(CalledOwnerPtr owner) : owner_(std::move(owner)) { std::tie(moments_, are_exact_) = moments_of(owner_); }
  std::unique_ptr<Path> path(const StreamKey& key) const override { return path_of(owner_, {key}); }
  OwnerMoments moments() const override { return {moments_.mean, moments_.sd, are_exact_}; }
  std::string describe() const override {
    if (are_exact_) return owner_->label;
    const auto text = [](double value, double error) { return short_number(value) + " ± " + short_number(error); };
    return owner_->label + ", over time mean " + text(moments_.mean, moments_.mean_error) + " and sd " +
           text(moments_.sd, moments_.sd_error) + " (standard errors of a sample)";
  }
  std::string identity() const override { return owner_->label + " code=" + owner_->code; }

 private:
  CalledOwnerPtr owner_;
  SampledMoments moments_{};
  bool are_exact_ = true;
};

CalledOwnerPtr called_owner(const PythonFunctionPtr& function, const std::string& code, KeyReader& read) {
  CalledOwner owner{function, {}, function->text("name"), code};
  for (const PythonKey& it : function->keys()) {
    const double value = it.read(read);
    owner.keys.push_back(it.object(value));
    const auto& words = it.key().words;
    owner.label += " " + it.key().name + "=" + (words.empty() ? number_text(value) : words.at(static_cast<std::size_t>(value)));
  }
  return kept(std::move(owner));
}

}  // namespace

OwnerModelInfo python_owner(const py::object& described) {
  const PythonFunctionPtr function = python_function(described);
  return {function->text("name"), function->text("summary"), function->key_table(),
          [function, code = function->code()](KeyReader& read, const OwnerContext& context) {
            const py::gil_scoped_acquire interpreter;
            const CalledOwnerPtr owner = called_owner(function, code, read);
            try {
              return context.shared.get<Owner>(owner->label, [&] { return user_owner(std::make_shared<const PythonOwner>(owner)); });
            } catch (const RunError& e) {  // nothing runs yet: it is what the description asks for
              throw InputError(e.what());
            }
          }};
}

}  // namespace nowsim
