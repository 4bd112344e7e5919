#!/bin/sh
# gql-verify: the errors of many servers.  recorded.ndjson is what t/p0400-gql-servers.sh got from Apollo
# Server 5.5.1, Yoga 5.24.1, graphql-http 1.23.1 (graphql 16.11.0), Mercurius 16.10.1, graphql-sse 2.6.1 and
# graphql-ws 6.4.2 on 2026-11-30; documented.ndjson was written by hand after the documentation of
# servers that npm does not bring.  Both have tables of what each is, written by hand.
. "$(dirname "$0")/lib.sh"
here=$top/t/t0410-gql-errors
told() { # trace, MEMBER, outcome, category of each operation
	awk -v m="$1" '
	function member(name) { if (!match($0, "\"" name "\":\"[^\"]*\"")) return "-"
		n = length(name) + 4; return substr($0, RSTART + n, RLENGTH - n - 1) }
	/^\{"type":"trace"/ { trace = member("name") }
	/"type":"graphql"/ { print trace "\t" member(m) "\t" member("outcome") "\t" member("category") }'
}
gql-verify "$here/recorded.ndjson" | told operation >got
ok 'recorded answers' diff -u "$top/t/p0400-gql-servers/want.tsv" got
gql-verify "$here/documented.ndjson" | told code >got
ok 'documented answers' diff -u "$here/documented.tsv" got
done_testing
