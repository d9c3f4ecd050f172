// A line for each call: rank, word, values.
#include "experiments/driver/studies/mpi_notes.hpp"

#include <charconv>
#include <sstream>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {

std::vector<std::vector<MpiNote>> read_mpi_notes(const std::string& text, std::size_t ranks) {
  std::vector<std::vector<MpiNote>> notes(ranks);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::size_t rank = ranks;
    MpiNote note;
    words >> rank >> note.word;
    if (note.word == "compute")
      words >> note.flop;
    else
      for (std::int64_t value = 0; words >> value;) note.values.push_back(value);
    if (rank >= ranks || !words.eof()) throw RunError("the notes of the recording are damaged: " + quoted(line));
    notes[rank].push_back(std::move(note));
  }
  return notes;
}

}  // namespace nowsim
