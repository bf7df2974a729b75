#!/bin/sh
#SBATCH --array=1-100
#SBATCH --time=01:00:00
#SBATCH --requeue
# sbatch --wait slurm.sh JOB: one task of an array solves one of the units 1 to 100. Each hands back
# what it has not finished after 55 minutes, or when Slurm asks it to end (SIGTERM); submit it again
# with the list of `wmi units JOB` as UNITS to solve that.
set -eu
program=${PROGRAM:-wmi}
if [ -n "${UNITS+given}" ]; then
  unit=$(echo "$UNITS" | tr ', ' '\n\n' | sed -n "${SLURM_ARRAY_TASK_ID}p")
else
  unit=$SLURM_ARRAY_TASK_ID
fi
[ -n "$unit" ] || exit 0
exec $program part "$1" --unit "$unit" --budget 3300
