// A course: which labs count, how much, the seed of everybody's numbers, and who is in it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "experiments/driver/labs/problem.hpp"

namespace nowsim {

/// One of the list.
struct ListedStudent {
  std::string id;    ///< as `nowsim lab start --as` takes it
  std::string name;  ///< "": none is told
};

/// Whether a list that is a file of its own is read: those who only make problems may not have that file.
enum class ReadRoster { if_in_course, always };

/// Immutable.
struct Course {
  std::string name;
  std::uint64_t seed = 0;
  std::vector<std::pair<std::string, double>> labs;  ///< name, weight
  std::vector<ListedStudent> students = {};          ///< in the list's order; none: there is no list, or it was not read

  /// Whether any student of the list has a name there.
  [[nodiscard]] bool has_names() const;
  /// "" where there is none.
  [[nodiscard]] std::string name_of(const std::string& id) const;
  [[nodiscard]] bool has_lab(const std::string& lab) const;
  /// Nothing where the lab is not one of the course's.
  [[nodiscard]] double weight(const std::string& lab) const;
  [[nodiscard]] LabOwner owner(const std::string& id) const { return {.course = name, .id = id, .seed = seed}; }
  /// Whether a problem was made for it.
  [[nodiscard]] bool has(const LabOwner& owner) const { return owner.course == name && owner.seed == seed; }
};

/// Reads a course's file, and with it the list of students or not. @throws InputErrors with every problem, each with file,
/// line and key, as of a lab that is none of those that are known.
Course read_course(const std::string& file, const std::vector<std::string>& known_labs,
                   ReadRoster roster = ReadRoster::if_in_course);

}  // namespace nowsim
