#!/bin/sh
# runs-from: each format as its makers write it, the runs worked by hand, and nothing lost in silence.
. "$(dirname "$0")/lib.sh"

# runs NAME FORMAT FILE WANT: "outcome terminal task: state=status ..." of each run.
runs() {
	# shellcheck disable=SC2317
	check() {
		exits 0 runs-from "$1" "$2" || return 1
		jq -r 'select(.type == "run") | "\(.outcome) \(.terminal) \(.task_id): " + (.states | map("\(.state)=\(.status)") | join(" "))' out >got
		printf '%s\n' "$3" | diff -u - got
	}
	ok "$1" check "$2" "$3" "$4"
}
counts() { # NAME JQ: a condition on the message of the warnings of the last run
	ok "$1" sh -c "jq -s -e 'map(select(.type == \"warning\") | .message) == $2' out"
}
cells() { # NAME FORMAT FILE WANT: "last attempted" of each failed run
	# shellcheck disable=SC2317
	check() {
		runs-from "$1" "$2" | first-failure-matrix | jq -r 'select(.type == "assignment") | "\(.last) \(.attempted)"' >got
		printf '%s\n' "$3" | diff -u - got
	}
	ok "$1" check "$2" "$3" "$4"
}

# --- messages
cat >openai.json <<'X'
{
  "messages": [
    {"role": "system", "content": "s"}, {"role": "user", "content": "u"},
    {"role": "assistant", "content": "I look", "tool_calls": [
      {"id": "a", "type": "function", "function": {"name": "find", "arguments": "{\"q\": 1}"}},
      {"id": "b", "type": "function", "function": {"name": "pay", "arguments": "{}"}}]},
    {"role": "tool", "tool_call_id": "b", "content": "Error: no such card"},
    {"role": "tool", "tool_call_id": "a", "content": "found"}
  ],
  "choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": "done"}}]
}
X
runs 'OpenAI: results by id, in any order' messages openai.json 'unknown final openai.json: find=ok pay=fail respond=ok'
cat >anthropic.json <<'X'
{"success":false,"messages":[{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"thinking","thinking":"t"},{"type":"tool_use","id":"t1","name":"find","input":{"q":1}},{"type":"tool_use","id":"t2","name":"pay","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"x"},{"type":"odd"}]}],"role":"assistant","content":[{"type":"tool_use","id":"t3","name":"find","input":{"q":1}}],"stop_reason":"max_tokens"}
X
runs 'Anthropic: an error flag, a call without a result, cut by its limit' messages anthropic.json 'failure budget anthropic.json: find=fail pay=open find=open'
counts 'the odd part is counted' '["1 message parts of an unknown type"]'
ok 'equal arguments have equal digests' sh -c 'jq -s -e "map(select(.type == \"run\"))[0].states | .[0].receipt.args_sha == .[2].receipt.args_sha" out'
cat >responses.json <<'X'
{"input":[{"role":"user","content":"u"},{"type":"function_call","call_id":"c","name":"find","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"Error"}],"output":[{"type":"reasoning"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"x"}]}]}
X
runs 'OpenAI responses' messages responses.json 'unknown final responses.json: find=fail respond=ok'
printf '%s\n' '{"role":"user","content":"u"}' '{"role":"assistant","content":"hello"}' '{"role":"martian"}' '{"role":"tool","tool_call_id":"q","content":""}' >lines.jsonl
runs 'a message a line: a run a file' messages lines.jsonl 'unknown final lines.jsonl: respond=ok'
counts 'what has no place is counted' '["1 messages of an unknown role", "1 results of calls that the log does not hold"]'
# tau-bench: five failed tasks that differ from what is expected in five ways; no tool failed in four of them.
perl -e '
	my $n = 0;
	sub call { my ($name, $args, $result) = @_; $n++; $args =~ s/"/\\"/g;
		(qq({"role":"assistant","content":null,"tool_calls":[{"id":"c$n","function":{"name":"$name","arguments":"$args"}}]}),
		 qq({"role":"tool","tool_call_id":"c$n","name":"$name","content":"$result"})) }
	sub task { my ($id, $reward, @calls) = @_;
		my @m = (qq({"role":"user","content":"hi"}), (map { call(@$_) } @calls), qq({"role":"assistant","content":"bye"}));
		qq({"task_id":$id,"trial":0,"reward":$reward,"info":{"task":{"actions":[{"name":"get_user","kwargs":{"id":"u"}},{"name":"cancel","kwargs":{"id":"R1"}}]}},"traj":[) . join(",", @m) . "]}" }
	my @user = ("get_user", q({"id": "u"}), "{}"); my @right = ("cancel", q({"id": "R1"}), "ok");
	print "[\n", join(",\n", task(0, "1.0", [@user], [@right]), task(1, "0.0", [@user]), task(2, 0, [@user], ["cancel", q({"id": "R2"}), "ok"]),
		task(3, 0, [@user], [@right], ["refund", "{}", "ok"]), task(4, 0, [@user], [@right]),
		task(5, 0, [@user], ["think", "{}", ""], ["cancel", q({"id": "R1"}), "Error: denied"])), "\n]\n"' >tau.json
cells 'tau-bench: missing, wrong arguments, one too many, only the output, an error' messages tau.json 'respond cancel
get_user cancel
respond EXTRA:refund
respond OUTCOME:reward
get_user cancel'
ok 'pairs by task and trial' sh -c 'runs-from messages tau.json | jq -s -e "map(select(.type == \"run\"))[2] | [.task_id, .trial, .run_id] == [\"2\", 0, \"tau.json:2:0\"]"'
ok 'thoughts are counted' sh -c 'runs-from messages tau.json | grep -q "1 calls of think"'
cat >tau2.json <<'X'
{"simulations":[{"id":"s1","task_id":"7","trial":1,"termination_reason":"max_steps","reward_info":{"reward":0.0},"messages":[{"role":"assistant","content":"","tool_calls":[{"id":"a","name":"find","arguments":{"q":1}}]},{"role":"tool","id":"a","content":"no","error":true}]}]}
X
runs 'tau2-bench' messages tau2.json 'failure budget 7: find=fail'
# A file of runs holds their tasks beside them; what the user's own tools were to do is not the agent's.
cat >tau2-tasks.json <<'X'
{"tasks":[{"id":"1","evaluation_criteria":{"actions":[{"requestor":"assistant","name":"cancel","arguments":{}}]}},
 {"id":"0","evaluation_criteria":{"actions":[{"requestor":"assistant","name":"get_order","arguments":{"n":1}},
 {"requestor":"user","name":"toggle_data","arguments":{}},{"requestor":"assistant","name":"exchange","arguments":{"n":1}}]}}],
 "simulations":[{"id":"a","task_id":"0","termination_reason":"user_stop","reward_info":{"reward":0.0},"messages":[
 {"role":"user","content":"u","tool_calls":null},{"role":"assistant","content":null,"tool_calls":[{"id":"t","name":"get_order","arguments":{"n":1},"requestor":"assistant"}]},
 {"id":"t","role":"tool","content":"{}","requestor":"assistant","error":false},{"role":"assistant","content":"bye","tool_calls":null}]}]}
X
cells 'tau2-bench: the write that the task expects is what is missing' messages tau2-tasks.json 'respond exchange'

# --- otel: batches in the wrong order, a trace in two of them, an HTTP span between.
cat >otlp.ndjson <<'X'
{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"t1","spanId":"5","parentSpanId":"1","name":"execute_tool pay","startTimeUnixNano":"400","endTimeUnixNano":"500","status":{"code":2},"attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"execute_tool"}},{"key":"gen_ai.tool.name","value":{"stringValue":"pay"}},{"key":"gen_ai.tool.call.id","value":{"stringValue":"c1"}},{"key":"error.type","value":{"stringValue":"timeout"}}]},{"traceId":"t1","spanId":"3","parentSpanId":"2","name":"POST","startTimeUnixNano":"110","endTimeUnixNano":"190"}]}]}]}
{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"t1","spanId":"2","parentSpanId":"1","name":"chat gpt-4o","startTimeUnixNano":"100","endTimeUnixNano":"200","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}}]},{"traceId":"t1","spanId":"1","name":"invoke_agent shop","startTimeUnixNano":"50","endTimeUnixNano":"600","status":{"code":2},"attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"invoke_agent"}},{"key":"gen_ai.agent.name","value":{"stringValue":"shop"}}]}]}]}]}
X
runs 'GenAI spans' otel otlp.ndjson 'failure error t1: chat=ok pay=fail'
counts 'the HTTP span is counted' '["1 spans that are no act of an agent"]'
ok 'a receipt' sh -c 'jq -s -e "map(select(.type == \"run\"))[0].states[1].receipt == {\"tool\":\"pay\",\"call_id\":\"c1\",\"error_class\":\"timeout\",\"result\":\"error\"}" out'
tac otlp.ndjson >tac.ndjson
ok 'the order of batches does not matter' sh -c 'runs-from otel tac.ndjson | cmp - out'
jq -s '{resourceSpans: map(.resourceSpans[])}' otlp.ndjson >whole.json
ok 'nor whether they are one document' sh -c 'runs-from otel whole.json | cmp - out'
cat >openinference.jsonl <<'X'
{"name":"graph","context":{"trace_id":"o1","span_id":"1"},"parent_id":null,"start_time":"2026-01-01T00:00:00.000000Z","end_time":"2026-01-01T00:00:09Z","status":{"status_code":"OK"},"attributes":{"openinference.span.kind":"CHAIN"}}
{"name":"lookup","context":{"trace_id":"o1","span_id":"2"},"parent_id":"1","start_time":"2026-01-01T00:00:01Z","end_time":"2026-01-01T00:00:03Z","status":{"status_code":"OK"},"attributes":{"openinference.span.kind":"TOOL","tool.name":"lookup"}}
{"name":"prices","context":{"trace_id":"o1","span_id":"3"},"parent_id":"1","start_time":"2026-01-01T00:00:02Z","end_time":"2026-01-01T00:00:04Z","status":{"status_code":"ERROR"},"attributes":{"openinference.span.kind":"TOOL","tool.name":"prices"}}
{"name":"ChatModel","context":{"trace_id":"o1","span_id":"4"},"parent_id":"1","start_time":"2026-01-01T00:00:05Z","end_time":"2026-01-01T00:00:06Z","status":{"status_code":"OK"},"attributes":{"openinference.span.kind":"LLM","graph.node.id":"answer"}}
{"name":"pii","context":{"trace_id":"o1","span_id":"5"},"parent_id":"1","start_time":"2026-01-01T00:00:07Z","end_time":"2026-01-01T00:00:08Z","status":{"status_code":"OK"},"attributes":{"openinference.span.kind":"GUARDRAIL"}}
{"name":"correct","context":{"trace_id":"o1","span_id":"6"},"parent_id":"1","start_time":"2026-01-01T00:00:08Z","end_time":"2026-01-01T00:00:09Z","status":{"status_code":"OK"},"attributes":{"openinference.span.kind":"EVALUATOR","gen_ai.evaluation.score.label":"fail"}}
X
runs 'OpenInference: the innermost spans; evaluators are oracles' otel openinference.jsonl 'failure final o1: lookup=ok prices=fail answer=ok'
ok 'spans that overlap are branches, the next one joins' sh -c 'jq -s -e "map(select(.type == \"run\"))[0].states | map([.branch, .parent]) == [[\"1\", null], [\"2\", null], [null, [0, 1]]]" out'
ok 'oracles' sh -c 'jq -s -e "map(select(.type == \"run\"))[0].oracles | map([.name, .kind, .pass]) == [[\"pii\", \"safety\", true], [\"correct\", \"outcome\", false]]" out'

