// A course's list of students: who has a row in its grades, whether or not something was handed in.
#pragma once

#include <string>
#include <vector>

namespace nowsim {

class LabBlock;

/// One of the list.
struct ListedStudent {
  std::string id;    ///< as `nowsim lab start --as` takes it
  std::string name;  ///< "": none is told
};

/// Whether a list that is a file of its own is read: those who only make problems may not have that file.
enum class ReadRoster { if_in_course, always };

/// What `students:` says in a course's file: a list of IDs, a map of IDs and names, or the name of a file beside it,
/// CSV with a column 'id' and perhaps 'name', or IDs (and names behind a comma) alone. Nothing where the key is not
/// there; problems are noted, as of an ID that is none or is there twice.
std::vector<ListedStudent> read_roster(LabBlock& course, ReadRoster read);

}  // namespace nowsim
