#include "experiments/driver/pictures/draw_picture.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <ostream>

#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "experiments/driver/text/reproducible_pdf.hpp"
#include "experiments/driver/text/temporary_folder.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPngBegin = "\x89PNG\r\n\x1a\n";

// ---- PNG (RFC 2083): chunks of length, type, data, CRC; the last is IEND ----

std::size_t big_endian(std::string_view bytes) {
  std::size_t n = 0;
  for (const char c : bytes) n = n << 8 | static_cast<unsigned char>(c);
  return n;
}

bool is_whole_png(std::string_view rest) {
  constexpr std::size_t kBesideData = 12;
  rest.remove_prefix(kPngBegin.size());
  while (rest.size() >= kBesideData) {
    const std::size_t chunk = big_endian(rest.substr(0, 4)) + kBesideData;
    if (chunk > rest.size()) return false;
    if (rest.substr(4, 4) == "IEND") return chunk == rest.size();
    rest.remove_prefix(chunk);
  }
  return false;
}

// ---- PDF (ISO 32000-1, 7.5): its end says where the table is, and the table where each object is ---------------

/// The number at the beginning of a text, which is taken off.
std::size_t take_number(std::string_view& text) {
  std::size_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{}) return std::string_view::npos;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return n;
}

bool has_objects_of_table(std::string_view bytes, std::string_view table) {
  constexpr std::size_t kEntry = 20;
  if (!table.starts_with("xref\n0 ")) return false;
  table.remove_prefix(7);
  const std::size_t count = take_number(table);
  if (count == std::string_view::npos || !table.starts_with('\n')) return false;
  table.remove_prefix(1);
  for (std::size_t k = 0; k < count; ++k) {
    if (table.size() < kEntry) return false;
    std::string_view entry = table.substr(0, kEntry);
    const std::size_t at = take_number(entry);
    if (entry.ends_with("n \n") && (at >= bytes.size() || !bytes.substr(at).starts_with(std::to_string(k) + " 0 obj")))
      return false;
    table.remove_prefix(kEntry);
  }
  return table.starts_with("trailer");
}

/// A table as an object of its own (7.5.8), which cairo writes from 1.18 on. It is compressed, so that what it says of
/// the objects is not looked at; but it is where the end says only if nothing before it is missing.
bool is_table_stream(std::string_view object) {
  if (take_number(object) == std::string_view::npos || !object.starts_with(" 0 obj\n")) return false;
  const std::string_view dictionary = object.substr(0, object.find("\nstream\n"));
  if (dictionary.find("\nendobj\n") != std::string_view::npos) return false;  // it is another object's
  return dictionary.size() < object.size() && dictionary.find("/Type /XRef") != std::string_view::npos &&
         object.ends_with("\nendstream\nendobj\n");
}

/// @param table from its beginning to what says where that is.
bool are_objects_there(std::string_view bytes, std::string_view table) {
  return has_objects_of_table(bytes, table) || is_table_stream(table);
}

bool is_whole_pdf(std::string_view bytes) {
  constexpr std::string_view kStart = "startxref\n";
  const std::size_t start = bytes.rfind(kStart);
  if (start == std::string_view::npos) return false;
  std::string_view end = bytes.substr(start + kStart.size());
  const std::size_t table = take_number(end);
  return end == "\n%%EOF\n" && table < start && bytes.substr(0, table).ends_with('\n') &&
         are_objects_there(bytes, bytes.substr(table, start - table));
}

// ---- SVG: XML 1.0 as gnuplot writes it, with neither CDATA nor entities of its own -----------------

