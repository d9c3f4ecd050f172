// Headers of .tar, block by block, strictly: programs differ about what is old, rare or wrong.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "experiments/driver/bundles/archive.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kTarBlock = 512;
using TarBlock = std::array<char, kTarBlock>;

/// The .tar's bytes, unpacked where they have to be.
class TarBytes {
 public:
  TarBytes(std::ifstream& in, bool is_gzip, const std::string& archive) : in_(in), compressed_(kAtOnce) {
    if (is_gzip) gunzip_ = unpacking(Packing::gzip, archive, [this] { return compressed_block(); });
  }
  /// How many there were.
  std::size_t read(char* to, std::size_t size) {
    std::size_t done = 0;
    for (std::size_t n = 1; done < size && n > 0; done += n) n = some(to + done, size - done);
    return done;
  }
  /// Whether there were so many.
  bool skip(std::uint64_t size) {
    std::vector<char> gone(kAtOnce);
    while (size > 0) {
      const std::size_t n = read(gone.data(), static_cast<std::size_t>(std::min<std::uint64_t>(size, gone.size())));
      if (n == 0) return false;
      size -= n;
    }
    return true;
  }

 private:
  static constexpr std::size_t kAtOnce = std::size_t{1} << 16U;

  std::size_t some(char* to, std::size_t size) {
    if (gunzip_) return gunzip_->read(to, size);
    in_.read(to, static_cast<std::streamsize>(size));
    return static_cast<std::size_t>(in_.gcount());
  }
  std::string_view compressed_block() {
    in_.read(compressed_.data(), static_cast<std::streamsize>(compressed_.size()));
    return {compressed_.data(), static_cast<std::size_t>(in_.gcount())};
  }

  std::ifstream& in_;
  std::vector<char> compressed_;
  std::unique_ptr<ByteStream> gunzip_;
};

struct TarHeader {
  std::string_view name, mode, size, sum, link, magic, prefix;
  char type;

  explicit TarHeader(const TarBlock& block)
      : name(field(block, 0, 100)),
        mode(field(block, 100, 8)),
        size(field(block, 124, 12)),
        sum(field(block, 148, 8)),
        link(field(block, 157, 100)),
        magic(block.data() + 257, 8),
        prefix(field(block, 345, 155)),
        type(block[156]) {}

 private:
  /// Up to its first byte 0.
  static std::string_view field(const TarBlock& block, std::size_t at, std::size_t size) {
    const std::string_view whole(block.data() + at, size);
    return whole.substr(0, whole.find('\0'));
  }
};

constexpr std::string_view kPosixTar{
    "ustar\0"
    "00",
    8},
    kGnuTar{"ustar  \0", 8};

bool is_zeros(const TarBlock& block) {
  return std::ranges::all_of(block, [](char c) { return c == 0; });
}

/// Digits between blanks; GNU's binary numbers are for more than any file here has.
std::optional<std::uint64_t> octal_of_tar(std::string_view text) {
  text = trimmed(text);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 8);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::uint64_t sum_of_tar(const TarBlock& block) {
  constexpr std::size_t kSumBegin = 148, kSumEnd = 156;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kTarBlock; ++i)
    sum += i >= kSumBegin && i < kSumEnd ? ' ' : static_cast<unsigned char>(block[i]);
  return sum;
}

class TarReader {
 public:
  TarReader(std::ifstream& in, bool is_gzip, MemberList& list) : bytes_(in, is_gzip, list.archive()), list_(list) {}

  void read() {
    TarBlock block{};
    bool is_first = true;
    for (next(block, is_first); !is_zeros(block); next(block, false)) {
      const TarHeader header = checked(block, is_first);
      is_first = false;
      member(header);
    }
    if (long_name_) list_.refuse_damaged("a name in it is no file's");
    finish();
  }

 private:
  void next(TarBlock& block, bool is_first) {
    if (bytes_.read(block.data(), kTarBlock) == kTarBlock) return;
    if (is_first) refuse_no_archive();
    list_.refuse_damaged("its end is missing");
  }
  [[noreturn]] void refuse_no_archive() const {
    list_.refuse("this is no archive of a bundle: NAME.tar.gz, NAME.tar or NAME.zip is needed");
  }

  TarHeader checked(const TarBlock& block, bool is_first) const {
    const TarHeader header(block);
    const bool is_known = header.magic == kPosixTar || header.magic == kGnuTar;
    if (!is_known && is_first) refuse_no_archive();
    if (!is_known || octal_of_tar(header.sum) != sum_of_tar(block)) list_.refuse_damaged("a header in it is none");
    return header;
  }

