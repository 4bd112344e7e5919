#!/bin/sh
# gql-verify: what real servers answer, each asked over HTTP or a web socket; want.tsv was written
# by hand from what each question is (trace, operation, outcome, category).
. "$(dirname "$0")/lib.sh"
here=$top/t/p0400-gql-servers
peer graphql@16.11.0 @apollo/server@5.5.1 graphql-yoga@5.24.1 @graphql-yoga/plugin-defer-stream@3.24.1 \
	@graphql-yoga/plugin-apq@3.6.2 graphql-http@1.23.1 graphql-ws@6.4.2 ws@8.23.0 mercurius@16.10.1 \
	fastify@5.12.8 graphql-sse@2.6.1 || { skip 'real servers' 'npm cannot bring them'; done_testing; exit; }
ok 'the servers answer' exits 0 node "$here/servers.mjs" "$peers"
mv out asked
ok 'and are understood' exits 0 gql-verify asked
awk '
function member(name) { if (!match($0, "\"" name "\":\"[^\"]*\"")) return "-"
	n = length(name) + 4; return substr($0, RSTART + n, RLENGTH - n - 1) }
/^\{"type":"trace"/ { trace = member("name") }
/"type":"graphql"/ { print trace "\t" member("operation") "\t" member("outcome") "\t" member("category") }
' out >got
ok 'as they were meant' diff -u "$here/want.tsv" got
done_testing
