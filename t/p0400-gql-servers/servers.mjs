// Starts GraphQL servers of several makers, asks each the same questions, and prints what went over
// the wire as request and body records, a trace for each question: "server: question".
import { createServer, request } from 'node:http';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(join(process.argv[2], 'node_modules', 'x.js'));
const { GraphQLSchema, GraphQLObjectType, GraphQLInputObjectType, GraphQLString, GraphQLInt, GraphQLBoolean, GraphQLNonNull, GraphQLList, GraphQLError } = require('graphql');
const { ApolloServer } = require('@apollo/server');
const { startStandaloneServer } = require('@apollo/server/standalone');
const { createYoga } = require('graphql-yoga');
const { useDeferStream } = require('@graphql-yoga/plugin-defer-stream');
const { useAPQ } = require('@graphql-yoga/plugin-apq');
const { createHandler } = require('graphql-http/lib/use/http');
const { createHandler: createStream } = require('graphql-sse/lib/use/http');
const { makeServer } = require('graphql-ws');
const { WebSocketServer, WebSocket } = require('ws');
const { useServer } = require('graphql-ws/use/ws');
const fastify = require('fastify');
const mercurius = require('mercurius');
void makeServer;

const coded = (message, code) => { throw new GraphQLError(message, { extensions: { code } }); };
const item = new GraphQLObjectType({ name: 'Item', fields: {
	id: { type: GraphQLInt },
	owner: { type: GraphQLString, resolve: () => { throw new Error('owner service: connect ECONNREFUSED 127.0.0.1:9'); } },
	late: { type: GraphQLString, resolve: () => new Promise(done => setTimeout(() => done('late'), 20)) },
} });
const save = new GraphQLInputObjectType({ name: 'Save', fields: { id: { type: new GraphQLNonNull(GraphQLInt) } } });
const makeSchema = () => new GraphQLSchema({
	query: new GraphQLObjectType({ name: 'Query', fields: {
		ok: { type: GraphQLInt, resolve: () => 1 },
		nothing: { type: GraphQLString, resolve: () => null },
		items: { type: new GraphQLList(item), resolve: () => [{ id: 1 }] },
		boom: { type: GraphQLString, resolve: () => { throw new Error('kaboom'); } },
		must: { type: new GraphQLNonNull(GraphQLString), resolve: () => null },
		login: { type: GraphQLString, resolve: () => coded('Sign in first', 'UNAUTHENTICATED') },
		admin: { type: GraphQLString, resolve: () => coded('Admins only', 'FORBIDDEN') },
		missing: { type: GraphQLString, resolve: () => coded('No ticket 7', 'NOT_FOUND') },
	} }),
	mutation: new GraphQLObjectType({ name: 'Mutation', fields: {
		save: { type: GraphQLBoolean, args: { input: { type: new GraphQLNonNull(save) } }, resolve: () => true },
	} }),
	subscription: new GraphQLObjectType({ name: 'Subscription', fields: {
		tick: { type: GraphQLInt, subscribe: async function* () { yield { tick: 1 }; yield { tick: 2 }; } },
		denied: { type: GraphQLInt, subscribe: () => coded('Not for you', 'FORBIDDEN') },
	} }),
});

const query = 'query Ask { ok }';
const hash = createHash('sha256').update(query).digest('hex');
const persisted = { operationName: 'Ask', extensions: { persistedQuery: { version: 1, sha256Hash: hash } } };
const save1 = 'mutation Save($input: Save!) { save(input: $input) }';
const questions = [
	['good', { query }],
	['null field', { query: '{ nothing }' }],
	['unknown field', { query: 'query Ask { okay }' }],
	['unknown argument', { query: 'query Ask { ok(x: 1) }' }],
	['no sub-selection', { query: 'query Ask { items }' }],
	['syntax', { query: 'query Ask { ok ' }],
	['unknown operation', { query, operationName: 'Other' }],
	['variable left out', { query: save1, variables: {} }],
	['variable of a wrong type', { query: save1, variables: { input: { id: 'x' } } }],
	['thrown error', { query: 'query Ask { boom }' }],
	['null where none may be', { query: 'query Ask { must }' }],
	['not signed in', { query: 'query Ask { login }' }],
	['not allowed', { query: 'query Ask { admin }' }],
	['not there', { query: 'query Ask { missing }' }],
	['part of the data', { query: 'query Ask { ok items { id owner } }' }],
];

const exchange = (port, path, method, headers, body) => new Promise((done, fail) => {
	const r = request({ port, path, method, headers }, response => {
		const parts = [];
		response.on('data', part => parts.push(part));
		response.on('end', () => done({ status: response.statusCode, mime: response.headers['content-type'], text: Buffer.concat(parts).toString() }));
	});
	r.on('error', fail);
	r.end(body);
});
const put = record => process.stdout.write(JSON.stringify(record) + '\n');
let n;
const begin = name => { put({ type: 'trace', name }); put({ type: 'test', ref: 'test:1', status: 'failed' }); n = 0; };
const tell = (port, path, method, mime, body, answer) => {
	n++;
	const ref = `request:${n}`;
	put({ type: 'request', ref, id: ref, t: n, method, url: `http://127.0.0.1${path}`, status: answer.status, mime: answer.mime });
	if (body !== undefined) put({ type: 'body', of: 'request', requests: [ref], mime, text: body });
	put({ type: 'body', of: 'response', requests: [ref], mime: answer.mime, text: answer.text });
};
const post = async (port, path, value, headers = {}) => {
	const body = JSON.stringify(value);
	const answer = await exchange(port, path, 'POST', { 'content-type': 'application/json', accept: 'application/json', ...headers }, body);
	tell(port, path, 'POST', 'application/json', body, answer);
};
const get = async (port, path, headers) => tell(port, path, 'GET', undefined, undefined, await exchange(port, path, 'GET', headers));

