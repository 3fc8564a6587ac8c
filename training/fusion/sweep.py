"""How the rule was chosen by which the lanes' rankings become one: every rule is tried on rankings that
`plumbline eval retrieval --beir SET --rankings FILE` wrote, and chosen by leaving one set out at a time; where none is left out, by
every other question, and told on the rest.

usage: sweep.py FOLDER EDITION [DEPTH]   (DEPTH: so many of each lane, else all; FOLDER holds rank-SET-EDITION.jsonl for every set below)
"""
import itertools, json, math, os, sys
import numpy as np

# Each set: its group (sets of a group are left out together), and its measure.
SETS = {
    "scifact": ("scifact", "ndcg"),
    "cranfield": ("cranfield", "ndcg"),
    "help-nl-nl": ("help", "mrr"),
    "help-en-en": ("help", "mrr"),
    "help-nl-en": ("help", "mrr"),
    "help-en-nl": ("help", "mrr"),
}
EVERY_WORD_ONCE = 1 / 2.2
SLACK = .005
# So many passages of each lane an answer looks at.
BEST = 15


class Set:
    def __init__(self, name, path, depth=np.inf):
        self.group, self.measure = SETS[name]
        rows = [json.loads(line) for line in open(path)]
        most = max(len(row["found"]) for row in rows)
        shape = (len(rows), most)
        self.cosine, self.lexical = np.full(shape, np.nan), np.zeros(shape)
        self.dense_rank, self.lexical_rank = np.full(shape, np.inf), np.full(shape, np.inf)
        self.foreign, self.there = np.zeros(shape, bool), np.zeros(shape, bool)
        self.document, self.gains, self.ideal = np.full(shape, -1), np.zeros(shape), []
        self.given = np.tile(np.arange(most), (len(rows), 1)) * -1.0
        for row in rows:
            for found in row["found"]:
                for lane in ["dense_rank", "lexical_rank"]:
                    found[lane] = found[lane] if (found[lane] or np.inf) <= depth else None
                found["lexical"] = found["lexical"] if found["lexical_rank"] else 0
            row["found"] = [found for found in row["found"] if found["dense_rank"] or found["lexical_rank"]]
        for at, row in enumerate(rows):
            ids, judged = {}, row["judgements"]
            best = sorted((gain for gain in judged.values() if gain > 0), reverse=True)[:10]
            self.ideal.append(sum(gain / math.log2(place + 2) for place, gain in enumerate(best)))
            for i, found in enumerate(row["found"]):
                self.there[at, i] = True
                self.document[at, i] = ids.setdefault(found["document"], len(ids))
                self.gains[at, self.document[at, i]] = max(0, judged.get(found["document"], 0))
                self.cosine[at, i] = found["cosine"] if found["cosine"] is not None else np.nan
                self.lexical[at, i] = found["lexical"] or 0
                self.dense_rank[at, i] = found["dense_rank"] or np.inf
                self.lexical_rank[at, i] = found["lexical_rank"] or np.inf
                self.foreign[at, i] = row["language"] not in (None, found["language"])
        self.in_dense, self.in_lexical = np.isfinite(self.dense_rank), np.isfinite(self.lexical_rank)
        self.cosine = np.where(np.isnan(self.cosine), 0, self.cosine).clip(0, 1)
        self.ideal = np.array(self.ideal)

    def score(self, scores, held=None):
        """The measure of the order that these scores make, by question; what is not `held` is not found."""
        there = self.there if held is None else self.there & held
        rows, places = np.nonzero(there)
        best = np.full(self.gains.shape, -np.inf)
        np.maximum.at(best, (rows, self.document[rows, places]), scores[rows, places])
        order = np.argsort(-best, axis=1, kind="stable")[:, :10 if self.measure == "ndcg" else 100]
        gains = np.where(np.isfinite(np.take_along_axis(best, order, 1)), np.take_along_axis(self.gains, order, 1), 0)
        places = np.arange(order.shape[1])
        if self.measure == "ndcg":
            return (gains / np.log2(places + 2)).sum(1) / self.ideal
        return np.where(gains > 0, 1 / (places + 1), 0).max(1)

    def dense(self):
        return self.score(-self.dense_rank, self.in_dense)

    def words(self):
        return self.score(-self.lexical_rank, self.in_lexical)

    def reciprocal(self):
        return self.score(1 / (60 + self.dense_rank) + 1 / (60 + self.lexical_rank))


