; Under a staircase of eight steps from (0,0) to (1,1), x uniform and y with density 2y: step i of them is between
; i/8 and (i+1)/8, where the probability of y <= i/8 is (i/8)^2: (1/8) (0+1+4+9+16+25+36+49)/64 = 140/512 = 35/128.
; The weight integrates to 1. The mean of y, given that it is under the staircase, is the sum of (1/8) (2/3) (i/8)^3
; divided by that: (1/8) (2/3) (784/512) / (35/128) = (49/384) / (35/128) = 7/15.
; run: --gap 1/5
; run: --gap 1/100
; run: --gap 1e-3 --threads 2
; run: --gap 1e-9 --enumerator z3
; expect: 1
; expect: 35/128
; expect: 7/15
(declare-const x Real) (declare-const y Real)
(assert (and (<= 0 x 1) (<= 0 y 1)))
(weight true (* 2 y))
(define-fun under ((a Real)) Bool (and (<= a x) (<= y a)))
(define-fun stairs () Bool
  (or (under 0) (under (/ 1 8)) (under (/ 2 8)) (under (/ 3 8)) (under (/ 4 8)) (under (/ 5 8)) (under (/ 6 8)) (under (/ 7 8))))
(get-wmi)
(get-probability stairs)
(get-expectation y :given stairs)
