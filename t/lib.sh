# shellcheck shell=sh
# Sourced by each t/tNNNN-*.sh: TAP in POSIX sh, each script in an empty folder of its own.
top=$(cd "$(dirname "$0")/.." && pwd)
case ${BUILD:-build} in
/*) build=$BUILD ;;
*) build=$top/${BUILD:-build} ;;
esac
PATH=$build/bin:$PATH
export LC_ALL=C TZ=UTC ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
# shellcheck disable=SC2034 # the scripts that read the published suites use it
SUITES=${SUITES:-$top/../shared/suites}
# shellcheck disable=SC2034
TRACES=${TRACES:-$top/../shared/traces}
peers=$top/build/peers # npm packages of t/p*.sh: $peers/node_modules
tmp=$(mktemp -d) && cd "$tmp" && trap 'rm -rf "$tmp"' EXIT || exit 1
n=0
ok() { # NAME COMMAND...: one test, passed when the command succeeds
	name=$1; shift; n=$((n + 1))
	if "$@" >"$tmp/log" 2>&1; then echo "ok $n - $name"; else echo "not ok $n - $name"; sed "s/^/# /" "$tmp/log"; fi
}
await() { # COMMAND...: until it succeeds; after half a minute it is a test that failed, and the last
	tries=0
	until "$@" 2>/dev/null; do
		tries=$((tries + 1))
		[ $tries -le 600 ] || { echo "not ok $((n + 1)) - waited in vain for: $*"; exit 1; }
		sleep 0.05
	done
}
dies() { # PID: a child of ours, of SIGTERM, and soon
	{ sleep 5; kill -9 "$1"; } >/dev/null 2>&1 &
	killer=$! got=0
	kill "$1" && wait "$1" 2>/dev/null || got=$?
	kill "$killer" && wait "$killer" 2>/dev/null
	[ "$got" -eq 143 ] || { echo "ended with $got, not by SIGTERM"; return 1; }
}
skip() { # NAME WHY: one test that could not run, said on the terminal too
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
	echo "# SKIPPED: $1: $2" >&2
}
exits() { # STATUS COMMAND...: exactly that status; leaves standard output in out, error in err
	want=$1 got=0; shift
	"$@" >out 2>err || got=$?
	[ "$got" -eq "$want" ] || { echo "exit status $got, not $want"; cat err; return 1; }
}
peer() { # PACKAGE@VERSION...: have these npm packages in $peers; false when npm cannot bring them
	for want in "$@"; do
		dir=$peers/node_modules/${want%@*}
		[ -e "$dir/package.json" ] && grep -q "\"version\": \"${want##*@}\"" "$dir/package.json" && continue
		mkdir -p "$peers" || return 1
		PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 flock "$peers" npm install --prefix "$peers" \
			--no-package-lock --silent "$@" >&2 || return 1
		return 0
	done
}
done_testing() { echo "1..$n"; }
