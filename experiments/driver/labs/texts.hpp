// The sentences that labs say to students and teachers, by key: all in one file, so that they can be translated; and
// Markdown, in which some of them and the handouts are written.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/driver/labs/lab.hpp"

namespace nowsim {

/// A text in which `value` says what stands in the place of braces, by what they hold; it may take from the text behind.
std::string filled_holes(std::string_view text,
                         const std::function<std::string(std::string_view inside, std::string_view& rest)>& value);

/// The texts of a language. Immutable.
class Texts {
 public:
  /// Reads a file like experiments/labs/texts.yaml. @throws InputError where it is missing or no such file.
  explicit Texts(const std::string& file);
  /// The sentence of a key (`check.missing`) with {name} replaced by the value of that name. What no value belongs to
  /// stays as it is. @throws InputError naming the file where it has no such key.
  [[nodiscard]] std::string say(const std::string& key, const NamedTexts& values = {}) const;
  /// Of all keys the sentences as they are written.
  [[nodiscard]] const std::map<std::string, std::string>& all() const { return texts_; }

 private:
  std::string file_;
  std::map<std::string, std::string> texts_;
};

/// The path of a file beside a lab's folder: FOLDER/../NAME; where there is none, that of nowsim's own in `shipped_labs`
/// ("": only the former).
std::string path_beside(const std::string& lab_folder, const std::string& name, const std::string& shipped_labs = "");
/// Those beside a lab's folder: FOLDER/../texts.yaml. @throws InputError as the constructor does.
Texts texts_beside(const std::string& lab_folder);

// ---- Markdown, by cmark-gfm ----------------------------------------------------------------------------------------

/// CommonMark and tables as HTML. HTML and dangerous addresses in it are left out. Where tables, which have no captions,
/// are given a name, wide ones can be moved by keyboard.
std::string markdown_html(const std::string& markdown, const std::string& table_name = "");

/// A text that somebody wrote, as Markdown that shows it as it is, on one line: no picture, link or emphasis of it.
std::string markdown_literal(const std::string& text);
/// What Markdown says, for a terminal: without its signs, a line for each paragraph or item.
std::vector<std::string> markdown_lines(const std::string& markdown);

/// A paragraph, a list, a table, ...: its HTML, the lines of code blocks in it, and the code in its sentences.
struct MarkdownBlock {
  std::string html;
  std::vector<std::string> lines, code;
};
/// What stands below a heading `## NAME`, or before the first one (name "").
struct MarkdownSection {
  std::string name;
  std::vector<MarkdownBlock> blocks;

  [[nodiscard]] std::string html() const;
};
/// A text cut at its headings of the second level.
std::vector<MarkdownSection> markdown_sections(const std::string& markdown, const std::string& table_name = "");

}  // namespace nowsim
