// The page's questions answered natively, a line of JSON each: what WebAssembly's answers are compared with.
//   nowsim_answers EXPERIMENTS LABS [--browser] < questions > answers
#include <iostream>
#include <string>
#include <vector>

#include "experiments/driver/claims/verdicts.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "tools/page/page_session.hpp"

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 2) {
    std::cerr << "usage: nowsim_answers EXPERIMENTS LABS [--browser] < questions\n";
    return 2;
  }
  nowsim::PageOptions options;
  if (words.size() > 2) options.absent = nowsim::absent_in_browsers();
  const nowsim::Registries registries({}, nowsim::builtin_checks(), nowsim::builtin_figures());
  nowsim::PageSession session({words[0], words[1]}, registries, options);
  for (std::string question; std::getline(std::cin, question);) std::cout << session.answer(question) << std::endl;
}
