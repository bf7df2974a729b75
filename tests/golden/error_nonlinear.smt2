; expect-error: 3:9: the product (* x y) is not linear; only sums of numbers times variables can stand here
(declare-const x Real) (declare-const y Real)
(assert (<= (+ 1 (* x y)) 3))
