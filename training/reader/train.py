"""Trains the reader: a cross-encoder that says of (text, passage) whether a question is answered there, and whether a statement follows,
is not said, or is contradicted.

usage: train.py WORK SECONDS OUT [LEARNING_RATE [START [SECONDS_OF_TEACHER [SPREAD]]]]

WORK holds pairs.json (expanded by expand.py), own.jsonl (the passages of ../reader/passages), dev.json (what is measured, never trained
on), marks.jsonl (which sentences of a passage answer its questions), documents.jsonl (whole documents with questions and what of them
answers), far.jsonl (requests that no such passage answers), denials.jsonl (sentences with what follows from them and what denies them, in
both languages) and base/ (config.json, tokenizer.json, model.safetensors of the
encoder that it starts from); START are the weights of an earlier training to go on from, or an exported reader, whose log-odds of an
answer were multiplied by SPREAD. OUT receives the weights and the
scores of every measured pair. One GPU; seeds are fixed, but a run is bounded by time, so that two runs differ by a few steps.
"""
import hashlib, json, os, random, re, sys, time
import numpy as np, torch, torch.nn.functional as F
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel

WORK, SECONDS, OUT = sys.argv[1], float(sys.argv[2]), sys.argv[3]
RATE = float(sys.argv[4]) if len(sys.argv) > 4 else 3e-4
START = sys.argv[5] if len(sys.argv) > 5 else None
OF_TEACHER = float(sys.argv[6]) if len(sys.argv) > 6 else 0
SPREAD = float(sys.argv[7]) if len(sys.argv) > 7 else 1
SEED, BATCH, LONGEST, LONGEST_TEXT = 7, 512, 320, 96
# How often the passages written for this purpose are seen in one round over everything, and what one of them weighs.
OWN_ROUNDS, OWN_WEIGHT = 3, 2.0
# From which part of the time on the public sets step back, and how much of them is still seen in a round.
STEP_BACK, STILL_SEEN = .5, .35
# How many questions of the public sets are taught sentence by sentence, and by how much the answering one must stand out there.
SINGLED_OUT, STANDS_OUT = 12_000, 2.0
# How often a sentence of denials.jsonl stands in a document by itself.
ALONE = .35
# How much of the public sets is seen at all by a training that goes on from an earlier one.
SEEN_AGAIN = .35
# How many passages lie nearest to a question without being its own, of how many of them the sentences are looked at, how many are taught
# a round, and from which score on one of them is so sure to answer for the reader as it is that it may well do so.
NEAREST, NEAREST_READ, NEAREST_TAUGHT, MAY_ANSWER = 8, 3, 2, 2.0
# How many questions that ask two things at once are taught of a passage in a round.
TWO_AT_ONCE = 2
# How long a paragraph or list may be to be shown, and so read, as one; and how many pieces of a document that do not answer a question
# are taught of it a round: those that come nearest to answering for the reader as it is, and others.
BLOCK, WRONG_NEAR, WRONG_ANY = 500, 5, 3
# Of what a teacher is taught and what it says something of, how much is public; how many pairs it says something of at most; how much
# its word weighs beside the label; how many pairs a second it learns from at most; and how much is seen a round of what it says nothing of.
PUBLIC_TAUGHT, TOLD, WORD_OF_TEACHER, PAIRS_A_SECOND, UNTOLD_SEEN = .35, 300_000, .7, 350, .4
ANSWERS, FOLLOWS = 0, 1
started = time.time()
random.seed(SEED); torch.manual_seed(SEED); os.makedirs(OUT, exist_ok=True)
said = lambda *what: print(*what, f'[{time.time() - started:.0f} s]', flush=True)

# --- material: (task, text, passage, label, weight)
general = json.load(open(f'{WORK}/pairs.json'))
pairs = [(ANSWERS, q, p, y, w) for q, p, y, w, _ in general['qa']] + [(FOLLOWS, c, p, y, w) for p, c, y, w, _ in general['nli']]
# What a text says itself follows from it: without such lessons a copied sentence looks as doubtful as any other.
for passage, *_ in random.sample(general['nli'], 60_000):
    parts = [part for part in re.split(r'(?<=[.!?]) (?=[A-Z])', passage) if 35 < len(part) < 300]
    if len(parts) > 1: pairs.append((FOLLOWS, random.choice(parts), passage, 0, .5))
