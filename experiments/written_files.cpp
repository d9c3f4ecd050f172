// Writing files beside what may be there already.
#include "experiments/written_files.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "experiments/checksum.hpp"
#include "experiments/pdf_date.hpp"
#include "experiments/split_output.hpp"
#include "experiments/set_aside.hpp"
#include "sim/error.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void cannot_write(const std::string& path, const std::string& why) {
  throw RunError("cannot write " + path + ": " + why + "; the results are in the store, and the same command writes it again");
}

/// What tells a file from others; a PDF that its script has drawn again bears another date, and is the same.
std::int64_t checksum_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return checksum(without_date({std::istreambuf_iterator<char>(in), {}}));
}

/// Moves a user's file (or whatever has that name) aside; "" where there is none.
std::string keep_users_file(ResultStore& store, const std::string& name, const fs::path& path,
                            std::optional<std::int64_t> replacement) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return "";
  if (fs::is_regular_file(path, ignored)) {
    const std::int64_t present = checksum_of(path);
    if (present == replacement || store.written_file(name) == present) return "";
  }
  std::error_code error;
  const fs::path aside = set_aside(path, error);
  if (error) cannot_write(path.string(), error.message());
  return aside.string();
}

WrittenFile put_in_place(ResultStore& store, const std::string& name, const fs::path& made, std::int64_t sum) {
  const fs::path path = fs::path(store.folder()) / name;
  WrittenFile written{path.string(), keep_users_file(store, name, path, sum)};
  std::error_code error;
  fs::rename(made, path, error);
  if (error) cannot_write(path.string(), error.message());
  store.note_written_file(name, sum);
  return written;
}

}  // namespace

WrittenFile write_file(ResultStore& store, const std::string& name, const std::string& text) {
  const std::string made = (fs::path(store.folder()) / ("." + name + ".new")).string();
  std::ofstream out(made, std::ios::binary);
  out << text;
  out.close();
  if (!out) {
    const std::string why = std::strerror(errno);
    std::error_code ignored;
    fs::remove(made, ignored);
    cannot_write(store.folder() + "/" + name, why);
  }
  return put_in_place(store, name, made, checksum(text));
}

std::vector<WrittenFile> keep_other_answers(ResultStore& store, const std::string& answer, const std::string& question,
                                            const std::vector<std::string>& names) {
  const std::string key = answer + " (question)";  // no file has that name
  const std::int64_t asked = checksum(question);
  std::vector<WrittenFile> kept;
  if (store.written_file(key) == asked) return kept;
  for (const auto& name : names) {
    const fs::path path = fs::path(store.folder()) / name;
    std::error_code error;
    if (!fs::exists(path, error)) continue;
    const fs::path aside = set_aside(path, error);
    if (error) cannot_write(path.string(), error.message());
    kept.push_back({path.string(), aside.string()});
  }
  store.note_written_file(key, asked);
  return kept;
}

WrittenFile write_results(ResultStore& store, const std::string& name, const Summary& summary) {
  std::ostringstream csv;
  write_summary(summary, Format::csv, csv);
  return write_file(store, name + ".csv", csv.str());
}

WrittenFile write_splits(ResultStore& store, const std::string& name, const Summary& summary) {
  std::ostringstream csv;
  write_split_csv(summary, csv);
  return write_file(store, name + "-splits.csv", csv.str());
}

WrittenFile put_in_place(ResultStore& store, const std::string& name, const fs::path& made) {
  return put_in_place(store, name, made, checksum_of(made));
}

}  // namespace nowsim
