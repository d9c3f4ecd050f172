// The blocks of lab.yaml, and whether what they name is there.
#include "experiments/driver/labs/lab_reading.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <type_traits>

#include "experiments/driver/labs/fact_reading.hpp"
#include "experiments/driver/labs/lab_block.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

// ---- blocks ----------------------------------------------------------------------------------------------------------

LabNumber read_lab_number(const std::string& name, const YamlNode& node, LabBlock& block) {
  const Place place{block.file(), node.line, "problem." + name};
  const YamlNode* values = node.find("values");
  if (values == nullptr) return {name, drawn_values(node, place, block.problems())};
  LabBlock own(node, block.file(), place.key, block.problems());
  own.take("values");
  const bool of_course = own.word("of", {"student", "course"}, 0) == 1;
  return {name, drawn_values(*values, place, block.problems()), of_course};
}

Misconception read_misconception(const std::string& name, const YamlNode& node, LabBlock& question) {
  LabBlock own(node, question.file(), question.name() + ".wrong." + name, question.problems());
  return {name, own.texts("answer"), own.text("says")};
}

const Words kKinds{"number", "choice", "numbers", "choices", "trial"};
const Words kTakes{"number", "numbers", "formula", "code"};

Question read_question(const std::string& key, const YamlNode& node, LabBlock& step) {
  LabBlock own(node, step.file(), step.name() + "." + key, step.problems());
  Question q;
  q.key = key;
  q.place = {step.file(), node.line, own.name()};
  q.ask = own.text("ask");
  q.unit = own.text("unit", "");
  q.score_unit = own.text("score_unit", "");
  q.kind = static_cast<Question::Kind>(own.word("kind", kKinds));
  q.takes = static_cast<Question::Takes>(own.word("takes", kTakes, 0));
  q.items = own.texts("items");
  q.options = own.named_texts("options");
  q.right = own.texts("right");
  q.tolerance = own.number("tolerance", 0);
  if (own.has("least")) q.least = own.number("least");
  q.is_tabled = own.word("table", {"own", "none"}, 0) == 0;
  q.marks = own.number("marks", 0);
  q.facts = read_facts(own);
  q.score = own.text("score", "");
  q.none = own.text("none", "");
  q.full = own.text("full", "");
  q.model = own.texts("model");
  q.told = own.text("told", "");
  q.charts = own.named_texts("charts");
  q.on_board = own.flag("board");
  own.each("wrong", [&](const std::string& name, const YamlNode& wrong) {
    q.wrong.push_back(read_misconception(name, wrong, own));
  });
  return q;
}

LabStep read_step(const YamlNode& node, LabBlock& lab, std::size_t place) {
  LabBlock own(node, lab.file(), "steps." + std::to_string(place + 1), lab.problems());
  LabStep step;
  step.name = own.text("name");
  step.is_prediction = own.flag("prediction");
  step.gives = own.texts("gives");
  step.charts = own.named_texts("charts");
  own.each("questions", [&](const std::string& key, const YamlNode& question) {
    step.questions.push_back(read_question(key, question, own));
  });
  return step;
}

/// With a file of its own, or like an experiment before it, of which it changes some keys.
LabExperiment read_lab_experiment(const std::string& name, const YamlNode& node, LabBlock& block, const Lab& lab) {
  LabBlock own(node, block.file(), "experiments." + name, block.problems());
  LabExperiment read{name, "", {}};
  if (own.has("like")) {
    const std::string other = own.text("like");
    if (const LabExperiment* model = lab.experiment(other))
      read = {name, model->file, model->set};
    else
      own.problem("like", "there is no experiment " + quoted(other) + " before this one");
  }
  if (!own.has("like") || own.has("file")) read.file = own.text("file");
  for (auto& [key, value] : own.named_texts("set")) {
    std::erase_if(read.set, [&](const auto& set) { return set.first == key; });
    read.set.emplace_back(key, value);
  }
  return read;
}

SecondWay read_second_way(const YamlNode& node, LabBlock& lab) {
  LabBlock own(node, lab.file(), "second", lab.problems());
  return {own.text("fact"), own.text("formula"), own.number("within"), own.text("says", "")};
}

void read_lists(LabBlock& block, Lab& lab) {
  if (const YamlNode* second = block.take("second"))
    for (const auto& node : second->items) lab.second_ways.push_back(read_second_way(node, block));
  if (const YamlNode* steps = block.take("steps"))
    for (const auto& node : steps->items) lab.steps.push_back(read_step(node, block, lab.steps.size()));
  if (lab.steps.empty()) block.problem("steps", "a lab has a list of steps");
}

