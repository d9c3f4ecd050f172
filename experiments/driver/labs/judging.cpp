// Accepted answers and how well an item fits one; comparing, and running trials; answers' numbers read and shown.
#include "experiments/driver/labs/judging.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "experiments/driver/reading/settings.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

/// Numbers that are as near as this are the same, where a question has no tolerance.
constexpr double kSameNumber = 1e-6;

/// @throws InputError for a number whose error is not known. One that is not known itself cannot be told.
AnswerTarget number_target(const Question& question, const Estimate& e) {
  if (!std::isfinite(e.value)) return {kUnknownEstimate, 0, 0, {}};
  if (!std::isfinite(e.low) || !std::isfinite(e.high))
    throw InputError(question.place, "what the answer is compared with has no interval: more replications are needed");
  const double tolerance = std::max(question.tolerance, kSameNumber) * std::abs(e.value);
  return {e, e.low - tolerance, e.high + tolerance, {}};
}

AnswerTarget target_of_item(const Question& question, const FactItem& item) {
  return item.words.empty() ? number_target(question, item.number) : AnswerTarget{item.number, 0, 0, item.words};
}

/// Of a fact's name all its items; of a formula its value; of anything else the word itself.
AnswerTargets targets_of(Facts& facts, const Question& question, const std::string& text) {
  if (text.starts_with("=")) return {number_target(question, facts.number(text))};
  if (!facts.knows(text)) {
    const auto number = has_numbers(question) ? to_number(text) : std::nullopt;
    return {number ? number_target(question, exactly(*number)) : AnswerTarget{kUnknownEstimate, 0, 0, {text}}};
  }
  AnswerTargets targets;
  for (const auto& item : facts.get(text)) targets.push_back(target_of_item(question, item));
  return targets;
}

/// Case and blanks do not count: the words may be formulas.
bool is_same_word(std::string a, std::string b) {
  for (auto* text : {&a, &b}) std::erase(*text, ' ');
  return lower_case(a) == lower_case(b);
}

double fit_of_word(const AnswerTarget& target, const std::string& item) {
  const auto is_it = [&](const std::string& word) { return is_same_word(word, item); };
  if (target.words.size() == 1) return is_it(target.words.front()) ? 1 : 0;
  if (is_it(kCannotBeTold)) return 1;
  return std::ranges::any_of(target.words, is_it) ? 0.5 : 0;
}

bool are_items_apart(const AnswerTarget& a, const AnswerTarget& b) {
  if (!a.words.empty() || !b.words.empty()) return text_of(a) != text_of(b);
  return a.most < b.least || b.most < a.least;
}

}  // namespace

AnswerTargets targets_of(Facts& facts, const Question& question, const std::vector<std::string>& texts) {
  AnswerTargets targets;
  for (const auto& text : texts)
    for (auto& target : targets_of(facts, question, text)) targets.push_back(std::move(target));
  const std::size_t wanted = question.items.empty() ? 1 : question.items.size();
  if (targets.size() == wanted) return targets;
  throw InputError(question.place, "the answer has " + std::to_string(wanted) + " items, and what it is compared with " +
                                       std::to_string(targets.size()));
}

bool has_numbers(const Question& question) {
  switch (question.kind) {
    case Question::Kind::number:
    case Question::Kind::numbers: return true;
    case Question::Kind::trial:
      return question.takes == Question::Takes::number || question.takes == Question::Takes::numbers;
    default: return false;
  }
}

void check_item(const Question& question, const std::string& item, const ColumnUnit& asked) {
  const bool is_trial = question.kind == Question::Kind::trial;
  if (!has_numbers(question) || (!is_trial && is_same_word(item, kCannotBeTold))) return;
  if (answer_number(item, asked.name) * asked.seconds < question.least)
    throw InputError(quoted(item) + " is to be " + short_number(question.least) + " or more");
}

