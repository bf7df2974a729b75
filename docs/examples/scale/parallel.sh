#!/bin/sh
# parallel.sh JOB [SECONDS]: solves a job by GNU parallel on all cores, and prints its answers. Units
# that take longer than SECONDS hand the rest back, which the next round solves. If it is killed, run
# it again: what is done is in the files of the job. PROGRAM=ciber is for jobs of ciber.
set -eu
program=${PROGRAM:-wmi}
status=3
while [ $status = 3 ]; do  # join may begin a round of units with more digits
  while units=$($program units "$1") && [ -n "$units" ]; do
    echo "$units" | parallel --will-cite --retries 3 $program part "$1" --unit {} --budget "${2:-60}"
  done
  status=0
  $program join "$1" || status=$?
done
exit $status
