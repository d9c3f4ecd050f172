// What is there near a path that is not: the file or folder that a misspelt word of the command line may mean.
#pragma once

#include <string>
#include <vector>

namespace nowsim {

/// NAME with the ending, such as ".yaml", where that is a file; otherwise "".
std::string file_without_ending(const std::string& name, const std::string& ending);
/// The file with one of these endings, or another of them, whose name is nearest; "" where none is near.
std::string near_file(const std::string& name, const std::vector<std::string>& endings);
/// The folder whose path is nearest, each part for itself; "" where there is none.
std::string near_folder(const std::string& name);
/// "; did you mean 'mylab.yaml'?", or "" for "".
std::string may_be_meant(const std::string& path);

/// Of which kind the file is that a word names.
enum class FileKind { experiment, platform };
/// Refuses what is there under a name and is evidently not `wanted`, an experiment or a platform: a file of the other kind
/// by its ending, or a folder of results. @throws InputError saying what it is, and which commands are for it.
void refuse_other_kind(const std::string& name, FileKind wanted);
/// That a name is that of another kind. @throws InputError.
[[noreturn]] void refuse_as(FileKind is, const std::string& name);

}  // namespace nowsim
