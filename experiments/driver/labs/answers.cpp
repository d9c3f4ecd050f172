// Reading answers, strictly and with the line of what is wrong; writing YAML.
#include "experiments/driver/labs/answers.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "experiments/driver/labs/judging.hpp"
#include "experiments/driver/pictures/label.hpp"
#include "experiments/driver/reading/yaml_edit.hpp"
#include "experiments/driver/text/formats.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

constexpr const char* kAnswersVersion = "nowsim-answers";
const Words kHeadKeys{kAnswersVersion, "lab", "course", "seed", "id", "problem"};

[[noreturn]] void wrong_answers(const std::string& file, int line, const std::string& sentence) {
  throw InputError({file, line, ""}, sentence);
}

// ---- the head ------------------------------------------------------------------------------------------------------

const YamlNode& head_entry(const AnswersFile& file, const char* key, const Texts& texts) {
  const YamlNode* node = file.root.find(key);
  if (node == nullptr)
    wrong_answers(file.file, 0, texts.say("reading.no-line", {{"key", key}}));
  if (node->kind != YamlNode::Kind::scalar)
    wrong_answers(file.file, node->line, texts.say("reading.no-text", {{"key", key}}));
  return *node;
}

std::uint64_t seed_in(const AnswersFile& file, const Texts& texts) {
  const YamlNode& node = head_entry(file, "seed", texts);
  std::uint64_t seed = 0;
  const char* const end = node.text.data() + node.text.size();
  if (const auto [stop, error] = std::from_chars(node.text.data(), end, seed); error != std::errc() || stop != end)
    wrong_answers(file.file, node.line, texts.say("reading.no-seed", {{"seed", quoted(node.text)}}));
  return seed;
}

// ---- answers -------------------------------------------------------------------------------------------------------

std::string text_in(const YamlNode& node) { return bare_answer(node.text); }

bool is_text(const YamlNode& node) { return node.kind == YamlNode::Kind::scalar || node.kind == YamlNode::Kind::null; }

/// What a block says of the questions of its step, problems collected.
class StepReader {
 public:
  StepReader(const std::string& file, const LabStep& step, const Texts& texts, std::vector<InputProblem>& problems)
      : file_(file), step_(step), texts_(texts), problems_(problems) {}

  std::vector<LabAnswer> read(const YamlNode* block, const Words& also_known) {
    std::vector<LabAnswer> answers;
    for (const Question& q : step_.questions) answers.emplace_back(std::max<std::size_t>(q.items.size(), 1));
    if (block == nullptr || block->kind == YamlNode::Kind::null) return answers;
    if (block->kind != YamlNode::Kind::map) {
      object(*block, "reading.no-questions");
      return answers;
    }
    check_keys(*block, also_known);
    for (std::size_t q = 0; q < answers.size(); ++q)
      if (const YamlNode* node = block->find(step_.questions[q].key))
        read_answer(*node, step_.questions[q], answers[q]);
    return answers;
  }

 private:
  /// By a text's key. `near` is a name that may have been meant.
  void object(const YamlNode& node, const char* key, const NamedTexts& values = {}, const std::string& near = "") {
    problems_.push_back({{file_, node.line, ""}, texts_.say(key, values) + near});
  }

  void check_keys(const YamlNode& block, const Words& also_known) {
    Words known = also_known;
    for (const Question& q : step_.questions) known.push_back(q.key);
    for (const auto& [key, node] : block.entries)
      if (!contains(known, key))
        object(node, "reading.no-question", {{"question", quoted(key)}}, did_you_mean(key, known));
  }

  void read_answer(const YamlNode& node, const Question& question, LabAnswer& answer) {
    if (node.kind == YamlNode::Kind::null) return;
    if (question.items.empty()) {
      if (is_text(node))
        answer.front() = text_in(node);
      else
        object(node, "reading.one-text", {{"question", quoted(question.key)}});
    } else if (node.kind == YamlNode::Kind::map) {
      read_items(node, question, answer);
    } else {
      read_list(node, question, answer);
    }
  }

  void read_items(const YamlNode& node, const Question& question, LabAnswer& answer) {
    for (const auto& [item, value] : node.entries) {
      const auto found = std::ranges::find(question.items, item);
      if (found == question.items.end())
        object(value, "reading.no-item", {{"question", quoted(question.key)}, {"item", quoted(item)}},
               did_you_mean(item, question.items));
      else if (!is_text(value))
        object(value, "reading.one-text", {{"question", quoted(item)}});
      else
        answer[static_cast<std::size_t>(found - question.items.begin())] = text_in(value);
    }
  }

