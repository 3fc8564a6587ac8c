"""Makes one reader of several trainings by averaging their weights.

usage: mix.py OUT TRAINED TRAINED…

Trainings that start from the same encoder and differ in order and material err in different places; the mean of their weights is right
more often than either and costs no more to run.
"""
import sys
import numpy as np
from safetensors.numpy import load_file, save_file

out, *trained = sys.argv[1:]
weights = [load_file(path) for path in trained]
assert all(other.keys() == weights[0].keys() for other in weights), 'the trainings are of different models'
mean = lambda name: np.mean([other[name].astype(np.float32) for other in weights], axis=0).astype(np.float16)
save_file({name: mean(name) for name in weights[0]}, out)
