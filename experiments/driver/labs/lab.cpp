// A lab's parts by name; its blocks in lab.yaml, and whether what they name is there.
#include "experiments/driver/labs/lab.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <set>

#include "experiments/driver/labs/texts.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

template <class Named>
const Named* lab_part(const std::vector<Named>& parts, const std::string& name) {
  const auto found = std::ranges::find(parts, name, &Named::name);
  return found == parts.end() ? nullptr : &*found;
}

}  // namespace

const LabExperiment* Lab::experiment(const std::string& name_) const { return lab_part(experiments, name_); }
const LabFact* Lab::fact(const std::string& name_) const { return lab_part(facts, name_); }

std::string Lab::check_command() const {
  return std::string("nowsim lab check .") + (by_flag ? " --labs DIR" : "");
}

double Lab::marks() const {
  double sum = 0;
  for (const auto& s : steps)
    for (const auto& asked : s.questions) sum += asked.marks;
  return sum;
}

// ---- blocks --------------------------------------------------------------------------------------------------------

Key lab_entries(const std::string& name, const std::string& help) {
  return {name, KeyType::block, "", help, {}, {}, true};
}

std::string lab_text(MapBlock& block, const std::string& key) { return std::string(trimmed(block.read().text(key))); }

NamedTexts named_texts(MapBlock& block, const std::string& key) {
  const YamlNode* value = block.node().find(key);
  NamedTexts out;
  if (value == nullptr) return out;
  for (const auto& item : value->items) out.emplace_back(item.text, "");
  for (const auto& [name, node] : value->entries) {
    if (node.kind != YamlNode::Kind::scalar) block.problem(key, quoted(name) + " is to have a text");
    out.emplace_back(name, node.text);
  }
  if (value->kind == YamlNode::Kind::scalar) block.problem(key, "here stands a map");
  return out;
}

