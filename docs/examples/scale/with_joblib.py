"""with_joblib.py JOB [WORKERS]: solves the units of a job by joblib; then, wmi join JOB."""

import sys

from ciber.jobs import Job
from joblib import Parallel, delayed

job = Job(sys.argv[1])
workers = int(sys.argv[2]) if len(sys.argv) > 2 else -1
while units := job.units():  # units may hand back new ones
    Parallel(n_jobs=workers)(delayed(job.solve)([unit], budget=60) for unit in units)
