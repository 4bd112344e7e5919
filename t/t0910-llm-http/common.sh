# shellcheck shell=sh
# Sourced: the fixtures of llm-call, a server with faults on $port, and how to ask it.
cp "$top"/t/t0900-llm-call/* .
head -3 two.ndjson >one.ndjson
if ! perl -MIO::Socket::INET -e 1 2>/dev/null; then
	skip 'llm-call over HTTP' 'perl has no IO::Socket'
	done_testing
	exit 0
fi
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY
mkdir served
perl "$top/t/t0910-llm-http/server.pl" served &
server=$!
trap 'kill $server; rm -rf "$tmp"' EXIT
await test -s served/port
port=$(cat served/port)
secret=sk-$(printf 'abc%s' defghijklmnop)
# AT SCENARIO ARGUMENT...: ask each provider's address about the first segment
at() {
	url=http://127.0.0.1:$port/$1; shift
	env OPENAI_BASE_URL="$url/v1" OPENAI_API_KEY="$secret" ANTHROPIC_BASE_URL="$url" \
		ANTHROPIC_API_KEY="$secret" GOOGLE_GEMINI_BASE_URL="$url" GEMINI_API_KEY="$secret" \
		llm-call -p severity.v1.md -m openai:m -M off "$@"
}
field() { jq -r "select(.type == \"$1\") | $2"; } # TYPE FILTER
is() { # WANT GOT
	[ "$1" = "$2" ] || { printf 'got  %s\nwant %s\n' "$2" "$1"; return 1; }
}
has() { grep -qF -- "$1" "$2" || { echo "no $1 in:"; cat "$2"; return 1; }; }
asked() { grep -c "^$1 " served/log; }
last() { cat "served/request.$(wc -l <served/log)"; } # head and body of the last request