double fit_of(const Question& question, const AnswerTarget& target, const std::string& item) {
  if (!has_numbers(question)) return fit_of_word(target, item);
  if (is_same_word(item, kCannotBeTold)) return std::isfinite(target.number.value) ? 0 : 1;
  const double number = answer_number(item, question.unit);
  return target.least <= number && number <= target.most && std::isfinite(target.number.value) ? 1 : 0;
}

std::string text_of(const AnswerTarget& target, const ColumnUnit& asked) {
  if (target.words.size() > 1) return kCannotBeTold;
  if (!target.words.empty()) return target.words.front();
  if (!std::isfinite(target.number.value)) return kCannotBeTold;
  return number_text(target.number.value / asked.seconds) + (asked.name == std::string_view("%") ? "%" : "");
}

bool are_apart(const AnswerTargets& a, const AnswerTargets& b) {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    if (are_items_apart(a[i], b[i])) return true;
  return false;
}

namespace {

/// A share of the marks that is as near to none or all of them is that, but for rounding.
constexpr double kNoMarks = 1e-9, kAllMarks = 1 - kNoMarks;

bool is_word_of(const Words& known, const std::string& word) {
  return std::ranges::any_of(known, [&](const auto& one) { return lower_case(one) == lower_case(word); });
}

/// Without what stands before a sentence that is about files and keys of the program, or about where a run stopped.
std::string sentence_for_students(std::string why, const std::string& folder) {
  const auto cut_behind = [&](const std::string& mark, std::size_t from) {
    const auto at = why.find(mark, from);
    if (at != std::string::npos) why.erase(0, at + mark.size());
  };
  if (why.starts_with(folder)) cut_behind(": ", 0);
  const std::string place = std::string(kOverridePlace) + ": ";
  if (why.starts_with(place)) cut_behind(": ", place.size());  // and the key
  if (const auto stopped = why.find(" stopped at t = "); stopped != std::string::npos) cut_behind(": ", stopped);
  if (why.ends_with(kHasNoValue)) return "this is not possible here, or there is nothing to simulate with it";
  return why;
}

AnswerStanding standing_of(double share) {
  return share >= kAllMarks ? AnswerStanding::right : share > 0 ? AnswerStanding::partly : AnswerStanding::wrong;
}

/// Whether an answer has something for every item.
bool is_answered(const Question& question, const Words& answer) {
  const std::size_t wanted = question.items.empty() ? 1 : question.items.size();
  return answer.size() == wanted && std::ranges::none_of(answer, [](const auto& item) { return trimmed(item).empty(); });
}

/// Behind a number that is meant as it stands.
constexpr char kIsMeant = '!';

/// Judges one answer, part by part.
class Judge {
 public:
  Judge(Facts& facts, const Question& question, const Words& answer, bool reveals, const Texts& texts)
      : parent_(facts), question_(question), reveals_(reveals), texts_(texts) {
    judged_.question = &question;
    judged_.answer = meant_ = answer;
  }

  JudgedAnswer run() {
    try {
      asked_ = asked_unit(parent_, question_);
      look_for_mark();
      const std::string unreadable = unreadable_items();
      if (!is_answered(question_, meant_)) return missing(unreadable);
      if (!unreadable.empty()) throw InputError(unreadable);
      add_units();
      check_words();
      facts_ = parent_.with_answer(question_, meant_);
      if (const Confinement* code = facts_->code(); code != nullptr && !code->is_confined())
        judged_.remarks.push_back(code->text());
      if (question_.kind == Question::Kind::trial)
        try_out();
      else
        compare();
      find_misconception();
      ask_back();
      tell();
    } catch (const InputError& e) {
      return failed(e.what());
    } catch (const RunError& e) {
      return failed(e.what());
    }
    return std::move(judged_);
  }

