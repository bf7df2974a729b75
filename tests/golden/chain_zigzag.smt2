; x1 < x2 > x3 < ... of 5 numbers in [0, 1]: the zigzag number 16 (Andre) over 5!. With a Boolean
; for the direction of each step, all orders of neighbours together are everything.
; run: --threads 1
; run: --gap 1/1000
; expect: 2/15
; expect: 1
(declare-const x1 Real)
(declare-const x2 Real)
(declare-const x3 Real)
(declare-const x4 Real)
(declare-const x5 Real)
(declare-const b1 Bool)
(declare-const b2 Bool)
(declare-const b3 Bool)
(declare-const b4 Bool)
(assert (<= 0 x1 1))
(assert (<= 0 x2 1))
(assert (<= 0 x3 1))
(assert (<= 0 x4 1))
(assert (<= 0 x5 1))
(assert (ite b1 (<= x1 x2) (>= x1 x2)))
(assert (ite b2 (<= x2 x3) (>= x2 x3)))
(assert (ite b3 (<= x3 x4) (>= x3 x4)))
(assert (ite b4 (<= x4 x5) (>= x4 x5)))
(get-wmi (and b1 (not b2) b3 (not b4)))
(get-wmi)
