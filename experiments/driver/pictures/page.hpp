// A picture's page: terminal, positions in pixels, title above and footer below, and where plots, texts and legend
// stand on one as large as they need, or as large as a figure asks for.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/pictures/label.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/pictures/script.hpp"
#include "sim/base/error.hpp"

namespace nowsim {

/// Between two lines of a footer [pixels], and letters of the page's font, for texts that must not be too long.
inline constexpr double kSmallLine = 13, kPageLetter = 7.4;

/// A page of this size; everything on it is so many pixels from its left and upper edge.
struct Page {
  double width = 0, height = 0;
  double scale = 1;         ///< by which all of it, letters too, is larger in the pictures
  bool is_printed = false;  ///< its size in print was asked for, or that of its letters

  /// gnuplot's font of this size where plain letters are 12: "',9'".
  [[nodiscard]] std::string font(int size) const;
  /// "screen x, screen y" of a point: gnuplot counts parts of the page, from below.
  [[nodiscard]] std::string at(double left, double top) const;
  /// The two commands that make this rectangle the plot's own, without its labels.
  [[nodiscard]] std::string plot_area(double left, double top, double plot_width, double plot_height) const;
};

/// Panels of one size in rows, from the left and from above; the first perhaps larger, in a row of their own.
struct PanelGrid {
  std::size_t columns = 1;
  double panel_width = 0, panel_height = 0;           ///< of the plot itself
  double left = 0, beside = 0, above = 0, below = 0;  ///< the first plot's corner, and what keeps two apart
  std::size_t heads = 0;                                       ///< how many larger ones
  double head_width = 0, head_height = 0, head_below = 0;      ///< of the plot itself, and what is below it

  [[nodiscard]] double left_of(std::size_t panel) const {
    const std::size_t column = is_head(panel) ? panel : (panel - heads) % columns;
    return left + static_cast<double>(column) * (width_of(panel) + beside);
  }
  [[nodiscard]] double top_of(std::size_t panel) const {
    if (is_head(panel)) return above;
    const double head = heads > 0 ? head_height + head_below : 0;
    return above + head + static_cast<double>((panel - heads) / columns) * (panel_height + below);
  }
  [[nodiscard]] bool is_head(std::size_t panel) const { return panel < heads; }
  [[nodiscard]] double width_of(std::size_t panel) const { return is_head(panel) ? head_width : panel_width; }
  [[nodiscard]] double height_of(std::size_t panel) const { return is_head(panel) ? head_height : panel_height; }
  [[nodiscard]] std::size_t rows(std::size_t panels) const { return (panels + columns - 1) / columns; }
};

/// A title's lines on a page so wide [pixels]: twelve at most, and none is longer.
std::vector<std::string> title_lines(const std::string& title, double width);
/// Those of a figure's title and of what flags changed; none where it has no title.
std::vector<std::string> title_lines(const ResolvedFigure& figure, double width);
/// The page that a figure is to have; a width or a height of 0: as much as it needs. It has as many pixels as its size
/// in print has at 96 to an inch, less where letters are larger than 9 pt: all of it is then that much larger.
Page page_of_size(const FigurePrint& print);
/// That a page of the size that was asked for would have to be so wide or high [pixels].
RunError page_too_small(const Page& page, const char* side, double wanted);
/// A footer's or a remark's lines: of a page of a given size so many letters each, else it is one; none of "".
std::vector<std::string> page_lines(const std::string& text, const Page& page, std::size_t letters);
/// Lines, one below the other; those of labels as gnuplot's enhanced mode has them.
std::string joined_lines(const std::vector<std::string>& lines);
std::string joined_lines(const std::vector<Label>& lines);

/// The first lines of a script NAME.gp, which draws the same page as NAME.svg, NAME.png and NAME.pdf.
std::string script_head(const std::string& name);
/// The lines that begin to draw the page in each format, or in one, as a single plot, into the file that gnuplot's
/// variable `output` names. The gnuplot variables title and footer, of so many lines, have to be set; labels 1, 2 and 6
/// are taken. A remark stands above the footer; with "" there is none. Where the variable `kinds` is set before, only
/// these formats are drawn, and PNGs `scale` times as large.
std::string begin_pages(const Page& page, const std::string& remark = "", std::size_t footer_lines = 1,
                        std::optional<PictureFormat> only = {});
std::string end_pages();
/// The line behind the first panel, which keeps title, footer and remark from being drawn again with each.
std::string unset_page_texts(const std::string& remark = "");

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
  bool has_legend_below = false;
  std::vector<std::size_t> name_letters = {};  ///< of names along x, the widest of each plot that has any
  std::size_t names = 0;                       ///< how many there are
  std::size_t heads = 0;                       ///< the first plots, in a row as wide as the others'; of pages as large as needed
  double head_height = 0, head_between = 0;    ///< of each, and from there to the others
  int tic_size = 0;                            ///< of numbers along axes; 0: as large as other texts
};

/// A figure's page. Where its size is given, one rule holds for all kinds: plots stand side by side as long as each is
/// 220 pixels wide, the legend stands below them, plots are as wide as the page allows, and texts have as many lines as
/// they take.
class FigureLayout {
 public:
  /// @throws RunError where a page of the given size has no room for the plots.
  FigureLayout(const ResolvedFigure& figure, const LayoutNeeds& needs);

  Page page;
  PanelGrid grid;

  /// The variables title and footer; texts of axes and captions, broken into lines where they are longer than the plot.
  void write_texts(Script& script) const;
  /// A panel's: label_1 and caption_1.
  void write_texts(Script& script, std::size_t panel) const;
  [[nodiscard]] std::string x_label(const Label& label) const;
  [[nodiscard]] std::string y_label(const Label& label) const;
  /// Of a label of two lines, which gnuplot would write into the numbers.
  [[nodiscard]] std::string y_label_offset(const Label& label) const;
  [[nodiscard]] std::string caption(const Label& label) const;
  [[nodiscard]] Label legend_text(const Label& label) const;
  /// gnuplot's command for a panel's plot.
  [[nodiscard]] std::string plot_area(std::size_t panel) const {
    return page.plot_area(grid.left_of(panel), grid.top_of(panel), grid.width_of(panel), grid.height_of(panel));
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
  [[nodiscard]] double x_room() const { return page.is_printed ? grid.panel_width : 0; }
  [[nodiscard]] double y_room() const { return page.is_printed ? grid.panel_height : 0; }

 private:
  void fit_width(double width);
  void fit_height(double height);
  void find_texts();
  void find_names();
  [[nodiscard]] double footer_height() const;
  [[nodiscard]] double legend_width() const;
  [[nodiscard]] std::size_t legend_rows() const;
  [[nodiscard]] double legend_height() const;
  [[nodiscard]] double head() const;
  [[nodiscard]] double caption_height() const;
  [[nodiscard]] double under() const;

  const ResolvedFigure& figure_;
  LayoutNeeds needs_;
  bool is_legend_below_;
  std::size_t legend_columns_ = 1;
  std::vector<std::string> title_, footer_, remark_;
  std::size_t caption_lines_ = 0, x_label_lines_ = 1, y_label_lines_ = 1;
  double upright_names_ = 0;  ///< their height
};

}  // namespace nowsim
