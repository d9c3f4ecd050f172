// The file of a report's page: whose it replaces and whose it keeps.
#include "experiments/driver/reports/report.hpp"

#include <catch2/catch.hpp>
#include <fstream>

#include "tests/experiments/driver/store_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

std::string page_of(const std::string& articles, const std::string& words = "") {
  std::string page = "<html>" + words;
  for (const char c : articles) page += std::string("<article id=\"") + c + "\">\n";
  return page + "</html>\n";
}

struct PageFolder : Folder {
  std::string write(const std::string& page) const { return write_report(path(), page); }
  [[nodiscard]] std::string content(const std::string& name = "index.html") const {
    return content_of(path() + "/" + name);
  }
};

}  // namespace

TEST_CASE("A report's page replaces an older one of the same experiments, or of fewer", "[computes][report_file]") {
  const PageFolder folder;
  CHECK(folder.write(page_of("ab", "old")).empty());
  CHECK(folder.content().starts_with(page_of("ab", "old")));
  CHECK(folder.write(page_of("ab", "new")).empty());
  CHECK(folder.content().starts_with(page_of("ab", "new")));
  CHECK(folder.write(page_of("abc")).empty());
  const std::string first = folder.content();
  CHECK(folder.write(page_of("abc")).empty());
  CHECK(folder.content() == first);
}

TEST_CASE("A page of more experiments is kept where one of fewer comes", "[report_file]") {
  const PageFolder folder;
  folder.write(page_of("abc"));
  CHECK(folder.write(page_of("b")) == folder.path() + "/index.html.~1~");
  CHECK(folder.content("index.html.~1~").starts_with(page_of("abc")));
  CHECK(folder.content().starts_with(page_of("b")));
}

TEST_CASE("A page that is a user's, or that a user has changed, is kept", "[report_file]") {
  const PageFolder folder;
  std::ofstream(folder.path() + "/index.html") << "mine";
  CHECK(folder.write(page_of("a")) == folder.path() + "/index.html.~1~");
  CHECK(folder.content("index.html.~1~") == "mine");
  std::string changed = folder.content();
  changed.insert(6, "a remark");
  std::ofstream(folder.path() + "/index.html") << changed;
  CHECK(folder.write(page_of("a")) == folder.path() + "/index.html.~2~");
  CHECK(folder.content("index.html.~2~") == changed);
}

TEST_CASE("What a report's page is made beside is left alone, and a link in its place kept", "[report_file]") {
  const PageFolder folder;
  const std::string mine = folder.file(".index.html.new", "mine"), target = folder.file("target", "mine, too");
  std::filesystem::create_symlink("target", folder.path() + "/index.html");
  CHECK(folder.write(page_of("a")) == folder.path() + "/index.html.~1~");
  CHECK(content_of(mine) == "mine");
  CHECK(content_of(target) == "mine, too");
}
