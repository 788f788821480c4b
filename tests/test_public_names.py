"""Every public name is there, is called as agreed, says what it is, shows it, and stands on its page."""

import doctest
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import engine

ROOT = Path(__file__).parents[1]
AGREED = """
    Document Section build_document parse_markdown load_markdown_folder parse_article normalize_text tokenize analyze
    STOPWORDS split_sentences sentence_spans contains_phrase
    Chunk fixed_windows sentence_chunks section_chunks structure_chunks semantic_chunks chunk_corpus chunk_text
    lead_summaries cut_probability
    InvertedIndex BM25 Tfidf LSA exact_search IVF ann_recall reciprocal_rank_fusion
    Prompt assemble_prompt select_and_order extractive_generator hosted_generator check_answer
    Evidence Question recall_at_k reciprocal_rank dcg ndcg evaluate_retrieval exact_match token_f1 normalize_answer
    rag_report
    rag_marginals rag_sequence_likelihood rag_token_likelihood rag_posterior knn_lm Trigram extract_json validate_fields
    Library Trace ask answer_question
""".split()
CALLS = [
    ("fixed_windows", ("document", "words", "overlap"), {}),
    ("sentence_chunks", ("document", "max_words", "overlap_words"), {"overlap_words": 0}),
    ("section_chunks", ("document",), {}),
    ("chunk_text", ("text", "max_tokens", "overlap"), {}),
    ("cut_probability", ("span_words", "window_words", "overlap_words"), {}),
    ("contains_phrase", ("text", "phrase"), {}),
    ("BM25", ("index", "k1", "b", "variant"), {"k1": 1.5, "b": 0.75}),
    ("Tfidf", ("index", "sublinear"), {"sublinear": True}),
    ("select_and_order", ("passages", "budget"), {}),
    ("hosted_generator", ("base_url", "api_key", "model"), {}),
    ("exact_match", ("prediction", "references"), {}),
    ("token_f1", ("prediction", "references"), {}),
    ("normalize_answer", ("text",), {}),
    ("rag_report", ("records", "k"), {}),
    ("rag_marginals", ("log_prior", "log_tok"), {}),
    ("rag_sequence_likelihood", ("prior", "token_probabilities"), {}),
    ("rag_token_likelihood", ("prior", "token_probabilities"), {}),
    ("knn_lm", ("p_lm", "dists", "values", "lam"), {}),
    ("extract_json", ("reply",), {}),
    ("validate_fields", ("object", "schema"), {}),
    ("ask", ("library", "question"), {}),
    ("answer_question", ("question", "chunks", "retriever", "generator", "k"), {}),
]


def documented(name: str) -> str:
    """Return a name's docstring; a constant's stands in its module."""
    value = getattr(engine, name)
    home = next(module for module, names in engine._HOME.items() if name in names.split())
    return (value.__doc__ if callable(value) else importlib.import_module(home).__doc__) or ""


def test_every_agreed_name_is_public():
    assert set(AGREED) <= set(engine.__all__)
    assert dir(engine) == engine.__all__ == sorted(engine.__all__)


@pytest.mark.parametrize("name", engine.__all__)
def test_each_says_what_it_is_and_shows_it(name):
    text = documented(name)
    assert len(text.split("\n\n")[0]) >= 20
    shown = doctest.DocTestParser().get_examples(text)
    assert any(each.want or each.exc_msg for each in shown), f"{name} has no example with a result"


@pytest.mark.parametrize(("name", "parameters", "defaults"), CALLS)
def test_each_is_called_as_agreed(name, parameters, defaults):
    found = inspect.signature(getattr(engine, name)).parameters
    assert tuple(found)[: len(parameters)] == parameters
    required = [each.name for each in found.values() if each.default is each.empty]
    assert set(required) <= set(parameters)
    assert {name: found[name].default for name in defaults} == defaults


def test_a_library_is_opened_with_a_folder_and_settings():
    assert list(inspect.signature(engine.Library.open).parameters)[:2] == ["folder", "settings"]


@pytest.mark.parametrize("name", engine.__all__)
def test_the_page_has_each_with_its_signature_its_file_and_its_example(name):
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    found = re.search(rf"^### {name}\n\n`{name}(.*?)` in `(.*?)`\n(.*?)(?=^##|\Z)", page, re.DOTALL | re.MULTILINE)
    assert found, "run python docs/make_api.py"
    called, file, described = found.groups()
    assert (ROOT / file).is_file()
    for parameters in (each for agreed, each, _ in CALLS if agreed == name):
        assert [part.partition("=")[0] for part in called.strip("()").split(", ")][: len(parameters)] == list(
            parameters
        )
    for example in doctest.DocTestParser().get_examples(documented(name)):
        assert example.want in described, "run python docs/make_api.py"


def test_the_help_of_the_command_line_brings_nothing_heavy():
    code = (
        "import sys; from planet_tui.__main__ import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('numpy', 'scipy', 'httpx', 'textual')])"
    )
    said = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(ROOT)},
    )
    assert said.stdout.strip().endswith("[]")
    assert "planet-tui" in said.stdout
