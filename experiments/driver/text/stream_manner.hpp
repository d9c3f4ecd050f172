// How what is written to a stream is seen: on how wide a terminal, with which characters, by people or by programs.
#pragma once

#include <cstddef>
#include <functional>
#include <ios>
#include <string>
#include <string_view>
#include <vector>

namespace nowsim {

/// Takes a table in place of a stream: its rows, the head first, and which columns read from the left.
using TableWriter =
    std::function<void(const std::vector<std::vector<std::string>>& rows, const std::vector<bool>& is_left)>;

/// Of a stream of which nothing is said: no terminal, all of UTF-8, people.
struct StreamManner {
  std::function<std::size_t()> columns = {};  ///< of the terminal, as wide as it is now; null: there is none
  bool is_ascii = false;                      ///< other characters cannot be shown
  bool is_for_programs = false;               ///< CSV, JSON, YAML: as they are
  TableWriter tables = {};                    ///< that is given tables in place of the stream; null: none
};

/// The stream is seen so from now on; the manner has to live as long. Null: nothing is said of it any more.
/// Streams that take over another one's format (copyfmt) are seen as it is.
void set_manner(std::ios_base& stream, StreamManner* manner);

/// How wide lines may be; 0: as wide as they are, since no terminal shows them, or a program reads them.
std::size_t columns_of(std::ios_base& stream);
/// Whether people read it where nothing but ASCII can be shown.
bool wants_ascii(std::ios_base& stream);

/// Who writes a stream's tables; null: the stream has them as people read them.
const TableWriter* table_writer_of(std::ios_base& stream);

/// While it lives, what is written to a stream is for programs.
class ForPrograms {
 public:
  explicit ForPrograms(std::ios_base& stream);
  ~ForPrograms();
  ForPrograms(const ForPrograms&) = delete;
  ForPrograms& operator=(const ForPrograms&) = delete;

 private:
  StreamManner* manner_;
  bool before_ = false;
};

/// In ASCII: "5 +/- 1", "R^2", "sigma" for ±, ², σ and others that nowsim writes; any other character, such as one of a
/// user's, stands as \u00fc. What is ASCII stays as it is.
std::string ascii_text(std::string_view text);

}  // namespace nowsim
