"""A larger model that reads the same pairs and teaches the reader: the lower layers of a language model, with a head of four numbers.

`teacher.py MODEL.gguf OUT LAYERS TEXTS…` takes out of a Qwen2 model in GGUF its lower layers and the words that the texts use, as they are
(packages numpy, gguf, tokenizers); `train.py` reads OUT. What it says of a pair is not in the reader's file: only the reader learned from it.
"""
import json, sys
import numpy as np

REGEX = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
# How many tokens of a text and of a passage are read, and how many tokens make a batch, taught and only read.
LONGEST_TEXT, LONGEST, TAUGHT, READ = 128, 416, 24_000, 96_000
RATE, RATE_OF_HEAD, WARMED_UP = 2e-5, 2e-4, 60


def pack(model, out, layers, paths):
    """The lower layers and the words in use, quantised as they are, with the tokenizer."""
    from gguf import GGUFReader
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
    file = GGUFReader(model)
    strings = lambda key: [bytes(file.fields[key].parts[i]).decode('utf8') for i in file.fields[key].data]
    vocabulary = {word: i for i, word in enumerate(strings('tokenizer.ggml.tokens'))}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[tuple(merge.split(' ')) for merge in strings('tokenizer.ggml.merges')]))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(REGEX), behavior='isolated'), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.save(f'{out}/tokenizer.json')
    used = set(range(300))
    for path in paths: used.update(i for line in open(path, encoding='utf8', errors='replace') for i in tokenizer.encode(line).ids)
    used, index, at = sorted(used), {}, 0
    with open(f'{out}/weights.bin', 'wb') as weights:
        for tensor in file.tensors:
            name, data = tensor.name, np.ascontiguousarray(tensor.data)
            if name == 'token_embd.weight': data = np.ascontiguousarray(data[np.array(used)])
            elif name != 'output_norm.weight' and not (name.startswith('blk.') and int(name.split('.')[1]) < layers): continue
            raw = data.tobytes(); weights.write(raw)
            index[name] = (at, len(raw), int(tensor.tensor_type), [int(n) for n in data.shape], str(data.dtype)); at += len(raw)
    json.dump(dict(index=index, keep=used, layers=layers, bytes=at), open(f'{out}/teacher.json', 'w'))


if __name__ == '__main__':
    pack(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:])
    sys.exit()

import random, time
import torch, torch.nn.functional as F
from gguf.constants import GGMLQuantizationType
from gguf.quants import dequantize
from tokenizers import Tokenizer
from transformers import Qwen2Config, Qwen2Model

NAMES = {'attn_norm': 'input_layernorm', 'ffn_norm': 'post_attention_layernorm', 'ffn_down': 'mlp.down_proj', 'ffn_gate': 'mlp.gate_proj', 'ffn_up': 'mlp.up_proj',
         'attn_q': 'self_attn.q_proj', 'attn_k': 'self_attn.k_proj', 'attn_v': 'self_attn.v_proj', 'attn_output': 'self_attn.o_proj'}


def named(name):
    """The name of a tensor as the library calls it."""
    if name == 'token_embd.weight': return 'embed_tokens.weight'
    if name == 'output_norm.weight': return 'norm.weight'
    _, layer, part, kind = name.split('.')
    return f'layers.{layer}.{NAMES[part]}.{kind}'


