// The verdicts of promptfoo's own assertion code, a line for each case of standard input.
import { readFileSync } from 'node:fs';
import { assertions } from 'promptfoo';

for (const line of readFileSync(0, 'utf8').split('\n')) {
	if (!line) continue;
	const { turn, theirs } = JSON.parse(line);
	const spans = (turn.tool_calls ?? []).map((call, i) => ({
		spanId: `s${i}`, name: 'tool', startTime: i, endTime: i,
		attributes: { 'gen_ai.tool.name': call.name, 'gen_ai.tool.call.arguments': JSON.stringify(call.arguments) },
	}));
	let verdict;
	try {
		const result = await assertions.runAssertion({
			assertion: theirs, test: { vars: {} }, latencyMs: turn.latency_ms, traceId: 't',
			providerResponse: { output: turn.reply ?? '', error: turn.error }, traceData: { traceId: 't', spans },
		});
		verdict = result.pass;
	} catch (error) {
		verdict = `error: ${error.message}`;
	}
	console.log(String(verdict));
}
process.exit(0);