namespace {

/// Reads each entry of a map.
void each_entry(MapBlock& block, const std::string& key,
                const std::function<void(const std::string&, const YamlNode&)>& read) {
  const YamlNode* value = block.node().find(key);
  if (value == nullptr || value->kind == YamlNode::Kind::null) return;
  if (value->kind != YamlNode::Kind::map) return block.problem(key, "here stands a map of names and what they are");
  for (const auto& [name, node] : value->entries) read(name, node);
}

Key text_key(const std::string& name, const std::string& help) { return {name, KeyType::text, kMustBeGiven, help}; }
Key other_text_key(const std::string& name, const std::string& help) { return {name, KeyType::text, "", help}; }
Key list_key(const std::string& name, const std::string& help) {
  return {name, KeyType::text, "", help, {}, {}, true};
}
Key yes_key(const std::string& name, const std::string& help) { return word_key(name, flag_words(), help); }

// ---- the problem's numbers -----------------------------------------------------------------------------------------

constexpr double kMostDrawn = 10'000;  // values of a number

/// The values of a number: a list, or {from, to, step}, both ends. Problems are noted.
std::vector<double> drawn_values(const YamlNode& node, const Place& place, Problems& problems) {
  const auto number = [&](const std::string& text) {
    try {
      return parse_quantity(text, Dimension::fraction);
    } catch (const InputError& e) {
      problems.add(place, e.what());
      return 0.0;
    }
  };
  std::vector<double> values;
  for (const auto& item : node.items) values.push_back(number(item.text));
  const YamlNode *from = node.find("from"), *to = node.find("to"), *step = node.find("step");
  if (from != nullptr && to != nullptr && step != nullptr) {
    const double first = number(from->text), last = number(to->text), by = number(step->text);
    const double steps = std::round((last - first) / by);
    if (!(by > 0 && steps >= 0 && steps < kMostDrawn) || std::abs(first + steps * by - last) > 1e-9 * by)
      problems.add(place, "from, to and step are to make a row of values with both ends");
    else
      for (double k = 0; k <= steps; ++k) {  // of whole parts of a step: 0.1 + 2·0.05 is then 0.2
        const double per = std::round(1 / by);
        const bool is_part = by < 1 && std::abs(per * by - 1) < 1e-12 && std::abs(std::round(first * per) - first * per) < 1e-9;
        values.push_back(is_part ? (std::round(first * per) + k) / per : first + k * by);
      }
  }
  if (values.empty()) problems.add(place, "here stand the values that are drawn: a list, or {from, to, step}");
  return values;
}

LabNumber read_lab_number(const std::string& name, const YamlNode& node, const LabFile& in) {
  static const KeyTable keys{lab_entries("values", "the values that are drawn"),
                             word_key("of", {"student", "course"}, "whose number it is")};
  const Place place{in.file, node.line, "problem." + name};
  const YamlNode* values = node.find("values");
  if (values == nullptr) return {name, drawn_values(node, place, in.problems)};
  const bool of_course =
      read_block(node, place.key, keys, in, [](MapBlock& block) { return block.read().word("of") == 1; });
  return {name, drawn_values(*values, place, in.problems), of_course};
}

// ---- facts ---------------------------------------------------------------------------------------------------------

using FactWhat = decltype(LabFact::what);

const Key kOf = text_key("of", "the experiment");

FactWhat read_estimate(MapBlock& block, const LabFile&) {
  return EstimateFact{lab_text(block, "of"), lab_text(block, "metric"), named_texts(block, "at"),
                      lab_text(block, "workstation")};
}

FactWhat read_lowest(MapBlock& block, const LabFile&) { return BestFact{false, named_texts(block, "lowest")}; }
FactWhat read_highest(MapBlock& block, const LabFile&) { return BestFact{true, named_texts(block, "highest")}; }

FactWhat read_chart(MapBlock& block, const LabFile&) {
  const auto what = static_cast<ChartFact::What>(block.read().word("chart"));
  return ChartFact{lab_text(block, "of"), what, static_cast<std::uint64_t>(block.read().whole("replication"))};
}

FactWhat read_verdicts(MapBlock& block, const LabFile& in) {
  static const KeyTable keys{text_key("key", "what the two values are of"),
                             text_key("lower", "the value whose metric is lower"),
                             text_key("higher", "the other value"),
                             {"metric", KeyType::text, "tau", "what is compared"},
                             text_key("replications", "how many, a formula"),
                             {"repetitions", KeyType::count, "1000", "how often it is tried"},
                             word_key("paired", {"true", "false"}, "whether both have the same random numbers")};
  return read_block(*block.node().find("verdicts"), block.place("verdicts").key, keys, in, [&](MapBlock& own) {
    return VerdictsFact{lab_text(block, "of"), lab_text(own, "key"), lab_text(own, "lower"), lab_text(own, "higher"),
                        lab_text(own, "metric"), lab_text(own, "replications"),
                        static_cast<std::uint64_t>(own.read().whole("repetitions")), own.read().word("paired") == 0};
  });
}

FactWhat read_law(MapBlock& block, const LabFile& in) {
  static const KeyTable keys{text_key("efficiency", "that is kept"), other_text_key("metric", "what grows by the law")};
  return read_block(*block.node().find("law"), block.place("law").key, keys, in, [&](MapBlock& own) {
    return LawFact{lab_text(block, "of"), lab_text(own, "efficiency"), lab_text(own, "metric")};
  });
}

/// What kind of fact it is is said by its last key, which only this kind has.
struct FactKind {
  KeyTable keys;
  FactWhat (*read)(MapBlock&, const LabFile&);
};
const std::vector<FactKind>& fact_kinds() {
  static const std::vector<FactKind> kinds{
      {{kOf, lab_entries("at", "swept keys and their values"), other_text_key("workstation", "one of them"),
        text_key("metric", "what is estimated")},
       read_estimate},
      {{lab_entries("lowest", "words, and the fact of each")}, read_lowest},
      {{lab_entries("highest", "words, and the fact of each")}, read_highest},
      {{kOf,
        {"replication", KeyType::count, "0", "which one"},
        {"chart", KeyType::word, kMustBeGiven, "what a Gantt chart shows", {},
         {"last_at_barrier", "waiting", "waiting_share", "barrier_gap"}}},
       read_chart},
      {{kOf, lab_entries("verdicts", "how often so few replications tell which of two values is better")}, read_verdicts},
      {{kOf, lab_entries("law", "the law by which the problem grows")}, read_law}};
  return kinds;
}

LabFact read_fact(const std::string& name, const YamlNode& node, const LabFile& in) {
  LabFact fact{name, {in.file, node.line, "facts." + name}, FormulaFact{}};
  if (node.kind == YamlNode::Kind::scalar) {
    fact.what = FormulaFact{node.text};
    if (!node.text.starts_with("=")) in.problems.add(fact.place, "a formula begins with '='");
    return fact;
  }
  const auto kind = std::ranges::find_if(
      fact_kinds(), [&](const FactKind& each) { return node.find(each.keys.back().name) != nullptr; });
  if (kind != fact_kinds().end())
    fact.what = read_block(node, fact.place.key, kind->keys, in,
                           [&](MapBlock& block) { return kind->read(block, in); });
  else
    in.problems.add(fact.place, "a fact is a formula, or has one of: metric, lowest, highest, chart, verdicts, law");
  return fact;
}

std::vector<LabFact> read_facts(MapBlock& block, const LabFile& in) {
  std::vector<LabFact> facts;
  each_entry(block, "facts", [&](const std::string& name, const YamlNode& node) {
    facts.push_back(read_fact(name, node, in));
  });
  return facts;
}

// ---- questions and steps -------------------------------------------------------------------------------------------

Misconception read_misconception(const std::string& name, const YamlNode& node, const std::string& question,
                                 const LabFile& in) {
  static const KeyTable keys{list_key("answer", "what it answers: facts, formulas or words"),
                             text_key("says", "what is said of it")};
  return read_block(node, question + ".wrong." + name, keys, in, [&](MapBlock& block) {
    return Misconception{name, block.read().texts("answer"), lab_text(block, "says")};
  });
}

const KeyTable& question_keys() {
  static const KeyTable keys{
      text_key("ask", "the question"),
      other_text_key("unit", "of an answer without one"),
      other_text_key("score_unit", "of a trial's score"),
      {"kind", KeyType::word, kMustBeGiven, "what an answer is", {},
       {"number", "choice", "numbers", "choices", "trial"}},
      word_key("takes", {"number", "numbers", "formula", "code"}, "what a trial's answer is"),
      list_key("items", "of a list, what each is about"),
      lab_entries("options", "words to choose from, and what they mean"),
      list_key("right", "the fact that is right, or one per item"),
      {"tolerance", KeyType::share, "0", "by which an answer may be wrong"},
      {"least", KeyType::share, "", "what cannot be meant is less"},
      word_key("table", {"own", "none"}, "whether a table shows the time that is asked for"),
      {"marks", KeyType::share, "0", "what it counts"},
      lab_entries("facts", "facts that know the answer"),
      other_text_key("score", "of a trial: what it comes to, a fact"),
      other_text_key("none", "the score that gets no marks"),
      other_text_key("full", "the score that gets all"),
      list_key("model", "an answer that gets all marks"),
      other_text_key("told", "what explains the right answer"),
      lab_entries("charts", "experiments, and what the charts of a trial are called"),
      yes_key("board", "whether its score stands on the class's page"),
      lab_entries("wrong", "answers that show a way of thinking")};
  return keys;
}

Question read_question(const std::string& key, const YamlNode& node, const std::string& step, const LabFile& in) {
  const std::string name = step + "." + key;
  return read_block(node, name, question_keys(), in, [&](MapBlock& block) {
    Reader& read = block.read();
    Question q;
    q.key = key;
    q.place = {in.file, node.line, name};
    q.ask = lab_text(block, "ask");
    q.unit = lab_text(block, "unit");
    q.score_unit = lab_text(block, "score_unit");
    q.kind = static_cast<Question::Kind>(read.word("kind"));
    q.takes = static_cast<Question::Takes>(read.word("takes"));
    q.items = read.texts("items");
    q.options = named_texts(block, "options");
    q.right = read.texts("right");
    q.tolerance = read.value("tolerance");
    if (block.has("least")) q.least = read.value("least");
    q.is_tabled = read.word("table") == 0;
    q.marks = read.value("marks");
    q.facts = read_facts(block, in);
    q.score = lab_text(block, "score");
    q.none = lab_text(block, "none");
    q.full = lab_text(block, "full");
    q.model = read.texts("model");
    q.told = lab_text(block, "told");
    q.charts = named_texts(block, "charts");
    q.on_board = read.flag("board");
    each_entry(block, "wrong", [&](const std::string& wrong, const YamlNode& said) {
      q.wrong.push_back(read_misconception(wrong, said, name, in));
    });
    return q;
  });
}

LabStep read_step(const YamlNode& node, std::size_t place, const LabFile& in) {
  static const KeyTable keys{text_key("name", "what it is called"),
                             yes_key("prediction", "whether answers are locked in before anything is said of them"),
                             list_key("gives", "files that are handed out when it opens"),
                             lab_entries("charts", "experiments, and what their Gantt charts are called"),
                             lab_entries("questions", "what is asked, by name")};
  const std::string name = "steps." + std::to_string(place + 1);
  return read_block(node, name, keys, in, [&](MapBlock& block) {
    LabStep step;
    step.name = lab_text(block, "name");
    step.is_prediction = block.read().flag("prediction");
    step.gives = block.read().texts("gives");
    step.charts = named_texts(block, "charts");
    each_entry(block, "questions", [&](const std::string& key, const YamlNode& question) {
      step.questions.push_back(read_question(key, question, name, in));
    });
    return step;
  });
}

// ---- the whole -----------------------------------------------------------------------------------------------------

/// With a file of its own, or like an experiment before it, of which it changes some keys.
LabExperiment read_lab_experiment(const std::string& name, const YamlNode& node, const Lab& lab, const LabFile& in) {
  static const KeyTable keys{text_key("file", "in the lab's folder"), other_text_key("like", "an experiment before it"),
                             lab_entries("set", "keys, and what they are set to: texts or formulas")};
  return read_block(node, "experiments." + name, keys, in, [&](MapBlock& block) {
    LabExperiment read{name, "", {}};
    if (block.has("like")) {
      const std::string other = lab_text(block, "like");
      if (const LabExperiment* model = lab.experiment(other))
        read = {name, model->file, model->set};
      else
        block.problem("like", "there is no experiment " + quoted(other) + " before this one");
    }
    if (!block.has("like") || block.has("file")) read.file = lab_text(block, "file");
    for (auto& [key, value] : named_texts(block, "set")) {
      std::erase_if(read.set, [&](const auto& set) { return set.first == key; });
      read.set.emplace_back(key, value);
    }
    return read;
  });
}

SecondWay read_second_way(const YamlNode& node, const LabFile& in) {
  static const KeyTable keys{text_key("fact", "that is computed another way"),
                             text_key("formula", "over none of the same simulated facts"),
                             {"within", KeyType::share, kMustBeGiven, "how near it comes"},
                             other_text_key("says", "where it is from")};
  return read_block(node, "second", keys, in, [](MapBlock& block) {
    return SecondWay{lab_text(block, "fact"), lab_text(block, "formula"), block.read().value("within"),
                     lab_text(block, "says")};
  });
}

const KeyTable& lab_keys() {
  static const KeyTable keys{text_key("nowsim-lab", "the format's version, 1"),
                             text_key("title", "what it is called"),
                             text_key("question", "what it is about, in a sentence"),
                             {"minutes", KeyType::count, kMustBeGiven, "how long it takes"},
                             list_key("goals", "what the student can do afterwards"),
                             list_key("before", "what must be known before"),
                             list_key("topics", "of the NSF/TCPP curriculum"),
                             lab_entries("problem", "numbers that are drawn for each student"),
                             lab_entries("experiments", "what judging runs"),
                             lab_entries("facts", "what simulation says"),
                             list_key("accept", "formulas that must be above 0, else other numbers are drawn"),
                             lab_entries("second", "facts computed another way, for the tests"),
                             lab_entries("steps", "what is handed out and asked together")};
  return keys;
}

Lab read_lab_block(MapBlock& block, const std::string& folder, const LabFile& in) {
  Lab lab;
  lab.name = fs::weakly_canonical(folder).filename().string();
  lab.folder = folder;
  if (lab_text(block, "nowsim-lab") != "1") block.problem("nowsim-lab", "this is to be 1, the format's version");
  lab.title = lab_text(block, "title");
  lab.question = lab_text(block, "question");
  lab.minutes = static_cast<int>(block.read().whole("minutes"));
  lab.goals = block.read().texts("goals");
  lab.before = block.read().texts("before");
  lab.topics = block.read().texts("topics");
  each_entry(block, "problem", [&](const std::string& name, const YamlNode& node) {
    lab.problem.push_back(read_lab_number(name, node, in));
  });
  each_entry(block, "experiments", [&](const std::string& name, const YamlNode& node) {
    lab.experiments.push_back(read_lab_experiment(name, node, lab, in));
  });
  lab.facts = read_facts(block, in);
  lab.accept = block.read().texts("accept");
  if (const YamlNode* second = block.node().find("second"))
    for (const auto& node : second->items) lab.second_ways.push_back(read_second_way(node, in));
  if (const YamlNode* steps = block.node().find("steps"))
    for (const auto& node : steps->items) lab.steps.push_back(read_step(node, lab.steps.size(), in));
  if (lab.steps.empty()) block.problem("steps", "a lab has a list of steps");
  return lab;
}

// ---- what is named and has to be there -----------------------------------------------------------------------------

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
  const LabFile in{file, problems};
  Lab lab = read_block(root, "", lab_keys(), in, [&](MapBlock& block) { return read_lab_block(block, folder, in); });
  if (problems.empty()) LabCheck(lab, file, problems).run();
  if (!problems.empty()) throw InputError(problems.list());
  return lab;
}

}  // namespace nowsim
