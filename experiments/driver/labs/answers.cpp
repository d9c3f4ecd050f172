// Reading answers: typed, strict, and with the line of what is wrong.
#include "experiments/driver/labs/answers.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"

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
  StepReader(const std::string& file, const LabStep& step, const Texts& texts, std::vector<std::string>& problems)
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
    problems_.push_back(InputError({file_, node.line, ""}, texts_.say(key, values) + near).what());
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
  std::vector<std::string>& problems_;
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
                             const Texts& texts, AnsweredStep& step, std::vector<std::string>& problems) {
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
  std::vector<std::string> problems;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    steps[s].written = StepReader(file.file, lab.steps[s], texts, problems).read(file.root.find(step_key(s)), {});
    steps[s].lock = read_lock(file, lab, problem, s, texts, steps[s], problems);
    const bool is_past = s + 1 < steps.size();
    if (is_past && lab.steps[s].is_prediction && steps[s].lock == AnsweredStep::Lock::none)
      steps[s].lock = AnsweredStep::Lock::lost;
  }
  if (!problems.empty()) throw InputErrors(problems);
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

}  // namespace nowsim