class Teacher(torch.nn.Module):
    def __init__(self, folder):
        super().__init__()
        about = json.load(open(f'{folder}/teacher.json')); raw = np.memmap(f'{folder}/weights.bin', dtype=np.uint8, mode='r')
        weights = {}
        for name, (at, size, kind, shape, dtype) in about['index'].items():
            kept = np.frombuffer(raw[at:at + size].tobytes(), dtype=dtype).reshape(shape)
            weights[named(name)] = torch.from_numpy(np.array(dequantize(kept, GGMLQuantizationType(kind)), dtype=np.float32))
        self.place = np.zeros(160_000, dtype=np.int64); self.place[np.array(about['keep'])] = np.arange(len(about['keep']))
        with torch.device('meta'):
            self.body = Qwen2Model(Qwen2Config(vocab_size=len(about['keep']), hidden_size=1536, intermediate_size=8960, num_hidden_layers=about['layers'], num_attention_heads=12, num_key_value_heads=2,
                                               max_position_embeddings=4096, rope_theta=1e6, rms_norm_eps=1e-6, attn_implementation='sdpa', use_cache=False))
        self.body = self.body.to_empty(device='cuda')
        # What is worked out rather than kept, and so is in no file.
        fresh = type(self.body.rotary_emb)(config=self.body.config); self.body.rotary_emb = fresh.cuda()
        wrong = self.body.load_state_dict(weights, strict=False)
        assert not wrong.unexpected_keys and not wrong.missing_keys, wrong
        self.head = torch.nn.Linear(1536, 4).cuda(); torch.nn.init.normal_(self.head.weight, std=.01); torch.nn.init.zeros_(self.head.bias)
        self.body.embed_tokens.weight.requires_grad = False
        self.tokenizer = Tokenizer.from_file(f'{folder}/tokenizer.json')
        self.between, self.after = (self.ids([text])[0] for text in ('\n###\n', '\n=>'))

    def ids(self, texts):
        return [self.place[encoded.ids] for encoded in self.tokenizer.encode_batch(texts)]

    def encode(self, pairs):
        """The passage first, then the text, so that all that is read of the text knows the passage."""
        rows = []
        for k in range(0, len(pairs), 50_000):
            part = pairs[k:k + 50_000]
            for text, passage in zip(self.ids([a for a, _ in part]), self.ids([b for _, b in part])):
                text = text[:LONGEST_TEXT]
                rows.append(np.concatenate([passage[:LONGEST - len(text)], self.between, text, self.after]).astype(np.int32))
        return rows

    def forward(self, rows):
        # No mask: what stands behind a row's end is seen by nothing before it.
        lengths = torch.tensor([len(row) for row in rows]); grid = np.zeros((len(rows), int(lengths.max())), dtype=np.int64)
        for i, row in enumerate(rows): grid[i, :len(row)] = row
        with torch.autocast('cuda', torch.bfloat16):
            hidden = self.body(input_ids=torch.from_numpy(grid).cuda(), attention_mask=None).last_hidden_state
        last = hidden[torch.arange(len(rows), device='cuda'), (lengths - 1).cuda()]
        return F.linear(last.float(), self.head.weight, self.head.bias)

    @staticmethod
    def batches(rows, order, tokens):
        """Rows of like length, as many as there is room for."""
        found, longest = [[]], 0
        for i in order:
            longest = max(longest, len(rows[i]))
            if found[-1] and longest * (len(found[-1]) + 1) > tokens: found.append([]); longest = len(rows[i])
            found[-1].append(i)
        return found

    def score(self, pairs):
        self.eval(); rows = self.encode(pairs); out = torch.zeros(len(rows), 4)
        with torch.no_grad():
            for batch in self.batches(rows, sorted(range(len(rows)), key=lambda i: len(rows[i])), READ): out[batch] = self([rows[i] for i in batch]).cpu()
        self.train(); return out

    def learn(self, lessons, seconds, said):
        """Lessons are (task, text, passage, label, weight), seen once at most, in chance order."""
        self.train(); random.Random(7).shuffle(lessons); rows = self.encode([(t, p) for _, t, p, *_ in lessons]); said('the teacher reads', len(rows), 'mean length', round(float(np.mean([len(r) for r in rows]))))
        chunks = []
        for k in range(0, len(rows), 6_000): chunks += [b for b in self.batches(rows, sorted(range(k, min(k + 6_000, len(rows))), key=lambda i: len(rows[i])), TAUGHT)]
        # Of like length within a batch, of all lengths one after the other.
        for k in range(0, len(chunks), 40): part = chunks[k:k + 40]; random.Random(k).shuffle(part); chunks[k:k + 40] = part
        task, label, weight = (torch.tensor([float(x[at]) for x in lessons]) for at in (0, 3, 4))
        learned = [p for p in self.body.parameters() if p.requires_grad]
        optimiser = torch.optim.AdamW([{'params': learned, 'rate': RATE}, {'params': self.head.parameters(), 'rate': RATE_OF_HEAD}], lr=RATE, weight_decay=.01, betas=(.9, .98), fused=True)
        begun, seen, loss_seen = time.time(), 0, None
        for step, batch in enumerate(chunks):
            gone = max((time.time() - begun) / seconds, step / len(chunks))
            if gone >= 1: break
            for group in optimiser.param_groups: group['lr'] = group['rate'] * min(1, (step + 1) / WARMED_UP) * (1 - gone + .01)
            z = self([rows[i] for i in batch]); y, w, of = label[batch].cuda(), weight[batch].cuda(), task[batch].cuda()
            answers = F.binary_cross_entropy_with_logits(z[:, 0], y.clamp(0, 1), reduction='none')
            follows = F.cross_entropy(z[:, 1:], y.long().clamp(0, 2), reduction='none')
            loss = (torch.where(of == 0, answers, follows) * w).sum() / w.sum()
            optimiser.zero_grad(set_to_none=True); loss.backward(); torch.nn.utils.clip_grad_norm_(learned, 1.0); optimiser.step()
            seen += len(batch); loss_seen = loss.item() if loss_seen is None else .97 * loss_seen + .03 * loss.item()
            if step % 50 == 49: said('teacher step', step + 1, 'of', len(chunks), 'pairs', seen, 'loss', round(loss_seen, 4))
        said('the teacher saw', seen, 'pairs')