own = [json.loads(line) for line in open(f'{WORK}/own.jsonl', encoding='utf8')]
# Which passages are held out depends on their text alone, so that it stays so whatever is added.
is_held_text = lambda text: int(hashlib.sha256(text.encode()).hexdigest(), 16) % 12 == 0
is_held = lambda r: is_held_text(r['passage'])
far = [json.loads(line)['question'] for line in open(f'{WORK}/far.jsonl', encoding='utf8')]
held = [r for r in own if is_held(r)]
denials = [json.loads(line) for line in open(f'{WORK}/denials.jsonl', encoding='utf8')]
taught_denials = [row for row in denials if not is_held_text(row['en'])]
public = len(pairs)

def shown(r, others):
    """A passage as the product shows it: now and then under its headings, now and then with a neighbour around it."""
    text = r['passage']
    if others and random.random() < .25:
        near = random.choice(others)['passage'][:random.choice((150, 300, 450))]
        text = f'{near}\n{text}' if random.random() < .5 else f'{text}\n{near}'
    if random.random() < .4: text = ' › '.join(x for x in (r['title'], r.get('heading')) if x) + '\n' + text
    return text

def typed(question):
    """A question as it may be typed: neither capitals nor the question mark may give its label away."""
    if random.random() < .4: question = question.rstrip('? ')
    if random.random() < .4: question = question.lower()
    return question

def said_by(r):
    """The sentences of a passage, as they stand there, without what marks a list."""
    lines = [re.sub(r'^[-*\d.)\s]+', '', line) for line in r['passage'].split('\n') if '|' not in line]
    parts = [part.strip() for line in lines for part in re.split(r'(?<=[.!?]) (?=[A-Z])', line)]
    return [part for part in parts if len(part) > 35 and part[-1] in '.!?']

def lessons(r, others, weight):
    p = lambda: shown(r, others)
    for t in r['true']: yield FOLLOWS, t, p(), 0, weight
    # Near the wording: what the passage itself says, with small changes that matter and such that do not; and what a neighbour says.
    for t in random.sample(said_by(r), min(2, len(said_by(r)))): yield FOLLOWS, t, p(), 0, weight / 2
    for t in r.get('light', []): yield FOLLOWS, t, p(), 0, weight
    for t in r.get('light_lies', []): yield FOLLOWS, t, p(), 2, weight
    for t in r['lies']: yield FOLLOWS, t['text'], p(), 1 if t['kind'] == 'invented' else 2, weight
    for t in r['unsaid']: yield FOLLOWS, t, p(), 1, weight
    for t in r['answered']: yield ANSWERS, typed(t), p(), 1, weight
    for t in r['near']: yield ANSWERS, typed(t), p(), 0, weight
    if others:
        other = random.choice(others)
        yield ANSWERS, typed(random.choice(other['answered'])), r['passage'], 0, weight / 2
        yield FOLLOWS, random.choice(other['true']), r['passage'], 1, weight / 2
        yield FOLLOWS, random.choice(said_by(other) or other['true']), r['passage'], 1, weight / 2

def units(passage):
    """The sentences and lines of a passage, as they were numbered for marking."""
    lines = [line.strip() for line in passage.split('\n') if line.strip()]
    parts = lambda line: [line] if line.count('|') > 2 else re.split(r'(?<=[.!?;]) (?=[A-Z“"\'0-9(])', line)
    return [part.strip() for line in lines for part in parts(line) if part.strip()]

marks = {m['passage']: m['marks'] for m in map(json.loads, open(f'{WORK}/marks.jsonl', encoding='utf8'))}
marked = lambda r: marks.get(hashlib.sha256(r['passage'].encode()).hexdigest(), {})

def headed(r, text, share=.6):
    return ' › '.join(x for x in (r['title'], r.get('heading')) if x) + '\n' + text if random.random() < share else text

def single_lessons(r, others, weight):
    """Which sentence of a passage answers: alone, or with those around it."""
    parts = units(r['passage'])
    for question, answering in marked(r).items():
        for n, part in enumerate(parts, 1):
            if n not in answering: yield ANSWERS, typed(question), headed(r, part), 0, weight / 2
            elif n == answering[0]: yield ANSWERS, typed(question), headed(r, part), 1, weight * 2
        for width in (2, 3):
            at = random.randrange(max(1, len(parts) - width + 1)); those = range(at + 1, min(at + width, len(parts)) + 1)
            if answering[0] in those: yield ANSWERS, typed(question), headed(r, '\n'.join(parts[n - 1] for n in those)), 1, weight
            elif not set(answering) & set(those): yield ANSWERS, typed(question), headed(r, '\n'.join(parts[n - 1] for n in those)), 0, weight / 2
        if others:
            other = random.choice(others); yield ANSWERS, typed(question), headed(other, random.choice(units(other['passage']))), 0, weight / 2
    for question in r['near']:
        yield ANSWERS, typed(question), headed(r, random.choice(parts)), 0, weight / 2

