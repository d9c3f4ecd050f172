// Python's values taken apart; a text is as YAML would read it.
#include "tools/python/python_node.hpp"

#include <algorithm>
#include <utility>

#include "experiments/driver/reading/yaml_edit.hpp"
#include "experiments/driver/text/formats.hpp"
#include "sim/base/text.hpp"
#include "tools/line/flags.hpp"

namespace nowsim {

namespace py = pybind11;

namespace {

using NodeKind = YamlNode::Kind;

constexpr std::size_t kDeepest = 100;  // as in files; dicts may hold themselves

[[noreturn]] void refuse(const std::string& key, const char* wanted, const py::handle& value) {
  throw UsageError(key + ": " + wanted + ", not " + py::repr(value).cast<std::string>() + ", of type " +
                   py::type::handle_of(value).attr("__name__").cast<std::string>());
}

bool is_number(const py::handle& value) { return py::isinstance<py::int_>(value) || py::isinstance<py::float_>(value); }
bool is_text(const py::handle& value) { return py::isinstance<py::str>(value) || py::hasattr(value, "__fspath__"); }
bool is_map(const py::handle& value) {
  return py::isinstance(value, py::module_::import("collections.abc").attr("Mapping"));
}
bool is_list(const py::handle& value) {
  return py::isinstance<py::iterable>(value) && !py::isinstance<py::bytes>(value);
}

std::string text_of(const py::handle& value) {
  return py::module_::import("os").attr("fspath")(value).cast<std::string>();
}

/// True, False and numbers.
std::string word_of(const py::handle& value) {
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>() ? "true" : "false";
  return py::repr(value).cast<std::string>();
}

/// Builds the node of a value, from within.
class NodeBuilder {
 public:
  explicit NodeBuilder(std::string file) : file_(std::move(file)) {}

  YamlNode of(const py::handle& given, const std::string& key) {
    const py::object value =
        py::hasattr(given, "tolist") ? given.attr("tolist")() : py::reinterpret_borrow<py::object>(given);
    if (value.is_none()) return {};
    if (is_number(value)) return {NodeKind::scalar, word_of(value), false, 0};
    if (is_text(value)) return of_text(text_of(value), key);
    if (depth_ == kDeepest) fail(key, "lists and maps are nested more than " + std::to_string(kDeepest) + " deep here");
    ++depth_;
    YamlNode node = is_map(value) ? of_map(value, key) : of_list(value, key);
    --depth_;
    return node;
  }

 private:
  [[noreturn]] void fail(const std::string& key, const std::string& sentence) const {
    throw InputError(Place{file_, 0, key}, sentence);
  }

  [[nodiscard]] YamlNode of_text(const std::string& text, const std::string& key) const {
    YamlNode node(NodeKind::scalar, text, false, 0);
    if (is_read_as(text, node, file_)) return node;
    node.quoted = true;
    try {
      static_cast<void>(parse_yaml(json_text(text), file_));
    } catch (const InputError& e) {  // a control character
      fail(key, e.sentence());
    }
    return node;
  }

  YamlNode of_map(const py::object& map, const std::string& key) {
    YamlNode node(NodeKind::map, "", false, 0);
    for (const py::handle item : map.attr("items")()) {
      const py::tuple pair = py::reinterpret_borrow<py::tuple>(item);
      const std::string before = key.empty() ? "" : key + ".";
      if (!py::isinstance<py::str>(pair[0]) && !is_number(pair[0]))
        refuse(before + py::str(pair[0]).cast<std::string>(), "a key is a text", pair[0]);
      const std::string name = is_text(pair[0]) ? text_of(pair[0]) : word_of(pair[0]);
      if (node.find(name) != nullptr) fail(before + name, "the key " + quoted(name) + " is given twice");
      node.entries.emplace_back(name, of(pair[1], before + name));
    }
    return node;
  }

  YamlNode of_list(const py::object& list, const std::string& key) {
    if (!is_list(list)) refuse(key, "a number, a text, a list or a dict is wanted here", list);
    YamlNode node(NodeKind::sequence, "", false, 0);
    for (const py::handle item : list) node.items.push_back(of(item, key));
    return node;
  }

  std::string file_;
  std::size_t depth_ = 0;
};

}  // namespace

YamlNode python_node(const py::handle& value, const std::string& file, const std::string& key) {
  return NodeBuilder(file).of(value, key);
}

YamlNode python_description(const py::handle& dict) {
  YamlNode document = python_node(dict, kDict, "");
  auto& entries = document.entries;
  const auto version = std::ranges::find(entries, "nowsim", &std::pair<std::string, YamlNode>::first);
  if (version == entries.end())
    entries.emplace(entries.begin(), "nowsim", YamlNode(NodeKind::scalar, "1", false, 0));
  else
    std::rotate(entries.begin(), version, version + 1);
  return document;
}

}  // namespace nowsim