const ask = async (name, port, path) => {
	for (const [what, value] of questions) {
		begin(`${name}: ${what}`);
		await post(port, path, value);
	}
	begin(`${name}: GET`);
	await get(port, `${path}?query=${encodeURIComponent(query)}`, { accept: 'application/json', 'apollo-require-preflight': '1' });
};
const listen = server => new Promise(done => server.listen(0, '127.0.0.1', () => done(server.address().port)));
const servers = [];

{ // Apollo Server
	const server = new ApolloServer({ schema: makeSchema(), allowBatchedHttpRequests: true, includeStacktraceInErrorResponses: false, logger: { debug() {}, info() {}, warn() {}, error() {} } });
	const { url } = await startStandaloneServer(server, { listen: { port: 0, host: '127.0.0.1' } });
	const port = new URL(url).port;
	await ask('apollo', port, '/graphql');
	begin('apollo: persisted, missed, then sent');
	await post(port, '/graphql', persisted);
	await post(port, '/graphql', { ...persisted, query });
	begin('apollo: persisted, missed');
	await post(port, '/graphql', { extensions: { persistedQuery: { version: 1, sha256Hash: 'f'.repeat(64) } } });
	begin('apollo: batch');
	await post(port, '/graphql', [{ query }, { query: 'query Two { login }' }]);
	begin('apollo: refused as forgery');
	await get(port, `/graphql?query=${encodeURIComponent(query)}`, {});
	servers.push(() => server.stop());
}
{ // Yoga
	const yoga = createYoga({ schema: makeSchema(), logging: false, batching: true, plugins: [useDeferStream(), useAPQ()] });
	const server = createServer(yoga);
	const port = await listen(server);
	await ask('yoga', port, '/graphql');
	begin('yoga: persisted, missed, then sent');
	await post(port, '/graphql', persisted);
	await post(port, '/graphql', { ...persisted, query });
	begin('yoga: batch');
	await post(port, '/graphql', [{ query }, { query: 'query Two { login }' }]);
	begin('yoga: deferred');
	await post(port, '/graphql', { query: 'query Ask { items { id ... @defer { late } } }' }, { accept: 'multipart/mixed' });
	begin('yoga: deferred, with an error');
	await post(port, '/graphql', { query: 'query Ask { items { id ... @defer { owner } } }' }, { accept: 'multipart/mixed' });
	begin('yoga: subscription by event stream');
	await post(port, '/graphql', { query: 'subscription Sub { tick }' }, { accept: 'text/event-stream' });
	begin('yoga: subscription refused');
	await post(port, '/graphql', { query: 'subscription Sub { denied }' }, { accept: 'text/event-stream' });
	servers.push(() => server.close());
}
{ // graphql-js, by its reference server over HTTP
	const server = createServer(createHandler({ schema: makeSchema() }));
	await ask('graphql-js', await listen(server), '/graphql');
	servers.push(() => server.close());
}
{ // Mercurius
	const app = fastify();
	app.register(mercurius, { schema: makeSchema(), allowBatchedQueries: true });
	await app.listen({ port: 0, host: '127.0.0.1' });
	await ask('mercurius', app.server.address().port, '/graphql');
	begin('mercurius: batch');
	await post(app.server.address().port, '/graphql', [{ query }, { query: 'query Two { login }' }]);
	servers.push(() => app.close());
}
{ // graphql-sse
	const server = createServer(createStream({ schema: makeSchema() }));
	const port = await listen(server);
	begin('graphql-sse: subscription');
	await post(port, '/graphql/stream', { query: 'subscription Sub { tick }' }, { accept: 'text/event-stream' });
	begin('graphql-sse: unknown field');
	await post(port, '/graphql/stream', { query: 'subscription Sub { tock }' }, { accept: 'text/event-stream' });
	servers.push(() => server.close());
}
{ // graphql-ws: frames as Playwright keeps them
	const server = createServer();
	const sockets = new WebSocketServer({ server, path: '/graphql' });
	useServer({ schema: makeSchema() }, sockets);
	const port = await listen(server);
	const talk = async (name, payload) => {
		const frames = [];
		await new Promise(done => {
			const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
			const keep = (type, data) => frames.push(JSON.stringify({ type, time: 1, opcode: 1, data }));
			const send = message => { const data = JSON.stringify(message); keep('send', data); socket.send(data); };
			socket.on('open', () => send({ type: 'connection_init' }));
			socket.on('message', data => {
				keep('receive', String(data));
				const { type } = JSON.parse(data);
				if (type === 'connection_ack') send({ id: 'a', type: 'subscribe', payload });
				if (type === 'complete' || type === 'error') socket.close();
			});
			socket.on('close', done);
		});
		begin(name);
		put({ type: 'request', ref: 'request:1', id: 'request:1', t: 1, method: 'GET', url: 'ws://127.0.0.1/graphql', status: 101 });
		put({ type: 'body', of: 'response', requests: ['request:1'], text: frames.join('\n') + '\n' });
	};
	await talk('graphql-ws: subscription', { query: 'subscription Sub { tick }' });
	await talk('graphql-ws: refused', { query: 'subscription Sub { denied }' });
	await talk('graphql-ws: unknown field', { query: 'subscription Sub { tock }' });
	await talk('graphql-ws: query', { query: 'query Ask { items { id owner } }' });
	servers.push(() => { sockets.close(); server.close(); });
}
for (const stop of servers) await stop();
process.exit(0);
