// Python's values taken apart; a text is as YAML would read it.
#include "tools/python/python_node.hpp"

#include <algorithm>
#include <utility>

#include "experiments/driver/reading/yaml_edit.hpp"
#include "experiments/driver/text/formats.hpp"
#include "sim/base/text.hpp"
#include "tools/line/arguments.hpp"

namespace nowsim {

namespace py = pybind11;

namespace {

using NodeKind = YamlNode::Kind;

constexpr int kDeepest = 100;  // as in files; dicts may hold themselves

bool is_scalar(const py::handle& value) {
  return py::isinstance<py::str>(value) || py::isinstance<py::int_>(value) || py::isinstance<py::float_>(value);
}

/// Of True or False, a number, or anything else as str() has it.
std::string scalar_text(const py::handle& value) {
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>() ? "true" : "false";
  if (py::isinstance<py::int_>(value) || py::isinstance<py::float_>(value)) return py::repr(value);
  return py::str(value);
}

/// @throws UsageError: "job.work: a number is wanted, not [1], of type list".
[[noreturn]] void refuse(const std::string& key, const char* wanted, const py::handle& value) {
  throw UsageError(key + ": " + wanted + ", not " + std::string(py::repr(value)) + ", of type " +
                   std::string(py::str(py::type::handle_of(value).attr("__name__"))));
}

YamlNode text_node(const std::string& text, const Place& at) {
  YamlNode node(NodeKind::scalar, text, false, 0);
  if (is_read_as(text, node, at.file)) return node;
  node.quoted = true;
  try {
    static_cast<void>(parse_yaml(json_text(text), at.file));
  } catch (const InputError& e) {  // a control character
    throw InputError(at, e.sentence());
  }
  return node;
}

YamlNode node_of(const py::handle& given, const Place& at, int depth) {
  const bool is_of_numpy = py::hasattr(given, "tolist");
  const py::object value = is_of_numpy ? given.attr("tolist")() : py::reinterpret_borrow<py::object>(given);
  if (value.is_none()) return {};
  if (py::isinstance<py::str>(value) || py::hasattr(value, "__fspath__"))
    return text_node(py::module_::import("os").attr("fspath")(value).cast<std::string>(), at);
  if (is_scalar(value)) return {NodeKind::scalar, scalar_text(value), false, 0};
  if (py::isinstance<py::bytes>(value) || !py::isinstance<py::iterable>(value))
    refuse(at.key, "a number, a text, a list or a dict is wanted here", value);
  if (depth > kDeepest)
    throw InputError(at, "lists and maps are nested more than " + std::to_string(kDeepest) + " deep here");
  const bool is_map = py::hasattr(value, "items");
  YamlNode node(is_map ? NodeKind::map : NodeKind::sequence, "", false, 0);
  for (const py::handle item : is_map ? value.attr("items")() : value) {
    if (!is_map) {
      node.items.push_back(node_of(item, at, depth + 1));
      continue;
    }
    const auto [key, inner] = item.cast<std::pair<py::object, py::object>>();
    const std::string name = scalar_text(key);
    const Place within{at.file, 0, at.key.empty() ? name : at.key + "." + name};
    if (!is_scalar(key)) refuse(within.key, "a key is a text", key);
    if (node.find(name) != nullptr) throw InputError(within, "the key " + quoted(name) + " is given twice");
    node.entries.emplace_back(name, node_of(inner, within, depth + 1));
  }
  return node;
}

}  // namespace

YamlNode python_node(const py::handle& value, const Place& at) { return node_of(value, at, 1); }

YamlNode python_description(const py::handle& dict) {
  YamlNode document = python_node(dict, {kDict, 0, ""});
  auto& entries = document.entries;
  if (document.find("nowsim") == nullptr) entries.emplace_back("nowsim", YamlNode(NodeKind::scalar, "1", false, 0));
  std::ranges::stable_partition(entries, [](const auto& entry) { return entry.first == "nowsim"; });
  return document;
}

}  // namespace nowsim
