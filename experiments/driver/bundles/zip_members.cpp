// The directory of a .zip and the headers that it names: they say the same, and are all that is there.
#include <algorithm>
#include <iterator>
#include <utility>

#include "experiments/driver/bundles/archive.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// Numbers of a record, the least byte first.
class ZipRecord {
 public:
  explicit ZipRecord(std::string bytes) : bytes_(std::move(bytes)) {}
  [[nodiscard]] std::uint64_t two(std::size_t at) const { return number(at, 2); }
  [[nodiscard]] std::uint64_t four(std::size_t at) const { return number(at, 4); }
  [[nodiscard]] bool begins(std::string_view signature) const { return bytes_.starts_with(signature); }

 private:
  [[nodiscard]] std::uint64_t number(std::size_t at, std::size_t size) const {
    std::uint64_t value = 0;
    for (std::size_t i = size; i > 0; --i) value = value << 8U | static_cast<unsigned char>(bytes_.at(at + i - 1));
    return value;
  }
  std::string bytes_;
};

/// APPNOTE.TXT 4.3: records and where their fields are.
constexpr std::string_view kZipLocal{"PK\x03\x04"}, kZipEntry{"PK\x01\x02"}, kZipEnd{"PK\x05\x06"},
    kZipSizes{"PK\x07\x08"};
constexpr std::uint64_t kZipLocalBytes = 30, kZipEntryBytes = 46, kZipEndBytes = 22;
constexpr std::uint64_t kZipSizesFollow = 1U << 3U, kZipNameIsUtf8 = 1U << 11U, kZipCompression = 3U << 1U;

struct ZipEntry {
  std::uint64_t flags, method, crc, packed, bytes, offset, mode;
  std::string name;
  bool is_folder;
};

class ZipReader {
 public:
  ZipReader(std::ifstream& in, MemberList& list) : in_(in), list_(list) {
    in_.seekg(0, std::ios::end);
    size_ = static_cast<std::uint64_t>(in_.tellg());
  }

  void read() {
    if (size_ < kZipEndBytes) list_.refuse_damaged("its end is missing");
    const ZipRecord end = record(size_ - kZipEndBytes, kZipEndBytes);
    if (!end.begins(kZipEnd)) list_.refuse_damaged("its directory's end is not at its end, or has a comment");
    const std::uint64_t entries = end.two(10), bytes = end.four(12), begin = end.four(16);
    constexpr std::uint64_t kOfZip64 = 0xFFFF;
    if (entries == kOfZip64 || end.four(4) != 0 || end.two(8) != entries || begin + bytes != size_ - kZipEndBytes)
      list_.refuse_damaged("its directory is not where its end says (Zip64 and parts of a .zip are not read)");
    read_directory(entries, begin, begin + bytes);
    std::ranges::stable_sort(entries_, {}, &ZipEntry::offset);
    std::uint64_t at = 0;
    for (const ZipEntry& entry : entries_) at = checked_until(entry, at);
    if (at != begin) list_.refuse_damaged("there are bytes before its directory that belong to no file");
  }

 private:
  std::string bytes_at(std::uint64_t at, std::uint64_t size) {
    std::string bytes(static_cast<std::size_t>(size), '\0');
    in_.seekg(static_cast<std::streamoff>(at));
    in_.read(bytes.data(), static_cast<std::streamsize>(size));
    if (!in_) list_.refuse_damaged("a header in it leads beyond its end");
    return bytes;
  }
  ZipRecord record(std::uint64_t at, std::uint64_t size) { return ZipRecord(bytes_at(at, size)); }

  void read_directory(std::uint64_t entries, std::uint64_t at, std::uint64_t end) {
    for (std::uint64_t i = 0; i < entries; ++i) {
      const ZipRecord r = record(at, kZipEntryBytes);
      const std::uint64_t name = r.two(28), extra = r.two(30), comment = r.two(32);
      if (!r.begins(kZipEntry) || at + kZipEntryBytes + name + extra + comment > end)
        list_.refuse_damaged("its directory is none");
      check_extra(at + kZipEntryBytes + name, extra);
      add(r, bytes_at(at + kZipEntryBytes, name));
      at += kZipEntryBytes + name + extra + comment;
    }
    if (at != end) list_.refuse_damaged("its directory is longer than what is in it");
  }

