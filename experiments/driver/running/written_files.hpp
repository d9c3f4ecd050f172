// Files made from a store, in its folder: replaced as a whole, and never at the cost of what a user made of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/driver/running/batch_store.hpp"

namespace nowsim {

/// Behind NAME, of CSVs that are beside NAME.csv or (fits) NAME-isoefficiency.csv, and no experiment's results.
inline constexpr const char* kClaimsEnding = "-claims";
inline constexpr const char* kSplitsEnding = "-splits";
inline constexpr const char* kIsoefficiencyEnding = "-isoefficiency";
inline constexpr const char* kFitsEnding = "-isoefficiency-fits";
inline constexpr const char* kEndingsBesideResults[] = {kClaimsEnding, kSplitsEnding, kFitsEnding};

/// What became of a file that was to be written.
struct WrittenFile {
  std::string path;
  std::string kept;  ///< where a file that was there and that nowsim had not written (or not like that) has gone; "": none
};

/// Refuses an experiment whose files would be taken for another's: x-claims.csv holds what became of x's claims.
/// @throws InputError naming `file`, which describes it.
void check_stored_name(const std::string& name, const std::string& file);

/// Writes a file NAME of the store's folder at once (a reader sees the old one or the new one). A file under that name
/// which is not as nowsim last wrote it is kept under the first free NAME.~1~, NAME.~2~, ... @throws RunError.
WrittenFile write_file(BatchStore& store, const std::string& name, const std::string& text);
/// An experiment's rows as NAME.csv.
WrittenFile write_results(BatchStore& store, const std::string& name, const ResultTable& summary);
/// Its splits that were found by simulation as NAME-splits.csv.
WrittenFile write_splits(BatchStore& store, const std::string& name, const ResultTable& summary);

/// Whether a file of the store's folder is as nowsim last wrote it; true where that is not known, or it is not there.
bool is_as_written(BatchStore& store, const std::filesystem::path& path);

/// Sentences about CSVs of a folder's experiments (NAME or PAPER/NAME) that are not as nowsim last wrote them, by the
/// stores beside them, and about stores that cannot say that; nothing where there is no store.
std::vector<std::string> remarks_on_changed(const std::string& folder, const std::vector<std::string>& experiments);

/// Moves files that answer another question aside, as NAME.~1~, before those of this one take their names; and keeps
/// the question with the store. Those that were there, in the order of `names`. `answer` names them together.
/// @throws RunError.
std::vector<WrittenFile> keep_other_answers(BatchStore& store, const std::string& answer, const std::string& question,
                                            const std::vector<std::string>& names);

}  // namespace nowsim
