"""with_joblib.py JOB [WORKERS]: solves a job by joblib."""

import sys

from ciber.jobs import Job
from joblib import Parallel, delayed

job = Job(sys.argv[1])
workers = int(sys.argv[2]) if len(sys.argv) > 2 else -1
while units := job.units():  # units may hand back new ones
    Parallel(n_jobs=workers)(delayed(job.solve)([unit], budget=60) for unit in units)
