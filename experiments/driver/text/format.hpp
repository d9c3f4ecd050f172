// The formats in which results are printed.
#pragma once

namespace nowsim {

enum class Format { table, csv, json };

}  // namespace nowsim
