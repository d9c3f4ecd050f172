// Where a figure's plots, texts and legend stand: on a page as large as they need, or on one of a given size.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "experiments/driver/pictures/page.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"

namespace nowsim {

/// What a kind of figure needs [pixels]; all plots are of one size.
struct LayoutNeeds {
  std::size_t most_columns = 2;                  ///< plots side by side
  double plot_width = 500, plot_height = 370;    ///< where the page is as large as needed
  double least_width = 150, least_height = 100;  ///< of a plot that is still read
  double left = 90, right = 20;                  ///< beside each plot
  double over = 0;                               ///< above each plot, besides its caption
  double under = 68;                             ///< below each: numbers and the axis' name
  double between = 96;                           ///< rows, where the page is as large as needed; captions come on top
  double legend_sample = 70;                     ///< before an entry's text and behind it
  std::string legend_options = "samplen 3 spacing 1.25";
  std::vector<std::size_t> name_letters = {};  ///< of names along x, the widest of each plot that has any
  std::size_t names = 0;                       ///< how many there are
};

/// A figure's page. Where its width is given, plots are as wide as it allows, one below the other if need be; a legend
/// stands below where there is no room beside them, and texts have as many lines as they take.
class FigureLayout {
 public:
  /// @throws RunError where a page of the given size has no room for the plots.
  FigureLayout(const ResolvedFigure& figure, const LayoutNeeds& needs);

  Page page;
  PanelGrid grid;

  /// The variables title and footer; texts of axes and captions, broken into lines where they are longer than the plot.
  void write_texts(Script& script) const;
  [[nodiscard]] std::string x_label(const Label& label) const;
  [[nodiscard]] std::string y_label(const Label& label) const;
  /// Of a label of several lines, which gnuplot would write into the numbers.
  [[nodiscard]] std::string y_label_offset(const Label& label) const;
  [[nodiscard]] std::string caption(const Label& label) const;
  [[nodiscard]] Label legend_text(const Label& label) const;
  /// gnuplot's command for a panel's plot.
  [[nodiscard]] std::string plot_area(std::size_t panel) const {
    return page.plot_area(grid.left_of(panel), grid.top_of(panel), grid.panel_width, grid.panel_height);
  }
  /// begin_pages() of this page.
  [[nodiscard]] std::string begin() const;
  /// The label with a panel's caption, from the variable caption_1, caption_2 ...; `tag` is its number.
  [[nodiscard]] std::string caption_command(std::size_t panel, int tag = 3) const;
  /// gnuplot's command that puts the legend in its place.
  [[nodiscard]] std::string key() const;
  /// Whether names along x stand upright, since side by side they would not fit.
  [[nodiscard]] bool has_upright_names() const { return upright_names_ > 0; }
  /// What gnuplot is told of tics along x.
  [[nodiscard]] std::string name_options() const { return has_upright_names() ? " rotate by 90 right" : ""; }
  /// The room for numbers along x and y [pixels]; 0: gnuplot's choice.
  [[nodiscard]] double x_room() const { return is_fitted_ ? grid.panel_width : 0; }
  [[nodiscard]] double y_room() const { return is_fitted_ ? grid.panel_height : 0; }

 private:
  void find_texts();
  void place_freely();
  void place_on_page();
  bool fits_across(std::size_t columns, bool legend_below);
  void find_names();
  [[nodiscard]] double fitting_height() const;
  [[nodiscard]] double footer_height() const;
  [[nodiscard]] double legend_width() const;
  [[nodiscard]] double legend_height() const;
  [[nodiscard]] std::size_t rows() const;
  [[nodiscard]] double head() const;
  [[nodiscard]] double caption_height() const;
  [[nodiscard]] double under() const;
  [[nodiscard]] std::size_t y_label_lines() const;

  const ResolvedFigure& figure_;
  LayoutNeeds needs_;
  bool is_fitted_;
  std::vector<std::string> title_, footer_, remark_;
  bool is_legend_below_ = false;
  std::size_t legend_columns_ = 1;
  std::size_t caption_lines_ = 0, x_label_lines_ = 1;
  double upright_names_ = 0;  ///< their height
};

/// Letters of the page's font, of titles and of small texts [pixels], for texts that must not be too long.
inline constexpr double kPageLetter = 7.4;

}  // namespace nowsim
