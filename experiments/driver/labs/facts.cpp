// Looking facts up, and handing them to what computes their kind.
#include "experiments/driver/labs/facts.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "experiments/driver/labs/asked_unit.hpp"
#include "experiments/driver/labs/confined_technique.hpp"
#include "experiments/driver/labs/fact_kinds.hpp"
#include "experiments/driver/labs/lab_experiments.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// What tells the size of a time.
constexpr const char* kPilotReplications = "run.replications=20";

/// A fact while it is computed, however that ends.
class UnderWay {
 public:
  UnderWay(std::set<std::string>& all, const std::string& name, const Place& place) : all_(all), name_(name) {
    if (!all.insert(name).second) throw InputError(place, "this fact is needed for itself");
  }
  ~UnderWay() { all_.erase(name_); }
  UnderWay(const UnderWay&) = delete;
  UnderWay& operator=(const UnderWay&) = delete;

 private:
  std::set<std::string>& all_;
  std::string name_;
};

}  // namespace

struct Facts::State {
  const Lab& lab;
  Problem problem;
  const Registries& registries;
  FactOptions options;
  Facts* parent = nullptr;  ///< whose facts do not know the answer
  const Question* question = nullptr;
  std::vector<std::string> answer = {};
  std::shared_ptr<const Registries> with_code = nullptr;  ///< where the answer is a program
  Confinement confinement = {};                           ///< of that

  std::map<std::string, Fact> known = {};
  std::set<std::string> under_way = {};
  std::map<std::string, ResultTable> summaries = {};
  std::map<std::pair<std::string, std::uint64_t>, Timeline> timelines = {};
  std::unique_ptr<Facts> pilot = nullptr;
  ColumnUnit answer_time = {"s", 1};                ///< the unit of the times of the question
  std::map<std::string, ColumnUnit> time_units = {};  ///< by question
  std::map<std::string, Estimate> model_scores = {};

  /// The question's, or the lab's where no parent has these.
  [[nodiscard]] const LabFact* own_fact(const std::string& name) const {
    const LabFact* of_lab = parent == nullptr ? lab.fact(name) : nullptr;
    if (question == nullptr) return of_lab;
    const auto found = std::ranges::find(question->facts, name, &LabFact::name);
    return found == question->facts.end() ? of_lab : &*found;
  }
  void add_code(const std::string& file) {
    CodeLimits limits;
    limits.must_be_confined = options.must_confine;
    const std::string helper = (std::filesystem::path(lab.folder).parent_path() / kCodeHelper).string();
    ConfinedTechnique code = confined_technique(kCodeTechnique, file, helper, limits);
    with_code = std::make_shared<const Registries>(registries.with(code.technique));
    confinement = std::move(code.confinement);
  }
  [[nodiscard]] const LabExperiment& experiment(const std::string& name) const {
    if (const LabExperiment* found = lab.experiment(name)) return *found;
    throw InputError({lab.folder, 0, ""}, "the lab has no experiment " + quoted(name));
  }
};

Facts::Facts(const Lab& lab, const Problem& problem, const Registries& registries, FactOptions options)
    : state_(new State{lab, problem, registries, std::move(options)}) {}
Facts::~Facts() = default;

const Lab& Facts::lab() const { return state_->lab; }
const Problem& Facts::problem() const { return state_->problem; }
const Registries& Facts::registries() const { return state_->with_code ? *state_->with_code : state_->registries; }
std::string Facts::answer_unit() const { return state_->question != nullptr ? state_->question->unit : ""; }
const Confinement* Facts::code() const { return state_->with_code != nullptr ? &state_->confinement : nullptr; }
const FactOptions& Facts::options() const { return state_->options; }
const std::vector<std::string>& Facts::answer() const { return state_->answer; }

bool Facts::knows(const std::string& name) const {
  return state_->own_fact(name) != nullptr || state_->lab.fact(name) != nullptr;
}

std::unique_ptr<Facts> Facts::with_answer(const Question& question, const std::vector<std::string>& answer) {
  auto facts = std::make_unique<Facts>(state_->lab, state_->problem, state_->registries, state_->options);
  if (state_->options.is_final && question.kind == Question::Kind::trial)
    facts->state_->problem.judge_seed = state_->problem.grade_seed;  // all of it anew
  else
    facts->state_->parent = this;
  facts->state_->answer_time = time_unit(question);
  facts->state_->question = &question;
  facts->state_->answer = answer;
  const bool is_code = question.kind == Question::Kind::trial && question.takes == Question::Takes::code &&
                       answer.size() == 1 && answer.front().ends_with(kCodeEnding);
  if (is_code) facts->state_->add_code(answer.front());
  return facts;
}

ColumnUnit Facts::told_time() const { return state_->answer_time; }

Facts& Facts::pilot() {
  State& s = *state_;
  if (s.parent != nullptr) return s.parent->pilot();
  if (s.pilot == nullptr) {
    FactOptions few = s.options;
    few.overrides.emplace_back(kPilotReplications);
    s.pilot = std::make_unique<Facts>(s.lab, s.problem, s.registries, std::move(few));
  }
  return *s.pilot;
}

ColumnUnit Facts::time_unit(const Question& question) {
  State& s = *state_;
  if (s.question == &question) return s.answer_time;
  if (s.parent != nullptr) return s.parent->time_unit(question);
  const auto found = s.time_units.find(question.key);
  if (found != s.time_units.end()) return found->second;
  return s.time_units.emplace(question.key, table_unit(*this, question)).first->second;
}

std::vector<std::string> Facts::model_answer(const Question& question) {
  std::vector<std::string> answer;
  for (const auto& text : question.model)
    answer.push_back(text.starts_with("=") ? number_text(number(text).value) : filled(text, For::files));
  return answer;
}

Estimate Facts::model_score(const Question& question) {
  State& s = *state_;
  const auto found = s.model_scores.find(question.key);
  if (found != s.model_scores.end()) return found->second;
  const Estimate score = with_answer(question, model_answer(question))->number(question.score);
  return s.model_scores.emplace(question.key, score).first->second;
}

const Fact& Facts::get(const std::string& name) {
  State& s = *state_;
  if (const auto found = s.known.find(name); found != s.known.end()) return found->second;
  const LabFact* described = s.own_fact(name);
  if (described == nullptr && s.parent != nullptr) return s.parent->get(name);
  if (described == nullptr) throw InputError({s.lab.folder, 0, ""}, "the lab has no fact or number " + quoted(name));
  const UnderWay here(s.under_way, name, described->place);
  return s.known.emplace(name, fact_of(*this, described->what)).first->second;
}

const ResultTable& Facts::summary(const std::string& name) {
  State& s = *state_;
  const LabExperiment& described = s.experiment(name);
  if (s.parent != nullptr && !knows_answer(described)) return s.parent->summary(name);
  const auto found = s.summaries.find(name);
  if (found != s.summaries.end()) return found->second;
  return s.summaries.emplace(name, run_lab_experiment(*this, described)).first->second;
}

const Timeline& Facts::timeline(const std::string& name, std::uint64_t replication) {
  State& s = *state_;
  const LabExperiment& described = s.experiment(name);
  if (s.parent != nullptr && !knows_answer(described)) return s.parent->timeline(name, replication);
  const auto found = s.timelines.find({name, replication});
  if (found != s.timelines.end()) return found->second;
  return s.timelines.emplace(std::pair{name, replication}, lab_timeline(*this, described, replication)).first->second;
}

}  // namespace nowsim
