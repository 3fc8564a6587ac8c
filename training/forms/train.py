"""Teaches what a request asks for, by how it is worded; the classes are those of the requests.

    python train.py REQUESTS WEIGHTS

Every request has its writer; the figures are of requests by writers that were left out. `--sweep` tries other decays.
"""

import collections
import json
import math
import re
import sys

import numpy as np

WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
KNOWN_REQUESTS = 4
KNOWN_WRITERS = 3
LEAST_FEATURE = 3
DECAY = 0.3
REFERENCES = 20


def words(text):
    return WORD.findall(text.replace("’", "'").lower())


def tokens(text, known):
    """Words that many use for many subjects; what the others are is told by their place alone."""
    found = ["<"]
    for word in words(text):
        if word in known:
            found.append(word)
        elif re.fullmatch(r"(19|20)\d\d", word):
            found.append("~year")
        elif word[0].isdigit():
            found.append("~number")
        elif found[-1] != "~other":
            found.append("~other")
    return found


def features(text, known):
    found = tokens(text, known)
    runs = set()
    for length in (1, 2, 3):
        for at in range(len(found) - length + 1):
            runs.add(" ".join(found[at : at + length]))
    runs.discard("<")
    return runs


def classes_of(requests):
    return sorted({request["class"] for request in requests})


def vocabulary(requests):
    held, writers = collections.Counter(), collections.defaultdict(set)
    for request in requests:
        for word in set(words(request["text"])):
            held[word] += 1
            writers[word].add(request["writer"])
    return {
        word
        for word, count in held.items()
        if count >= KNOWN_REQUESTS and len(writers[word]) >= KNOWN_WRITERS and not word[0].isdigit()
    }


def matrix(rows, index):
    filled = np.zeros((len(rows), len(index) + 1), dtype=np.float32)
    for at, row in enumerate(rows):
        places = [index[one] for one in row if one in index]
        # Long requests hold more of everything.
        filled[at, places] = 1 / math.sqrt(max(len(places), 1))
    filled[:, -1] = 1
    return filled


def learn(filled, classes, count, decay=DECAY, steps=400):
    """Softmax regression, weights held back by their squares but for the bias; by Adam over the whole set."""
    wanted = np.eye(count, dtype=np.float32)[classes]
    weights = np.zeros((filled.shape[1], count), dtype=np.float32)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, steps + 1):
        scores = filled @ weights
        likely = np.exp(scores - scores.max(1, keepdims=True))
        likely /= likely.sum(1, keepdims=True)
        slope = filled.T @ (likely - wanted)
        slope[:-1] += decay * weights[:-1] / count
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        weights -= 0.1 * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return weights


def fit(requests, decay=DECAY):
    known = vocabulary(requests)
    rows = [features(request["text"], known) for request in requests]
    counts = collections.Counter(one for row in rows for one in row)
    index = {one: at for at, one in enumerate(sorted(one for one, count in counts.items() if count >= LEAST_FEATURE))}
    names = classes_of(requests)
    classes = [names.index(request["class"]) for request in requests]
    return known, index, learn(matrix(rows, index), classes, len(names), decay)


def judge(model, texts):
    known, index, weights = model
    scores = matrix([features(text, known) for text in texts], index) @ weights
    likely = np.exp(scores - scores.max(1, keepdims=True))
    return likely / likely.sum(1, keepdims=True)


def report(requests, decay):
    names = classes_of(requests)
    likely = np.zeros((len(requests), len(names)))
    for writer in sorted({request["writer"] for request in requests}):
        model = fit([request for request in requests if request["writer"] != writer], decay)
        left = [at for at, request in enumerate(requests) if request["writer"] == writer]
        likely[left] = judge(model, [requests[at]["text"] for at in left])
    wanted = np.array([names.index(request["class"]) for request in requests])
    print(f"decay {decay}: right {np.mean(likely.argmax(1) == wanted):.3f}")
    for at, name in enumerate(names):
        for bound in (0.5, 0.6, 0.7, 0.8, 0.9):
            said = likely[:, at] >= bound
            right = said & (wanted == at)
            print(f"  {name} from {bound}: found {right.sum()} of {(wanted == at).sum()}, wrong {said.sum() - right.sum()} of {(wanted != at).sum()}")


def write(model, requests, path):
    known, index, weights = model
    asked = [request["text"] for request in requests[:: len(requests) // REFERENCES]]
    with open(path, "w", encoding="utf-8") as out:
        out.write("# Made by training/forms/train.py. The classes; what is always counted; the words that are known; runs of them with their weights.\n")
        row = lambda values: "\t".join(f"{value:.3f}" for value in values)
        out.write("# What it says of some requests, for those who read it in another language:\n")
        for text, likely in zip(asked, judge(model, asked)):
            out.write(f"#\t{row(likely)}\t{text}\n")
        out.write("\t".join(classes_of(requests)) + "\n")
        out.write(f"{row(weights[-1])}\n{' '.join(sorted(known))}\n")
        for name, at in index.items():
            out.write(f"{name}\t{row(weights[at])}\n")


def main():
    requests = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
    for decay in (0.1, 0.3, 1.0) if "--sweep" in sys.argv else (DECAY,):
        report(requests, decay)
    write(fit(requests), requests, sys.argv[2])


if __name__ == "__main__":
    main()
