#include "experiments/driver/studies/answer.hpp"

#include <ostream>
#include <utility>

namespace nowsim {
namespace {

void write_paragraphs(const Answer& answer, std::ostream& out) {
  for (const Paragraph& paragraph : answer.paragraphs) {
    if (&paragraph != answer.paragraphs.data()) out << '\n';
    paragraph.table.write(out, paragraph.kept);
    for (const auto& line : paragraph.lines) out << line << '\n';
  }
}

}  // namespace

void Answer::say(std::vector<std::string> lines) {
  if (!lines.empty()) paragraphs.push_back({.lines = std::move(lines)});
}

void Answer::show(TextTable table, std::size_t kept, std::vector<std::string> below) {
  if (!table.rows().front().empty()) paragraphs.push_back({std::move(table), kept, std::move(below)});
}

void write_answer(const Answer& answer, Format format, std::ostream& out) {
  const AnswerRows& first = answer.tables.front();
  write_document({[&](std::ostream& people) { write_paragraphs(answer, people); }, first.head, first.rows, answer.whole},
                 format, out);
}

}  // namespace nowsim