  void read_list(const YamlNode& node, const Question& question, LabAnswer& answer) {
    const bool fits = node.kind == YamlNode::Kind::sequence && node.items.size() == answer.size() &&
                      std::ranges::all_of(node.items, is_text);
    const NamedTexts values{{"question", quoted(question.key)}, {"items", joined(question.items)}};
    if (!fits) return object(node, "reading.each-item", values);
    std::ranges::transform(node.items, answer.begin(), text_in);
  }

  const std::string& file_;
  const LabStep& step_;
  const Texts& texts_;
  std::vector<InputProblem>& problems_;
};

// ---- the whole -----------------------------------------------------------------------------------------------------

/// So many steps are open: up to the last one of which there is a block.
std::size_t count_open(const AnswersFile& file, const Lab& lab, const Texts& texts) {
  Words known = kHeadKeys;
  std::size_t open = 0;
  for (std::size_t s = 0; s < lab.steps.size(); ++s) {
    for (const std::string& key : {step_key(s), lock_key(s)}) {
      known.push_back(key);
      if (file.root.find(key) != nullptr) open = s + 1;
    }
  }
  for (const auto& [key, node] : file.root.entries)
    if (!contains(known, key))
      wrong_answers(file.file, node.line,
                    texts.say("reading.no-key", {{"key", quoted(key)}}) + did_you_mean(key, known));
  if (open == 0) wrong_answers(file.file, 0, texts.say("reading.no-step", {{"step", step_key(0)}}));
  return open;
}

void check_problem(const AnswersFile& file, const Lab& lab, const Problem& problem, const Texts& texts) {
  if (file.lab != lab.name)
    wrong_answers(file.file, head_entry(file, "lab", texts).line,
                  texts.say("reading.other-lab", {{"other", quoted(file.lab)}, {"lab", quoted(lab.name)}}));
  if (file.signature != problem.signature)
    wrong_answers(file.file, head_entry(file, "problem", texts).line, texts.say("reading.other-problem"));
}

AnsweredStep::Lock read_lock(const AnswersFile& file, const Lab& lab, const Problem& problem, std::size_t s,
                             const Texts& texts, AnsweredStep& step, std::vector<InputProblem>& problems) {
  const YamlNode* block = file.root.find(lock_key(s));
  if (block == nullptr) return AnsweredStep::Lock::none;
  std::vector<LabAnswer> locked = StepReader(file.file, lab.steps[s], texts, problems).read(block, {"signature"});
  const YamlNode* signature = block->kind == YamlNode::Kind::map ? block->find("signature") : nullptr;
  if (signature == nullptr || text_in(*signature) != lock_signature(lab, problem, s, locked))
    return AnsweredStep::Lock::changed;
  step.locked = std::move(locked);
  return AnsweredStep::Lock::sound;
}

}  // namespace

std::string bare_answer(const std::string& text) {
  constexpr const char* kBlanks = " \t\r\n";
  const auto begin = text.find_first_not_of(kBlanks);
  return begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

std::string step_key(std::size_t step) { return "step-" + std::to_string(step + 1); }
std::string lock_key(std::size_t step) { return "locked-" + std::to_string(step + 1); }

std::vector<LabAnswer> AnsweredStep::counted() const {
  if (lock == Lock::sound) return locked;
  if (!is_tampered()) return written;
  std::vector<LabAnswer> none = written;
  for (LabAnswer& answer : none) std::ranges::fill(answer, "");
  return none;
}

AnswersFile read_answers_file(const std::string& file, const Texts& texts) {
  if (std::error_code ignored; std::filesystem::symlink_status(file, ignored).type() == std::filesystem::file_type::not_found)
    wrong_answers(file, 0, texts.say("reading.no-file"));
  AnswersFile read{.file = file, .text = read_user_file(file, kMostAnswersBytes)};
  read.root = parse_yaml(read.text, file);
  if (read.root.kind == YamlNode::Kind::null) wrong_answers(file, 0, texts.say("reading.empty"));
  if (read.root.kind != YamlNode::Kind::map || read.root.find(kAnswersVersion) == nullptr)
    wrong_answers(file, read.root.line, texts.say("reading.no-answers"));
  if (const YamlNode& version = head_entry(read, kAnswersVersion, texts); version.text != "1")
    wrong_answers(file, version.line, texts.say("reading.other-version"));
  const auto text_of_head = [&](const char* key) { return head_entry(read, key, texts).text; };
  read.lab = text_of_head("lab");
  read.owner = {.course = text_of_head("course"), .id = text_of_head("id"), .seed = seed_in(read, texts)};
  read.signature = text_of_head("problem");
  return read;
}

std::vector<AnsweredStep> answered_steps(const AnswersFile& file, const Lab& lab, const Problem& problem,
                                         const Texts& texts) {
  check_problem(file, lab, problem, texts);
  std::vector<AnsweredStep> steps(count_open(file, lab, texts));
  std::vector<InputProblem> problems;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    steps[s].written = StepReader(file.file, lab.steps[s], texts, problems).read(file.root.find(step_key(s)), {});
    steps[s].lock = read_lock(file, lab, problem, s, texts, steps[s], problems);
    const bool is_past = s + 1 < steps.size();
    if (is_past && lab.steps[s].is_prediction && steps[s].lock == AnsweredStep::Lock::none)
      steps[s].lock = AnsweredStep::Lock::lost;
  }
  if (!problems.empty()) throw InputError(problems);
  return steps;
}