# --- langfuse
cat >langfuse.json <<'X'
{"id":"l1","name":"chat","observations":[
 {"id":"b","traceId":"l1","type":"TOOL","name":"search","parentObservationId":"a","startTime":"2026-01-01T00:00:01.500Z","endTime":"2026-01-01T00:00:02.000Z","level":"ERROR","statusMessage":"x"},
 {"id":"a","traceId":"l1","type":"AGENT","name":"agent","parentObservationId":null,"startTime":"2026-01-01T00:00:00.000Z","endTime":"2026-01-01T00:00:09.000Z","level":"DEFAULT"},
 {"id":"c","traceId":"l1","type":"GENERATION","name":"plan","parentObservationId":"a","startTime":"2026-01-01T00:00:00.500Z","endTime":"2026-01-01T00:00:01.000Z","level":"DEFAULT"}],
 "scores":[{"name":"correct","value":0,"dataType":"BOOLEAN"},{"name":"tone","value":0.7}]}
X
runs 'Langfuse' langfuse langfuse.json 'failure final l1: plan=ok search=fail'
counts 'a score between is no verdict' '["1 scores that are no verdict"]'
jq -c '.observations[]' langfuse.json >observations.ndjson
runs 'or its observations, a line each' langfuse observations.ndjson 'unknown final l1: plan=ok search=fail'

