#!/bin/sh
# bench.sh: every t/bench/*.sh in turn.  BENCHMB: sizes of the large traces in MB; 1024 is worth a wait.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
case ${BUILD:-build} in
/*) build=$BUILD ;;
*) build=$top/${BUILD:-build} ;;
esac
export top build
export BENCHMB="${BENCHMB:-64 256}" PATH="$build/bin:$PATH" LC_ALL=C
mkdir -p "$build/bench"
${CC:-cc} -O2 -o "$build/bench/measure" "$top/t/bench/measure.c"
echo "$(nproc) cores; wall time, CPU time of all processes, peak memory of each"
for part in "$top"/t/bench/*.sh; do
	sh "$part" || { echo "${part##*/}: exit status $?"; failed=1; }
done
exit "${failed:-0}"