def pieces(text):
    """What of a section is read by itself, as the product does: a paragraph or list, its sentences where it is long, a row below its head."""
    for block in re.split(r'\n\s*\n', text):
        lines = [line for line in block.split('\n') if line.strip()]
        rows = [line for line in lines if line.count('|') > 2]
        if rows:
            for row in rows[2:]: yield '\n'.join((*rows[:2], row)), [row]
        elif len(block) <= BLOCK: yield block.strip(), [block]
        else:
            lead = lines[0] if len(lines) > 1 and not re.match(r'[-*\d]', lines[0]) else None
            for part in units(block): yield (f'{lead}\n{part}' if lead and part != lead and re.match(r'[-*\d]', part) else part), [part]

def read_documents(path):
    """Documents and small libraries with their pieces, and for each question which pieces answer it, the best first."""
    found = []
    for d in map(json.loads, open(path, encoding='utf8')):
        whole = d.get('documents', [d]); d['name'] = d.get('library') or d['title']
        d['sections'] = [(at, one['title'], section) for at, one in enumerate(whole) for section in one['sections']]
        d['pieces'] = [(at, f"{title} › {section['heading']}", text, own) for at, title, section in d['sections'] for text, own in pieces(section['text'])]
        named = lambda a: (a['document'], a['text']) if isinstance(a, dict) else (0, a)
        held_by = lambda of, a: [n for n, (at, _, _, own) in enumerate(d['pieces']) if at == of and any(a.strip() in part or len(part) > 30 and part.strip(' -*') in a for part in own)]
        d['marks'] = {q['q']: list(dict.fromkeys(n for a in q['a'] for n in held_by(*named(a)))) for q in d['questions']}
        d['marks'] = {q: answering for q, answering in d['marks'].items() if answering}
        found.append(d)
    return found

documents = read_documents(f'{WORK}/documents.jsonl') if os.path.exists(f'{WORK}/documents.jsonl') else []
is_held_document = lambda d: is_held_text(d['name'])
under = lambda d, n: '\n'.join(d['pieces'][n][1:3])

def document_lessons(d, weight):
    """Of a whole document, which piece answers. What stands beside it speaks of the same and says something else."""
    for question, answering in [*d['marks'].items(), *((q, []) for q in d['near'])]:
        for n in answering: yield ANSWERS, typed(question), under(d, n), 1, weight * (2 if n == answering[0] else .5)
        wrong = [n for n in d['order'][question] if n not in answering]
        rest = wrong[WRONG_NEAR:]
        for n in wrong[:WRONG_NEAR] + random.sample(rest, min(WRONG_ANY, len(rest))): yield ANSWERS, typed(question), under(d, n), 0, weight / 2
        # A section answers where one of its pieces does.
        at, title, section = random.choice(d['sections']); headings = f"{title} › {section['heading']}"
        within = [n for n, piece in enumerate(d['pieces']) if piece[:2] == (at, headings)]
        if not answering or answering[0] in within or not set(answering) & set(within):
            yield ANSWERS, typed(question), f"{headings}\n{section['text']}", int(bool(answering) and answering[0] in within), weight / 2

def put_in_order(model):
    """For each question the pieces of its document, those that seem to answer it first."""
    rows = [(d, q, n) for d in documents for q in (*d['marks'], *d['near']) for n in range(len(d['pieces']))]
    for d in documents: d['order'], d['best'] = {}, {}
    for (d, q, n), z in sorted(zip(rows, score(model, [(q, under(d, n)) for d, q, n in rows])[:, 0].tolist()), key=lambda one: -one[1]):
        d['order'].setdefault(q, []).append(n); d['best'].setdefault(q, z)

def at_once(one, other):
    """Two questions as one."""
    first = one.rstrip('?. '); then = other[0].lower() + other[1:] if other[1:2].islower() else other
    return random.choice((f'{one} {other}', f'{first}, {and_in(one)} {then}', f'{first} {and_in(one)} {then}', f'{first}; {then}'))

is_dutch = lambda question: bool(re.search(r'\b(de|het|een|wij|we moeten|welke|hoe|waarom|wie|mag|onze|voor|niet)\b', question.lower()))
and_in = lambda question: 'en' if is_dutch(question) else 'and'

