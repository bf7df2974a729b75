; A file that was cut in half.
; expect-error: 4:9: this '(' is never closed
(declare-const x Real)
(assert (and (<= 0 x 1)
