// A description in Python's values, as the nodes that a file's text would be read as.
#pragma once

#include <pybind11/pybind11.h>

#include "experiments/driver/reading/yaml_tree.hpp"

namespace nowsim {

/// How messages call a description that is a dict.
inline constexpr const char* kDict = "<dict>";

/// Of None, True and False, numbers (of NumPy too), texts and paths, what is iterated over, and maps of these. A text
/// is what would stand behind the key in a file ("105Tf", "=2*P"); one that YAML would read as something else ("a: b",
/// "010", "12:30", "") is one in quotes, never a number. Nodes have no lines; `at` says where problems are.
/// @throws UsageError for other values and keys that are no texts; InputError for what cannot stand in a file.
YamlNode python_node(const pybind11::handle& value, const Place& at);

/// A dict that is a description, where `nowsim: 1` may be left out. @throws as python_node().
YamlNode python_description(const pybind11::handle& dict);

}  // namespace nowsim
