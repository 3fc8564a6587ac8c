"""Makes one reader of several trainings by averaging their weights.

usage: mix.py OUT.safetensors TRAINED TRAINED…   (numpy, safetensors)

Trainings that start from the same encoder and differ in order and material err in different places; the mean of their weights is right
more often than either and costs no more to run. TRAINED is a training's file or that of an exported reader; the words, which no training
changes, are left to `export.py`.
"""
import sys
import numpy as np
from safetensors.numpy import load_file, save_file

out, *trained = sys.argv[1:]

def weights_of(path):
    kept = load_file(path)
    real = lambda name: kept[name].astype(np.float32) * (kept[f'{name}.scale'][:, None] if f'{name}.scale' in kept else 1)
    return {name: real(name) for name in kept if not name.endswith('.scale') and 'word_embeddings' not in name}

weights = [weights_of(path) for path in trained]
assert all(other.keys() == weights[0].keys() for other in weights), 'the trainings are of different models'
save_file({name: np.mean([other[name] for other in weights], axis=0) for name in weights[0]}, out)
