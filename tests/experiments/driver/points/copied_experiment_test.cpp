// Copies of experiments: what they name is found from another folder, also below a folder that the owner's block names.
#include "experiments/driver/points/new_experiment.hpp"

#include <catch2/catch.hpp>

#include "tests/experiments/driver/experiment_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

/// A copy's text, with "HERE" for the folder of what was copied.
std::string copy_of(const std::string& yaml) {
  const Folder folder;
  std::string text = copied_experiment(folder.file("e.yaml", "nowsim: 1\n" + yaml), "/none",
                                       Registries({}, builtin_checks(), builtin_figures())).text;
  for (std::size_t at; (at = text.find(folder.path())) != std::string::npos;) text.replace(at, folder.path().size(), "HERE");
  return text;
}

}  // namespace

TEST_CASE("A file that is in a named folder stays a name in it, wherever the two stand", "[reads][copied_experiment]") {
  CHECK(copy_of("owner: {model: trace, file: tr/a.csv}\n") == "nowsim: 1\nowner: {model: trace, file: \"HERE/tr/a.csv\"}\n");
  for (const char* yaml : {"owner: {model: trace, folder: ./tr, file: a.csv}\n",
                           "owner: {model: trace, folder: ./tr}\nsweep: {owner.file: [a.csv, b.csv]}\n",
                           "owner: {model: trace, file: a.csv}\nsweep:\n  - owner.folder: [./tr, ./ts]\n",
                           "owner.folder: ./tr\nowner.file: a.csv\n",
                           "owner: {model: trace, folder: ./tr, hosts: {a: {file: a.csv}}}\n"}) {
    INFO(yaml);
    CHECK_THAT(copy_of(yaml), Contains("HERE/tr") && !Contains("a.csv\"") && Contains("a.csv"));
  }
}

TEST_CASE("A workstation with a model of its own has a folder of its own, or none", "[copied_experiment]") {
  CHECK_THAT(copy_of("owner: {model: trace, folder: ./tr, file: b.csv}\n"
                     "owner.hosts.a: {model: trace, file: tr/a.csv}\n"),
             Contains("\"HERE/tr/a.csv\"") && Contains("file: b.csv}"));
  CHECK_THAT(copy_of("owner: {model: dedicated, hosts: {a: {model: trace, folder: ./tr, file: a.csv}}}\n"),
             Contains("HERE/tr") && Contains("file: a.csv}"));
}