 private:
  JudgedAnswer done(AnswerStanding standing, const std::string& key, const NamedTexts& values = {}) {
    judged_.standing = standing;
    judged_.says = {texts_.say(key, values)};
    return std::move(judged_);
  }
  /// Of a list that was begun also which items are missing, and why others cannot be read.
  JudgedAnswer missing(const std::string& unreadable) {
    Words items;
    for (std::size_t i = 0; i < question_.items.size() && i < judged_.answer.size(); ++i)
      if (trimmed(judged_.answer[i]).empty()) items.push_back(question_.items[i]);
    if (items.size() == question_.items.size()) return done(AnswerStanding::missing, "judge.missing");
    JudgedAnswer judged = done(AnswerStanding::missing, "judge.missing_items", {{"items", joined(items)}});
    if (!unreadable.empty())
      judged.says.push_back(texts_.say("judge.unreadable", {{"why", markdown_literal(unreadable)}}));
    return judged;
  }
  /// Takes off what says that a number is meant as it stands.
  void look_for_mark() {
    for (auto& item : meant_) {
      const auto text = trimmed(item);
      if (!has_numbers(question_) || !text.ends_with(kIsMeant)) continue;
      item = std::string(trimmed(text.substr(0, text.size() - 1)));
      is_insisted_ = true;
    }
  }
  /// Numbers of another unit than the question's own carry it from here on.
  void add_units() {
    if (has_numbers(question_) && asked_.seconds != 1)
      for (auto& item : meant_) item = number_with_unit(item, asked_.name);
  }
  /// Numbers that are none: "ws1: a number is wanted, ...; ws3: ...". "" where all can be read.
  [[nodiscard]] std::string unreadable_items() const {
    std::string all;
    for (std::size_t i = 0; i < meant_.size(); ++i) {
      if (trimmed(meant_[i]).empty()) continue;
      try {
        check_item(question_, meant_[i], asked_);
      } catch (const InputError& e) {
        const std::string item = i < question_.items.size() ? question_.items[i] + ": " : "";
        all += (all.empty() ? "" : "; ") + item + e.what();
      }
    }
    return all;
  }
  JudgedAnswer failed(const std::string& why) {
    judged_.marks = 0;
    judged_.misconception.clear();
    judged_.asks_back.clear();
    judged_.score.reset();
    judged_.runs.clear();
    const std::string sentence = sentence_for_students(why, parent_.lab().folder);
    return done(AnswerStanding::unreadable, "judge.unreadable", {{"why", markdown_literal(sentence)}});
  }
  void say(const std::string& key, const NamedTexts& values = {}) { judged_.says.push_back(texts_.say(key, values)); }

  /// Options are the only words, but for one that is always allowed.
  void check_words() {
    if (question_.options.empty()) return;
    Words known;
    for (const auto& option : question_.options) known.push_back(option.first);
    for (const auto& item : judged_.answer)
      if (!is_word_of(known, item) && lower_case(item) != kCannotBeTold)
        throw InputError(quoted(item) + " is none of: " + joined(known) + ", " + kCannotBeTold);
  }

  void compare() {
    const AnswerTargets right = targets_of(*facts_, question_, question_.right);
    double sum = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
      const double fit = fit_of(question_, right[i], meant_[i]);
      if (fit < 1 && !question_.items.empty()) judged_.wrong_items.push_back(question_.items[i]);
      if (fit < 1 && has_numbers(question_)) look_at_unit(meant_[i], right[i].number.value);
      sum += fit;
    }
    give(sum / static_cast<double>(right.size()));
    say_standing(right);
  }

  void give(double share) {
    if (share < kNoMarks) share = 0;
    judged_.marks = share * question_.marks;
    judged_.standing = standing_of(share);
  }