std::string lock_signature(const Lab& lab, const Problem& problem, std::size_t step,
                           const std::vector<LabAnswer>& answers) {
  std::vector<std::string> texts{problem.signature, lock_key(step)};
  for (std::size_t q = 0; q < answers.size(); ++q) {
    texts.push_back(lab.steps[step].questions[q].key);
    texts.push_back(std::to_string(answers[q].size()));
    texts.insert(texts.end(), answers[q].begin(), answers[q].end());
  }
  return signature_of(texts);
}

namespace {

constexpr std::size_t kCommentWidth = 96;

std::string comment(const std::string& text, const std::string& indent = "") {
  std::string out;
  for (const std::string& line : wrapped(text, kCommentWidth)) out += indent + "# " + shown_line(line) + "\n";
  return out;
}

/// A key, in quotes where it is more than a word.
std::string yaml_key(const std::string& key) {
  const auto is_plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; };
  const bool is_word = !key.empty() && key.front() != '-' && std::ranges::all_of(key, is_plain);
  return is_word ? key : json_text(key);
}

std::string entry(const std::string& key, const std::string& text) { return key + ": " + json_text(text) + "\n"; }

/// Room for an answer, or what it is.
std::string question_entry(const Question& question, const LabAnswer* answer) {
  const auto value = [&](std::size_t i) { return ": " + (answer == nullptr ? "" : json_text((*answer)[i])) + "\n"; };
  if (question.items.empty()) return "  " + yaml_key(question.key) + value(0);
  std::string out = "  " + yaml_key(question.key) + ":\n";
  for (std::size_t i = 0; i < question.items.size(); ++i) out += "    " + yaml_key(question.items[i]) + value(i);
  return out;
}

/// "ws1, ws2 (the second)".
std::string options_text(Facts& facts, const Question& question) {
  Words options;
  for (const auto& [word, meaning] : question.options)
    options.push_back(word + (meaning.empty() ? "" : " (" + facts.filled(meaning) + ")"));
  return joined(options);
}

// ---- answers given -------------------------------------------------------------------------------------------------

const Question& question_named(const Lab& lab, const GivenAnswer& given) {
  const auto& questions = lab.steps.at(given.step).questions;
  const auto found = std::ranges::find(questions, given.question, &Question::key);
  const std::string place = step_key(given.step) + ": ";
  if (found == questions.end())
    throw InputError(place + "there is no question " + quoted(given.question) + " in this step");
  if (given.item.empty() != found->items.empty())
    throw InputError(place + quoted(given.question) +
                     (given.item.empty() ? " wants an answer for each item" : " wants one answer"));
  if (!given.item.empty() && !contains(found->items, given.item))
    throw InputError(place + quoted(given.question) + " asks nothing about " + quoted(given.item));
  return *found;
}

/// In quotes; nothing is null. @throws InputError where YAML has no such text.
YamlNode answer_node(const GivenAnswer& given) {
  const std::string text = bare_answer(given.text);
  if (text.empty()) return {};
  YamlNode node = yaml_scalar(text, true);
  try {
    if (says_the_same(parse_yaml(json_text(text), kAnswersFile), node)) return node;
  } catch (const InputError&) {  // said below
  }
  throw InputError("the answer to " + quoted(given.question) +
                   " has characters that an answers file cannot hold: control characters, or bytes that are no UTF-8");
}

YamlNode& entry_of(YamlNode& map, const std::string& key) {
  if (map.kind != YamlNode::Kind::map) map = YamlNode(YamlNode::Kind::map, "", false, map.line);
  if (YamlNode* known = map.find(key)) return *known;
  map.entries.emplace_back(key, YamlNode{});
  return map.entries.back().second;
}

