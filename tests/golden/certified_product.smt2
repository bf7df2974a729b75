; What is open falls apart into {x, a}, {y, b} and {z}; w hangs on nothing.
; With x: a doubles where x <= 1/2, else a must hold: 1/2 * 2 + 1/2 = 3/2, where the weight under a is 2:
; 1/2 * (2 + 1) + 1/2 * 2 = 5/2. With y: b or y <= 1/2, weight y: y <= 1/2 twice 1/8, else 3/8: 5/8.
; With z: weight 2 above 1/2, 1 below: 3/2. With w on [0, 2]: 2. Product 5/2 * 5/8 * 3/2 * 2 = 75/16.
; E[x]: x 3 on [0, 1/2] is 3/8, x 2 on [1/2, 1] is 3/4: 9/8 / (5/2) = 9/20. E[w] = 1, E[w x] = 9/20.
; P(x <= 1/2 and z > 1/2) = (3/2) / (5/2) * (1 / (3/2)) = 2/5.
; expect: 75/16
; expect: 9/20
; expect: 9/20
; expect: 2/5
(declare-const x Real) (declare-const y Real) (declare-const z Real) (declare-const w Real)
(declare-const a Bool) (declare-const b Bool)
(assert (and (<= 0 x 1) (<= 0 y 1) (<= 0 z 1) (<= 0 w 2)))
(assert (or a (<= x 0.5)))
(assert (or b (<= y 0.5)))
(weight a 2)
(weight true y)
(weight true (ite (> z 0.5) 2 1))
(get-wmi)
(get-expectation x)
(get-expectation (* w x))
(get-probability (and (<= x 0.5) (> z 0.5)))
