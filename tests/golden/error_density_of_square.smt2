; expect-error: 4:14: the product (* x x) is not linear; only sums of numbers times variables can stand here
(declare-const x Real)
(assert (<= 0 x 1))
(get-density (* x x) :at 0.25)