/// A list of answers as a map of items.
void name_items(YamlNode& node, const Question& question) {
  if (node.kind != YamlNode::Kind::sequence) return;
  YamlNode named(YamlNode::Kind::map, "", false, node.line);
  for (std::size_t i = 0; i < question.items.size() && i < node.items.size(); ++i)
    named.entries.emplace_back(question.items[i], node.items[i]);
  node = named;
}

/// Whether it is read as this answer already, however it is written.
bool is_answer(const YamlNode& node, const YamlNode& answer) {
  using Kind = YamlNode::Kind;
  if (node.kind == Kind::null || answer.kind == Kind::null) return node.kind == answer.kind;
  return node.kind == Kind::scalar && bare_answer(node.text) == answer.text;
}

}  // namespace

std::vector<std::string> question_hints(Facts& facts, const Question& question, const Texts& texts) {
  std::vector<std::string> hints;
  const bool is_formula = question.takes == Question::Takes::formula || question.takes == Question::Takes::code;
  if (!question.unit.empty() && !is_formula) {
    const char* key = question.unit == "%" ? "question.percent" : "question.unit";
    hints.push_back(texts.say(key, {{"unit", asked_unit(facts, question).name}}));
  }
  if (!question.options.empty())
    hints.push_back(texts.say("question.options", {{"options", options_text(facts, question)}}));
  if (!question.items.empty()) hints.push_back(texts.say("question.items"));
  if (question.kind == Question::Kind::trial && question.takes == Question::Takes::formula)
    hints.push_back(texts.say("question.formula"));
  if (question.kind == Question::Kind::trial && question.takes == Question::Takes::code)
    hints.push_back(texts.say("question.code"));
  if (question.marks > 0) hints.push_back(texts.say("question.marks", {{"marks", short_number(question.marks)}}));
  return hints;
}

std::string answers_head(const Lab& lab, const Problem& problem, const Texts& texts) {
  const std::string head = texts.say("answers.head", {{"title", lab.title}, {"check", lab.check_command()}});
  const std::string own_labs = lab.by_flag ? " " + texts.say("answers.own-labs", {{"lab", lab.name}}) : "";
  return comment(head + own_labs) + "\nnowsim-answers: 1\n" + entry("lab", lab.name) +
         entry("course", problem.owner.course) + "seed: " + std::to_string(problem.owner.seed) + "\n" +
         entry("id", problem.owner.id) + entry("problem", problem.signature);
}

std::string step_block(Facts& facts, std::size_t step, const Texts& texts) {
  const LabStep& described = facts.lab().steps[step];
  std::string out = "\n" + comment("---- " + described.name + " ----");
  if (described.is_prediction) out += comment(texts.say("answers.prediction"));
  out += step_key(step) + ":\n";
  for (const Question& question : described.questions) {
    out += "\n" + comment(facts.filled(question.ask), "  ");
    for (const std::string& hint : question_hints(facts, question, texts)) out += comment(hint, "  ");
    out += question_entry(question, nullptr);
  }
  return out;
}

std::string lock_block(const Lab& lab, const Problem& problem, std::size_t step, const std::vector<LabAnswer>& answers,
                       const Texts& texts) {
  std::string out =
      "\n" + comment(texts.say("answers.locked", {{"step", lab.steps[step].name}})) + lock_key(step) + ":\n";
  for (std::size_t q = 0; q < answers.size(); ++q) out += question_entry(lab.steps[step].questions[q], &answers[q]);
  return out + "  " + entry("signature", lock_signature(lab, problem, step, answers));
}

std::string with_answers(const AnswersFile& file, const Lab& lab, const std::vector<GivenAnswer>& answers) {
  YamlNode wanted = file.root;
  for (const GivenAnswer& given : answers) {
    const Question& question = question_named(lab, given);
    const YamlNode answer = answer_node(given);
    YamlNode* block = wanted.find(step_key(given.step));
    if (block == nullptr) throw InputError(step_key(given.step) + ": this step is not open yet");
    YamlNode& whole = entry_of(*block, question.key);
    if (!question.items.empty()) name_items(whole, question);
    YamlNode& node = question.items.empty() ? whole : entry_of(whole, given.item);
    if (!is_answer(node, answer)) node = answer;
  }
  if (says_the_same(wanted, file.root)) return file.text;
  const auto text = rewritten_yaml(file.text, wanted, file.file);
  if (!text)
    throw InputError({file.file, 0, ""},
                     "this file is written in a way that answers cannot be put into: write them by hand");
  if (text->size() > kMostAnswersBytes)
    throw InputError({file.file, 0, ""}, "these answers are too long for a file of answers");
  return *text;
}

}  // namespace nowsim
