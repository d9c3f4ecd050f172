// Where files stand in a bundle: as they stand to each other, and without the folders above them all.
#include "experiments/driver/bundles/bundled_files.hpp"

#include <catch2/catch.hpp>

using namespace nowsim;

TEST_CASE("What stands above all files is left out, what stands between them stays", "[reads][bundles]") {
  const FileTree one({"/home/jane/paper/mine.yaml"}, {});
  CHECK(one.place_of("/home/jane/paper/mine.yaml") == "specification/mine.yaml");
  const FileTree tree({"/home/jane/paper/exp/mine.yaml", "/home/jane/paper/data/a.csv"}, {});
  CHECK(tree.place_of("/home/jane/paper/exp/mine.yaml") == "specification/exp/mine.yaml");
  CHECK(tree.place_of("/home/jane/paper/data/a.csv") == "specification/data/a.csv");
  CHECK(tree.place_of("/home/jane/paper/data/{host}.csv") == "specification/data/{host}.csv");
  CHECK(tree.has_below("/home/jane/paper/data"));
  CHECK(tree.has_below("/home/jane/paper/data/"));
  CHECK_FALSE(tree.has_below("/home/jane/paper/dat"));
}

TEST_CASE("Files without a common folder get one each, named after theirs, and a folder that is named has a place too",
          "[bundles]") {
  const FileTree tree({"/home/jane/paper/mine.yaml", "/data/2026/paper/a.csv", "/srv/paper/p.xml"}, {"/data"});
  CHECK(tree.place_of("/home/jane/paper/mine.yaml") == "specification/paper/mine.yaml");
  CHECK(tree.place_of("/data/2026/paper/a.csv") == "specification/data/2026/paper/a.csv");
  CHECK(tree.place_of("/data") == "specification/data");
  CHECK(tree.place_of("/srv/paper/p.xml") == "specification/paper-2/p.xml");
  const FileTree root({"/mine.yaml", "/data/a.csv"}, {});
  CHECK(root.place_of("/mine.yaml") == "specification/files/mine.yaml");
  CHECK(root.place_of("/data/a.csv") == "specification/data/a.csv");
}
