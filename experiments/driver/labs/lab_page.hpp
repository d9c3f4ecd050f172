// The frame that pages of labs have in common: readable without a network, by keyboard, in the dark, and on paper.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "experiments/driver/labs/texts.hpp"

namespace nowsim {

/// What stands in the frame.
struct LabPage {
  std::string title;
  std::string head;  ///< HTML below the title
  std::vector<std::pair<std::string, std::string>> contents;  ///< id and heading of its sections; none: no list of them
  std::string body;  ///< HTML
};
/// The whole page (HTML 5, UTF-8): no scripts, nothing from elsewhere, no date.
std::string lab_page(const LabPage& page, const Texts& texts);

/// A table cell by cell as HTML: rows of texts (made safe here), the first one being the head, with a caption; the column
/// `named_by` says what a row is about. Wide ones are moved by keyboard too.
std::string html_table(const std::string& caption, const std::vector<std::vector<std::string>>& rows,
                       std::size_t named_by = 0);

/// `<TAG>safe text</TAG>` and a line's end.
std::string html_element(const std::string& tag, const std::string& text);

}  // namespace nowsim
