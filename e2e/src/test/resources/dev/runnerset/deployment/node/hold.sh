#!/usr/bin/env bash
# Runs a command whose only child is process 1 of a container, and kills that child when standard input ends: the
# test holds the other end, and however the test dies, no container outlives it.
#   hold.sh FILE COMMAND...      writes the process number of COMMAND into FILE, and ends with its exit code
file=$1
shift
"$@" </dev/null &
command=$!
echo "$command" >"$file"
{
  cat >/dev/null
  read -r child <"/proc/$command/task/$command/children" && kill -KILL "$child"
} <&0 &
watch=$!
wait "$command"
code=$?
kill "$watch" 2>/dev/null
exit "$code"
