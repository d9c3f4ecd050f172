#include "experiments/driver/reading/reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>

#include "experiments/driver/reading/machine_time.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

/// What to return after a problem, so that reading goes on without a second one.
double harmless(const Bounds& bounds) {
  if (bounds.open && std::isfinite(bounds.most)) return (bounds.least + bounds.most) / 2;
  if (bounds.open) return std::max(1.0, 2 * bounds.least);
  return std::isfinite(bounds.least) ? bounds.least : 0;
}

constexpr double kMostWhole = 9007199254740992.0;  // 2^53: beyond, doubles skip whole numbers

/// Where another file was named than the one that is taken: by its name alone it is what was meant.
std::string remark_on_shipped(const Setting& setting, const std::string& shipped) {
  const std::string& said = setting.texts.front();
  if (said == std::filesystem::path(shipped).stem()) return "";
  const std::string sentence = "there is no file " + quoted(said) + ": the platform of that name that comes with nowsim is taken";
  return InputError(setting.place, sentence).what();
}

/// @throws InputError for a name that is neither a full key nor among these, if there are any.
void check_variables(const WrittenFormula& written, const std::vector<std::string>& known) {
  if (known.empty()) return;
  for (const std::string& name : written.formula->variables())
    if (!written.keys.contains(name) && std::ranges::count(known, name) == 0)
      throw InputError("the formula " + quoted(written.text) + " names " + quoted(name) + ", which is none of: " +
                       joined(known) + did_you_mean(name, known));
}

/// All digits: 100000, not 1e+05.
std::string whole_number_text(double value) {
  char buffer[400];  // the largest double has 309 digits
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, 0).ptr;
  return std::string(buffer, end);
}

bool is_text_key(const Key& key) { return key.type == KeyType::text || key.type == KeyType::word; }

/// Where a block's first key stands, or nothing where it has none.
std::optional<Place> first_in(const Settings& settings, const std::string& block) {
  std::optional<Place> first;
  for (const auto& [key, setting] : settings_below(settings, block))
    if (!first || setting.place.line < first->line) first = Place{setting.place.file, setting.place.line, block};
  return first;
}

std::string text_wanted(const std::string& kind, const Place& found) {
  const std::string sentence = "a text is wanted here, not a list or map";
  if (kind != "map") return sentence;
  return sentence + "; one that holds ': ' stands in quotes" +
         (found.file == kOverridePlace ? ", inside the shell's: '" + found.key + "=\"A: B\"'" : "");
}

template <class Parse>
double parsed(const Setting& setting, const std::string& text, const Parse& parse) {
  if (setting.quoted)
    throw InputError(setting.place, quoted(text) + " is in quotes, so it is text; a number is wanted");
  try {
    return parse(text);
  } catch (const InputError& e) {
    throw InputError(setting.place, e.what());
  }
}

// ---- what formulas are worth: they use keys, variables and one another; each is evaluated once ----

constexpr std::size_t kDeepest = 1000;  // formulas that refer to formulas: each takes some of the stack

/// The key that a formula's variable means, and its setting; null where there is none.
const Settings::value_type* find_variable(const Settings& settings, const std::string& name) {
  for (const auto& key : {"let." + name, name})
    if (const auto found = settings.find(key); found != settings.end()) return &*found;
  return nullptr;
}

/// The formulas that one value needs.
class Evaluation {
 public:
  explicit Evaluation(Reading& reading) : reading_(reading) {}

  double value(const Setting& setting) {
    if (const auto found = values_.find(&setting); found != values_.end()) return found->second;
    if (std::ranges::find(open_, &setting) != open_.end())
      throw InputError(setting.place, "the formula depends on itself");
    if (open_.size() == kDeepest)
      throw InputError(open_.front()->place, "the formula depends on one that depends on another, and so on, more than " +
                                                 std::to_string(kDeepest) + " deep");
    open_.push_back(&setting);
    try {
      const Formula& formula = reading_.formulas.get(setting.texts.front().substr(1));
      std::map<std::string, double> values;
      for (const auto& name : formula.variables()) values[name] = variable(name, setting.place);
      open_.pop_back();
      return values_[&setting] = formula.evaluate(values);
    } catch (const InputError& e) {
      if (!e.place().file.empty()) throw;
      throw InputError(setting.place, e.what());
    }
  }