# --- inspect
cat >inspect.json <<'X'
{"version":2,"status":"success","eval":{"run_id":"E"},"samples":[
 {"id":1,"epoch":1,"scores":{"match":{"value":"C"}},"events":[{"event":"sample_init"},{"event":"model","output":{"choices":[{"message":{"role":"assistant","tool_calls":[{"id":"x","function":"bash"}]}}]}},{"event":"tool","id":"x","function":"bash","error":{"type":"timeout","message":"m"}},{"event":"tool","id":"y","function":"bash","error":null},{"event":"model","output":{"choices":[{"message":{"role":"assistant","content":"done"}}]}},{"event":"novel"}]},
 {"id":"two","epoch":2,"scores":{"match":{"value":"I"}},"limit":{"type":"message","limit":30},"events":[{"event":"tool","id":"x","function":"python","error":{"type":"parsing"}}]},
 {"id":"three","epoch":1,"error":{"message":"m"},"messages":[{"role":"assistant","content":"","tool_calls":[{"id":"q","function":"bash","arguments":{}}]},{"role":"tool","tool_call_id":"q","error":null},{"role":"assistant","content":"x"}]}]}
X
runs 'Inspect: events, or messages where there are none' inspect inspect.json 'success final 1: bash=timeout bash=ok respond=ok
failure budget two: python=fail
failure error three: bash=ok respond=ok'
counts 'an unknown event is counted' '["1 events of an unknown kind"]'
ok 'a call that could not be parsed is a matter of the schema' sh -c 'runs-from inspect inspect.json | first-failure-matrix | jq -s -e "map(select(.type == \"assignment\" and .task_id == \"two\") | .layer) == [\"tool_schema\"]"'

