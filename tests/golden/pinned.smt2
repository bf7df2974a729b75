; Without (integrate w), z is a dimension too, and a flat region has no volume: the trap is named.
; expect-warning: 'z'
; expect-warning: (integrate w)
; expect: 0
(declare-const w Real)
(declare-const z Real)
(assert (<= (- 3) w 3))
(assert (=> (> w 0) (= z w)))
(assert (=> (<= w 0) (= z 0)))
(get-wmi)