def double_lessons(r, others, weight):
    """Who asks two things at once is answered by a passage for either; who asks two things that none of them says, by none."""
    for _ in range(TWO_AT_ONCE if others else 0):
        other = random.choice(others)
        for kind, label in (('answered', 1), ('near', 0)):
            one = random.choice(r[kind]); alike = [q for q in other[kind] if is_dutch(q) == is_dutch(one)]
            if not alike: continue
            two = random.choice(alike); both = typed(at_once(one, two) if random.random() < .5 else at_once(two, one))
            for passage in (r, other): yield ANSWERS, both, shown(passage, []), label, weight
            parts, answering = units(r['passage']), marked(r).get(one, []) if label else []
            if answering: yield ANSWERS, both, headed(r, parts[answering[0] - 1]), 1, weight
            rest = [part for n, part in enumerate(parts, 1) if n not in answering and (answering or not label)]
            if rest: yield ANSWERS, both, headed(r, random.choice(rest)), 0, weight / 2

def among(sentence, language):
    """A sentence as it stands in a document: by itself, or below a heading and beside what has nothing to do with it."""
    if random.random() < ALONE: return sentence
    r = random.choice([r for r in random.sample(own, 12) if r['language'] == language and not is_held(r)] or [own[0]]); beside = r['passage'][:random.choice((80, 160, 300))]
    return headed(r, random.choice((f'{sentence} {beside}', f'{beside}\n{sentence}', f'{beside}\n\n{sentence}\n')), .5)

def denial_lessons(row, weight):
    """What follows from a sentence and what denies it, within a language and across."""
    for language in ('en', 'nl'):
        for kind, label in (('true', 0), ('denied', 2)):
            for statement in row[kind]:
                for of in ('en', 'nl'): yield FOLLOWS, statement[of], among(row[language], language), label, weight
        yield FOLLOWS, row['nl' if language == 'en' else 'en'], among(row[language], language), 0, weight / 2
        other = random.choice(taught_denials)
        if other is not row: yield FOLLOWS, random.choice(other['true'])[random.choice(('en', 'nl'))], among(row[language], language), 1, weight / 4

# --- the model
config = BertConfig.from_json_file(f'{WORK}/base/config.json'); config.hidden_dropout_prob = config.attention_probs_dropout_prob = .1
words = json.load(open(f'{WORK}/base/tokenizer.json')); words['truncation'] = words['padding'] = None
tokenizer = Tokenizer.from_str(json.dumps(words)); CLS, SEP = tokenizer.token_to_id('[CLS]'), tokenizer.token_to_id('[SEP]')

def weights_of(path):
    """Weights as real numbers: an exported file keeps large matrices as whole numbers with a scale a row."""
    kept = load_file(path)
    return {k: v.float() * kept[k + '.scale'].float()[:, None] if k + '.scale' in kept else v.float() for k, v in kept.items() if not k.endswith('.scale')}

