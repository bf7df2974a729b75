// Tests lie where their sources do: solver/geometry/polytope.cpp has
// tests/solver/geometry/polytope_test.cpp. Sources that are tested otherwise are listed here with
// the test that does it.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include "tests/source_directory.h"

namespace {

namespace fs = std::filesystem;

struct Elsewhere {
  const char* sources;  // a regular expression, without .cpp
  const char* test;     // below tests/
};

constexpr Elsewhere elsewhere[] = {
    // Entries of tables: the tests of the interface run them all.
    {"solver/enumerators/z3", "solver/enumerator_test.cpp"},
    {"solver/laws/likelihoods/.*", "solver/laws/likelihood_test.cpp"},
    {"encoders/densities/.*", "encoders/density_test.cpp"},
    {"encoders/(algebra|symbolic)", "encoders/conformance_test.cpp"},
    {"encoders/encoding/steps", "encoders/encode_test.cpp"},
    {"bnn/training/samplers/.*", "bnn/training/sampler_test.cpp"},
    {"bnn/(training/dense|torch/tensor)_model", "bnn/training/model_test.cpp"},
    {"frontends/learning/experiments/.*", "frontends/learning/reproduce_test.cpp"},
    // Parts of one algorithm, tested through it.
    {"solver/laws/(rounded_normal|student_rule)", "solver/laws/student_normal_test.cpp"},
    {"solver/laws/softmax/.*", "solver/laws/softmax/softmax_test.cpp"},
    {"solver/laws/independent_sums/.*", "solver/laws/independent_sums/independent_sum_test.cpp"},
    {"solver/integrators/(enclosed_measures|mapped_vertices)",
     "solver/integrators/enclosed_faces_test.cpp"},
    {"solver/messages/unit_cuts", "solver/messages/two_cuts_test.cpp"},
    {"solver/certificates/.*", "solver/certificate_test.cpp"},
    {"solver/(answers/(satisfiability|unbounded_reason)|messages/answered_goals)",
     "solver/solve_test.cpp"},
    {"frontends/check/[a-z]+", "frontends/check/checker_test.cpp"},
    {"frontends/formats/smtlib_(macros|queries|terms)", "frontends/formats/smtlib_test.cpp"},
    {"frontends/formats/smtlib_printer", "frontends/formats/smtlib_writer_test.cpp"},
    {"frontends/formats/(json_problem|operators)", "frontends/formats/pywmi_test.cpp"},
    {"frontends/networks/onnx/(builder|call)", "frontends/networks/onnx/read_onnx_test.cpp"},
    {"frontends/networks/onnx/(field_count|tensors)", "frontends/networks/onnx/model_test.cpp"},
    {"frontends/networks/onnx/(gelu_pattern|operators/.*)",
     "frontends/networks/onnx/operators_test.cpp"},
    {"frontends/data/run_json", "frontends/data/run_directory_test.cpp"},
    {"frontends/cli/config_(json|toml)", "frontends/cli/config_test.cpp"},
    {"frontends/cli/help", "frontends/cli/command_test.cpp"},
    {"bnn/numeric/products_avx2", "bnn/numeric/products_test.cpp"},
    {"bnn/numeric/products_avx512", "bnn/numeric/products_test.cpp"},
    {"bnn/predictive/methods/.*", "bnn/predictive/fast_law_test.cpp"},
    {"bnn/predictive/unit_quadrature", "bnn/predictive/estimated_law_test.cpp"},
    {"bnn/training/trainer", "bnn/training/train_test.cpp"},
    // Programs, run as users run them; the extension of the Python package, as its modules call it.
    {"frontends/python/core/.*", "frontends/python/problem_test.py"},
    {"frontends/cli/(program|terminal)", "frontends/wmi/wmi_test.cpp"},
    {"frontends/cli/supervised", "frontends/learning/train_test.cpp"},
    {"frontends/wmi/(answer_files|command|main|options|run)", "frontends/wmi/wmi_test.cpp"},
    {"frontends/wmi/jobs/(job_(commands|draft|run|subject|work)|new_job|split_command)",
     "frontends/wmi/jobs/job_test.cpp"},
    {"frontends/wmi/jobs/json_fields", "frontends/wmi/jobs/unit_record_test.cpp"},
    {"frontends/ciber/(job_table|verify/verify_job)", "frontends/ciber/jobs_test.cpp"},
    {"frontends/ciber/(learning|network_commands)", "frontends/ciber/ciber_test.cpp"},
    {"frontends/ciber/(convert_command|noted_network)", "frontends/ciber/convert_test.cpp"},
    {"frontends/ciber/verify/(largest_cell|observed_enumerator|verify_command)",
     "frontends/ciber/verify/verify_run_test.cpp"},
    {"frontends/ciber/pages", "frontends/cli/manual_test.cpp"},
    {"frontends/check/program/(limits|main)", "frontends/wmi/certificate_test.cpp"},
    {"frontends/check/program/(network|script_check)",
     "frontends/ciber/network_certificate_test.cpp"},
    {"frontends/ciber/main", "frontends/ciber/ciber_test.cpp"},
    {"frontends/learning/(main|commands|reproduce_declaration)",
     "frontends/learning/commands_test.cpp"},
    {"frontends/learning/(run_training|training_failure|training_summary)",
     "frontends/learning/train_test.cpp"},
    {"frontends/learning/batch_predictor", "frontends/learning/predict_test.cpp"},
    {"frontends/learning/sample_formula", "frontends/learning/encode_test.cpp"},
    {"frontends/learning/(explanation|feature_effects)", "frontends/learning/explain_test.cpp"},
    {"frontends/learning/(evaluate_(run|splits|table)|rivals)",
     "frontends/learning/evaluate_test.cpp"},
    {"frontends/learning/toy", "frontends/learning/demo_test.cpp"},
    {"frontends/ciber/embedded_problem", "frontends/ciber/network_certificate_test.cpp"},
};

/// The sources of the project, relative to its root and without .cpp, in order.
std::vector<std::string> sources() {
  std::vector<std::string> result;
  const fs::path root = source_directory();
  for (const char* directory : {"solver", "encoders", "bnn", "frontends"})
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / directory))
      if (entry.path().extension() == ".cpp")
        result.push_back(fs::relative(entry.path(), root).replace_extension().generic_string());
  std::sort(result.begin(), result.end());
  return result;
}

bool has_test(const std::string& source) {
  return fs::exists(source_directory() / "tests" / (source + "_test.cpp"));
}

bool matches(const std::string& source, const Elsewhere& entry) {
  return std::regex_match(source, std::regex(entry.sources));
}

}  // namespace

TEST_CASE("every source has a test at the mirrored path, or is listed with another test") {
  for (const std::string& source : sources()) {
    CAPTURE(source);
    const bool listed = std::any_of(std::begin(elsewhere), std::end(elsewhere),
                                    [&](const Elsewhere& entry) { return matches(source, entry); });
    CHECK((has_test(source) || listed));
  }
}

TEST_CASE("the list names tests that exist, for sources that have none of their own") {
  const std::vector<std::string> all = sources();
  for (const Elsewhere& entry : elsewhere) {
    CAPTURE(entry.sources);
    CHECK(fs::exists(source_directory() / "tests" / entry.test));
    CHECK(std::any_of(all.begin(), all.end(), [&](const std::string& source) {
      return matches(source, entry) && !has_test(source);
    }));
  }
}
