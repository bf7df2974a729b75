; expect-error: 6:10: 'z' is observed but not integrated; add it to (integrate ...), or use (get-density TERM :at c) for a derived real
(declare-const w Real) (declare-const z Real)
(integrate w)
(assert (<= 0 w 1))
(assert (= z (* 2 w)))
(observe z 1)
(get-wmi)
