// Field by field.
#include "experiments/driver/text/csv_rows.hpp"

#include <algorithm>

#include "experiments/driver/text/formats.hpp"
#include "sim/base/error.hpp"

namespace nowsim {
namespace {

using Row = std::vector<std::string>;

class CsvReader {
 public:
  CsvReader(const std::string& text, const std::string& file) : text_(text), file_(file) {}

  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] int line() const { return line_; }

  Row row() {
    Row row{field()};
    while (!at_end() && text_[at_] == ',') {
      ++at_;
      row.push_back(field());
    }
    if (!at_end() && text_[at_] == '\r') ++at_;
    if (!at_end() && text_[at_] == '\n') ++at_, ++line_;
    return row;
  }

 private:
  std::string field() { return without_spreadsheet_mark(written_field()); }

  std::string written_field() {
    if (!at_end() && text_[at_] == '"') return quoted_field();
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_of(",\r\n", at_), text_.size());
    return text_.substr(begin, at_ - begin);
  }

  std::string quoted_field() {
    const int begin = line_;
    std::string out;
    for (++at_; !at_end(); ++at_) {
      line_ += text_[at_] == '\n' ? 1 : 0;
      if (text_[at_] != '"')
        out += text_[at_];
      else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"')
        out += text_[++at_];
      else
        return ++at_, out;
    }
    throw InputError(Place{file_, begin, ""}, "a quote is not closed");
  }

  const std::string& text_;
  const std::string& file_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

CsvRows parse_csv(const std::string& text, const std::string& file) {
  CsvReader reader(text, file);
  if (reader.at_end()) throw InputError(Place{file, 1, ""}, "this is no CSV: it is empty");
  CsvRows csv{reader.row(), {}};
  while (!reader.at_end()) {
    const int line = reader.line();
    csv.rows.push_back(reader.row());
    if (csv.rows.back().size() != csv.head.size())
      throw InputError(Place{file, line, ""}, "the row has " + std::to_string(csv.rows.back().size()) +
                                                  " fields, and the head has " + std::to_string(csv.head.size()));
  }
  return csv;
}

}  // namespace nowsim