  void say_standing(const AnswerTargets& right) {
    Words texts;
    for (const auto& target : right) texts.push_back(shown_target(target));
    const bool is_right = judged_.standing == AnswerStanding::right;
    if (is_right && facts_->filled(question_.told).find(joined(texts)) != std::string::npos) return;  // told says it
    if (is_right)
      say("judge.right", {{"right", joined(texts)}});
    else
      say(reveals_ ? "judge.wrong_it_is" : "judge.wrong", {{"right", joined(texts)}});
    if (judged_.wrong_items.empty()) return;
    say("judge.wrong_items", {{"items", joined(judged_.wrong_items)}});
  }

  [[nodiscard]] std::string shown_target(const AnswerTarget& target) const {
    if (target.words.size() > 1) return texts_.say("judge.cannot_be_told", {{"words", joined(target.words)}});
    if (!target.words.empty()) return target.words.front();
    return shown_in_unit(target.number, asked_);
  }

  /// Of the first number that seems to be in another unit than was meant.
  void look_at_unit(const std::string& item, double right) {
    if (is_insisted_ || !judged_.asks_back.empty() || lower_case(item) == kCannotBeTold || !std::isfinite(right)) return;
    const std::string meant = other_unit_meant(item, right / asked_.seconds, asked_.name);
    if (meant.empty()) return;
    const std::string stands = number_with_unit(item, asked_.name);
    judged_.asks_back = texts_.say("judge.did_you_mean", {{"meant", markdown_literal(meant)},
                                                          {"stands", markdown_literal(stands)}});
  }
  /// A way of thinking that is known is no slip; of a prediction it is too late for it once it is told.
  void ask_back() {
    if (judged_.standing == AnswerStanding::right || !judged_.misconception.empty()) judged_.asks_back.clear();
    if (!judged_.asks_back.empty() && !reveals_) judged_.says.push_back(judged_.asks_back);
  }

  void try_out() {
    for (const auto& item : meant_)
      if (has_numbers(question_)) answer_number(item, question_.unit);
    const Estimate score = scored(question_.score), none = scored(question_.none), full = scored(question_.full);
    const double reach = full.half_width() + question_.tolerance * std::abs(full.value);
    const double towards = full.value >= none.value ? 1 : -1;
    const auto is_better = [&](double a, double b) { return towards * (a - b) > 0; };
    double enough = full.value - towards * reach;  // from here on all marks
    const auto has_all = [&] { return towards * (score.value - enough) >= -kNoMarks * std::abs(enough); };
    judged_.best = is_better(score.value, full.value) ? score : full;
    if (!has_all()) {  // the model is an answer on the same replications: what it comes to is enough
      const Estimate model = parent_.model_score(question_);
      if (is_better(model.value, judged_.best.value)) judged_.best = model;
      if (is_better(enough, model.value) && is_better(model.value, none.value)) enough = model.value;
    }
    if (full.low == full.high) judged_.best = kUnknownEstimate;  // a bound that nobody was seen to reach
    judged_.score = score;
    judged_.none = none;
    judged_.full = full;
    judged_.share = facts_->number(share_formula());
    for (const auto& [experiment, title] : question_.charts)
      judged_.runs.push_back({experiment, facts_->filled(title), std::make_shared<const Timeline>(facts_->timeline(experiment, 0))});
    give(has_all() ? 1 : std::clamp((score.value - none.value) / (enough - none.value), 0.0, 1.0));
    judged_.score_unit = asked_score_unit(parent_, question_);
    const auto shown = [&](const Estimate& e) { return shown_in_unit(e, judged_.score_unit); };
    say("judge.score", {{"score", shown(score)}, {"none", shown(none)}, {"enough", shown(exactly(enough))}});
    if (std::isfinite(judged_.best.value)) say("judge.best", {{"best", shown(judged_.best)}});
  }

  [[nodiscard]] std::string share_formula() const {
    const auto part = [](const std::string& fact) { return "(" + fact.substr(fact.starts_with("=") ? 1 : 0) + ")"; };
    const std::string none = part(question_.none);
    return "=(" + part(question_.score) + "-" + none + ")/(" + part(question_.full) + "-" + none + ")";
  }