class Reader(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.bert = BertModel(config, add_pooling_layer=True)
        weights = weights_of(f'{WORK}/base/model.safetensors')
        said('new', [k for k in self.bert.load_state_dict(weights, strict=False).missing_keys if 'position_ids' not in k])
        self.dropout, self.classifier = torch.nn.Dropout(.1), torch.nn.Linear(config.hidden_size, 4)
    def forward(self, ids, kinds, mask):
        return self.classifier(self.dropout(self.bert(input_ids=ids, token_type_ids=kinds, attention_mask=mask).pooler_output))

def encode(pairs):
    """Rows of ids with the length of the text and of the whole."""
    rows, first, whole = [], [], []
    for k in range(0, len(pairs), 100_000):
        part = pairs[k:k + 100_000]
        texts = tokenizer.encode_batch([a for a, _ in part], add_special_tokens=False)
        passages = tokenizer.encode_batch([b for _, b in part], add_special_tokens=False)
        for a, b in zip(texts, passages):
            a = a.ids[:LONGEST_TEXT]; b = b.ids[:LONGEST - 3 - len(a)]
            rows.append([CLS, *a, SEP, *b, SEP]); first.append(len(a) + 2); whole.append(len(rows[-1]))
    grid = np.zeros((len(rows), max(whole)), dtype=np.uint16)
    for i, row in enumerate(rows): grid[i, :len(row)] = row
    return torch.from_numpy(grid.astype(np.int32)).cuda(), torch.tensor(first).cuda(), torch.tensor(whole).cuda()

def run(model, data, at):
    ids, first, whole = data
    length = whole[at]; longest = int(length.max()); place = torch.arange(longest, device='cuda')[None]
    inside = place < length[:, None]
    with torch.autocast('cuda', torch.bfloat16):
        return model(ids[at][:, :longest].long(), ((place >= first[at][:, None]) & inside).long(), inside.long()).float()

def score(model, pairs):
    if hasattr(model, 'score'): return model.score(pairs)
    model.eval(); data = encode(pairs); order = data[2].argsort(); out = torch.zeros(len(pairs), 4)
    with torch.no_grad():
        for at in order.split(2048): out[at.cpu()] = run(model, data, at).cpu()
    model.train(); return out

def vectors(texts):
    """What the encoder that all starts from takes a text to be about."""
    base = Reader().bert.cuda().eval(); rows = [text.ids[:254] for text in tokenizer.encode_batch(texts, add_special_tokens=False)]; out = torch.zeros(len(rows), config.hidden_size, device='cuda')
    for at in torch.tensor([len(row) for row in rows]).argsort().split(1024):
        part = [[CLS, *rows[i], SEP] for i in at.tolist()]; longest = max(map(len, part)); ids = torch.tensor([row + [0] * (longest - len(row)) for row in part]).cuda()
        with torch.no_grad(), torch.autocast('cuda', torch.bfloat16): out[at.cuda()] = F.normalize(base(input_ids=ids, attention_mask=(ids > 0).long()).last_hidden_state[:, 0].float(), dim=-1)
    return out

def nearest():
    """For every question of the passages written for this purpose, and every request that none answers (under None): the passages that
    lie nearest to it and are not its own."""
    asked = [(i, q) for i, r in enumerate(own) for q in r['answered'] + r['near']] + [(None, q) for q in far]
    passages, questions, found = vectors([headed(r, r['passage'], 1) for r in own]), vectors([q for _, q in asked]), {}
    for k in range(0, len(asked), 4096):
        near = (questions[k:k + 4096] @ passages.T).topk(NEAREST + 1).indices.tolist()
        for (i, q), those in zip(asked[k:k + 4096], near): found[i, q] = [j for j in those if j != i][:NEAREST]
    return found

def seems_to_answer(model):
    """Of the passages nearest to a question, and of their sentences, those that come nearest to answering it for the reader as it is.
    What it is sure of is left out: another passage may answer as well."""
    parts = lambda place, r: (r['passage'], *units(r['passage'])) if place < NEAREST_READ else (r['passage'],)
    kept = lambda those: [own[j] for j in those if not is_held(own[j])]
    is_taught = lambda i, q: not (is_held_text(q) if i is None else is_held(own[i]))
    rows = [(key, r, text) for key, those in near_by.items() if is_taught(*key) for place, r in enumerate(kept(those)) for text in parts(place, r)]
    z = score(model, [(q, headed(r, text, 1)) for (_, q), r, text in rows])[:, 0].tolist(); found = {}
    for (key, r, text), scored in zip(rows, z):
        if scored < MAY_ANSWER or key[0] is None: found.setdefault(key, ([], []))[text != r['passage']].append((scored, r, text))
    return {key: [sorted(kind, key=lambda one: -one[0])[:NEAREST] for kind in kinds] for key, kinds in found.items()}

def mistaken_lessons(i, questions, weight):
    for question in questions:
        for kind in mistaken.get((i, question), ()):
            for _, other, text in random.sample(kind, min(NEAREST_TAUGHT, len(kind))): yield ANSWERS, typed(question), headed(other, text), 0, weight / 2

area = lambda good, bad: float((good[:, None] > bad[None]).float().mean() + .5 * (good[:, None] == bad[None]).float().mean())

def measure(model, name):
    dev = json.load(open(f'{WORK}/dev.json')); kept = {}
    # Statements about whole documents: the window that bears one out best counts.
    claims = dev['claims']; flat = [(c['text'], w) for c in claims for w in c['windows']]; whose = torch.tensor([i for i, c in enumerate(claims) for _ in c['windows']])
    follows = score(model, flat)[:, 1:].softmax(-1)[:, 0]; best = torch.zeros(len(claims)).scatter_reduce(0, whose, follows, 'amax', include_self=False)
    for half in ('even', 'odd'):
        for language in ('en', 'nl'):
            here = [i for i, c in enumerate(claims) if c['half'] == half and c['language'] == language]
            true = best[[i for i in here if claims[i]['true']]]; lies = best[[i for i in here if not claims[i]['true']]]
            at = lambda share: float((lies >= true.quantile(1 - share)).float().mean())
            said(name, 'claims', half, language, len(true), len(lies), 'area', round(area(true, lies), 3), 'lies shown at 75 / 85 % truths', round(at(.75), 3), round(at(.85), 3),
                 'at .5 kept/shown', round(float((true >= .5).float().mean()), 3), round(float((lies >= .5).float().mean()), 3))
    kept['claims'] = [round(float(x), 4) for x in best]
    z = score(model, [(q, p) for q, p, _ in dev['clapnq']])[:, 0]; y = torch.tensor([y for *_, y in dev['clapnq']])
    said(name, 'clapnq area', round(area(z[y == 1], z[y == 0]), 3), 'answered wrongly at 10 % refused', round(float((z[y == 0] >= z[y == 1].quantile(.1)).float().mean()), 3))
    kept['clapnq'] = [round(float(x), 4) for x in z]
    rows = [x for r in held for x in lessons(r, [], 1.0)]; z = score(model, [(t, p) for _, t, p, *_ in rows])
    task = torch.tensor([x[0] for x in rows]); label = torch.tensor([x[3] for x in rows]); e = z[:, 1:].softmax(-1)[:, 0]
    good, bad = e[(task == FOLLOWS) & (label == 0)], e[(task == FOLLOWS) & (label != 0)]
    said(name, 'held own: follows area', round(area(good, bad), 3), 'lies at 75 / 85 %', *(round(float((bad >= good.quantile(q)).float().mean()), 3) for q in (.25, .15)),
         'answers area', round(area(z[(task == ANSWERS) & (label == 1), 0], z[(task == ANSWERS) & (label == 0), 0]), 3))
    rows = [(t, r['passage']) for r in held for t in said_by(r)]; e = score(model, rows)[:, 1:].softmax(-1)[:, 0]
    said(name, 'held own: sentences of the passage itself', len(rows), 'at .2 / .5', *(round(float((e >= at).float().mean()), 3) for at in (.2, .5)))
    rows = [(r, q, n) for r in held for q in marked(r) for n in range(1, len(units(r['passage'])) + 1)]
    z = score(model, [(q, headed(r, units(r['passage'])[n - 1], 1)) for r, q, n in rows])[:, 0]; best = {}
    for (r, q, n), score_of in zip(rows, z.tolist()):
        best[q] = max(best.get(q, (-99, 0, [])), (score_of, n, marked(r)[q]))
    said(name, 'held own: the sentence that answers comes first', sum(n in answering for _, n, answering in best.values()), 'of', len(best))
    # Among the passages nearest to a question: does its own come first, and does the best of them tell whether its own is there at all?
    asked = [(i, r, q) for i, r in enumerate(own) if is_held(r) for q in r['answered'] + r['near']]
    z = score(model, [(q, headed(own[j], own[j]['passage'], 1)) for i, _, q in asked for j in [i, *near_by[i, q]]])[:, 0].view(len(asked), NEAREST + 1)
    answered = torch.tensor([q in r['answered'] for _, r, q in asked]); its, others = z[:, 0], z[:, 1:].amax(-1); best_of_nine = z.amax(-1)
    place = 1 + (z[:, 1:] > its[:, None]).sum(-1)
    said(name, 'held own: among', NEAREST + 1, 'passages first', int((place[answered] == 1).sum()), 'of', int(answered.sum()), 'reciprocal rank', round(float((1 / place[answered]).mean()), 3),
         'answered against near', round(area(best_of_nine[answered], best_of_nine[~answered]), 3), 'against its own passage gone', round(area(best_of_nine[answered], others[answered]), 3))
    if any(map(is_held_document, documents)):
        put_in_order(model); asked = [(d, q) for d in documents if is_held_document(d) for q in d['marks']]
        firsts = [next(place for place, n in enumerate(d['order'][q], 1) if n in d['marks'][q]) for d, q in asked]
        best = torch.tensor([d['best'][q] for d, q in asked]); near = torch.tensor([d['best'][q] for d in documents if is_held_document(d) for q in d['near']])
        said(name, 'held documents: of all pieces one that answers comes first', sum(place == 1 for place in firsts), 'within three', sum(place <= 3 for place in firsts), 'of', len(firsts),
             'reciprocal rank', round(sum(1 / place for place in firsts) / len(firsts), 3), 'answered against near', round(area(best, near), 3))
    for language in ('en', 'nl'):
        for of in ('en', 'nl'):
            rows = [(kind, (statement[of], row[language])) for row in denials if is_held_text(row['en']) for kind in ('true', 'denied') for statement in row[kind]]
            e = score(model, [pair for _, pair in rows])[:, 1:].softmax(-1)[:, 0]; is_true = torch.tensor([kind == 'true' for kind, _ in rows])
            said(name, 'held denials', language, 'passage,', of, 'statement: area', round(area(e[is_true], e[~is_true]), 3))
    asked = [q for q in far if is_held_text(q)]
    z = score(model, [(q, headed(own[j], own[j]['passage'], 1)) for q in asked for j in near_by[None, q]])[:, 0].view(len(asked), NEAREST).amax(-1)
    said(name, 'held far requests', len(asked), 'answered against them', round(area(best_of_nine[answered], z), 3), 'answered wrongly at 10 % refused', round(float((z >= best_of_nine[answered].quantile(.1)).float().mean()), 3))
    json.dump(kept, open(f'{OUT}/{name}-scores.json', 'w'))

# --- training
near_by = nearest(); said('nearest passages of', len(near_by), 'questions')
model = Reader().cuda(); model.train(); mistaken = {}
if START:
    said('not in START', [k for k in model.load_state_dict(weights_of(START), strict=False).missing_keys if 'word_embeddings' not in k])
    measure(model, 'start')
    put_in_order(model)
    mistaken = seems_to_answer(model); said('seem to answer', *(sum(len(kinds[at]) for kinds in mistaken.values()) for at in (0, 1)))
    # The public sets say which passage answers, not where in it. Where one sentence stands out for the reader as it is, it is taken to be the one.
    answered = [(q, re.split(r'(?<=[.!?]) (?=[A-Z0-9"“])', p)) for q, p, y, *_ in general['qa'] if y == 1 and 200 < len(p) < 1500]
    answered = [(q, parts) for q, parts in random.sample(answered, min(SINGLED_OUT, len(answered))) if 3 <= len(parts) <= 10]
    z = score(model, [(q, part) for q, parts in answered for part in parts])[:, 0].tolist(); singled, at = [], 0
    for q, parts in answered:
        here = z[at:at + len(parts)]; at += len(parts); ranked = sorted(here, reverse=True)
        if ranked[0] > 0 and ranked[0] - ranked[1] >= STANDS_OUT:
            best = here.index(ranked[0]); others = random.sample([k for k in range(len(parts)) if k != best], min(3, len(parts) - 1))
            singled += [(ANSWERS, typed(q), parts[best], 1, 1.0)] + [(ANSWERS, typed(q), parts[k], 0, .5) for k in others]
    with torch.no_grad(): model.classifier.weight[0] /= SPREAD; model.classifier.bias[0] /= SPREAD
    pairs = singled + random.sample(pairs, int(SEEN_AGAIN * len(pairs))); public = len(pairs); said('singled out', len(singled), 'of', len(answered), 'questions')
for _ in range(OWN_ROUNDS):
    for i, r in enumerate(own):
        if is_held(r): continue
        beside = [other for other in own[max(0, i - 6):i + 7] if other is not r and not is_held(other)]
        pairs += list(lessons(r, beside, OWN_WEIGHT)) + list(mistaken_lessons(i, r['answered'] + r['near'], OWN_WEIGHT)) + list(double_lessons(r, beside, OWN_WEIGHT))
        if marked(r): pairs += list(single_lessons(r, beside, OWN_WEIGHT))
    pairs += mistaken_lessons(None, far, OWN_WEIGHT)
    pairs += [lesson for row in taught_denials for lesson in denial_lessons(row, OWN_WEIGHT)]
    if START: pairs += [lesson for d in documents if not is_held_document(d) for lesson in document_lessons(d, OWN_WEIGHT)]
said('material', len(pairs), 'own passages', len(own) - len(held), 'held', len(held), 'marked', sum(bool(marked(r)) for r in own), 'documents', sum(not is_held_document(d) for d in documents))
told = None
if OF_TEACHER:
    from teacher import Teacher
    while not os.path.exists(f'{WORK}/teacher/complete'): time.sleep(1)
    teacher = Teacher(f'{WORK}/teacher'); said('the teacher is there')
    chance = torch.randperm(len(pairs)).tolist(); ours, others = [i for i in chance if i >= public], [i for i in chance if i < public]
    some = lambda at, many: [i for kind, share in ((ours, 1 - PUBLIC_TAUGHT), (others, PUBLIC_TAUGHT)) for i in kind[int(at * share):int((at + many) * share)]]
    lessons_of_teacher = int(OF_TEACHER * PAIRS_A_SECOND)
    teacher.learn([pairs[i] for i in some(0, lessons_of_teacher)], OF_TEACHER, said)
    measure(teacher, 'teacher')
    is_told = some(lessons_of_teacher, TOLD); words_of_teacher = teacher.score([pairs[i][1:3] for i in is_told]); said('the teacher told', len(is_told))
    told = torch.zeros(len(pairs), 4); told[is_told] = words_of_teacher; is_told_at = torch.zeros(len(pairs), dtype=torch.bool); is_told_at[is_told] = True
    told, is_told_at = told.cuda(), is_told_at.cuda()
    json.dump([[*pairs[i][:4], *map(lambda x: round(x, 3), z)] for i, z in zip(is_told, words_of_teacher.tolist())], open(f'{WORK}/told.json', 'w'), ensure_ascii=False)
    del teacher; torch.cuda.empty_cache()
# The words keep their place, so that those which occur in no lesson still mean what the base learned.
model.bert.embeddings.word_embeddings.weight.requires_grad = False
data = encode([(t, p) for _, t, p, *_ in pairs]); lengths = data[2].cpu(); total = len(pairs)
task = torch.tensor([x[0] for x in pairs]).cuda(); label = torch.tensor([x[3] for x in pairs]).cuda(); weight = torch.tensor([float(x[4]) for x in pairs]).cuda()
said('encoded, mean length', round(float(lengths.float().mean())))
learned = [p for p in model.parameters() if p.requires_grad]
optimiser = torch.optim.AdamW([{'params': [p for p in learned if p.dim() > 1], 'weight_decay': .01}, {'params': [p for p in learned if p.dim() <= 1], 'weight_decay': 0}], lr=RATE, fused=True)
average = [p.detach().clone() for p in learned]
begun, step, over, loss_seen = time.time(), 0, False, None
while not over:
    order = torch.randperm(total); batches = []
    if time.time() - begun >= STEP_BACK * SECONDS: order = order[(order >= public) | (torch.rand(total) < STILL_SEEN)]
    if told is not None: order = order[is_told_at.cpu()[order] | (torch.rand(len(order)) < UNTOLD_SEEN)]
    for k in range(0, len(order), BATCH * 60):
        part = order[k:k + BATCH * 60]; batches += list(part[lengths[part].argsort()].split(BATCH))
    random.shuffle(batches)
    for batch in batches:
        gone = (time.time() - begun) / SECONDS
        if gone >= 1: over = True; break
        for group in optimiser.param_groups: group['lr'] = RATE * min(1, step / 400) * (1 - gone + .003)
        at = batch.cuda(); z = run(model, data, at); y = label[at]; w = weight[at]
        answers = F.binary_cross_entropy_with_logits(z[:, 0], y.float().clamp(0, 1), reduction='none')
        follows = F.cross_entropy(z[:, 1:], y.clamp(0, 2), reduction='none', label_smoothing=.05)
        if told is not None:
            t, share = told[at], WORD_OF_TEACHER * is_told_at[at].float()
            answers = torch.lerp(answers, F.binary_cross_entropy_with_logits(z[:, 0], t[:, 0].sigmoid(), reduction='none'), share)
            follows = torch.lerp(follows, F.cross_entropy(z[:, 1:], t[:, 1:].softmax(-1), reduction='none'), share)
        loss = (torch.where(task[at] == ANSWERS, answers, follows) * w).sum() / w.sum()
        optimiser.zero_grad(); loss.backward(); torch.nn.utils.clip_grad_norm_(learned, 1.0); optimiser.step(); step += 1
        if step % 10 == 0: torch._foreach_lerp_(average, [p.detach() for p in learned], .02 if gone > .3 else 1.0)
        if step % 100 == 0: loss_seen = loss.item() if loss_seen is None else .9 * loss_seen + .1 * loss.item()
        if step % 1000 == 0: said('step', step, 'rounds', round(step * BATCH / total, 2), 'loss', round(loss_seen, 4))
said('steps', step, 'rounds', round(step * BATCH / total, 2))
measure(model, 'last')
with torch.no_grad():
    for p, a in zip(learned, average): p.copy_(a)
measure(model, 'average')
kept = {k: v.half().contiguous().cpu() for k, v in model.state_dict().items() if 'position_ids' not in k and 'word_embeddings' not in k}
save_file(kept, f'{WORK}/trained.safetensors')
whole = open(f'{WORK}/trained.safetensors', 'rb').read()
for i in range(0, len(whole), 15 << 20): open(f'{OUT}/part-{i // (15 << 20)}', 'wb').write(whole[i:i + (15 << 20)])
said('bytes', len(whole))