  /// Of a formula that stands at `user`.
  double variable(const std::string& name, const Place& user) {
    if (const auto given = reading_.variables.find(name); given != reading_.variables.end()) return given->second;
    const auto* const found = find_variable(reading_.settings, name);
    if (found == nullptr) fail_unknown(name, user);
    const auto& [key, setting] = *found;
    reading_.asked.insert(key);
    if (setting.broken) return 1;  // reported already
    if (setting.is_list) throw InputError(user, "the formula uses " + quoted(name) + ", which is a list");
    return is_formula(setting) ? value(setting) : number(key, setting);
  }

 private:
  /// Of a variable of `let:` it is its own line that is wrong; other keys may well be words.
  double number(const std::string& key, const Setting& setting) const {
    const std::string& text = setting.texts.front();
    if (is_named_machine_time(text) || (key == kWorkKey && machine_time_of(text))) return machine_work(text, setting);
    if (const auto value = any_quantity(text)) return *value;
    throw InputError(key.starts_with("let.") ? setting.place : Place{},
                     quoted(text) + " is not a number, so a formula cannot use it" + foreign_character_hint(text));
  }
  [[nodiscard]] double machine_work(const std::string& text, const Setting& setting) const {
    if (reading_.machines != nullptr) return parse_work(text, *reading_.machines, true);
    throw InputError(setting.place, quoted(text) +
                                        " is work told as time on a machine, and a formula uses it where "
                                        "machines are not known yet; write it in flop");
  }
  [[noreturn]] void fail_unknown(const std::string& name, const Place& user) const {
    std::vector<std::string> known;
    for (const auto& [key, setting] : reading_.settings) known.push_back(key.starts_with("let.") ? key.substr(4) : key);
    for (const auto& [key, value] : reading_.variables) known.push_back(key);
    throw InputError(user, "the formula uses " + quoted(name) +
                                 ", which is neither a key of this experiment nor a variable of 'let:'" +
                                 did_you_mean(name, known));
  }

  Reading& reading_;
  std::vector<const Setting*> open_;  ///< those being evaluated, each of which uses the next
  std::map<const Setting*, double> values_;
};

/// The variables of a formula; none where it is none, or wrong.
std::vector<std::string> variables_of(Reading& reading, const Setting& setting) {
  if (!is_formula(setting)) return {};
  try {
    return reading.formulas.get(setting.texts.front().substr(1)).variables();
  } catch (const InputError&) {  // reported where it is evaluated
    return {};
  }
}

/// A formula as it was written, and what went into it: "'= 2 * x' with x = 3".
std::string formula_text(Reading& reading, const Setting& formula) {
  const std::string text = quoted(formula.texts.front());
  std::string values;
  try {
    Evaluation evaluation(reading);
    for (const auto& name : reading.formulas.get(formula.texts.front().substr(1)).variables())
      values += (values.empty() ? " with " : ", ") + name + " = " + short_number(evaluation.variable(name, formula.place));
  } catch (const InputError&) {  // reported where it is evaluated
    return text;
  }
  return text + values;
}

}  // namespace

const Formula& FormulaCache::get(const std::string& text) {
  const auto found = formulas_.find(text);
  return found != formulas_.end() ? found->second : formulas_.emplace(text, Formula(text)).first->second;
}

Dimension dimension_of(KeyType type) {
  using enum Dimension;
  constexpr Dimension kDimensions[] = {number, fraction, count, time, work, speed, bytes, bandwidth};
  return kDimensions[static_cast<std::size_t>(type)];
}

/// Without recursion: chains of formulas may be of any length.
bool Reader::depends_on(const std::string& name, const std::string& variable) {
  const Setting* setting = find(name);
  if (setting == nullptr || find_variable(reading_.settings, variable) != nullptr) return false;
  std::set<const Setting*> seen;
  std::vector<const Setting*> open{setting};
  while (!open.empty()) {
    const Setting* next = open.back();
    open.pop_back();
    if (!seen.insert(next).second) continue;
    for (const auto& used : variables_of(reading_, *next)) {
      if (used == variable) return true;
      if (const auto* found = find_variable(reading_.settings, used)) open.push_back(&found->second);
    }
  }
  return false;
}

