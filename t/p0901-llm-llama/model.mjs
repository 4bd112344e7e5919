// Writes a llama model with random weights: two layers, a vocabulary of bytes, half a megabyte.
// It says nothing sensible, but it is a real model for a real engine, and the same one each time.
// Usage: node model.mjs FILE
import { writeFileSync } from 'node:fs';

const width = 64, hidden = 128, layers = 2, heads = 4;
const tokens = ['<unk>', '<s>', '</s>'];
const kinds = [2, 3, 3]; // unknown, control, control
for (let byte = 0; byte < 256; byte++) {
	tokens.push(`<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
	kinds.push(6); // byte
}

let bytes = [];
const u32 = n => { const b = Buffer.alloc(4); b.writeUInt32LE(n); return b; };
const u64 = n => { const b = Buffer.alloc(8); b.writeBigUInt64LE(BigInt(n)); return b; };
const f32 = n => { const b = Buffer.alloc(4); b.writeFloatLE(n); return b; };
const text = s => { const b = Buffer.from(s); return Buffer.concat([u64(b.length), b]); };
const U32 = n => [4, u32(n)], F32 = n => [6, f32(n)], TEXT = s => [8, text(s)], BOOL = b => [7, Buffer.from([b ? 1 : 0])];
const LIST = (kind, items) => [9, Buffer.concat([u32(kind), u64(items.length), ...items])];

const facts = Object.entries({
	'general.architecture': TEXT('llama'),
	'general.name': TEXT('random'),
	'general.alignment': U32(32),
	'llama.vocab_size': U32(tokens.length),
	'llama.context_length': U32(8192),
	'llama.embedding_length': U32(width),
	'llama.block_count': U32(layers),
	'llama.feed_forward_length': U32(hidden),
	'llama.rope.dimension_count': U32(width / heads),
	'llama.attention.head_count': U32(heads),
	'llama.attention.head_count_kv': U32(heads),
	'llama.attention.layer_norm_rms_epsilon': F32(1e-5),
	'tokenizer.ggml.model': TEXT('llama'),
	'tokenizer.ggml.tokens': LIST(8, tokens.map(text)),
	'tokenizer.ggml.scores': LIST(6, tokens.map(() => f32(0))),
	'tokenizer.ggml.token_type': LIST(5, kinds.map(u32)),
	'tokenizer.ggml.bos_token_id': U32(1),
	'tokenizer.ggml.eos_token_id': U32(2),
	'tokenizer.ggml.unknown_token_id': U32(0),
	'tokenizer.ggml.add_bos_token': BOOL(true),
});

const tensors = [['token_embd.weight', width, tokens.length], ['output_norm.weight', width], ['output.weight', width, tokens.length]];
for (let i = 0; i < layers; i++)
	tensors.push([`blk.${i}.attn_norm.weight`, width], [`blk.${i}.attn_q.weight`, width, width],
		[`blk.${i}.attn_k.weight`, width, width], [`blk.${i}.attn_v.weight`, width, width],
		[`blk.${i}.attn_output.weight`, width, width], [`blk.${i}.ffn_norm.weight`, width],
		[`blk.${i}.ffn_gate.weight`, width, hidden], [`blk.${i}.ffn_up.weight`, width, hidden],
		[`blk.${i}.ffn_down.weight`, hidden, width]);

let state = 42; // a linear congruential generator: the same weights on every machine
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32 - 0.5;

const head = [Buffer.from('GGUF'), u32(3), u64(tensors.length), u64(facts.length)];
for (const [key, [kind, value]] of facts) head.push(text(key), u32(kind), value);
const data = [];
let offset = 0;
for (const [name, ...dims] of tensors) {
	const count = dims.reduce((a, b) => a * b);
	head.push(text(name), u32(dims.length), ...dims.map(u64), u32(0), u64(offset)); // 0: F32
	const b = Buffer.alloc(count * 4); // a multiple of 32
	for (let i = 0; i < count; i++) b.writeFloatLE(dims.length === 1 ? 1 : random() * 0.4, i * 4);
	data.push(b);
	offset += b.length;
}
bytes = Buffer.concat(head);
const gap = Buffer.alloc((32 - bytes.length % 32) % 32);
writeFileSync(process.argv[2], Buffer.concat([bytes, gap, ...data]));
