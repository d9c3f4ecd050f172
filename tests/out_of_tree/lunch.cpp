// An owner model of one's own: whoever works at the machine leaves half of it, and all of it for lunch.
#include "additions.hpp"

#include <cmath>
#include <string>

namespace {

using namespace nowsim;

class Lunch final : public UserOwner {
 public:
  Lunch(double work_s, double lunch_s) : work_s_(work_s), lunch_s_(lunch_s) {}

  std::unique_ptr<Path> path(const StreamKey&) const override {
    return drawn_path([work = Step{work_s_, 0.5}, lunch = Step{lunch_s_, 1.0}, is_lunch = true]() mutable {
      is_lunch = !is_lunch;
      return is_lunch ? lunch : work;
    });
  }
  OwnerMoments moments() const override {
    const double all_s = work_s_ + lunch_s_;
    return {(0.5 * work_s_ + lunch_s_) / all_s, 0.5 * std::sqrt(work_s_ * lunch_s_) / all_s};
  }
  std::string describe() const override {
    return "lunch work=" + std::to_string(work_s_) + "s lunch=" + std::to_string(lunch_s_) + "s";
  }

 private:
  double work_s_, lunch_s_;
};

}  // namespace

nowsim::OwnerModelInfo lunch() {
  return {"lunch", "leaves half of the machine, and all of it for lunch",
          {{"work", KeyType::time, "4h", "between lunches", kPositive}, {"lunch", KeyType::time, "1h", "how long", kPositive}},
          [](KeyReader& read, const OwnerContext&) -> OwnerPtr {
            return user_owner(std::make_shared<Lunch>(read.value("work"), read.value("lunch")));
          }};
}
