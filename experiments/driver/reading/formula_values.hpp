// What formulas in settings are worth: they use keys, variables and one another.
#pragma once

#include <optional>
#include <string>

#include "experiments/driver/reading/reading.hpp"

namespace nowsim {

/// The value of a setting that is a formula. @throws InputError, with its place, for one that is wrong, depends on
/// itself, or uses what is not there or no number.
double formula_value(Reading& reading, const Setting& formula);

/// A formula as it was written, and what went into it: "'= 2 * x' with x = 3".
std::string formula_text(Reading& reading, const Setting& formula);

/// What `variable` (a full key, a variable of `let:`, or one that readers give) is worth in a formula that stands at
/// `user`. @throws InputError as formula_value().
double variable_value(Reading& reading, const std::string& variable, const Setting& user);

/// Whether a setting's value depends on a variable that readers give, such as `i`: it, or a formula that it uses, names
/// it, and no key does.
bool formula_depends_on(Reading& reading, const Setting& setting, const std::string& variable);

/// A quantity in SI of whatever dimension its unit says; nothing where it is none.
std::optional<double> any_quantity(const std::string& text);

}  // namespace nowsim