bool is_reference(std::string_view text) {
  for (const std::string_view known : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#x"})
    if (text.starts_with(known)) return true;
  return false;
}

bool is_svg_text(std::string_view text) {
  if (text.find("]]>") != std::string_view::npos) return false;
  for (std::size_t i = text.find('&'); i != std::string_view::npos; i = text.find('&', i + 1))
    if (!is_reference(text.substr(i))) return false;
  return true;
}

/// Takes a tag off, and notes it among those that are open. False where it closes another than the last.
bool take_tag(std::string_view& rest, std::vector<std::string_view>& open) {
  std::size_t end = 1;  // of the tag: a '>' within quotes is none
  for (char quote = 0; end < rest.size() && (quote != 0 || rest[end] != '>'); ++end)
    if (quote != 0 ? rest[end] == quote : rest[end] == '"' || rest[end] == '\'') quote = quote != 0 ? 0 : rest[end];
  if (end >= rest.size()) return false;
  const std::string_view tag = rest.substr(1, end - 1);
  rest.remove_prefix(end + 1);
  if (tag.starts_with('?') || tag.starts_with('!') || tag.ends_with('/')) return true;
  if (!tag.starts_with('/')) {
    open.push_back(tag.substr(0, tag.find_first_of(" \t\r\n")));
    return true;
  }
  if (open.empty() || open.back() != tag.substr(1)) return false;
  open.pop_back();
  return true;
}

bool is_valid_utf8(std::string_view text) {
  while (!text.empty()) {
    const Utf8Character c = first_character(text);
    if (!c.is_whole || c.code == 0xFFFE || c.code == 0xFFFF) return false;
    if (c.code < 32 && c.code != '\n' && c.code != '\t' && c.code != '\r') return false;
    text.remove_prefix(c.bytes);
  }
  return true;
}

bool is_whole_svg(std::string_view rest) {
  if (!is_valid_utf8(rest)) return false;
  std::vector<std::string_view> open;
  bool has_root = false;
  while (!rest.empty()) {
    const std::size_t text = std::min(rest.find('<'), rest.size());
    if (!is_svg_text(rest.substr(0, text))) return false;
    rest.remove_prefix(text);
    if (rest.empty()) break;
    if (!take_tag(rest, open)) return false;
    has_root = has_root || !open.empty();
  }
  return has_root && open.empty();
}

void write_drawing_file(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw RunError(file.string() + " cannot be written: " + std::strerror(errno));
}

/// gnuplot does not look whether what it writes arrives.
std::string picture_in(const fs::path& file) {
  const std::string bytes = bytes_of(file);
  if (bytes.empty()) throw RunError("gnuplot made no " + file.filename().string());
  if (!is_whole_picture(bytes))
    throw RunError("gnuplot left " + file.filename().string() + " incomplete (" + std::to_string(bytes.size()) +
                   " bytes); is there room in " + file.parent_path().parent_path().string() + "?");
  return without_date(bytes);
}

std::string results_in(const fs::path& csv) {
  try {
    return read_user_file(csv.string(), kMostDataBytes);
  } catch (const InputError& e) {
    throw RunError("the results " + csv.string() + " are not there, so the figure cannot be drawn (" + e.what() + ")");
  }
}

}  // namespace

std::span<const PictureEnding> picture_endings() {
  static constexpr PictureEnding table[] = {
      {PictureFormat::svg, ".svg"}, {PictureFormat::png, ".png"}, {PictureFormat::pdf, ".pdf"}};
  return table;
}

std::vector<std::string> draw_pictures(const std::vector<DrawingFile>& files, const std::vector<std::string>& wanted) {
  const TemporaryFolder folder;
  for (const auto& file : files) write_drawing_file(folder.path() / file.name, file.text);
  run_gnuplot(folder.path(), "./" + files.front().name);
  std::vector<std::string> pictures;
  for (const auto& name : wanted) pictures.push_back(picture_in(folder.path() / name));
  return pictures;
}

std::string draw_picture(const std::string& script) {
  return draw_pictures({{"picture.gp", "output = 'picture'\n" + script}}, {"picture"}).front();
}

bool is_whole_picture(std::string_view bytes) {
  if (bytes.starts_with(kPngBegin)) return is_whole_png(bytes);
  if (bytes.starts_with("%PDF-")) return is_whole_pdf(bytes);
  return bytes.starts_with("<?xml") && is_whole_svg(bytes);
}

void write_drawn_file(const fs::path& file, const std::string& bytes) {
  write_output_file(file.string(), [&](std::ostream& out) { out << bytes; });
}

FigureFiles draw_figure(const Figure& figure, const ResultTable& summary, const fs::path& folder, const std::string& name,
                        const PutFile& put) {
  if (name.empty() || name == "." || name == ".." || name.find_first_of(std::string("/\n\0", 3)) != std::string::npos)
    throw RunError(quoted(name) + " cannot be a figure's file name");
  const std::string script = figure_script(figure, summary, name);
  const FigureFiles files{folder / (name + ".gp"), folder / (name + ".svg"), folder / (name + ".png"),
                          folder / (name + ".pdf")};
  put(files.script, script);
  const std::string csv = results_in(folder / (name + ".csv"));
  std::vector<std::string> pictures;
  try {
    pictures =
        draw_pictures({{name + ".gp", script}, {name + ".csv", csv}}, {name + ".svg", name + ".png", name + ".pdf"});
  } catch (const RunError& e) {
    throw RunError("the figure " + files.png.string() + " was not drawn: " + e.what() + "; its script " +
                   files.script.string() + " and its CSV are kept");
  }
  put(files.svg, pictures[0]);
  put(files.png, pictures[1]);
  put(files.pdf, pictures[2]);
  return files;
}

std::string draw_thumbnail(const fs::path& folder, const std::string& name) {
  constexpr const char* kSmall = "kinds = 'png'\nscale = 0.26\n";
  const std::string script = kSmall + read_user_file((folder / (name + ".gp")).string(), kMostDataBytes);
  return draw_pictures({{name + ".gp", script}, {name + ".csv", results_in(folder / (name + ".csv"))}}, {name + ".png"})
      .front();
}

}  // namespace nowsim