# --- playwright
cat >report.json <<'X'
{"config":{},"suites":[{"title":"shop.spec.ts","file":"shop.spec.ts","specs":[],"suites":[{"title":"cart","specs":[{"title":"pays","tests":[{"projectName":"chromium","expectedStatus":"passed","results":[
 {"retry":0,"status":"timedOut","steps":[{"title":"login","steps":[{"title":"type"},{"title":"submit"}]},{"title":"pay","error":{"message":"m"},"steps":[{"title":"card"},{"title":"confirm","error":{"message":"m"}}]}]},
 {"retry":1,"status":"passed","steps":[{"title":"login"},{"title":"pay"}]}]}]},
 {"title":"known","tests":[{"projectName":"chromium","expectedStatus":"failed","results":[{"retry":0,"status":"failed"}]}]},
 {"title":"later","tests":[{"projectName":"chromium","expectedStatus":"skipped","results":[{"retry":0,"status":"skipped"}]}]}]}]}]}
X
runs 'the JSON reporter: the deepest step that failed; what is expected to fail passes' playwright report.json 'failure timeout [chromium] shop.spec.ts > cart > pays: login > type=ok login > submit=ok pay > card=ok pay > confirm=fail
success final [chromium] shop.spec.ts > cart > pays: login=ok pay=ok
success final [chromium] shop.spec.ts > cart > known: '
counts 'a skipped test is no run, and counted' '["1 tests that were skipped"]'
cells 'a matrix of user steps' playwright report.json 'pay > card pay > confirm'
trace=$TRACES/gql-unauthenticated
if [ -e "$trace/trace.zip" ]; then
	trace-unpack "$trace/trace.zip" | trace-events >events
	cells 'a trace' playwright events 'close ticket T-102 ticket T-102 is CLOSED'
	cells 'and the report of the same run' playwright "$trace/results.json" 'close ticket T-102 ticket T-102 is CLOSED'
