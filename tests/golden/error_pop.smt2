; expect-error: 3:1: pop without push: 1 levels are open
(push)
(pop 2)
