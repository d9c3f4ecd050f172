// By the library libarchive.
#include "experiments/driver/bundles/archive.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

#include <filesystem>
#include <ostream>
#include <system_error>

#include "sim/base/error.hpp"
#include "sim/base/user_file.hpp"

namespace nowsim {
namespace {

bool is_zip_name(const std::string& name) { return name.ends_with(".zip"); }

la_ssize_t put_into_stream(archive*, void* out, const void* bytes, std::size_t size) {
  auto& stream = *static_cast<std::ostream*>(out);
  stream.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
  return stream ? static_cast<la_ssize_t>(size) : -1;
}

std::string reason_of_archive(archive* of) {
  const char* said = archive_error_string(of);
  return said != nullptr ? said : "its end is missing";
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

std::string bytes_of_entry(archive* from, const std::string& file) {
  std::string bytes;
  char some[1U << 16U];
  while (true) {
    const la_ssize_t n = archive_read_data(from, some, sizeof some);
    if (n < 0) throw InputError(Place{file, 0, ""}, "this archive is damaged: " + reason_of_archive(from));
    if (n == 0) return bytes;
    bytes.append(some, static_cast<std::size_t>(n));
    if (bytes.size() > kMostDataBytes)
      throw InputError(Place{file, 0, ""}, "a file in it is larger than any that is bundled");
  }
}

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

/// Its path, without what says "here"; "" of a folder.
std::string path_of_file(archive_entry* entry, const std::string& archive) {
  const char* named = archive_entry_pathname(entry);
  if (named == nullptr) throw InputError(Place{archive, 0, ""}, "a name in it cannot be read");
  if (archive_entry_filetype(entry) == AE_IFDIR) return "";
  std::string path = named;
  if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry) != nullptr)
    throw InputError(Place{archive, 0, ""}, path + " in it is no ordinary file, but a link or a device");
  while (path.starts_with("./")) path.erase(0, 2);
  return path;
}

}  // namespace

void read_archive(const std::string& file,
                  const std::function<void(const std::string& path, const std::string& bytes)>& take) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) throw InputError(Place{file, 0, ""}, "there is no such file.");
  const NamesAreUtf8 names;
  const OpenArchive from(archive_read_new(), archive_read_free);
  archive_read_support_filter_all(from.get());
  archive_read_support_format_all(from.get());
  constexpr std::size_t kBlock = 1U << 16U;
  if (archive_read_open_filename(from.get(), file.c_str(), kBlock) != ARCHIVE_OK)
    throw InputError(Place{file, 0, ""}, "this is no archive that can be read: " + reason_of_archive(from.get()));
  archive_entry* entry = nullptr;
  int status = ARCHIVE_OK;
  while ((status = archive_read_next_header(from.get(), &entry)) == ARCHIVE_OK || status == ARCHIVE_WARN)
    if (const std::string path = path_of_file(entry, file); !path.empty()) take(path, bytes_of_entry(from.get(), file));
  if (status != ARCHIVE_EOF)
    throw InputError(Place{file, 0, ""}, "this archive is damaged: " + reason_of_archive(from.get()));
}

}  // namespace nowsim