/// A value as it was written, and what that came to: "120% (1.2)", "'= 2 * x' with x = -1 is -2, which".
std::string Reader::told(const Setting& setting, double value) {
  if (!reading_.block && is_formula(setting))
    return formula_text(reading_, setting) + " comes to " + number_text(value) + ", which";
  const std::string text(trimmed(setting.texts.front()));
  const auto number = to_number(std::string_view(text).substr(0, text.find_last_of("0123456789.") + 1));
  return number && *number == value ? number_text(value) : text + " (" + number_text(value) + ")";
}

std::string Reader::written(const std::string& name) {
  const Setting* setting = find(name);
  if (setting == nullptr || setting->broken || setting->is_list || reading_.block || !is_formula(*setting)) return "";
  return "; " + name + " is " + formula_text(reading_, *setting);
}

double Reader::bounded(const Setting& setting, double value, const Bounds& bounds) {
  const bool low = bounds.open ? value <= bounds.least : value < bounds.least;
  if (!low && value <= bounds.most) return value;
  std::string wanted = (bounds.open ? "more than " : "at least ") + number_text(bounds.least);
  if (bounds.most < 1e15 || value > bounds.most) wanted += " and at most " + number_text(bounds.most);
  reading_.problems.add(setting.place, told(setting, value) + " is out of range: it must be " + wanted);
  return harmless(bounds);
}

template <class Parse>
double Reader::parsed_quantity(const std::string& name, const Parse& parse, const Bounds& bounds,
                               std::optional<double> fallback) {
  const Setting* setting = find_scalar(name, !fallback);
  if (setting == nullptr) return fallback.value_or(harmless(bounds));
  try {
    // A map that stands alone knows no other keys.
    const bool has_formula = !reading_.block && is_formula(*setting);
    const double value = has_formula ? Evaluation(reading_).value(*setting) : parsed(*setting, setting->texts.front(), parse);
    return bounded(*setting, value, bounds);
  } catch (const InputError& e) {
    reading_.problems.add(e);
    return fallback.value_or(harmless(bounds));
  }
}

double Reader::quantity(const std::string& name, Dimension dimension, const Bounds& bounds,
                        std::optional<double> fallback) {
  const bool is_of_machines = dimension == Dimension::work && reading_.machines != nullptr;
  const auto parse = [&](const std::string& text) {
    return is_of_machines ? parse_work(text, *reading_.machines, place(name).key == kWorkKey)
                          : parse_quantity(text, dimension);
  };
  return parsed_quantity(name, parse, bounds, fallback);
}

std::vector<double> Reader::values(const std::string& name) {
  const Key& key = row(name);
  std::vector<double> out;
  const Setting* setting = find_list(name);
  if (setting == nullptr) return out;
  const auto parse = [&](const std::string& text) { return parse_quantity(text, dimension_of(key.type)); };
  for (std::size_t i = 0; i < setting->texts.size(); ++i) {
    try {
      const bool is_quoted = setting->is_list ? setting->quoted_items[i] : setting->quoted;
      const Setting item{{setting->texts[i]}, false, is_quoted, setting->place};
      out.push_back(bounded(item, parsed(item, item.texts.front(), parse), key.bounds));
    } catch (const InputError& e) {
      reading_.problems.add(e);
      out.push_back(harmless(key.bounds));
    }
  }
  return out;
}

std::optional<double> fallback_of(const Key& key) {
  if (key.type == KeyType::quantity || key.fallback.value_or("").empty()) return std::nullopt;
  return parse_quantity(*key.fallback, dimension_of(key.type));
}

double Reader::number_at(const Key& key, const Bounds& bounds, std::optional<double> fallback) {
  if (key.type != KeyType::quantity) return quantity(key.name, dimension_of(key.type), bounds, fallback);
  const auto parse = [](const std::string& text) {
    if (const auto value = any_quantity(text)) return *value;
    throw InputError(quoted(text) + " is not a number, with its unit if it has one" + foreign_character_hint(text));
  };
  return parsed_quantity(key.name, parse, bounds, {});
}