else
	skip 'a trace and its report' "no $TRACES"
fi

# --- answers
cat >answers.ndjson <<'X'
{"type":"trace","name":"golden/case-a"}
{"type":"answer","name":"golden/case-a","epoch":2,"prompt":"rca.v1","output":{}}
{"type":"citation","cite":"a:1","ok":true}
{"type":"phase","n":1,"name":"locate","ok":true}
{"type":"phase","n":2,"name":"reproduce","ok":false}
{"type":"trace","name":"golden/case-b"}
{"type":"unclassified","name":"golden/case-b","reason":"budget"}
{"type":"score","case":"x","status":"review"}
X
runs 'our own answers' answers answers.ndjson 'unknown final case-a: locate=ok reproduce=fail
failure budget case-b: '
counts 'a score that is neither' '["1 scores that neither pass nor fail"]'

# --- input that is none
for f in otel messages langfuse inspect playwright answers; do
	ok "$f: no input" sh -c "runs-from $f /dev/null >none && test ! -s none"
	ok "$f: something else is counted" sh -c "echo '{\"a\":1}' | runs-from $f | grep -q '\"code\":\"unmapped\"'"
	echo '[{"suites":{},"observations":[1],"messages":[1,{"role":1,"content":[1,{}],"tool_calls":[1]}],"samples":[1,{}],"events":[1],"traj":1,"resourceSpans":[1,{"scopeSpans":[{"spans":[1,{"attributes":[1]}]}]}],"id":1,"type":"phase"},1,"x",null,[]]' >kinds
	ok "$f: wrong kinds" exits 0 runs-from "$f" kinds
	perl -e 'print "[" x 100000' >deep
	ok "$f: deep nesting" exits 2 runs-from "$f" deep
done
printf '%s\r\n' '{"messages":[{"role":"assistant","content":"a"}]}' '{"messages":' '{"messages":[{"role":"assistant","content":"b"}]}' >bad
printf '{"messages":[]}' >>bad
ok 'a bad line costs itself' exits 2 runs-from messages bad
ok 'the rest is there' sh -c 'test "$(grep -c "\"type\":\"run\"" out)" -eq 3'
ok 'and its place is told' grep -q '^runs-from: bad: line 2: ' err
printf '\357\273\277{"messages":[]}' >bom
ok 'a byte order mark' exits 0 runs-from messages bom
perl -e 'print q({"messages":[{"role":"tool","content":"), "x" x 10000000, q("},{"role":"assistant","content":"a\u0000b"}]})' >big
ok 'a long string, and NUL' exits 0 runs-from messages big
head -c 300 openai.json >half
ok 'a document that is cut' exits 2 runs-from messages half
ok 'gives no run' test ! -s out
ok 'a cohort' sh -c 'runs-from -c after messages openai.json | jq -e ".cohort == \"after\""'
ok 'how errors begin' sh -c 'runs-from -e found messages openai.json | jq -e ".states[0].status == \"fail\" and .states[1].status == \"ok\""'
ok 'a file that is not there' exits 2 runs-from otel nowhere
ok 'a full disk' exits 2 sh -c 'runs-from messages openai.json >/dev/full'
ok 'no such format' exits 2 runs-from csv
ok 'wrong usage' exits 2 runs-from
done_testing