def held(s, foreign):
    """How much of what the question's words could give a passage has, with less for one in another language."""
    return np.minimum(s.lexical / EVERY_WORD_ONCE, 1) * np.where(s.foreign, foreign, 1)


def best_cosine(s):
    return np.where(s.there, s.cosine, 0).max(1, keepdims=True)


def furthest_cosine(s):
    return np.where(s.there, s.cosine, 1).min(1, keepdims=True)


def level(s, at):
    """The cosine of the passage at this place of the dense lane: how near what does not answer is."""
    ranked = np.where(s.in_dense, s.cosine, -1)
    ranked = -np.sort(-ranked, axis=1)
    count = s.in_dense.sum(1)
    return ranked[np.arange(len(ranked)), np.minimum(at, np.maximum(count, 1)) - 1][:, None]


def rules():
    for k, weight, foreign in itertools.product([5, 10, 20, 40, 60], [.3, .5, .7, 1, 1.3], [.1, .3, 1]):
        yield ("weighted reciprocal rank", k, weight, foreign), lambda s, k=k, w=weight, f=foreign: (
            1 / (k + s.dense_rank) + w * np.where(s.foreign, f, 1) / (k + s.lexical_rank))
    for weight, power, foreign in itertools.product([.4, .6, .8, 1, 1.2, 1.6], [1, 1.5, 2], [0, .1, .3]):
        yield ("cosine + words by distance", weight, power, foreign), lambda s, w=weight, p=power, f=foreign: (
            s.cosine + w * (1 - best_cosine(s)) * held(s, 1) ** p * np.where(s.foreign, f, 1))
    for weight, power, foreign in itertools.product([.3, .4, .5, .6, .7], [1, 1.5, 2], [.1, .2, .3]):
        yield ("cosine + words by the cosines' reach", weight, power, foreign), lambda s, w=weight, p=power, f=foreign: (
            s.cosine + w * (1 - furthest_cosine(s)) * held(s, 1) ** p * np.where(s.foreign, f, 1))
    for weight, power, foreign in itertools.product([.15, .2, .25, .3, .4], [1, 1.5, 2], [.1, .2, .3]):
        yield ("cosine + words over their most", weight, power, foreign), lambda s, w=weight, p=power, f=foreign: (
            s.cosine + w * (s.lexical / np.maximum(s.lexical.max(1, keepdims=True), 1e-6)) ** p * np.where(s.foreign, f, 1))
    for at, weight, power, foreign in itertools.product(
            [10, 20, 50, 100], [.3, .5, .7, .9, 1.2, 1.5], [1, 1.5, 2], [0, .1, .3]):
        def of(s, at=at, w=weight, p=power, f=foreign):
            low = level(s, at)
            near = (s.cosine - low) / np.maximum(best_cosine(s) - low, 1e-6)
            return near + w * held(s, 1) ** p * np.where(s.foreign, f, 1)
        yield ("cosine over the library's level + words", at, weight, power, foreign), of
    for at, weight, foreign in itertools.product([10, 20, 50, 100], [.2, .3, .4, .5, .7, .9, 1.2], [0, .1, .3]):
        def of(s, at=at, w=weight, f=foreign):
            low = level(s, at)
            near = (s.cosine - low) / np.maximum(best_cosine(s) - low, 1e-6)
            most = np.maximum(s.lexical.max(1, keepdims=True), 1e-6)
            return near + w * s.lexical / most * np.where(s.foreign, f, 1)
        yield ("both over their range", at, weight, foreign), of
    for weight, power, foreign in itertools.product(
            [.2, .3, .4, .5, .6, .7, .8, 1, 1.2], [.5, 1, 1.5, 2], [0, .1, .2, .3, .5]):
        def of(s, w=weight, p=power, f=foreign):
            words = s.lexical ** p
            return s.cosine + w * spread(s.cosine, s.there) / spread(words, s.there) * words * np.where(s.foreign, f, 1)
        yield ("cosine + words, as wide as the cosines", weight, power, foreign), of
    for measure, weight, power, foreign in itertools.product(
            ["spread", "range"], [.3, .4, .5, .6, .7, .8, 1, 1.2, 1.5], [1, 1.5, 2], [0, .1, .2, .3, .5]):
        def of(s, m=measure, w=weight, p=power, f=foreign):
            words = s.lexical ** p
            wide = spread if m == "spread" else reach
            near = wide(s.cosine, s.dense_rank <= BEST)
            return s.cosine + w * near / wide(words, s.lexical_rank <= BEST) * words * np.where(s.foreign, f, 1)
        yield ("cosine + words, by the best of each lane", measure, weight, power, foreign), of