  /// A number that marks can be made of. @throws InputError.
  Estimate scored(const std::string& fact) {
    const Estimate e = facts_->number(fact);
    if (std::isfinite(e.value) && std::isfinite(e.half_width())) return e;
    throw InputError(question_.place, fact + " has no value, or no interval, with this answer");
  }

  /// The nearest one that the answer fits, where it is not right.
  void find_misconception() {
    if (judged_.standing == AnswerStanding::right) return;
    const auto fits = [&](const Misconception& wrong) {
      const AnswerTargets targets = targets_of(*facts_, question_, wrong.answer);
      for (std::size_t i = 0; i < targets.size(); ++i)
        if (fit_of(question_, targets[i], meant_[i]) < 1) return false;
      return true;
    };
    const auto found = std::ranges::find_if(question_.wrong, fits);
    if (found == question_.wrong.end()) return;
    judged_.misconception = found->name;
    judged_.says.push_back(facts_->filled(found->says));
  }

  void tell() {
    const bool is_trial = question_.kind == Question::Kind::trial;
    if (question_.told.empty() || !(reveals_ || is_trial || judged_.standing == AnswerStanding::right)) return;
    judged_.says.push_back(facts_->filled(question_.told));
  }

  Facts& parent_;
  std::unique_ptr<Facts> facts_;  ///< that know the answer
  ColumnUnit asked_{"", 1};       ///< the unit of numbers without one
  Words meant_;                   ///< the answer, with it
  bool is_insisted_ = false;      ///< it is meant as it stands
  const Question& question_;
  bool reveals_;
  const Texts& texts_;
  JudgedAnswer judged_;
};

/// A trial's number with its unit, since it is in the question's own and not in the one in which it is asked.
std::string trial_text(const Question& question, const std::string& text) {
  return has_numbers(question) && !question.unit.empty() && question.unit != "%" ? number_with_unit(text, question.unit) : text;
}

/// Facts, formulas and words as somebody would answer them.
Words answer_of(Facts& facts, const Question& question, const Words& texts) {
  const bool is_trial = question.kind == Question::Kind::trial;
  Words answer;
  for (const auto& target : targets_of(facts, question, texts))
    answer.push_back(is_trial ? trial_text(question, text_of(target, {question.unit.c_str(), 1}))
                              : text_of(target, asked_unit(facts, question)));
  return answer;
}

}  // namespace

JudgedAnswer unreadable_answer(const Question& question, const std::string& why, const Texts& texts) {
  JudgedAnswer judged{.question = &question, .standing = AnswerStanding::unreadable};
  judged.says = {texts.say("judge.unreadable", {{"why", markdown_literal(why)}})};
  return judged;
}

JudgedAnswer judge_answer(Facts& facts, const Question& question, const Words& answer, bool reveals, const Texts& texts) {
  return Judge(facts, question, answer, reveals, texts).run();
}

Words right_answer(Facts& facts, const Question& question) {
  if (question.kind != Question::Kind::trial) return answer_of(facts, question, question.right);
  Words answer;
  for (const auto& text : facts.model_answer(question)) answer.push_back(trial_text(question, text));
  return answer;
}

Words wrong_answer(Facts& facts, const Question& question, const Misconception& misconception) {
  return answer_of(facts, question, misconception.answer);
}

// ---- an answer's numbers ----------------------------------------------------------------------------------------------

