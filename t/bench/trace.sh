#!/bin/sh
# From trace to verdict, beside what others take only to look into the same file.
set -eu
cd "${build:?set by t/bench.sh}/bench"
measure() { # as the program; the line is kept for ratio
	./measure "$@" >line || failed=1
	tee -a costs <line
}
ratio() { # NAME NAME: the wall time of the first, as a multiple of the second's
	awk -v a="$1" -v b="$2" '
		{ name = substr($0, 1, 44); sub(/ +$/, "", name); wall[name] = substr($0, 45) + 0 }
		END { if (wall[a] > 0 && wall[b] > 0) printf "%s / %s: %.2f\n", a, b, wall[a] / wall[b] }' costs
}
have() { command -v "$1" >/dev/null; }
make_trace() { # MB: deterministic, so made once
	[ -e "trace-$1.zip" ] || { perl "${top:?}/t/bench/trace.pl" "$1" part && mv part "trace-$1.zip"; }
}

# Playwright's own command line, where npm brings it: a file for t/p*.sh and for us.
playwright=
if have npm && [ "${BENCHPEERS:-yes}" = yes ]; then
	peers=$top/build/peers
	[ -e "$peers/node_modules/playwright" ] || { mkdir -p "$peers" && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 \
		npm install --prefix "$peers" --no-save --no-package-lock --silent playwright >&2; } || :
	[ -e "$peers/node_modules/.bin/playwright" ] && playwright=$peers/node_modules/.bin/playwright
fi

pipeline='trace-unpack | trace-events | gql-verify'
: >growth
for mb in $BENCHMB; do
	make_trace "$mb"
	: >costs
	echo "-- a trace of $mb MB ($(wc -c <"trace-$mb.zip" | awk '{printf "%.0f", $1 / 1e6}') MB zipped)"
	t=trace-$mb.zip
	measure 'trace-unpack' trace-unpack "$t"
	! have trace-events || measure 'trace-unpack | trace-events' trace-unpack "$t" -- trace-events
	! have gql-verify || measure "$pipeline" trace-unpack "$t" -- trace-events -- gql-verify
	! have unzip || measure 'unzip -p' unzip -p "$t"
	! have bsdtar || measure 'bsdtar -xO' bsdtar -xOf "$t"
	[ -z "$playwright" ] || [ "$mb" -gt 256 ] ||
		measure 'npx playwright trace open' "$playwright" trace open "$t"
	ratio "$pipeline" 'unzip -p'
	ratio 'npx playwright trace open' "$pipeline"
	awk -v mb="$mb" -v a="$pipeline" '
		{ name = substr($0, 1, 44); sub(/ +$/, "", name); split(substr($0, 45), f, " "); wall[name] = f[1]; cpu[name] = f[3]
		  if (name == a) { peak = substr($0, 45); sub(/.* s +/, "", peak) } }
		END { u = "unzip -p"; printf "%6d %8.2f s %8.2f s %8s %8s   %s\n", mb, wall[a], cpu[a],
			times(wall[a], wall[u]), times(cpu[a], cpu[u]), peak }
		function times(x, y) { return (y > 0) ? sprintf("%.2f", x / y) : "-" }' costs >>growth
done
echo "-- the pipeline by size: MB, wall, CPU, both as multiples of unzip -p, peak memory of each program"
cat growth

make_trace 0
i=0
rm -rf many && mkdir many
while [ $i -lt 200 ]; do i=$((i + 1)) && ln trace-0.zip "many/$i.zip"; done
echo '-- 200 small traces in one invocation'
: >costs
measure 'trace-unpack' trace-unpack many/*.zip
! have gql-verify || measure "$pipeline" trace-unpack many/*.zip -- trace-events -- gql-verify
awk '{ printf "%.2f ms each\n", substr($0, 45) * 1000 / 200 }' costs | tail -n 1
exit "${failed:-0}"