def reach(values, there):
    """From the least to the most of what was found."""
    most = np.where(there, values, -1).max(1, keepdims=True)
    return np.maximum(most - np.where(there, values, 2).min(1, keepdims=True), 1e-3)


def spread(values, there):
    """The standard deviation over what was found."""
    count = np.maximum(there.sum(1, keepdims=True), 1)
    mean = np.where(there, values, 0).sum(1, keepdims=True) / count
    return np.maximum(np.sqrt(np.where(there, (values - mean) ** 2, 0).sum(1, keepdims=True) / count), 1e-6)


def main(folder, edition, depth=np.inf):
    sets = {name: Set(name, path, float(depth)) for name in SETS if os.path.exists(path := f"{folder}/rank-{name}-{edition}.jsonl")}
    print(f"{'':<46}" + "".join(f"{name:>12}" for name in sets))
    lanes = {}
    for title, of in [("dense", Set.dense), ("words", Set.words), ("reciprocal rank", Set.reciprocal),
                      ("as built", lambda s: s.score(s.given))]:
        lanes[title] = {name: by_part(of(s)) for name, s in sets.items()}
        print(f"{title:<46}" + "".join(f"{lanes[title][name][ALL]:>12.4f}" for name in sets))
    del lanes["as built"]
    floor = {name: np.max([values[name] for values in lanes.values()], axis=0) for name in sets}
    report(sets, [(name, {of: by_part(s.score(rule(s))) for of, s in sets.items()}) for name, rule in rules()], floor)


# Means over all questions of a set, over every other one, and over the rest.
ALL, FITTED, TOLD = range(3)


def by_part(values):
    return np.array([values.mean(), values[::2].mean(), values[1::2].mean()])


def worth(values, floor, names, part):
    """First how far it falls short anywhere, then its mean: groups count alike."""
    short = sum(max(0, (floor[name] - values[name])[part]) for name in names)
    groups = {}
    for name in names:
        groups.setdefault(SETS[name][0], []).append((values[name] - floor[name])[part])
    return np.mean([np.mean(group) for group in groups.values()]) - 3 * short


def report(sets, tried, floor):
    for kind in sorted({name[0] for name, _ in tried}) + [None]:
        of_kind = [one for one in tried if kind is None or one[0][0] == kind]
        print(f"\n== {kind or 'all rules'}")
        for left in ["scifact", "cranfield", "help", None]:
            names = [name for name in sets if SETS[name][0] != left]
            fitted, told = (ALL, ALL) if left else (FITTED, TOLD)
            chosen, values = max(of_kind, key=lambda one: worth(one[1], floor, names, fitted))
            print(f"without {left or 'a half':<10} {str(chosen):<62}" + "".join(
                f"{values[name][told]:>8.4f}{'*' if values[name][told] < floor[name][told] - SLACK else ' '}"
                if left is None or SETS[name][0] == left else f"{'':>9}" for name in sets))


if __name__ == "__main__":
    main(*sys.argv[1:])
