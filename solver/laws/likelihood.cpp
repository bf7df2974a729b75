#include "solver/laws/likelihood.h"

namespace wmi {
namespace {

constexpr LikelihoodEntry table[] = {
    {"gaussian", "normal with standard deviation SCALE", make_gaussian},
    {"triangular", "1/r - |t|/r^2, r = SCALE: exact", make_triangular},
    {"uniform", "1/(2r) up to distance r = SCALE: exact", make_uniform},
    {"laplace", "exp(-|t|/b)/(2b), b = SCALE", make_laplace},
    {"student", "Student's t with FREEDOM degrees of freedom, times SCALE", make_student},
};

}  // namespace

std::span<const LikelihoodEntry> likelihoods() { return table; }

}  // namespace wmi
