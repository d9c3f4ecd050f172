// YAML with comments: every word of students or labs is quoted where YAML would take it for something else.
#include "experiments/driver/labs/answers_writing.hpp"

#include <algorithm>

#include "experiments/driver/labs/asked_unit.hpp"
#include "experiments/driver/pictures/label.hpp"
#include "experiments/driver/reading/yaml_edit.hpp"
#include "experiments/driver/text/formats.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
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

std::string room_for(const Question& question) {
  if (question.items.empty()) return "  " + yaml_key(question.key) + ": \n";
  std::string out = "  " + yaml_key(question.key) + ":\n";
  for (const std::string& item : question.items) out += "    " + yaml_key(item) + ": \n";
  return out;
}

std::string locked_answer(const Question& question, const LabAnswer& answer) {
  if (question.items.empty()) return "  " + entry(yaml_key(question.key), answer.front());
  std::string out = "  " + yaml_key(question.key) + ":\n";
  for (std::size_t i = 0; i < answer.size(); ++i) out += "    " + entry(yaml_key(question.items[i]), answer[i]);
  return out;
}

/// "ws1, ws2 (the second)".
std::string options_text(Facts& facts, const Question& question) {
  Words options;
  for (const auto& [word, meaning] : question.options)
    options.push_back(word + (meaning.empty() ? "" : " (" + facts.filled(meaning) + ")"));
  return joined(options);
}

// ---- answers given -----------------------------------------------------------------------------------------------------

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
    out += room_for(question);
  }
  return out;
}

std::string lock_block(const Lab& lab, const Problem& problem, std::size_t step, const std::vector<LabAnswer>& answers,
                       const Texts& texts) {
  std::string out =
      "\n" + comment(texts.say("answers.locked", {{"step", lab.steps[step].name}})) + lock_key(step) + ":\n";
  for (std::size_t q = 0; q < answers.size(); ++q) out += locked_answer(lab.steps[step].questions[q], answers[q]);
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
