// Written and unpacked by libarchive; which files are in one is found out apart from it (tar_members, zip_members).
#include "experiments/driver/bundles/archive.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <ranges>
#include <system_error>
#include <utility>

#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"

namespace nowsim {
namespace {

bool is_zip_name(const std::string& name) { return name.ends_with(".zip"); }

la_ssize_t put_into_stream(archive*, void* out, const void* bytes, std::size_t size) {
  auto& stream = *static_cast<std::ostream*>(out);
  stream.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
  return stream ? static_cast<la_ssize_t>(size) : -1;
}

/// Without the sums that are compared, which tell nobody anything.
std::string reason_of_archive(archive* of) {
  const char* said = archive_error_string(of);
  const std::string text = said != nullptr ? said : "its end is missing";
  return text.substr(0, text.find(": 0x"));
}

using OpenArchive = std::unique_ptr<archive, int (*)(archive*)>;

/// libarchive takes names for what the thread's locale says: bytes beyond ASCII are UTF-8, wherever this runs.
class NamesAreUtf8 {
 public:
  NamesAreUtf8() : locale_(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
    if (locale_ != nullptr) before_ = uselocale(locale_);
  }
  ~NamesAreUtf8() {
    if (locale_ == nullptr) return;
    uselocale(before_);
    freelocale(locale_);
  }
  NamesAreUtf8(const NamesAreUtf8&) = delete;
  NamesAreUtf8& operator=(const NamesAreUtf8&) = delete;

 private:
  locale_t locale_ = nullptr, before_ = nullptr;
};

}  // namespace

bool is_archive_name(const std::string& name) {
  return std::ranges::any_of(kArchiveEndings, [&](const char* ending) { return name.ends_with(ending); });
}

void ArchiveWriter::check(int status) const {
  if (status != ARCHIVE_OK) throw RunError("the archive cannot be written: " + reason_of_archive(to_.get()));
}

ArchiveWriter::ArchiveWriter(const std::string& name, std::ostream& out)
    : to_(archive_write_new(), archive_write_free) {
  archive* const to = to_.get();
  if (is_zip_name(name)) {
    check(archive_write_set_format_zip(to));
  } else {
    check(archive_write_set_format_gnutar(to));  // names are bytes, as long as they are
    check(archive_write_add_filter_gzip(to));
    check(archive_write_set_filter_option(to, "gzip", "timestamp", nullptr));
  }
  check(archive_write_set_bytes_in_last_block(to, 1));
  check(archive_write_open(to, &out, nullptr, put_into_stream, nullptr));
}

void ArchiveWriter::add(const std::string& path, const std::string& bytes, bool is_program) {
  const NamesAreUtf8 names;
  const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(), archive_entry_free);
  archive_entry_set_pathname(entry.get(), path.c_str());
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), is_program ? 0755 : 0644);
  archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes.size()));
  archive_entry_set_mtime(entry.get(), 0, 0);
  check(archive_write_header(to_.get(), entry.get()));
  if (archive_write_data(to_.get(), bytes.data(), bytes.size()) != static_cast<la_ssize_t>(bytes.size()))
    check(ARCHIVE_FATAL);
}

void ArchiveWriter::finish() { check(archive_write_close(to_.get())); }

namespace {

/// A file's bytes, of which there are as many as its header says.
class UnpackedBytes {
 public:
  UnpackedBytes(archive* from, const ArchiveMember& member, const std::string& file)
      : from_(from), left_(member.bytes), file_(file) {}

  std::string_view next() {
    const la_ssize_t n = archive_read_data(from_, some_, sizeof some_);
    if (n < 0) refuse(reason_of_archive(from_));
    const auto size = static_cast<std::uint64_t>(n);
    if (size > left_ || (n == 0 && left_ > 0)) refuse("a file in it is not as long as its header says");
    left_ -= size;
    return {some_, static_cast<std::size_t>(n)};
  }

 private:
  [[noreturn]] void refuse(const std::string& reason) const {
    throw InputError(Place{file_, 0, ""}, "this archive is damaged: " + reason);
  }
  archive* from_;
  std::uint64_t left_;
  const std::string& file_;
  char some_[1U << 16U];
};

/// Whether libarchive makes the same of a header.
bool is_same_member(archive_entry* entry, const ArchiveMember& member) {
  const char* named = archive_entry_pathname(entry);
  if (named == nullptr || archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry) != nullptr)
    return false;
  std::string_view path = named;
  while (path.starts_with("./")) path.remove_prefix(2);
  return path == member.path && archive_entry_size(entry) == static_cast<la_int64_t>(member.bytes);
}

OpenArchive opened_archive(const std::string& file, bool is_zip) {
  OpenArchive from(archive_read_new(), archive_read_free);
  if (is_zip) {
    archive_read_support_format_zip_seekable(from.get());
  } else {
    archive_read_support_filter_gzip(from.get());
    archive_read_support_format_tar(from.get());
  }
  constexpr std::size_t kBlock = 1U << 16U;
  if (archive_read_open_filename(from.get(), file.c_str(), kBlock) != ARCHIVE_OK)
    throw InputError(Place{file, 0, ""}, "this is no archive that can be read: " + reason_of_archive(from.get()));
  return from;
}

}  // namespace

void read_archive(const std::string& file, std::uint64_t most_bytes,
                  const std::function<void(const std::string& path, const NextBlock& next)>& take) {
  const ArchiveMembers members = members_of_archive(file, most_bytes);
  const NamesAreUtf8 names;
  const OpenArchive from = opened_archive(file, members.is_zip);
  archive_entry* entry = nullptr;
  int status = ARCHIVE_OK;
  auto member = members.files.begin();
  while ((status = archive_read_next_header(from.get(), &entry)) == ARCHIVE_OK || status == ARCHIVE_WARN) {
    if (archive_entry_filetype(entry) == AE_IFDIR) continue;
    if (member == members.files.end() || !is_same_member(entry, *member)) break;
    UnpackedBytes bytes(from.get(), *member, file);
    take(member->path, [&] { return bytes.next(); });
    while (!bytes.next().empty()) {
    }
    ++member;
  }
  if (status == ARCHIVE_FATAL || status == ARCHIVE_FAILED)
    throw InputError(Place{file, 0, ""}, "this archive is damaged: " + reason_of_archive(from.get()));
  if (status != ARCHIVE_EOF || member != members.files.end())
    throw InputError(Place{file, 0, ""}, "programs that unpack this archive make different files of it");
}

namespace {

constexpr std::size_t kMostMembers = 100'000;
constexpr std::uint64_t kMostPathBytesInAll = std::uint64_t{16} << 20U;

/// Down from a folder, step by step, by names that can be shown.
bool goes_down(std::string_view path) {
  if (path.size() > MemberList::kMostPathBytes) return false;
  if (std::ranges::any_of(path, [](unsigned char c) { return c < 32 || c == 127; })) return false;
  return !path.empty() && std::ranges::none_of(std::views::split(path, '/'), [](const auto& part) {
    const std::string_view step(part.begin(), part.end());
    return step.empty() || step == "." || step == "..";
  });
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