  void member(const TarHeader& header) {
    const auto size = octal_of_tar(header.size), mode = octal_of_tar(header.mode);
    if (!size || !mode) list_.refuse_damaged("a size or a mode in it is no number");
    switch (header.type) {
      case 'x':
        return take_name(name_in_records(contents(*size)));
      case 'L':
        return take_name(name_of_gnu(contents(*size)));
      case 'g':
        list_.refuse("it has a global header (pax), which programs that unpack it take differently");
      case '0':
      case '\0':
      case '5':
        break;
      default:
        list_.refuse_kind(path_of(header));
    }
    const std::string path = path_of(header);
    const bool is_folder = header.type == '5';
    if (!header.link.empty() || (!is_folder && path.ends_with('/'))) list_.refuse_kind(path);
    list_.add(path, is_folder, *mode, *size);
    long_name_.reset();
    skip(*size);
  }

  std::string path_of(const TarHeader& header) const {
    if (long_name_ && !long_name_->empty()) return *long_name_;
    const bool has_prefix = header.magic == kPosixTar && !header.prefix.empty();
    return (has_prefix ? std::string(header.prefix) + "/" : "") + std::string(header.name);
  }

  void skip(std::uint64_t size) {
    if (!bytes_.skip((size + kTarBlock - 1) / kTarBlock * kTarBlock))
      list_.refuse_damaged("it breaks off before its end");
  }

  /// Of a header that goes on behind itself.
  std::string contents(std::uint64_t size) {
    constexpr std::uint64_t kMost = 2 * MemberList::kMostPathBytes;
    if (size > kMost) list_.refuse("a header in it is longer than any of a bundle");
    std::string text(static_cast<std::size_t>((size + kTarBlock - 1) / kTarBlock * kTarBlock), '\0');
    if (bytes_.read(text.data(), text.size()) != text.size()) list_.refuse_damaged("it breaks off before its end");
    text.resize(static_cast<std::size_t>(size));
    return text;
  }

  /// Of one member: "" where its header has the name.
  void take_name(std::string name) {
    if (long_name_) list_.refuse("a file in it has several headers, of which programs take one or another");
    long_name_ = std::move(name);
  }
  std::string name_of_gnu(const std::string& text) const {
    const std::size_t end = std::min(text.find('\0'), text.size());
    if (end == 0 || text.find_first_not_of('\0', end) != text.npos) list_.refuse_damaged("a name in it is none");
    return text.substr(0, end);
  }

  /// POSIX.1's "LENGTH KEY=VALUE\n", of which but the path nothing is wanted that says what a file is.
  std::string name_in_records(std::string_view rest) const {
    constexpr std::string_view kHarmless[] = {
        "mtime", "atime", "ctime", "uname", "gname", "uid", "gid", "comment", "LIBARCHIVE.creationtime"};
    std::string path;
    while (!rest.empty()) {
      std::size_t length = 0;
      const auto [digits, error] = std::from_chars(rest.data(), rest.data() + rest.size(), length);
      const auto begin = static_cast<std::size_t>(digits - rest.data()) + 1;
      if (error != std::errc{} || length <= begin || length > rest.size() || *digits != ' ' || rest[length - 1] != '\n')
        list_.refuse_damaged("an extended header in it is none");
      const std::string_view record = rest.substr(begin, length - 1 - begin);
      rest.remove_prefix(length);
      const std::size_t equal = record.find('=');
      if (equal == record.npos) list_.refuse_damaged("an extended header in it is none");
      const std::string_view key = record.substr(0, equal), value = record.substr(equal + 1);
      if (key == "path" && path.empty() && !value.empty() && value.find('\0') == value.npos)
        path = value;
      else if (std::ranges::find(kHarmless, key) == std::end(kHarmless))
        list_.refuse("an extended header in it sets " + quoted(key) +
                     ", which programs that unpack it take differently");
    }
    return path;
  }

  /// Two blocks of zeros, and what fills a tape's record.
  void finish() {
    constexpr std::size_t kMostBlocks = 4096;
    TarBlock block{};
    for (std::size_t blocks = 0;; ++blocks) {
      const std::size_t n = bytes_.read(block.data(), kTarBlock);
      if (n == 0 && blocks > 0) return;
      if (n < kTarBlock) list_.refuse_damaged("its end is missing");
      if (!is_zeros(block) || blocks == kMostBlocks) list_.refuse("there is more behind its end");
    }
  }

  TarBytes bytes_;
  MemberList& list_;
  std::optional<std::string> long_name_;
};

}  // namespace

void add_tar_members(std::ifstream& in, bool is_gzip, MemberList& list) { TarReader(in, is_gzip, list).read(); }

}  // namespace nowsim
