"""Goes on with a reader on an ordinary processor: statements in one language about a passage in the other, and what denies them.

usage: denials.py START_FOLDER OUT.safetensors [SECONDS [RATE]]   (numpy, safetensors, tokenizers, jax, optax)

START_FOLDER is an exported reader. Taught are denials.jsonl (sentences in both languages with statements that follow from them and such
that they deny; a row whose sentence's hash says so is held out) and the statements of passages/ that are in another language than their
passage. All else that the reader knows is kept by its own word: what it says of a sample of the other statements and of questions is what
it is to say of them afterwards. The words and the lower half of the layers stay as they are, so what they give is computed once. Seeds are
fixed, but a run is bounded by time. Prints what denials_measured.jsonl gives before and after. OUT is for `export.py OUT START_FOLDER`.
"""
import glob, hashlib, json, os, random, re, sys, time
import jax, jax.numpy as jnp, numpy as np, optax
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer

START, OUT = sys.argv[1:3]
SECONDS = float(sys.argv[3]) if len(sys.argv) > 3 else 1500
RATE = float(sys.argv[4]) if len(sys.argv) > 4 else 4e-5
HERE = os.path.dirname(os.path.abspath(__file__))
SEED, BATCH, LONGEST, HEADS, LAYERS, KEPT_LAYERS = 7, 32, 128, 12, 12, 6
# How many statements about passages in the other language, and how many other statements and questions, are taught of all passages.
ACROSS, KEPT = 1_000, 1_200
# How much the label weighs of a statement that the reader also had a word about, and on what scale its log-odds of an answer are compared.
LABEL_OF_PASSAGE, SPREAD = .5, 2.5
ANSWERS, FOLLOWS = 0, 1
started = time.time(); random.seed(SEED)
said = lambda *what: print(*what, f'[{time.time() - started:.0f} s]', flush=True)
is_held = lambda text: int(hashlib.sha256(text.encode()).hexdigest(), 16) % 12 == 0
read = lambda path: [json.loads(line) for line in open(path, encoding='utf8') if line.strip()]

# --- the model
def weights_of(path):
    kept = load_file(path)
    real = lambda k, v: v.astype(np.float32) * (kept[k + '.scale'][:, None] if k + '.scale' in kept else 1)
    return {k: real(k, v) for k, v in kept.items() if not k.endswith('.scale')}

def normal(x, w, name):
    return jax.nn.standardize(x, epsilon=1e-12) * w[f'{name}.weight'] + w[f'{name}.bias']

linear = lambda x, w, name: x @ w[f'{name}.weight'].T + w[f'{name}.bias']

