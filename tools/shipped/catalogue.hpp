// What there is to choose from: the lists of `nowsim list`, through which help and completion look too.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nowsim {

struct Registries;

/// A line of a list.
struct CatalogueEntry {
  std::string name, summary;
  std::string parameters;  ///< the names of its keys or the like; "": it has none
};

/// One of the lists.
struct CatalogueList {
  const char* name;     ///< as `nowsim list` has it: workloads
  const char* one;      ///< what a line of it is: workload
  const char* summary;  ///< a line of `nowsim list`
  std::vector<CatalogueEntry> (*entries)(const Registries&);
};

/// Lists of `nowsim list` that are no tables of names: of files that all have to be read, or of blocks.
struct FurtherList {
  std::string_view name, summary;
};
inline constexpr std::string_view kClaimList = "claims", kKeyList = "keys";
inline constexpr FurtherList kFurtherLists[] = {
    {kClaimList, "what shipped experiments say of their results, and check"},
    {kKeyList, "what an experiment's file can say: of all blocks, or 'nowsim list keys BLOCK'"}};

/// All lists, in the order of `nowsim list`.
std::span<const CatalogueList> catalogue();

/// What stands at a key of a YAML file, at its top and in one line, such as a title: found without reading the rest. ""
/// where there is none.
std::string line_at_key(const std::string& file, const std::string& key);

}  // namespace nowsim
