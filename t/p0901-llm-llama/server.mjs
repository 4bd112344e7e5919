// An OpenAI-compatible server that others wrote, over llama.cpp.
// Usage: node server.mjs MODULES MODEL SCHEMA PORTFILE
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
const [modules, model, schema, portFile] = process.argv.slice(2);
const { InferenceServer } = await import(`${modules}/inference-server/dist/server.js`);
const { createExpressServer } = await import(`${modules}/inference-server/dist/http.js`);
const inference = new InferenceServer({
	log: 'warn', concurrency: 1, cachePath: `${portFile}.cache`,
	models: {
		random: {
			task: 'text-completion', engine: 'node-llama-cpp', location: model, file: model,
			contextSize: 4096, device: { gpu: false, cpuThreads: 1 },
			grammars: { json: JSON.parse(readFileSync(schema, 'utf8')) },
			completionDefaults: { seed: 7, temperature: 1 },
		},
	},
});
await inference.start();
const http = createExpressServer(inference);
http.listen(0, '127.0.0.1', function () {
	writeFileSync(`${portFile}.new`, String(this.address().port));
	renameSync(`${portFile}.new`, portFile);
});