/// After a problem the least.
std::int64_t Reader::whole_at(const Key& key, const Bounds& bounds, std::optional<double> fallback) {
  const Bounds whole{bounds.least, std::min(bounds.most, kMostWhole), bounds.open};
  const double value = quantity(key.name, Dimension::count, whole, fallback);
  if (value == std::floor(value)) return static_cast<std::int64_t>(value);
  const Setting* setting = find(key.name);  // with a formula: others have been refused
  reading_.problems.add(place(key.name),
                        (setting != nullptr ? told(*setting, value) : number_text(value)) + " is not a whole number");
  return static_cast<std::int64_t>(bounds.least);
}

std::optional<std::size_t> Reader::known_word(const Key& key) {
  const auto fallback = usual_word(key);
  const Setting* setting = find_scalar(key.name, !fallback, fallback ? "" : "; it is one of: " + joined(key.words));
  if (setting == nullptr) return find(key.name) == nullptr ? fallback : std::nullopt;
  const std::string& text = setting->texts.front();
  const auto found = std::ranges::find(key.words, text);
  if (found != key.words.end()) return static_cast<std::size_t>(found - key.words.begin());
  reading_.problems.add(setting->place,
                        quoted(text) + " is not one of: " + joined(key.words) + did_you_mean(text, key.words));
  return std::nullopt;
}

std::string Reader::text(const std::string& name) {
  const auto found = std::ranges::find(keys_, name, &Key::name);
  return text(name, found == keys_.end() ? std::nullopt : found->fallback);
}

std::string Reader::text(const std::string& name, const std::optional<std::string>& fallback) {
  const Setting* setting = find_scalar(name, !fallback);
  return setting != nullptr ? setting->texts.front() : fallback.value_or("");
}

WrittenFormula Reader::formula_at(const Key& key) {
  std::string text = this->text(key.name, key.fallback);
  if (text.empty() && !has(key.name)) return {};  // missing, which is noted
  if (!text.empty() && text.front() == '=') text.erase(0, 1);
  try {
    WrittenFormula written{text, std::make_shared<const Formula>(text)};
    for (const auto& variable : written.formula->variables())
      if (variable.find('.') != std::string::npos)
        written.keys[variable] = Evaluation(reading_).variable(variable, place(key.name));
    check_variables(written, key.words);
    return written;
  } catch (const InputError& e) {
    if (e.place().file.empty()) problem(key.name, e.what());
    else reading_.problems.add(e);
    return {};
  }
}

std::vector<std::string> Reader::texts(const std::string& name) {
  const Setting* setting = find_list(name);
  return setting != nullptr ? setting->texts : std::vector<std::string>{};
}

std::string Reader::name_or_number(const std::string& name) {
  const Setting* setting = find_scalar(name, true);
  if (setting == nullptr) return "";
  if (!is_formula(*setting)) return setting->texts.front();
  try {
    const double value = Evaluation(reading_).value(*setting);
    if (value == std::floor(value)) return whole_number_text(value);
    reading_.problems.add(setting->place, told(*setting, value) + " is not a whole number");
  } catch (const InputError& e) {
    reading_.problems.add(e);
  }
  return "";
}

std::string Reader::named_file(const std::string& name) {
  namespace fs = std::filesystem;
  const Setting* setting = find_scalar(name, true);
  if (setting == nullptr) return "";
  const fs::path path = setting->texts.front();
  if (path.empty()) {
    reading_.problems.add(setting->place, "a path is wanted here, not an empty text");
    return "";
  }
  const bool is_from_here = path.is_absolute() || setting->place.file == kOverridePlace;
  return is_from_here ? path.string() : (fs::path(setting->place.file).parent_path() / path).lexically_normal().string();
}

std::string Reader::path(const std::string& name) {
  const std::string file = named_file(name);
  return file.empty() ? "" : checked_file(name, file);
}

