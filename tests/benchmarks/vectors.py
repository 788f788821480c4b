"""The ready chunks -> LSA in 128 dimensions, and search among its vectors: planet-tui and its peers."""

import numpy as np

from tests.benchmarks.meter import Meter

DIMENSIONS, NEAREST = 128, 10
PROBES = 28
"""Lists scanned, of as many as a library makes."""


def _index(place):
    from engine.indexing.inverted_index import InvertedIndex

    return InvertedIndex(place.read("chunks"))


def planet_lsa(place):
    """Fit LSA; keep its vectors for the searches of this module."""
    from engine.indexing.lsa import LSA

    index, meter = _index(place), Meter()
    with meter.measure("LSA-128"):
        lsa = LSA(index, DIMENSIONS)
    meter.figures["energy"] = float((lsa.singular_values.astype(np.float64) ** 2).sum())
    np.save(place.path / "vectors.npy", lsa.embeddings)
    np.save(place.path / "questions.npy", np.stack([lsa.embed(query) for query in place.read("queries")]))
    return meter.figures


def _matrix(place, kind):
    from engine.indexing.tfidf import Tfidf, weight_matrix

    index = _index(place)
    return weight_matrix(index, Tfidf(index).idf, True, keep=index.document_frequencies() >= 2).astype(kind)


def sklearn_randomized(place):
    """Fit `TruncatedSVD`, randomised, on the same matrix in float32."""
    return _truncated(_matrix(place, np.float32), algorithm="randomized", n_iter=5, random_state=0)


def sklearn_arpack(place):
    """Fit `TruncatedSVD` by ARPACK on the same matrix: the largest energy there is."""
    return _truncated(_matrix(place, np.float64), algorithm="arpack", random_state=0)


def _truncated(matrix, **options):
    from sklearn.decomposition import TruncatedSVD

    meter = Meter()
    with meter.measure("LSA-128"):
        fitted = TruncatedSVD(DIMENSIONS, **options)
        fitted.fit_transform(matrix)
    meter.figures["energy"] = float((fitted.singular_values_.astype(np.float64) ** 2).sum())
    return meter.figures


def _vectors(place):
    vectors, questions = (np.load(place.path / f"{name}.npy") for name in ("vectors", "questions"))
    return np.ascontiguousarray(vectors, np.float32), [question.astype(np.float32) for question in questions]


def _n_lists(vectors):
    return max(1, 2 * int(len(vectors) ** 0.5))


def planet_search(place):
    """Compare with every vector, and with those of the closest lists, made as a library makes them."""
    from engine.indexing.exact import exact_search
    from engine.indexing.ivf import IVF, QUICK

    (vectors, questions), meter = _vectors(place), Meter()
    meter.latency("exact", lambda question: exact_search(vectors, question, NEAREST), questions)
    with meter.measure("IVF"):
        ivf = IVF(vectors, _n_lists(vectors), **QUICK)
    meter.latency("IVF", lambda question: ivf.search(question, NEAREST, PROBES), questions)
    found = [ivf.search(question, NEAREST, PROBES).ids for question in questions]
    meter.figures["recall"] = recall(vectors, questions, found)
    return meter.figures


def faiss(place):
    """The same by `IndexFlatIP` and `IndexIVFFlat` with as many lists, on one thread."""
    import faiss as package

    package.omp_set_num_threads(1)
    (vectors, questions), meter = _vectors(place), Meter()
    flat = package.IndexFlatIP(vectors.shape[1])
    flat.add(vectors)
    meter.latency("exact", lambda question: flat.search(question[None], NEAREST), questions)
    lists = _n_lists(vectors)
    with meter.measure("IVF"):
        quantizer = package.IndexFlatIP(vectors.shape[1])
        ivf = package.IndexIVFFlat(quantizer, vectors.shape[1], lists, package.METRIC_INNER_PRODUCT)
        ivf.train(vectors)
        ivf.add(vectors)
    ivf.nprobe = PROBES
    meter.latency("IVF", lambda question: ivf.search(question[None], NEAREST), questions)
    found = [ivf.search(question[None], NEAREST)[1][0] for question in questions]
    meter.figures["recall"] = recall(vectors, questions, found)
    return meter.figures


def recall(vectors, questions, found):
    """Return the mean share of the found vectors that are as close as the tenth closest; ties are all right."""
    shares = []
    for question, ids in zip(questions, found, strict=True):
        products = vectors @ question
        edge = np.partition(products, len(products) - NEAREST)[len(products) - NEAREST] - 1e-6
        shares.append(np.mean(products[[at for at in ids if at >= 0]] >= edge) if len(ids) else 0.0)
    return float(np.mean(shares))
