#include "solver/certificates/claims.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "solver/certificate.h"
#include "solver/certificates/certificate_writer.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

void write_numbers(CertificateWriter& out, const std::vector<Interval>& values) {
  const bool exact = std::all_of(values.begin(), values.end(),
                                 [](const Interval& value) { return value.exact(); });
  out.tag(exact ? CertificateClaim::exact : CertificateClaim::enclosed);
  for (const Interval& value : values) {
    out.rational(value.lower);
    if (!exact) out.rational(value.upper);
  }
}

void write_claim(CertificateWriter& out, const Answer& answer) {
  std::optional<Interval> value = answer.value;
  if (!value && answer.lower && answer.upper) value = Interval(*answer.lower, *answer.upper);
  if (value) {
    std::vector<Interval> values{*value};
    if (answer.left) values.push_back(*answer.left);
    write_numbers(out, values);
  } else if (!answer.undefined.empty()) {
    out.tag(CertificateClaim::undefined);
  } else {
    out.tag(answer.complete ? CertificateClaim::point_mass : CertificateClaim::nothing);
  }
}

}  // namespace

void write_claims(const Task& task, std::span<const Answer> answers, std::ostream& out) {
  CertificateWriter writer(out);
  for (std::size_t i = 0; i < task.queries.size(); ++i)
    if (certifiable(task.queries[i])) write_claim(writer, answers[i]);
}

void check_claimable(const Task& task, std::span<const Answer> answers) {
  for (std::size_t i = 0; i < task.queries.size(); ++i)
    if (const Answer& answer = answers[i];
        certifiable(task.queries[i]) && task.queries[i].kind != Query::Kind::density &&
        answer.complete && !answer.value && answer.undefined.empty())
      throw Error("no certificate: " + answer.refused, task.queries[i].where);
}

}  // namespace wmi