Reader::PlatformFile Reader::platform_file(const std::string& name) {
  const std::string file = named_file(name);
  if (file.empty() || reading_.files == nullptr) return {file.empty() ? "" : checked_file(name, file), ""};
  const Setting* setting = find_scalar(name, true);
  const std::string& said = setting->texts.front();
  const std::string shipped = reading_.files->shipped_platform(said, file);
  if (reading_.files->noted != nullptr) reading_.files->noted->platforms.insert(shipped.empty() ? file : shipped);
  if (!shipped.empty()) return {shipped, remark_on_shipped(*setting, shipped)};
  const std::string misspelt = reading_.files->misspelt_platform(said, file);
  if (misspelt.empty()) return {checked_file(name, file), ""};
  reading_.problems.add(setting->place, misspelt);
  return {};
}

std::string Reader::checked_file(const std::string& name, const std::string& file) {
  namespace fs = std::filesystem;
  if (reading_.files != nullptr && reading_.files->noted != nullptr) reading_.files->noted->others.insert(file);
  if (reading_.files == nullptr || reading_.files->within.empty()) return file;
  std::error_code ignored;
  const std::string real = fs::weakly_canonical(fs::absolute(file), ignored).string();
  const auto holds = [&](const std::string& folder) {
    return real.starts_with(fs::weakly_canonical(fs::absolute(folder), ignored).string() + "/");
  };
  if (std::ranges::any_of(reading_.files->within, holds)) return file;
  problem(name, "only files that come with nowsim can be read here, not " + quoted(fs::path(file).filename().string()));
  return "";
}

/// After a problem one harmless number.
std::vector<double> Reader::numbers_of_file(const std::string& name) {
  const std::string file = path(name);
  if (file.empty()) return {1};
  try {
    return read_numbers(file);
  } catch (const InputError& e) {
    note_problem_of_file(*this, name, e);
    return {1};
  }
}

void note_problem_of_file(Reader& read, const std::string& name, const InputError& error) {
  if (error.place().line > 0 || error.place().file == kOverridePlace) read.reading().problems.add(error);
  else read.problem(name, error.what());
}

const Key& Reader::row(const std::string& name) const {
  const auto found = std::ranges::find(keys_, name, &Key::name);
  if (found == keys_.end()) throw std::logic_error("no table of keys has '" + name + "'");
  return *found;
}

const Setting* Reader::find(const std::string& name) {
  const Setting* first = nullptr;
  for (const auto& scope : scopes_) {
    const std::string key = scope.empty() ? name : scope + "." + name;
    reading_.asked.insert(key);
    const auto it = reading_.settings.find(key);
    if (first == nullptr && it != reading_.settings.end()) first = &it->second;
  }
  return first;
}

Place Reader::place(const std::string& name) {
  if (const Setting* setting = find(name)) return setting->place;
  const std::string block = scopes_.front().empty() ? "" : scopes_.front() + ".";
  if (reading_.block && name.empty()) return *reading_.block;
  if (reading_.block) return {reading_.block->file, reading_.block->line, block + name};
  if (const auto dot = name.rfind('.'); dot != std::string::npos)  // of a block in the section, perhaps a flag's
    if (const auto first = first_in(reading_.settings, block + name.substr(0, dot)))
      return {first->file, first->line, block + name};
  // Where the block begins, if any of it was written; else at least the file.
  Place place;
  for (const auto& [key, setting] : reading_.settings) {
    if (setting.place.file == kOverridePlace) continue;
    place.file = setting.place.file;
    const bool inside = !block.empty() && key.rfind(block, 0) == 0;
    if (inside && (place.line == 0 || setting.place.line < place.line)) place.line = setting.place.line;
  }
  place.key = block + name;
  return place;
}

bool Reader::has_block(const std::string& name) const {
  return std::any_of(scopes_.begin(), scopes_.end(), [&](const std::string& scope) {
    const std::string block = scope.empty() ? name : scope + "." + name;
    return reading_.settings.contains(block) || !settings_below(reading_.settings, block).empty();
  });
}

void Reader::excuse_all() {
  for (const auto& scope : scopes_) find_in_block(scope);
}

void Reader::excuse(const std::string& block) {
  for (const auto& scope : scopes_) find_in_block(scope.empty() ? block : scope + "." + block);
}

