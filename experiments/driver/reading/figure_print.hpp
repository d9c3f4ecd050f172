// How a figure is to be printed: its size, its letters, and what stands above and below it.
#pragma once

#include <optional>
#include <string>

#include "experiments/driver/reading/map_block.hpp"

namespace nowsim {

/// What figure.size takes, as errors say it.
inline constexpr const char* kSizeWanted =
    "single, double, a width or [width, height] in mm is wanted here, such as [85, 60], each from 30 to 500";

/// The widths of a paper's columns, which those of most publishers have room for [mm].
inline constexpr double kSingleColumn_mm = 85, kDoubleColumn_mm = 176;

/// What a figure's file says of how it is printed; 0: as large as the figure needs.
struct FigurePrint {
  double width_mm = 0, height_mm = 0;
  double letters_pt = 0;
  std::optional<std::string> title;  ///< in place of the experiment's; "" for none
  bool has_footer = true;

  [[nodiscard]] bool is_sized() const { return width_mm > 0; }
};

/// The rows of these keys, which figures of all kinds have.
KeyTable figure_print_keys();
/// Reads them; problems are the block's.
FigurePrint read_figure_print(MapBlock& block);

}  // namespace nowsim
