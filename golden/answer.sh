#!/bin/sh
# answer: the authored answer to a golden case, for llm-call -m exec:golden/answer.sh.
set -eu
golden=$(cd "$(dirname "$0")" && pwd)
request=$(mktemp)
trap 'rm -f "$request"' EXIT
cat >"$request"
name=$(jq -r '.name | split("/") | last' "$request")
epoch=$(jq -r '.request.epoch // .epoch // 0' "$request")
prompt=$(jq -r '.prompt' "$request")
answer=$golden/$name/answers/$prompt.$epoch.json
[ -f "$answer" ] || { echo "answer: no ${answer#"$golden"/}" >&2; exit 1; }
jq -c '{output: ., finish: "stop", provenance: "authored"}' "$answer"