namespace {

constexpr Dimension kDimensions[] = {Dimension::time,  Dimension::work,      Dimension::speed,
                                     Dimension::bytes, Dimension::bandwidth};

/// Units that are taken for one another.
constexpr std::array<std::array<const char*, 3>, 2> kMistakenUnits{
    {{"s", "min", "h"}, {"flop/s", "Mflop/s", "Gflop/s"}}};
/// What is nearly right is up to so many times as much, or as little.
constexpr double kNearly = 3;

/// The number of "4.65 min" before "min"; nothing where the text is none with this unit.
std::optional<double> number_before(std::string_view text, std::string_view unit) {
  text = trimmed(text);
  if (!text.ends_with(unit)) return std::nullopt;
  return to_number(trimmed(text.substr(0, text.size() - unit.size())));
}

/// With its own unit.
std::optional<double> converted(const std::string& text, const std::string& unit) {
  if (unit.empty()) return quantity_in(text, Dimension::fraction);
  for (const Dimension dimension : kDimensions)
    if (const auto one = quantity_in("1" + unit, dimension))
      if (const auto value = quantity_in(text, dimension)) return *value / *one;
  return std::nullopt;
}

/// What a slip of the unit would make of it: 0.29 where per cent are wanted, a time below 0.
void check_meant(double number, const std::string& unit) {
  if (unit == "%" && number != 0 && std::abs(number) < 1)
    throw InputError(short_number(number) + " is less than 1 %: write " + short_number(100 * number) + ", or " +
                     short_number(number) + "% if that is meant");
  if (number < 0 && !unit.empty() && quantity_in("1" + unit, Dimension::time))
    throw InputError("a time is 0 or more");
}

}  // namespace

double answer_number(const std::string& text, const std::string& unit) {
  std::string_view written = trimmed(text);
  if (!unit.empty())
    if (const auto bare = number_before(written, unit)) return *bare;
  if (const auto bare = to_number(written)) {
    check_meant(*bare, unit);
    return *bare;
  }
  if (const auto value = converted(std::string(written), unit)) return *value;
  throw InputError("a number is wanted" + (unit.empty() ? std::string() : " [" + unit + "]") + ", such as 12.5" +
                   (unit.empty() ? "" : " or 12.5 " + unit) + ", not " + quoted(written) +
                   foreign_character_hint(written));
}

std::string number_with_unit(const std::string& text, const std::string& unit) {
  const std::string_view written = trimmed(text);
  return to_number(written) ? std::string(written) + " " + unit : text;
}

std::string other_unit_meant(const std::string& text, double right, const std::string& unit) {
  const double number = answer_number(text, unit);
  const auto is_near = [&](double x) { return std::abs(std::log(x / right)) <= std::log(kNearly); };
  if (!(number > 0 && right > 0) || is_near(number)) return "";
  for (const auto& units : kMistakenUnits) {
    if (std::ranges::find(units, unit) == units.end()) continue;
    std::string near;
    const auto size = [&](const char* of) { return answer_number(number_with_unit("1", of), unit); };
    for (const char* taken : units)
      for (const char* meant : units) {
        const double other = number * size(meant) / size(taken);
        if (!is_near(other)) continue;
        const auto bare = number_before(number_with_unit(text, unit), taken);
        if (bare) return short_number(*bare) + " " + meant;
        near = short_number(other) + " " + unit;
      }
    return near;
  }
  return "";
}

std::string shown_number(const Estimate& e, const std::string& unit) {
  const bool is_large = std::abs(e.value) >= 1e6 && std::abs(e.value) < 1e15;  // no exponents
  const std::string exact = is_large ? fmt::format("{:.0f}", e.value) : short_number(e.value);
  return (e.low == e.high ? exact : estimate_text(e)) + (unit.empty() ? "" : " " + unit);
}

ColumnUnit asked_unit(Facts& facts, const Question& question) {
  return question.unit == "s" ? facts.time_unit(question) : ColumnUnit{question.unit.c_str(), 1};
}

ColumnUnit asked_score_unit(Facts& facts, const Question& question) {
  return question.score_unit == "s" ? facts.time_unit(question) : ColumnUnit{question.score_unit.c_str(), 1};
}

std::string shown_in_unit(const Estimate& e, const ColumnUnit& unit) {
  return shown_number(in_unit(e, unit.seconds), unit.name);
}

}  // namespace nowsim