/// Where a block's first key stands, or nothing where it has none; all of its keys are known then.
std::optional<Place> Reader::find_in_block(const std::string& block) {
  for (const auto& [key, setting] : settings_below(reading_.settings, block)) reading_.asked.insert(key);
  return first_in(reading_.settings, block);
}

/// A formula's values, which differ from point to point, are told of the first: the problem is one.
void Reader::problem(const std::string& name, const std::string& sentence) {
  const std::string missing = std::string(": ") + kNoSuchFile;  // owner models hand it over as it is
  if (sentence.ends_with(missing))
    return reading_.problems.add_missing(place(name), sentence.substr(0, sentence.size() - missing.size()));
  const InputProblem found{place(name), sentence};
  if (!reading_.problems.found_again(found.text() + "; " + name + " is "))
    reading_.problems.add(found.place, sentence + written(name));
}

/// Where this key stands if it was written as a map.
std::optional<Place> Reader::find_below(const std::string& name) {
  for (const auto& scope : scopes_)
    if (auto first = find_in_block(scope.empty() ? name : scope + "." + name)) return first;
  return {};
}

/// Null where it is not given, and after a problem. `hint` says what would be right where it is missing.
const Setting* Reader::find_scalar(const std::string& name, bool required, const std::string& hint) {
  const auto not_one_value = [&](const Place& found, const std::string& kind) {
    const bool is_text = reading_.block && std::ranges::find(keys_, name, &Key::name) != keys_.end() && is_text_key(row(name));
    reading_.problems.add(found, is_text ? text_wanted(kind, found)
                                         : "one value is wanted here, not a " + kind +
                                               (reading_.block ? "" : " (to sweep it, put the " + kind + " under 'sweep:')"));
  };
  const Setting* setting = find(name);
  if (setting == nullptr) {
    if (const auto below = find_below(name)) not_one_value(*below, "map");
    else if (required && !reading_.settings.contains(scopes_.front()))  // after `platform: x` it is the section that is wrong
      problem(name, "this key is missing" + hint);
    return nullptr;
  }
  if (setting->broken) return nullptr;
  if (!setting->is_list) return setting;
  not_one_value(setting->place, "list");
  return nullptr;
}

const Setting* Reader::find_list(const std::string& name) {
  const Setting* setting = find(name);
  if (setting != nullptr) return setting;
  if (const auto below = find_below(name)) reading_.problems.add(*below, "a list of values is wanted here, not a map");
  return nullptr;
}

std::vector<std::string> Reader::names_below(const std::string& block) const {
  std::vector<std::string> names;
  const std::string above = scopes_.front().empty() ? block : scopes_.front() + "." + block;
  for (const auto& [key, setting] : settings_below(reading_.settings, above)) names.push_back(key.substr(above.size() + 1));
  return names;
}

MapBlock::MapBlock(const YamlNode& node, const std::string& file, const std::string& name, const KeyTable& keys)
    : node_(node),
      file_(file),
      name_(name),
      keys_(keys),
      reading_{settings_, problems_, asked_, formulas_, {}, place_of(node, file, name)},
      read_(reading_, {name}, keys) {
  for (const auto& [key, value] : node.entries) {
    values_.emplace(key, &value);
    const auto row = std::ranges::find(keys, key, &Key::name);
    if (row == keys.end() || (row->type == KeyType::block && row->is_list)) continue;
    flatten(value, file, name.empty() ? key : name + "." + key, settings_, problems_);
  }
}

Place MapBlock::place(const std::string& key) const {
  const auto value = key.empty() ? values_.end() : values_.find(key);
  const std::string full = name_.empty() || key.empty() ? name_ + key : name_ + "." + key;
  return place_of(value != values_.end() ? *value->second : node_, file_, full);
}

void MapBlock::note_unknown(const std::string& beginning) {
  constexpr std::size_t kEnough = 100;  // problems: more are not listed
  const Words known = words_in(keys_);
  for (const auto& [key, value] : node_.entries) {
    if (contains(known, key)) continue;
    const bool is_listed = problems_.list().size() < kEnough;
    problem(key, "this key is not known" + (is_listed ? did_you_mean(key, known, beginning) : ""));
  }
}

}  // namespace nowsim
