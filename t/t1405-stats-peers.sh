#!/bin/sh
# lib/stats beside SciPy and statsmodels, and beside counting one by one what they do not have.
. "$(dirname "$0")/lib.sh"
export PYTHONDONTWRITEBYTECODE=1
for python in python3 /usr/bin/python3; do
	status=0
	$python "$top/t/t1405-stats-peers/peer.py" "$build/t/unit-stats" >told 2>&1 || status=$?
	[ "$status" -eq 77 ] || [ "$status" -eq 127 ] || break
done
if [ "$status" -eq 77 ] || [ "$status" -eq 127 ]; then
	skip 'the numbers of SciPy and statsmodels' 'Debian: python3-scipy python3-statsmodels'
else
	sed 's/^/# /' told
	ok 'SciPy and statsmodels agree' test "$status" -eq 0
fi
done_testing
