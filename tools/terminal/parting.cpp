// Sentences.
#include "tools/terminal/parting.hpp"

#include <unistd.h>

#include "experiments/driver/text/name_lists.hpp"
#include "tools/terminal/shown_stream.hpp"

namespace nowsim {

std::string parting_text(const std::string& kept, bool goes_on, const std::vector<std::string>& command) {
  std::string text = isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "";
  text += shown_message("stopped; " + kept, manner_of_descriptor(STDERR_FILENO), 0) + '\n' + (goes_on ? "go on with:" : "begin again with:") + " ";
  for (const std::string& word : command) text += " " + shell_word(word);
  return text + '\n';
}

}  // namespace nowsim
