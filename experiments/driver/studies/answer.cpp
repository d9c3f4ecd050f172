#include "experiments/driver/studies/answer.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <utility>

#include "experiments/driver/reading/yaml_edit.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {

namespace {

void write_paragraphs(const Answer& answer, std::ostream& out) {
  for (const Paragraph& paragraph : answer.paragraphs) {
    if (&paragraph != answer.paragraphs.data()) out << '\n';
    paragraph.table.write(out, paragraph.kept);
    for (const auto& line : paragraph.lines) out << line << '\n';
  }
}

}  // namespace

void Answer::say(std::vector<std::string> lines) {
  if (!lines.empty()) paragraphs.push_back({.lines = std::move(lines)});
}

void Answer::show(TextTable table, std::size_t kept, std::vector<std::string> below) {
  if (!table.rows().front().empty()) paragraphs.push_back({std::move(table), kept, std::move(below)});
}

void write_answer(const Answer& answer, Format format, std::ostream& out) {
  const AnswerRows& first = answer.tables.front();
  write_document({[&](std::ostream& people) { write_paragraphs(answer, people); }, first.head, first.rows, answer.whole},
                 format, out);
}

namespace {

/// In place of a key that a flag stands for the flag, or nothing where it is no flag of that name.
Place blaming_flags(const Place& place, const std::vector<AskedKey>& keys) {
  const auto asked = std::ranges::find_if(keys, [&](const AskedKey& k) { return place == Place{kOverridePlace, 0, k.key}; });
  if (asked == keys.end()) return place;
  return {asked->flag.starts_with("--") ? asked->flag : "", 0, ""};
}

/// The same of a remark, which is a text.
std::string blaming_flags(const std::string& remark, const std::vector<AskedKey>& keys) {
  for (const AskedKey& asked : keys) {
    const Place place{kOverridePlace, 0, asked.key};
    if (const std::string told = place.text() + ": "; remark.starts_with(told))
      return InputProblem{blaming_flags(place, keys), remark.substr(told.size())}.text();
  }
  return remark;
}

}  // namespace

void set_text(YamlNode& document, const std::string& key, const std::string& text, bool is_quoted) {
  apply_override(document, {key, yaml_scalar(text, is_quoted)});
}

Experiment load_asked(YamlNode document, const std::string& file, const LoadOptions& options,
                      const Registries& registries, const std::vector<AskedKey>& keys) {
  try {
    Experiment experiment = load_experiment(std::move(document), file, options, registries);
    for (auto& remark : experiment.remarks) remark = blaming_flags(remark, keys);
    return experiment;
  } catch (const InputError& e) {
    std::vector<InputProblem> problems = e.problems();
    for (auto& problem : problems) problem.place = blaming_flags(problem.place, keys);
    throw InputError(std::move(problems));
  }
}

bool is_within(const std::string& key, const std::string& block) {
  return key == block || (key.starts_with(block) && key[block.size()] == '.');
}

ResolvedFigure picture_of(const char* kind, const std::string& title, const std::string& footer, PictureFormat format) {
  ResolvedFigure out;
  out.name = "picture";
  out.kind = kind;
  out.title = title;
  out.footer = footer;
  out.has_legend = true;
  out.format = format;
  return out;
}

std::string counts_with_bars(const Provenance& p) {
  return p.replications + (p.replications == "1" ? " replication, " : " replications, ") + "bars: " + p.confidence +
         " confidence";
}

ResolvedAxis axis_from(double least, double most, const Label& label) {
  ResolvedAxis out;
  out.label = label;
  out.least = least;
  out.most = most;
  return out;
}

void add_round_tics(ResolvedAxis& axis) {
  const double step = round_step(axis.most - axis.least, 5);
  for (double k = std::ceil(axis.least / step); k * step <= axis.most; ++k)
    axis.tics.push_back({k * step + 0.0, short_number(k * step + 0.0)});
}

ResolvedCurve curve_of(std::size_t series, Shape shape, std::vector<ResolvedPoint> points) {
  return {series, series, "", shape == Shape::marks || shape == Shape::bars, {}, std::move(points), shape};
}

void add_stretches(std::vector<ResolvedCurve>& curves, std::size_t series, Shape shape, const std::vector<ResolvedPoint>& points) {
  std::vector<ResolvedPoint> stretch;
  const auto end = [&] {
    if (!stretch.empty()) curves.push_back(curve_of(series, shape, std::exchange(stretch, {})));
  };
  for (const ResolvedPoint& point : points) std::isnan(point.y) ? end() : stretch.push_back(point);
  end();
}

}  // namespace nowsim
