#!/bin/sh
# explorer: what was once explored, and a name for a cluster, for llm-call -m exec:.
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
request=$(cat)
case $(printf %s "$request" | jq -r .prompt) in
explore.*)
	agent=$(mktemp)
	trap 'rm -f "$agent"' EXIT
	printf 'id: x\nadapter: {kind: command, argv: ["true"]}\nseeds: ["%s/explored.yaml"]\n' "$folder" >"$agent"
	agent-run -n -a "$agent" | jq -cs '{output: {scenarios: [.[1:][] | del(.type, .origin)]}, provenance: "authored"}' ;;
cluster.*)
	# The first reason is as good a name as rules can give.
	printf %s "$request" | jq -c '{output: {title: ([.messages[].text | match("why it failed: (.*)").captures[0].string] | first | .[:120])},
		provenance: "authored"}' ;;
*) echo 'explorer: not asked about that' >&2; exit 1 ;;
esac
