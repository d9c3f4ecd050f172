// Writing files beside what may be there already.
#include "experiments/driver/running/written_files.hpp"

#include <map>
#include <sstream>

#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/text/checksum.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "experiments/driver/text/reproducible_pdf.hpp"
#include "sim/base/error.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

/// Whether a file is what has this checksum; a PDF that its script has drawn again bears another date, and is the same.
bool has_checksum(const fs::path& path, std::int64_t sum) {
  const std::string bytes = bytes_of(path);
  return checksum(bytes) == sum || checksum(without_date(bytes)) == sum;
}

}  // namespace

bool is_as_written(BatchStore& store, const fs::path& path) {
  const auto sum = store.written_file(path.filename().string());
  std::error_code ignored;
  return !sum || !fs::is_regular_file(path, ignored) || has_checksum(path, *sum);
}

std::vector<std::string> remarks_on_changed(const std::string& folder, const std::vector<std::string>& experiments) {
  std::map<fs::path, std::vector<fs::path>> names;  // by their stores' folders
  for (const auto& name : experiments) {
    const fs::path path = fs::path(folder) / name;
    std::error_code ignored;
    if (fs::exists(path.parent_path() / kStoreFile, ignored)) names[path.parent_path()].push_back(path);
  }
  std::vector<std::string> remarks;
  for (const auto& [store_folder, paths] : names) try {
      BatchStore store(store_folder.string(), BatchStore::Access::read);
      for (const auto& path : paths)
        for (const char* ending : {"", kClaimsEnding})
          if (const std::string file = path.string() + ending + ".csv"; !is_as_written(store, file))
            remarks.push_back(file + " is not as nowsim wrote it: edited, or damaged");
    } catch (const InputError& e) {
      remarks.push_back(e.what());
    }
  return remarks;
}

void check_stored_name(const std::string& name, const std::string& file) {
  for (const std::string ending : kEndingsBesideResults)
    if (name.ends_with(ending))
      throw InputError(file + ": results of a file whose name ends in '" + ending + "' would be in " + name +
                       ".csv, which is the name for those of another's " + ending.substr(ending.rfind('-') + 1) +
                       "; rename the file");
}

WrittenFile write_file(BatchStore& store, const std::string& name, const std::string& text) {
  WrittenFile written{(fs::path(store.folder()) / name).string(), ""};
  const std::int64_t sum = checksum(without_date(text));
  const auto may_replace = [&](const fs::path& there, const fs::path&) {
    const auto before = store.written_file(name);
    return has_checksum(there, sum) || (before && has_checksum(there, *before));
  };
  try {
    written.kept = write_output_file(written.path, [&](std::ostream& out) { out << text; }, may_replace);
  } catch (const RunError& e) {
    throw RunError(std::string(e.what()) + "; the results are in the store, and the same command writes it again");
  }
  store.note_written_file(name, sum);
  return written;
}

std::vector<WrittenFile> keep_other_answers(BatchStore& store, const std::string& answer, const std::string& question,
                                            const std::vector<std::string>& names) {
  const std::string key = answer + " (question)";  // no file has that name
  const std::int64_t asked = checksum(question);
  std::vector<WrittenFile> kept;
  if (store.written_file(key) == asked) return kept;
  for (const auto& name : names) {
    const fs::path path = fs::path(store.folder()) / name;
    std::error_code error;
    if (!fs::exists(fs::symlink_status(path, error))) continue;
    const fs::path aside = backup_file(path, error);
    if (error) throw RunError("cannot move " + path.string() + ": " + error.message());
    kept.push_back({path.string(), aside.string()});
  }
  store.note_written_file(key, asked);
  return kept;
}

WrittenFile write_results(BatchStore& store, const std::string& name, const ResultTable& summary) {
  std::ostringstream csv;
  write_summary(summary, Format::csv, csv);
  return write_file(store, name + ".csv", csv.str());
}

WrittenFile write_splits(BatchStore& store, const std::string& name, const ResultTable& summary) {
  std::ostringstream csv;
  write_split_csv(summary, csv);
  return write_file(store, name + kSplitsEnding + ".csv", csv.str());
}

}  // namespace nowsim
