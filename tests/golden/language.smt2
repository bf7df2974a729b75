; What the language has beyond the plainest terms: quoted symbols, let, named terms, macros,
; chained and distinct comparisons, exponents, powers. On [0, 1]^2 with weight x^2 y: 1/6.
; expect: 1/6
; expect: 1/8
; expect: 1/1000
; expect: 1
; expect: 3/4
; expect: 1/2
(set-info :status sat)
(set-option :print-success false)
(declare-fun |fc2.weight[0,3]| () Real)
(declare-const y Real)
(declare-const p Bool)
(declare-const q Bool)
(define-fun in ((v Real) (low Real) (high Real)) Bool (and (>= v low) (<= v high)))
(define-fun twice ((v Real)) Real (* 2 v))
(assert (! (in |fc2.weight[0,3]| 0 1) :named box))
(assert (let ((v y) (one 1.0)) (let ((v (twice v))) (<= 0 v (+ one one)))))
(assert (xor p q))
(assert (= p (not q)))
(weight p (* (^ |fc2.weight[0,3]| 2) y))
(weight q 0)
(get-wmi)
(get-probability (and box (<= |fc2.weight[0,3]| 0.5)))
(get-probability (< |fc2.weight[0,3]| 1e-1))
(get-probability (distinct |fc2.weight[0,3]| y 0.5))
(get-probability (> (twice y) 1e0))
(get-expectation (ite (and p (not q)) 0.5 7))
