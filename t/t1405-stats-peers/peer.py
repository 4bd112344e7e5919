"""Ask lib/stats (the program in the first argument) what SciPy and statsmodels, or counting one by one, say too."""
import itertools
import math
import random
import subprocess
import sys

try:
    import numpy
    from scipy import optimize, stats
    from statsmodels.regression.linear_model import OLS
    from statsmodels.stats.contingency_tables import mcnemar
    from statsmodels.stats.inter_rater import cohens_kappa
    from statsmodels.stats.multitest import multipletests
    from statsmodels.stats.proportion import proportion_confint
except ImportError:
    sys.exit(77)

dice = random.Random(20261130)


def questions():
    for _ in range(60):
        n = dice.choice([1, 2, 3, 5, 8, 20, 100, 1000])
        c = dice.randint(0, n)
        for name in ("wilson", "clopper", "jeffreys"):
            yield name, [c, n]
        yield "binomial", [c, n, round(dice.random(), 3)]
        yield "normal", [round(dice.uniform(1e-6, 1 - 1e-6), 6)]
        yield "t", [round(dice.uniform(.001, .999), 4), dice.choice([1, 2, 3, 7, 30, 400]), round(dice.uniform(-4, 4), 3)]
        yield "mcnemar", [dice.randint(0, 30), dice.randint(0, 30)]
        k = dice.randint(1, max(1, min(n, 6)))
        yield "repeats", [n, c, k]
    for cases in (1, 1, 2, 2, 3, 3, 4):
        yield "permutation", [dice.randint(0, 10) for _ in range(5 * cases)]
    for n in (1, 2, 5, 20, 60):
        yield "adjust", [round(dice.random() ** 3, 5) for _ in range(n)]
    for _ in range(20):
        yield "kappa", [dice.randint(0, 12) + (1 if i % 4 == 0 else 0) for i in range(9)]
        yield "alpha", [dice.choice([0, 1, 2, 3, 3, 2, -1]) for _ in range(3 * 12)]
        yield "mean", [round(dice.gauss(5, 2), 4) for _ in range(dice.choice([2, 3, 10, 100]))]
        yield "clustered", [round(dice.gauss(5, 2), 4) for _ in range(dice.choice([8, 20, 60]))]


def permuted(x):
    """All ways to deal each case's five runs anew, counted one by one."""
    cases = [x[i : i + 5] for i in range(0, len(x), 5)]
    seen = sum(sum(c[3:]) for c in cases)
    sums = [[sum(c[i] for i in two) for two in itertools.combinations(range(5), 2)] for c in cases]
    totals = [sum(t) for t in itertools.product(*sums)]
    lower = sum(t <= seen for t in totals) / len(totals)
    upper = sum(t >= seen for t in totals) / len(totals)
    return [lower, upper, min(1, 2 * min(lower, upper))]


def alpha(x, level):
    """Krippendorff's definition: disagreement of pairs within units over that of all pairs."""
    units = len(x) // 3
    rated = [[x[r * units + u] for r in range(3) if x[r * units + u] >= 0] for u in range(units)]
    rated = [r for r in rated if len(r) > 1]
    flat = [v for r in rated for v in r]
    count = [flat.count(v) for v in range(4)]

    def apart(a, b):
        if level == "nominal":
            return a != b
        if level == "interval":
            return (a - b) ** 2
        lo, hi = min(a, b), max(a, b)
        return 0 if a == b else (sum(count[lo : hi + 1]) - (count[lo] + count[hi]) / 2) ** 2

    within = sum(sum(apart(a, b) for a, b in itertools.permutations(r, 2)) / (len(r) - 1) for r in rated) / len(flat)
    among = sum(apart(a, b) for a, b in itertools.permutations(flat, 2)) / (len(flat) * (len(flat) - 1))
    return 1 - within / among


def clusters(n):
    return [i if i < 7 else i * i // n % 7 for i in range(n)]


def wanted(name, x):
    if name == "wilson":
        return proportion_confint(*x, method="wilson")
    if name == "clopper":
        lo, hi = proportion_confint(*x, method="beta")
        return [0 if x[0] == 0 else lo, 1 if x[0] == x[1] else hi]
    if name == "jeffreys":
        return proportion_confint(*x, method="jeffreys")
    if name == "binomial":
        return [stats.binom.sf(x[0] - 1, x[1], x[2])]
    if name == "normal":
        return [stats.norm.ppf(x[0])]
    if name == "t":
        # stats.t.ppf of SciPy 1.10 is right to nine digits only: its own sf says so.
        root = optimize.brentq(lambda v: stats.t.sf(v, x[1]) - (1 - x[0]), -1e4, 1e4, xtol=1e-13, rtol=1e-14)
        return [root, stats.t.sf(x[2], x[1])]
    if name == "mcnemar":
        return [mcnemar([[0, x[0]], [x[1], 0]], exact=True).pvalue if sum(x) else 1]
    if name == "repeats":
        n, c, k = x
        return [math.comb(c, k) / math.comb(n, k), 1 - math.comb(n - c, k) / math.comb(n, k)]
    if name == "permutation":
        return permuted(x)
    if name == "adjust":
        both = [multipletests(x, method=m)[1] for m in ("holm", "fdr_bh")]
        return [v for pair in zip(*both) for v in pair]
    if name == "kappa":
        table = numpy.reshape(x, (3, 3))
        plain = cohens_kappa(table)
        return [plain.kappa, plain.std_kappa] + [cohens_kappa(table, wt=w).kappa for w in ("linear", "quadratic")]
    if name == "alpha":
        return [alpha(x, level) for level in ("nominal", "ordinal", "interval")]
    if name == "mean":
        mean, se = numpy.mean(x), stats.sem(x)
        return [mean, numpy.std(x, ddof=1), se, *stats.t.interval(0.95, len(x) - 1, mean, se)]
    groups = clusters(len(x))
    fit = OLS(x, numpy.ones(len(x))).fit(cov_type="cluster", cov_kwds={"groups": groups, "use_correction": True})
    return [fit.bse[0]]


def agree(got, want):
    return len(got) == len(want) and all(
        math.isnan(g) and math.isnan(w) or abs(g - w) <= 1e-9 * max(1, abs(w)) for g, w in zip(got, want)
    )


asked = list(questions())
lines = "".join(" ".join(map(str, [name, *x])) + "\n" for name, x in asked)
said = subprocess.run([sys.argv[1], "-"], input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
bad = caught = 0
for (name, x), line in zip(asked, said):
    got, want = [float(v) for v in line.split()], [float(v) for v in wanted(name, x)]
    if not agree(got, want):
        bad += 1
        print(name, x, "got", got, "want", want)
    caught += not agree([g + 1e-6 for g in got], want) or all(map(math.isnan, want))
print(len(asked), "questions,", len(said), "answers,", caught, "would be caught if wrong in the sixth digit")
sys.exit(bad > 0 or len(said) != len(asked) or caught < len(asked))
