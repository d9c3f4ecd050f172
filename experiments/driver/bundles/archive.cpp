// By the library libarchive.
#include "experiments/driver/bundles/archive.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

#include <ostream>

#include "experiments/driver/bundles/archive_members.hpp"
#include "sim/base/error.hpp"

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
  return name.ends_with(".tar.gz") || name.ends_with(".tgz") || is_zip_name(name);
}

struct ArchiveWriter::Impl {
  OpenArchive owned{archive_write_new(), archive_write_free};
  archive* to = owned.get();

  void check(int status) const {
    if (status != ARCHIVE_OK) throw RunError("the archive cannot be written: " + reason_of_archive(to));
  }
};

ArchiveWriter::ArchiveWriter(const std::string& name, std::ostream& out) : impl_(std::make_unique<Impl>()) {
  archive* const to = impl_->to;
  if (is_zip_name(name)) {
    impl_->check(archive_write_set_format_zip(to));
  } else {
    impl_->check(archive_write_set_format_gnutar(to));  // names are bytes, as long as they are
    impl_->check(archive_write_add_filter_gzip(to));
    impl_->check(archive_write_set_filter_option(to, "gzip", "timestamp", nullptr));
  }
  impl_->check(archive_write_set_bytes_in_last_block(to, 1));
  impl_->check(archive_write_open(to, &out, nullptr, put_into_stream, nullptr));
}

ArchiveWriter::~ArchiveWriter() = default;

void ArchiveWriter::add(const std::string& path, const std::string& bytes, bool is_program) {
  const NamesAreUtf8 names;
  const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(), archive_entry_free);
  archive_entry_set_pathname(entry.get(), path.c_str());
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), is_program ? 0755 : 0644);
  archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes.size()));
  archive_entry_set_mtime(entry.get(), 0, 0);
  impl_->check(archive_write_header(impl_->to, entry.get()));
  if (archive_write_data(impl_->to, bytes.data(), bytes.size()) != static_cast<la_ssize_t>(bytes.size()))
    throw RunError("the archive cannot be written: " + reason_of_archive(impl_->to));
}

void ArchiveWriter::finish() { impl_->check(archive_write_close(impl_->to)); }

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

}  // namespace nowsim