Lab read_blocks(LabBlock& block, const std::string& folder) {
  Lab lab;
  lab.name = fs::weakly_canonical(folder).filename().string();
  lab.folder = folder;
  if (block.text("nowsim-lab") != "1") block.problem("nowsim-lab", "this is to be 1, the format's version");
  lab.title = block.text("title");
  lab.question = block.text("question");
  lab.minutes = static_cast<int>(block.count("minutes"));
  lab.goals = block.texts("goals");
  lab.before = block.texts("before");
  lab.topics = block.texts("topics");
  block.each("problem", [&](const std::string& name, const YamlNode& node) {
    lab.problem.push_back(read_lab_number(name, node, block));
  });
  block.each("experiments", [&](const std::string& name, const YamlNode& node) {
    lab.experiments.push_back(read_lab_experiment(name, node, block, lab));
  });
  lab.facts = read_facts(block);
  lab.accept = block.texts("accept");
  read_lists(block, lab);
  return lab;
}

// ---- what is named and has to be there -----------------------------------------------------------------------------------

/// Looks everything up that a lab names.
class LabCheck {
 public:
  LabCheck(const Lab& lab, const std::string& file, Problems& problems) : lab_(lab), file_(file), problems_(problems) {}

  void run() {
    for (const auto& e : lab_.experiments) check_file({file_, 0, "experiments." + e.name}, e.file);
    check_facts(lab_.facts, Words{});
    for (const auto& step : lab_.steps) check_step(step);
    for (const auto& way : lab_.second_ways) check_fact({file_, 0, "second"}, way.fact, {});
  }

 private:
  void check_file(const Place& place, const std::string& name) {
    if (!fs::is_regular_file(fs::path(lab_.folder) / name)) problems_.add(place, "the lab has no file " + quoted(name));
  }
  void check_experiment(const Place& place, const std::string& name) {
    if (lab_.experiment(name) == nullptr) problems_.add(place, "the lab has no experiment " + quoted(name));
  }
  void check_fact(const Place& place, const std::string& name, const Words& own) {
    if (name.starts_with("=") || contains(own, name) || lab_.fact(name) != nullptr) return;
    Words known = own;
    for (const auto& fact : lab_.facts) known.push_back(fact.name);
    problems_.add(place, "the lab has no fact " + quoted(name) + did_you_mean(name, known));
  }
  void check_facts(const std::vector<LabFact>& facts, const Words& own) {
    for (const auto& fact : facts)
      std::visit(
          [&](const auto& what) {
            if constexpr (requires { what.of; }) check_experiment(fact.place, what.of);
            if constexpr (requires { what.facts; })
              for (const auto& named : what.facts) check_fact(fact.place, named.second, own);
          },
          fact.what);
  }

  void check_step(const LabStep& step) {
    for (const auto& name : step.gives) check_file({file_, 0, "steps"}, name);
    for (const auto& chart : step.charts) check_experiment({file_, 0, "steps"}, chart.first);
    if (step.questions.empty()) problems_.add({file_, 0, "steps"}, "step " + quoted(step.name) + " asks nothing");
    for (const auto& question : step.questions) {
      if (!keys_.insert(question.key).second) problems_.add(question.place, "there is another question of that name");
      check_question(question);
    }
  }

  void check_question(const Question& q) {
    Words own;
    for (const auto& fact : q.facts) own.push_back(fact.name);
    check_facts(q.facts, own);
    for (const auto& name : q.right) check_fact(q.place, name, own);
    const bool is_trial = q.kind == Question::Kind::trial;
    if (is_trial)
      for (const auto* name : {&q.score, &q.none, &q.full}) check_fact(q.place, *name, own);
    else if (q.right.empty())
      problems_.add(q.place, "'right' is missing: the fact that is the answer");
    if (is_trial && q.model.empty()) problems_.add(q.place, "a trial needs a 'model': an answer that gets full marks");
    const bool is_list = q.kind == Question::Kind::numbers || q.kind == Question::Kind::choices;
    const bool takes_list = is_list || (is_trial && q.takes == Question::Takes::numbers);
    for (const auto& chart : q.charts) check_experiment(q.place, chart.first);
    if (takes_list != !q.items.empty()) problems_.add(q.place, "'items' is for questions with a list as answer, and needed there");
    if (is_list && q.right.size() != 1 && q.right.size() != q.items.size())
      problems_.add(q.place, "'right' is to be one fact, which is a list, or one per item");
    const bool is_choice = q.kind == Question::Kind::choice || q.kind == Question::Kind::choices;
    if (is_choice != !q.options.empty()) problems_.add(q.place, "'options' is for choices, and needed there");
  }

  const Lab& lab_;
  const std::string& file_;
  Problems& problems_;
  std::set<std::string> keys_;
};

}  // namespace

Lab read_lab(const std::string& folder) {
  const std::string file = (fs::path(folder) / kLabFile).string();
  const YamlNode root = read_yaml(file);
  Problems problems;
  Lab lab;
  {
    LabBlock block(root, file, "", problems);
    lab = read_blocks(block, folder);
  }
  if (problems.empty()) LabCheck(lab, file, problems).run();
  if (!problems.empty()) throw InputErrors(problems.list());
  return lab;
}

}  // namespace nowsim
