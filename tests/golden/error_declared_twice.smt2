; expect-error: 3:16: 'x' is declared twice
(declare-const x Real)
(declare-const x Bool)
