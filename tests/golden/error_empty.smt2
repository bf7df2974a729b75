; Nothing but comments.
; expect-error: 1:1: the file has no commands
