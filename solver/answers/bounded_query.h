#pragma once

#include <span>
#include <vector>

#include "solver/answer.h"
#include "solver/terms/query.h"

namespace wmi {

/// The questions of a task as they are reported: queries that enclose one answer are one question.
std::vector<Query> asked(const Task& task);

/// The answers to these questions, made of the answers to the queries.
///
/// Let y be a function between two others, L <= y <= U, and A an event that A- implies and that
/// implies A+. Weights are not negative. Then, with M = (L + U)/2,
///
///     E[y]      lies between E[L] and E[U],
///     P(A)      between P(A-) and P(A+), P(y <= c) between P(U <= c) and P(L <= c), and the
///               quantiles of y between those of L and U,
///     sd(y)     is off sd(M) by the root of E[(U - L)^2]/4 at most, since |y - M| <= (U - L)/2 and
///               sd is a seminorm,
///     P(A | G)  = a / (a + b), with a = P(A and G), b = P(not A and G), grows in a and falls in b,
///     E[y | G]  = E[y 1_G] / P(G), both enclosed.
///
/// A condition that may have probability 0 leaves the answer undefined.
std::vector<Answer> enclosed(const Task& task, std::vector<Answer> answers);

}  // namespace wmi
