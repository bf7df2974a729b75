; A query whose integral cannot be shown to converge is refused; the others are answered.
; expect-error: 8:1: an integral over an unbounded region cannot be shown to converge: the exponent is not concave
; expect: 1/2
(declare-const x Real)
(weight true (normal x 0 1))
(get-probability (> x 0))
; e^(x^2) grows faster than the density falls.
(get-expectation (exp (* x x)))
