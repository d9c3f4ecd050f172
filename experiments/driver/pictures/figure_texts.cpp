// Labels by their markup, and the script's frame.
#include "experiments/driver/pictures/figure_texts.hpp"

#include <algorithm>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/pictures/label_text.hpp"
#include "experiments/driver/pictures/page_places.hpp"
#include "experiments/driver/pictures/picture_page.hpp"
#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/text/formats.hpp"
#include "sim/base/text.hpp"
#include "sim/metrics/growth_law.hpp"

namespace nowsim {

bool is_read_back(const std::string& text) {
  return !text.empty() && text != "NaN" && !text.starts_with("END_OF_") && one_line(text) == text &&
         text.find_first_of("\"#") == std::string::npos && is_exact_in_script(text) && spreadsheet_text(text) == text;
}

std::string with_unit(const std::string& label, const std::string& unit) {
  return unit.empty() ? label : label + " [" + unit + "]";
}

std::string name_in_labels(const std::string& metric) {
  const auto law = std::ranges::find_if(growth_laws(), [&](const GrowthLaw& l) { return l.name == metric; });
  return law == growth_laws().end() ? metric : law->formula;
}

std::string axis_label(const FigureAxis& axis, const AxisScale& scale) {
  return axis.label.empty() ? with_unit(name_text(axis.key), unit_name(scale.dimension)) : label_text(axis.label);
}

std::string axis_label(const std::string& label, const Metric& metric, int power) {
  const std::string text = label_text(label.empty() ? with_unit(name_in_labels(metric.name), metric.unit) : label);
  if (power == 0) return text;
  const std::string factor = "10^{" + std::to_string(power) + "}";
  const std::size_t unit = text.ends_with(']') ? text.rfind('[') : std::string::npos;
  if (unit == std::string::npos) return with_unit(text, factor);
  return text.substr(0, unit + 1) + factor + " " + text.substr(unit + 1);
}

void OffLogScale::add(double value) {
  ++points;
  below = below || value < 0;
}

std::string OffLogScale::text() const {
  if (points == 0) return "";
  return std::to_string(points) + (points == 1 ? " point at 0" : " points at 0") + (below ? " or below" : "") +
         " cannot be shown on a log scale";
}

bool has_captions(const Figure& figure) {
  return figure.panels.size() > 1 || std::ranges::any_of(figure.panels, [](const auto& p) { return !p.title.empty(); });
}

std::string panel_caption(const Figure& figure, std::size_t panel) {
  const std::string letter =
      figure.panels.size() > 1 ? "(" + std::string(1, static_cast<char>('a' + panel % 26)) + ") " : "";
  return letter + label_text(figure.panels[panel].title);
}

std::string script_head(const std::string& name) {
  return "# Draws the pictures that are named here, as SVG, PNG and PDF: run gnuplot 5.4 on this file, in its folder.\n"
         "# Written by nowsim " + std::string(version()) + ".\n" +
         "reset\nset encoding utf8\nset datafile separator comma\nset datafile missing NaN\nname = " +
         file_string(name) + "\n\n";
}

std::string begin_pages(double width, double height, const std::string& remark) {
  const std::string above_footer = remark.empty() ? ""
                                                  : "set label 6 " + script_string(remark) + " at " +
                                                        PageSize{width, height}.at(12, height - 25) +
                                                        " left noenhanced font ',9' textcolor rgb '#404040'\n";
  std::string kinds, terminals;
  for (const auto& [format, ending] : picture_endings()) {
    const std::string kind = ending + 1;  // behind its dot
    kinds += (kinds.empty() ? "" : " ") + kind;
    terminals += "if (kind eq '" + kind + "') {set terminal " + terminal(format, width, height) + "}\n";
  }
  return "do for [kind in '" + kinds + "'] {\n" + terminals +
         "set output './'.name.'.'.kind\nset multiplot\nset format '%g'\n" +
         title_and_footer(width, height, "title", "footer") + above_footer;
}

std::string unset_page_texts(const std::string& remark) {
  return std::string("unset label 1; unset label 2") + (remark.empty() ? "" : "; unset label 6");
}

std::string end_pages() { return "unset multiplot\nunset output\n}\n"; }

}  // namespace nowsim
