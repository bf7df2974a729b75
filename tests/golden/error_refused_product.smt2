; A query about a product has no law and is refused; the others are answered.
; expect-error: 5:19: the product (* x y) is not linear; only sums of numbers times variables can stand here
; expect: 1/4
(declare-const x Real) (declare-const y Real) (assert (and (<= 0 x 1) (<= 0 y 1)))
(get-distribution (* x y))
(get-expectation (* x y))
