#!/bin/sh
# From trace to verdict, beside what others take only to look into the same file.
set -eu
cd "$build/bench"
measure() { ./measure "$@" || failed=1; }
have() { command -v "$1" >/dev/null; }
make_trace() { # MB: deterministic, so made once
	[ -e "trace-$1.zip" ] || { perl "$top/t/bench/trace.pl" "$1" part && mv part "trace-$1.zip"; }
}

# Playwright's own command line, where npm brings it: a file for t/p*.sh and for us.
playwright=
if have npm && [ "${BENCHPEERS:-yes}" = yes ]; then
	peers=$top/build/peers
	[ -e "$peers/node_modules/playwright" ] || { mkdir -p "$peers" && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 \
		npm install --prefix "$peers" --no-save --no-package-lock --silent playwright >&2; } || :
	[ -e "$peers/node_modules/.bin/playwright" ] && playwright=$peers/node_modules/.bin/playwright
fi

for mb in $BENCHMB; do
	make_trace "$mb"
	echo "-- a trace of $mb MB ($(wc -c <"trace-$mb.zip" | awk '{printf "%.0f", $1 / 1e6}') MB zipped)"
	t=trace-$mb.zip
	measure 'trace-unpack' trace-unpack "$t"
	! have trace-events || measure 'trace-unpack | trace-events' trace-unpack "$t" -- trace-events
	! have gql-verify || measure 'trace-unpack | trace-events | gql-verify' \
		trace-unpack "$t" -- trace-events -- gql-verify
	! have unzip || measure 'unzip -p' unzip -p "$t"
	! have bsdtar || measure 'bsdtar -xO' bsdtar -xOf "$t"
	[ -z "$playwright" ] || [ "$mb" -gt 256 ] ||
		measure 'npx playwright trace open' "$playwright" trace open "$t"
	[ -z "$playwright" ] || [ "$mb" -gt 256 ] || rm -rf .playwright-cli trace-*/
done

make_trace 0
i=0
rm -rf many && mkdir many
while [ $i -lt 200 ]; do i=$((i + 1)) && ln trace-0.zip "many/$i.zip"; done
echo '-- 200 small traces in one invocation'
measure 'trace-unpack' trace-unpack many/*.zip
! have gql-verify || measure 'trace-unpack | trace-events | gql-verify' \
	trace-unpack many/*.zip -- trace-events -- gql-verify
exit "${failed:-0}"
