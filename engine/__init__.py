"""Retrieval-augmented generation over a folder of Markdown, every stage in the open.

One import serves a notebook or a script; each name is loaded on first use, so that `import engine.records`
brings no NumPy. Start reading at `engine/pipeline.py`.
"""

from __future__ import annotations

import importlib
from typing import Any

_HOME = {
    "engine.records": "Chunk Document Evidence Prompt Question Section Trace",
    "engine.settings": "Settings",
    "engine.roots": "Root Roots",
    "engine.reading.markdown": "build_document parse_markdown",
    "engine.reading.articles": "parse_article",
    "engine.reading.folder": "load_markdown_folder",
    "engine.text.analysis": "analyze contains_phrase tokenize",
    "engine.text.normalizing": "normalize_text",
    "engine.text.stopwords": "STOPWORDS",
    "engine.text.sentences": "sentence_spans split_sentences",
    "engine.chunking.windows": "cut_probability fixed_windows",
    "engine.chunking.sentences": "chunk_text section_chunks sentence_chunks",
    "engine.chunking.corpus": "chunk_corpus lead_summaries",
    "engine.chunking.semantic": "semantic_chunks",
    "engine.chunking.structure": "structure_chunks",
    "engine.indexing.inverted_index": "InvertedIndex",
    "engine.indexing.bm25": "BM25",
    "engine.indexing.tfidf": "Tfidf",
    "engine.indexing.lsa": "LSA",
    "engine.indexing.exact": "exact_search",
    "engine.indexing.ivf": "IVF ann_recall",
    "engine.ranking.fusion": "reciprocal_rank_fusion",
    "engine.answering.prompt": "assemble_prompt select_and_order",
    "engine.answering.extractive": "extractive_generator",
    "engine.answering.reader": "feature_reader",
    "engine.answering.hosted": "hosted_generator",
    "engine.answering.verification": "check_answer",
    "engine.answering.json_objects": "extract_json",
    "engine.answering.fields": "validate_fields",
    "engine.modelling.knn_lm": "knn_lm",
    "engine.modelling.rag_models": "rag_marginals rag_posterior rag_sequence_likelihood rag_token_likelihood",
    "engine.modelling.trigram": "Trigram",
    "engine.evaluation.metrics": "dcg ndcg recall_at_k reciprocal_rank",
    "engine.evaluation.text_metrics": "exact_match normalize_answer token_f1",
    "engine.evaluation.rag": "rag_report",
    "engine.evaluation.retrieval": "evaluate_retrieval",
    "engine.library": "Library",
    "engine.pipeline": "answer_question ask",
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names.split()}

__all__ = sorted(_MODULE_OF)  # noqa: PLE0605


def __getattr__(name: str) -> Any:  # noqa: ANN401
    """Import the module behind a public name when the name is first used."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'engine' has no attribute {name!r}")
    return getattr(importlib.import_module(_MODULE_OF[name]), name)


def __dir__() -> list[str]:
    """List the public names."""
    return __all__