  void add(const ZipRecord& r, std::string name) {
    constexpr std::uint64_t kUnix = 3, kMadeOnMac = 19, kMostMethod = 8;
    ZipEntry entry{r.two(8), r.two(10), r.four(16), r.four(20), r.four(24), r.four(42), 0, std::move(name), false};
    const std::uint64_t made_by = r.two(4) >> 8U;
    if (made_by == kUnix || made_by == kMadeOnMac) entry.mode = r.four(38) >> 16U;
    entry.is_folder = entry.name.ends_with('/');
    if ((entry.flags & 1U) != 0) list_.refuse(quoted(entry.name) + " in it is encrypted");
    if ((entry.flags & ~(kZipSizesFollow | kZipNameIsUtf8 | kZipCompression)) != 0 || r.two(34) != 0 ||
        (entry.method != 0 && entry.method != kMostMethod))
      list_.refuse(quoted(entry.name) + " in it is packed in a way that not all programs know");
    if (entry.name.find_first_of(std::string_view("\\\0", 2)) != std::string::npos)
      list_.refuse(quoted(entry.name) + " in it is another file to other programs");
    check_kind(entry);
    list_.add(entry.name, entry.is_folder, entry.mode & kModeBits, entry.bytes);
    entries_.push_back(std::move(entry));
  }

  void check_kind(const ZipEntry& entry) const {
    constexpr std::uint64_t kKind = 0170000, kFolder = 0040000, kFile = 0100000;
    const std::uint64_t kind = entry.mode & kKind;
    if (kind != 0 && kind != (entry.is_folder ? kFolder : kFile)) list_.refuse_kind(entry.name);
  }

  /// Times and owners, which do not matter; others may bear another name or size.
  void check_extra(std::uint64_t at, std::uint64_t size) {
    constexpr std::uint64_t kHarmless[] = {0x5455, 0x7875, 0x5855, 0x000a};  // UT, ux, UX, NTFS's times
    const std::uint64_t end = at + size;
    while (at < end) {
      if (at + 4 > end) list_.refuse_damaged("what is beside a name in it is cut off");
      const ZipRecord field = record(at, 4);
      if (std::ranges::find(kHarmless, field.two(0)) == std::end(kHarmless))
        list_.refuse("it has headers which programs that unpack it take differently");
      at += 4 + field.two(2);
    }
    if (at != end) list_.refuse_damaged("what is beside a name in it is cut off");
  }

  [[noreturn]] void refuse_contradiction(const ZipEntry& entry) const {
    list_.refuse_damaged("its directory and what stands before " + quoted(entry.name) + " contradict each other");
  }

  /// Where what belongs to an entry ends, which begins at `at`.
  std::uint64_t checked_until(const ZipEntry& entry, std::uint64_t at) {
    if (entry.offset != at)
      list_.refuse_damaged(entry.offset < at
                               ? "files in it overlap"
                               : "there are bytes before " + quoted(entry.name) + " that belong to no file");
    const ZipRecord r = record(at, kZipLocalBytes);
    const std::uint64_t name = r.two(26), extra = r.two(28);
    const bool sizes_follow = (entry.flags & kZipSizesFollow) != 0;
    const auto agrees = [&](std::size_t field, std::uint64_t value) {
      return r.four(field) == value || (sizes_follow && r.four(field) == 0);
    };
    if (!r.begins(kZipLocal) || r.two(6) != entry.flags || r.two(8) != entry.method || !agrees(14, entry.crc) ||
        !agrees(18, entry.packed) || !agrees(22, entry.bytes) || name != entry.name.size() ||
        bytes_at(at + kZipLocalBytes, name) != entry.name || (entry.method == 0 && entry.packed != entry.bytes))
      refuse_contradiction(entry);
    check_extra(at + kZipLocalBytes + name, extra);
    at += kZipLocalBytes + name + extra + entry.packed;
    if (!sizes_follow) return at;
    constexpr std::uint64_t kSizesBytes = 16;
    const ZipRecord sizes = record(at, kSizesBytes);
    if (!sizes.begins(kZipSizes) || sizes.four(4) != entry.crc || sizes.four(8) != entry.packed ||
        sizes.four(12) != entry.bytes)
      refuse_contradiction(entry);
    return at + kSizesBytes;
  }

  static constexpr std::uint64_t kModeBits = 07777;
  std::ifstream& in_;
  MemberList& list_;
  std::uint64_t size_ = 0;
  std::vector<ZipEntry> entries_;
};

}  // namespace

void add_zip_members(std::ifstream& in, MemberList& list) { ZipReader(in, list).read(); }

}  // namespace nowsim