def layer(x, w, at, bias):
    rows, length, width = x.shape; name = f'bert.encoder.layer.{at}.'
    heads = lambda of: linear(x, w, f'{name}attention.self.{of}').reshape(rows, length, HEADS, -1).swapaxes(1, 2)
    seen = jax.nn.softmax(heads('query') @ heads('key').swapaxes(2, 3) / np.sqrt(width // HEADS) + bias) @ heads('value')
    x = normal(x + linear(seen.swapaxes(1, 2).reshape(x.shape), w, f'{name}attention.output.dense'), w, f'{name}attention.output.LayerNorm')
    inner = jax.nn.gelu(linear(x, w, f'{name}intermediate.dense'), approximate=False)
    return normal(x + linear(inner, w, f'{name}output.dense'), w, f'{name}output.LayerNorm')

bias_of = lambda mask: jnp.where(mask[:, None, None, :] > 0, 0., -1e9)

@jax.jit
def lower(w, ids, kinds, mask):
    name = 'bert.embeddings.'
    x = w[f'{name}word_embeddings.weight'][ids] + w[f'{name}position_embeddings.weight'][:ids.shape[1]] + w[f'{name}token_type_embeddings.weight'][kinds]
    x = normal(x, w, f'{name}LayerNorm')
    for at in range(KEPT_LAYERS): x = layer(x, w, at, bias_of(mask))
    return x

def upper(w, x, mask):
    for at in range(KEPT_LAYERS, LAYERS): x = layer(x, w, at, bias_of(mask))
    return linear(jnp.tanh(linear(x[:, 0], w, 'bert.pooler.dense')), w, 'classifier')

upper_alone = jax.jit(upper)
tokenizer = Tokenizer.from_file(f'{START}/tokenizer.json'); tokenizer.no_padding(); tokenizer.enable_truncation(LONGEST, strategy='longest_first')

def batches(pairs):
    """Pairs of like length together, as grids of a few lengths, so that little is compiled."""
    rows = tokenizer.encode_batch(pairs); order = sorted(range(len(rows)), key=lambda i: len(rows[i].ids))
    for k in range(0, len(order), BATCH):
        those = order[k:k + BATCH]; longest = next(n for n in range(32, LONGEST + 1, 32) if n >= len(rows[those[-1]].ids))
        grid = np.zeros((3, BATCH, longest), dtype=np.int32); grid[2, :, 0] = 1
        for at, i in enumerate(those):
            n = len(rows[i].ids); grid[:, at, :n] = rows[i].ids, rows[i].type_ids, [1] * n
        yield those, grid

def score(w, pairs):
    out = np.zeros((len(pairs), 4), dtype=np.float32)
    for those, (ids, kinds, mask) in batches(pairs): out[those] = np.asarray(upper_alone(w, lower(w, ids, kinds, mask), mask))[:len(those)]
    return out

# --- material: (task, text, passage, label or None for the reader's own word alone, weight)
is_dutch = lambda text: len(re.findall(r'\b(de|het|een|van|niet|wordt|worden|zijn|voor|met|geen|dat|die|bij|naar)\b', text.lower())) \
    > len(re.findall(r'\b(the|an?|of|not|is|are|for|with|no|that|which|to|be|by)\b', text.lower()))
own = [r for path in sorted(glob.glob(f'{HERE}/passages/*.jsonl')) for r in read(path) if not is_held(r['passage'])]
rows = [r for r in read(f'{HERE}/denials.jsonl') if not is_held(r['en'])]

def among(sentence, language):
    """A sentence as it stands in a document: by itself, or below a heading and beside what has nothing to do with it."""
    if random.random() < .35: return sentence
    r = random.choice([r for r in random.sample(own, 12) if r['language'] == language] or own); beside = r['passage'][:random.choice((80, 160, 300))]
    text = random.choice((f'{sentence} {beside}', f'{beside}\n{sentence}', f'{beside}\n\n{sentence}\n'))
    return text if random.random() < .5 else f"{r['title']} › {r.get('heading') or ''}\n{text}"

pairs = []
for r in rows:
    for language in ('en', 'nl'):
        for kind, label in (('true', 0), ('denied', 2)):
            for said_so in r[kind]:
                for of in ('en', 'nl'):
                    # Within a language it knows these; a few keep it so.
                    if of != language or random.random() < .3: pairs.append((FOLLOWS, said_so[of], among(r[language], language), label, 1.0))
            other = random.choice(rows)
            if other is not r and random.random() < .15: pairs.append((FOLLOWS, random.choice(other[kind])[random.choice(('en', 'nl'))], among(r[language], language), 1, 1.0))
        pairs.append((FOLLOWS, r['nl' if language == 'en' else 'en'], among(r[language], language), 0, .5))
statements = [(FOLLOWS, text, r['passage'], label, 1.0) for r in own for text, label in
              [(t, 0) for t in r['true']] + [(t['text'], 1 if t['kind'] == 'invented' else 2) for t in r['lies']] if is_dutch(text) != (r['language'] == 'nl')]
others = [(FOLLOWS, text, r['passage'], None, 1.0) for r in own for text in r['true'] + [t['text'] for t in r['lies']] + r['unsaid'] if is_dutch(text) == (r['language'] == 'nl')] \
    + [(ANSWERS, text, r['passage'], None, 1.0) for r in own for text in r['answered'] + r['near']]
pairs += random.sample(statements, min(ACROSS, len(statements))) + random.sample(others, KEPT)
said('rows', len(rows), 'pairs', len(pairs))

def measure(w, name):
    """Of what neither this nor any training saw: how much that follows is kept at .5, how much that is denied shown, by language of passage and statement."""
    for of, rows in (('measured', read(f'{HERE}/denials_measured.jsonl')), ('held', [r for r in read(f'{HERE}/denials.jsonl') if is_held(r['en'])])):
        for language in ('en', 'nl'):
            for said_in in ('en', 'nl'):
                taken = [(kind, (s[said_in], r[language])) for r in rows for kind in ('true', 'denied') for s in r[kind]]
                z = score(w, [pair for _, pair in taken])[:, 1:]; e = np.exp(z[:, 0]) / np.exp(z).sum(1)
                true, denied = (e[[at for at, (k, _) in enumerate(taken) if k == kind]] for kind in ('true', 'denied'))
                said(name, of, language, 'passage,', said_in, 'statement: kept', round(float((true >= .5).mean()), 2), 'of', len(true), 'shown', round(float((denied >= .5).mean()), 2),
                     'of', len(denied), 'area', round(float((true[:, None] > denied[None]).mean()), 3))

# --- training
w = {k: jnp.asarray(v) for k, v in weights_of(f'{START}/model.safetensors').items()}
is_taught = lambda k: 'pooler' in k or 'classifier' in k or any(f'.layer.{at}.' in k for at in range(KEPT_LAYERS, LAYERS))
learned = {k: v for k, v in w.items() if is_taught(k)}; measure(w, 'start')
label = np.array([-1 if p[3] is None else p[3] for p in pairs]); task = np.array([p[0] for p in pairs])
share = np.where(label < 0, 0, LABEL_OF_PASSAGE); share[:len(pairs) - KEPT - min(ACROSS, len(statements))] = 1
weight = np.array([p[4] for p in pairs], dtype=np.float32); ready = []
for those, (ids, kinds, mask) in batches([p[1:3] for p in pairs]):
    x = lower(w, ids, kinds, mask); before = np.asarray(upper_alone(learned, x, mask)); n = len(those); fill = [*those, *those[:1] * (BATCH - n)]
    here = weight[fill].copy(); here[n:] = 0
    ready.append((np.asarray(x, dtype=np.float16), mask, before, np.maximum(label[fill], 0), task[fill], share[fill].astype(np.float32), here))
said('what stays is computed, batches', len(ready))

def loss_of(learned, x, mask, before, label, task, share, weight):
    z = upper(learned, x.astype(jnp.float32), mask); likely = jax.nn.log_softmax(z[:, 1:])
    by_label = -jnp.take_along_axis(likely, label[:, None], 1)[:, 0]
    by_word = -(jax.nn.softmax(before[:, 1:]) * likely).sum(1)
    answers = optax.sigmoid_binary_cross_entropy(z[:, 0] / SPREAD, jax.nn.sigmoid(before[:, 0] / SPREAD))
    each = jnp.where(task == ANSWERS, answers, share * by_label + (1 - share) * by_word)
    return (each * weight).sum() / jnp.maximum(weight.sum(), 1)

rate = lambda gone: RATE * min(1, gone * 20) * (1 - gone)
optimiser = optax.inject_hyperparams(optax.adamw)(learning_rate=RATE, weight_decay=.01); state = optimiser.init(learned)

@jax.jit
def step(learned, state, *batch):
    loss, slope = jax.value_and_grad(loss_of)(learned, *batch); slope = optax.clip_by_global_norm(1.0).update(slope, None)[0]
    change, state = optimiser.update(slope, state, learned)
    return optax.apply_updates(learned, change), state, loss

begun, steps, seen = time.time(), 0, []
while time.time() - begun < SECONDS:
    for batch in random.sample(ready, len(ready)):
        gone = (time.time() - begun) / SECONDS
        if gone >= 1: break
        state.hyperparams['learning_rate'] = jnp.asarray(rate(gone)); learned, state, loss = step(learned, state, *batch); steps += 1; seen.append(float(loss))
        if steps % 100 == 0: said('step', steps, 'rounds', round(steps / len(ready), 2), 'loss', round(float(np.mean(seen[-100:])), 4))
w.update(learned); measure(w, 'end')
save_file({k: np.asarray(v).astype(np.float16) for k, v in w.items() if 'word_embeddings' not in k}, OUT); said('steps', steps)
