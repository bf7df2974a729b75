#!/bin/bash
# chaos.sh PROGRAM JOB KILL BUDGET: solves a job with two workers, of which one part is killed by
# SIGKILL every KILL seconds, the first at once, and a third worker that can write nothing, as on a
# full disk. Prints how many parts were killed.
exec 2>/dev/null  # bash reports each kill
program=$1 job=$2 every=$3 budget=$4
worker() {
  while true; do
    units=$("$program" units "$job") || continue  # it may be the one that is killed
    [ -n "$units" ] || break
    "$program" part "$job" --unit "$(shuf -n 1 -e $units)" --budget "$budget"
  done
}
worker & first=$!
worker & second=$!
(ulimit -c 0 -f 0; worker) & full=$!
killed=0
while kill -0 $first 2>/dev/null || kill -0 $second 2>/dev/null; do
  if [ $killed = 0 ]; then sleep 0.05; else sleep "$every"; fi
  victim=$(cat /proc/$first/task/*/children /proc/$second/task/*/children | xargs -n 1 | shuf -n 1)
  [ -n "$victim" ] && kill -9 "$victim" 2>/dev/null && killed=$((killed + 1))
done
wait $first $second $full 2>/dev/null
echo "$killed"
