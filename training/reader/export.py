"""Makes the reader's file: what was trained, with the word table of the encoder that it started from, large matrices as whole numbers
of eight bits with a scale a row.

usage: export.py TRAINED.safetensors BASE_FOLDER OUT_FOLDER [SPREAD]   (numpy, safetensors)

BASE_FOLDER may be a reader that was exported before: its word table is taken over as it is.

SPREAD multiplies the log-odds that a passage answers: whoever learned from a teacher's doubts says less of the same than whoever learned from
labels alone, and the program's numbers are found on the scale of the latter.
"""
import json, os, shutil, sys
import numpy as np
from safetensors.numpy import load_file, save_file

trained, base, out = sys.argv[1:4]
spread = float(sys.argv[4]) if len(sys.argv) > 4 else 1
os.makedirs(out, exist_ok=True)
weights = load_file(trained)
WORDS = 'embeddings.word_embeddings.weight'
of_base = load_file(f'{base}/model.safetensors')
if WORDS in of_base: weights[f'bert.{WORDS}'] = of_base[WORDS]
for part in ('weight', 'bias'): weights[f'classifier.{part}'] = np.concatenate([weights[f'classifier.{part}'][:1] * spread, weights[f'classifier.{part}'][1:]])
LARGE = 100_000
kept = {}
for name, tensor in sorted(weights.items()):
    tensor = tensor.astype(np.float32)
    if tensor.ndim == 2 and tensor.size > LARGE:
        scale = np.maximum(np.abs(tensor).max(axis=1), 1e-8) / 127
        kept[name] = np.clip(np.rint(tensor / scale[:, None]), -127, 127).astype(np.int8)
        kept[name + '.scale'] = scale.astype(np.float32)
    else:
        kept[name] = tensor.astype(np.float16)
if WORDS not in of_base: kept.update({name: tensor for name, tensor in of_base.items() if WORDS in name})
save_file(kept, f'{out}/model.safetensors')
shutil.copy(f'{base}/tokenizer.json', out)
config = json.load(open(f'{base}/config.json'))
config.update(architectures=['BertForSequenceClassification'], num_labels=4, id2label={'0': 'answers', '1': 'follows', '2': 'not said', '3': 'contradicts'})
config.pop('_name_or_path', None)
json.dump(config, open(f'{out}/config.json', 'w'), indent=1)
print(sum(os.path.getsize(f'{out}/{file}') for file in os.listdir(out)), 'bytes')
