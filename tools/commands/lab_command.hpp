// The parts of `nowsim lab`, and the flags that they share.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/labs/grading.hpp"
#include "experiments/driver/labs/lab.hpp"
#include "experiments/driver/labs/lab_folder.hpp"
#include "tools/line/common_flags.hpp"

namespace nowsim {

Command lab_start();
Command lab_check();
Command lab_grade();
Command lab_board();
Command lab_serve();
Command lab_key();

/// The flags --labs and --jobs.
void add_lab_flags(Flags& flags);
/// The flags --as and --course.
void add_owner_flags(Flags& flags);

/// The folder of labs: of --labs, or the shipped ones. @throws InputError where nowsim has none.
std::string labs_folder(const Arguments& arguments);
/// Read from there, by its name.
Lab lab_named(const std::string& name, const std::string& labs_folder);
/// What they say: that folder's texts.yaml. @throws InputError where it is missing.
Texts texts_of_labs(const Arguments& arguments);
/// Who --as and --course say. @throws UsageError; InputError, also where the course does not have this lab.
LabOwner lab_owner(const Arguments& arguments, const std::string& lab);
/// The course of --course; nothing where that is not given.
std::optional<Course> course_flag(const Arguments& arguments, ReadRoster roster = ReadRoster::if_in_course);
/// How facts are computed, by --jobs.
FactOptions fact_options(const Arguments& arguments);

}  // namespace nowsim
