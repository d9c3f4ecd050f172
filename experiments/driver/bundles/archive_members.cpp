// Which kind of archive it is, and what holds for members of any.
#include "experiments/driver/bundles/archive_members.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kMostMembers = 100'000;
constexpr std::uint64_t kMostPathBytesInAll = std::uint64_t{16} << 20U;

/// Down from a folder, step by step, by names that can be shown.
bool goes_down(std::string_view path) {
  if (path.size() > MemberList::kMostPathBytes) return false;
  if (std::ranges::any_of(path, [](unsigned char c) { return c < 32 || c == 127; })) return false;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string_view step = path.substr(at, end - at);
    if (step.empty() || step == "." || step == "..") return false;
    at = end + 1;
  }
  return true;
}

/// In an order in which what is in a folder follows it at once: '/' comes before any other character.
struct SortedPath {
  std::string plain;  ///< in small letters, '\0' for '/'
  const ArchiveMember* member;
};

std::vector<SortedPath> sorted_member_paths(const std::vector<ArchiveMember>& members) {
  std::vector<SortedPath> paths;
  for (const auto& member : members) {
    std::string plain = lower_case(member.path);
    std::ranges::replace(plain, '/', '\0');
    paths.push_back({std::move(plain), &member});
  }
  std::ranges::sort(paths, {}, &SortedPath::plain);
  return paths;
}

}  // namespace

void check_member_paths(const std::vector<ArchiveMember>& members, const std::string& archive) {
  for (const auto& member : members)
    if (!goes_down(member.path))
      throw InputError({archive, 0, ""},
                       quoted(member.path) + " in it is not in the bundle's folder, or no name for a file");
  const std::vector<SortedPath> paths = sorted_member_paths(members);
  for (std::size_t i = 1; i < paths.size(); ++i) {
    const auto& [before, a] = paths[i - 1];
    const auto& [path, b] = paths[i];
    const bool is_same = path == before, is_inside = path.starts_with(before + '\0');
    if (!(is_same && !(a->is_folder && b->is_folder)) && !(is_inside && !a->is_folder)) continue;
    throw InputError({archive, 0, ""}, a->path == b->path
                                           ? a->path + " is there twice"
                                           : a->path + " and " + b->path + " cannot both be unpacked everywhere");
  }
}

MemberList::MemberList(std::string archive, std::uint64_t most_bytes)
    : archive_(std::move(archive)), most_bytes_(most_bytes) {}

void MemberList::add(std::string path, bool is_folder, std::uint64_t mode, std::uint64_t bytes) {
  constexpr std::uint64_t kPermissions = 0777, kOthersWrite = 0002;
  while (path.starts_with("./")) path.erase(0, 2);
  if (is_folder && path.ends_with('/')) path.pop_back();
  if (is_folder && (path.empty() || path == ".")) return;
  if ((mode & ~kPermissions) != 0 || (mode & kOthersWrite) != 0)
    refuse(quoted(path) + " in it would be everybody's to write, or run as somebody else (setuid, setgid, sticky)");
  if (is_folder && bytes > 0) refuse_damaged("the folder " + quoted(path) + " has contents");
  path_bytes_ += path.size();
  if (members_.size() == kMostMembers || path_bytes_ > kMostPathBytesInAll)
    refuse("it holds more than " + std::to_string(kMostMembers) + " files, or longer names, than any bundle");
  if (bytes > kMostDataBytes) refuse(quoted(path) + " in it is larger than any file that is bundled");
  bytes_ += bytes;
  if (bytes_ > most_bytes_)
    refuse("its files come to more than " + format_quantity(static_cast<double>(most_bytes_), Dimension::bytes) +
           ": where that is meant, say by --unpacked how large they may be");
  members_.push_back({std::move(path), bytes, is_folder});
}

std::vector<ArchiveMember> MemberList::finish() {
  check_member_paths(members_, archive_);
  std::erase_if(members_, [](const ArchiveMember& member) { return member.is_folder; });
  return std::move(members_);
}

void MemberList::refuse(const std::string& sentence) const { throw InputError({archive_, 0, ""}, sentence); }

void MemberList::refuse_kind(const std::string& path) const {
  refuse(quoted(path) + " in it is no ordinary file, but a link or a device");
}

void MemberList::refuse_damaged(const std::string& reason) const { refuse("this archive is damaged: " + reason); }

ArchiveMembers members_of_archive(const std::string& file, std::uint64_t most_bytes) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) throw InputError({file, 0, ""}, kNoSuchFile);
  // It is read twice, and not from its beginning; a pipe would be waited for.
  std::ifstream in;
  if (std::filesystem::is_regular_file(file, ignored)) in.open(file, std::ios::binary);
  if (!in.is_open()) throw InputError({file, 0, ""}, "this is no file that can be read");
  std::string beginning(4, '\0');
  in.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  in.clear();
  in.seekg(0);
  MemberList list(file, most_bytes);
  const bool is_zip = beginning == "PK\x03\x04";
  if (is_zip)
    add_zip_members(in, list);
  else
    add_tar_members(in, packing_of(beginning) == Packing::gzip, list);
  return {is_zip, list.finish()};
}

}  // namespace nowsim
