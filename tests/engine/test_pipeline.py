import json
import subprocess
import sys
import unicodedata
from math import log
from pathlib import Path

import pytest

import engine
from engine import BM25, InvertedIndex, Library, answer_question, ask, build_document, extractive_generator
from engine.answering.hosted import hosted_generator
from engine.errors import EndpointError
from engine.pipeline import Stopwatch, explain
from engine.records import Chunk, Hit, Prompt, Ranking
from engine.settings import Settings

TEXTS = (
    "Mars has two small moons, Phobos and Deimos.",
    "Phobos orbits Mars faster than Mars rotates.",
    "Jupiter has dozens of moons, including four large moons.",
    "The red colour of Mars comes from iron oxide dust.",
)
QUESTION = "What moons does Mars have?"


def stages(*texts: str, **options: object) -> list[Library]:
    """Return the library of notes d1.md, d2.md … at each of its stages."""
    documents = {f"d{at}.md": build_document(f"d{at}.md", text) for at, text in enumerate(texts, 1)}
    return list(Library.from_documents(documents, Settings(**options), Path("notes")))


@pytest.fixture(scope="module")
def library() -> Library:
    return stages(*TEXTS, headers=False, stemming="none")[-1]


# --- the golden question, end to end


def test_the_golden_question_goes_through_every_stage(library):
    trace = ask(library, QUESTION)
    assert trace.terms == ("moons", "mars")
    # ln 2 · 1.0359 + ln(5/3.5) · 1.0359, ln 2 · 1.3941, ln(5/3.5) · 1.4648, ln(5/3.5) · 0.9665
    assert [hit[:3] for hit in trace.rankings["bm25"].hits] == [
        (1, 0, pytest.approx(1.0875, abs=5e-5)),
        (2, 2, pytest.approx(0.9663, abs=5e-5)),
        (3, 1, pytest.approx(0.5225, abs=5e-5)),
        (4, 3, pytest.approx(0.3447, abs=5e-5)),
    ]
    assert trace.answer.text == "Mars has two small moons, Phobos and Deimos [1]."
    assert [check.supported for check in trace.checks] == [True]
    assert (trace.n_chunks, trace.complete, trace.warnings) == (4, True, ())


def test_with_rrf_the_fused_list_is_the_sum_of_reciprocal_ranks_and_the_prompt_follows_it():
    trace = ask(stages(*TEXTS, headers=False, fusion="rrf")[-1], QUESTION)
    places = [trace.rankings["bm25"].ids.index, trace.rankings["lsa"].ids.index]
    for _, chunk, score, _ in trace.rankings["fused"].hits:
        assert score == pytest.approx(sum(1 / (60 + 1 + place(chunk)) for place in places), abs=1e-15)
    assert tuple(source.chunk.id for source in trace.prompt.sources) == trace.rankings["fused"].ids
    # Its title in front, a token each: 64 + (8 + 1 + 10) + (8 + 1 + 11) + (8 + 1 + 8) + (8 + 1 + 11) + 8.
    assert trace.prompt.tokens == 64 + 19 + 20 + 17 + 20 + 8 == 148


def test_an_explanation_adds_up_to_the_scores_of_its_trace(library):
    trace = ask(library, QUESTION)
    for ranking, part in (("bm25", "bm25"), ("fused", "fused"), ("lsa", "lsa")):
        for hit in trace.rankings[ranking].hits:
            assert getattr(explain(library, trace, hit.chunk), part) == pytest.approx(hit.score, abs=1e-12)
    first = explain(library, trace, 0)
    assert [term.contribution for term in first.terms] == pytest.approx([0.7180, 0.3695], abs=5e-5)
    assert first.terms[0].idf == pytest.approx(log(2), abs=1e-12)


def test_the_settings_of_the_library_reach_every_stage():
    library = stages(
        *TEXTS, headers=False, fusion="rrf", k1=0.0, depth=3, rrf_c=10.0, sources=2, budget=300, threshold=1.0
    )[-1]
    trace = ask(library, "What moons does Mars have, dust?")
    assert [len(ranking.hits) for ranking in trace.rankings.values()] == [3, 3, 3]
    assert trace.rankings["fused"].hits[0].score <= 2 / (10 + 1)
    assert trace.rankings["fused"].hits[0].score > 2 / (60 + 1)
    assert (len(trace.prompt.sources), trace.prompt.budget) == (2, 300)
    assert trace.answer.abstained and "the threshold is 1.00" in trace.answer.reason
    # With k1 = 0 the score is the sum of the idf: d4 holds mars (n 3 of 4) and dust (n 1), ln(5/3.5) + ln(5/1.5).
    assert trace.rankings["bm25"].hits[0].score == pytest.approx(log(5 / 3.5) + log(5 / 1.5), abs=1e-12)


def test_with_lists_the_trace_says_how_many_vectors_were_compared():
    library = stages(*TEXTS, headers=False, lists=3, probes=1)[-1]
    trace = ask(library, QUESTION)
    assert trace.scanned == len(trace.rankings["lsa"].hits) < 4
    assert trace.to_dict()["scanned"] == trace.scanned
    exact = ask(library.with_settings(library.settings.replace(lists=0)), QUESTION)
    assert exact.scanned == 4
    assert exact.rankings == ask(library.with_settings(library.settings.replace(probes=3)), QUESTION).rankings
    assert ask(library, "pluto").scanned == 0


def test_a_list_counts_as_much_as_its_weight():
    library = stages(*TEXTS, headers=False, fusion="rrf", bm25_weight=2.0, lsa_weight=0.5)[-1]
    trace = ask(library, QUESTION)
    for hit in trace.rankings["fused"].hits:
        why = explain(library, trace, hit.chunk)
        assert [part.weight for part in why.fusion] == [2.0, 0.5]
        assert why.fused == hit.score
    alone = ask(library.with_settings(library.settings.replace(lsa_weight=0.0)), QUESTION)
    assert alone.rankings["lsa"].hits
    assert alone.rankings["fused"].ids == alone.rankings["bm25"].ids


def test_the_same_question_gives_the_same_trace(library):
    first, second = ask(library, QUESTION).to_dict(), ask(library, QUESTION).to_dict()
    assert first.pop("timings").keys() == second.pop("timings").keys()
    assert first == second


# --- the trace as JSON

HIT = {"rank", "chunk", "document", "section", "start", "end", "line", "score", "copies"}
SOURCE = {"number", "chunk", "document", "line", "tokens", "suspicious", "version"}
CHECK = {"sentence", "citations", "support", "supported", "missing_terms", "missing_numbers", "reason"}


def test_a_refusal_says_in_json_what_came_closest_and_where_it_stands():
    trace = ask(stages(*TEXTS, headers=False, threshold=1.0)[-1], QUESTION)
    closest = json.loads(json.dumps(trace.to_dict(), allow_nan=False))["closest"]
    (sentence,), best = closest.pop("sentences"), trace.answer.candidates[0]
    (source,) = [source for source in trace.prompt.sources if source.number == best.source]
    assert sentence == {
        "source": best.source,
        "sentence": best.sentence,
        "document": source.chunk.document,
        "line": source.chunk.line,
    }
    assert closest == {"value": trace.answer.confidence, "threshold": 1.0, "said": trace.answer.closest.said}


@pytest.mark.parametrize(
    ("numbers", "chunks"), [((2, 1, 2), (1, 0)), ((3, 0, -1), ()), ((), ())], ids=["repeated", "no source", "none"]
)
def test_a_prompt_gives_the_passages_behind_source_numbers(numbers, chunks):
    prompt = ask(stages(*TEXTS, headers=False, sources=2)[-1], QUESTION).prompt
    ids = [prompt.sources[at].chunk.id for at in chunks]
    assert [chunk.id for chunk in prompt.cited(numbers)] == ids


def test_the_trace_is_json_of_a_fixed_shape():
    library = stages(*TEXTS, headers=False, sources=2)[-1]
    trace = json.loads(json.dumps(ask(library, QUESTION).to_dict(), allow_nan=False))
    assert list(trace) == [
        "question", "terms", "settings", "rankings", "fusion", "prompt", "answer", "checks", "timings", "warnings",
        "conflicts", "reading", "closest",
    ]  # fmt: skip
    assert list(trace["rankings"]) == ["bm25", "lsa", "fused"]
    assert all(set(hit) == HIT for ranking in trace["rankings"].values() for hit in ranking)
    assert set(trace["prompt"]) == {"text", "tokens", "budget", "sources", "dropped"}
    assert [set(source) for source in trace["prompt"]["sources"]] == [SOURCE] * 2
    assert [set(item) for item in trace["prompt"]["dropped"]] == [{"chunk", "tokens", "why"}] * 2
    assert set(trace["answer"]) == {"text", "generator", "abstained", "reason"}
    assert [set(check) for check in trace["checks"]] == [CHECK]
    assert trace["closest"] is None
    assert list(trace["timings"]) == ["analysis", "bm25", "lsa", "fusion", "prompt", "answer", "check"]
    assert Settings(**trace["settings"]) == library.settings


def test_every_chunk_that_a_trace_names_is_in_it():
    trace = ask(stages(*TEXTS, sources=1)[-1], QUESTION)
    named = {chunk for ranking in trace.rankings.values() for chunk in ranking.ids}
    assert set(trace.chunks) == named
    assert {item.chunk.id for item in (*trace.prompt.sources, *trace.prompt.dropped)} <= named


def test_a_stage_that_fails_is_timed_all_the_same():
    clock = Stopwatch()
    with pytest.raises(ValueError, match="x"), clock("answer"):
        raise ValueError("x")
    with clock("answer"):
        pass
    assert list(clock.seconds) == ["answer"] and clock.seconds["answer"] > 0


# --- questions that ask nothing, or too much


@pytest.mark.parametrize(
    ("question", "warning"),
    [
        ("", "The question is empty."),
        (" \n\t ", "The question is empty."),
        ("What is it?", "Every word of the question is a stopword, so there is nothing to search for."),
        ("?!", "The question holds no word, so there is nothing to search for."),
        ("\ud800", "The question holds no word, so there is nothing to search for."),
        ("Who won the cup?", "No note holds any word of the question."),
    ],
)
def test_a_question_that_finds_nothing_abstains_and_says_why(library, question, warning):
    trace = ask(library, question)
    assert trace.warnings == (warning,)
    assert [ranking.hits for ranking in trace.rankings.values()] == [(), (), ()]
    assert (trace.answer.abstained, trace.checks, trace.prompt.sources) == (True, (), ())
    assert trace.question == question and json.dumps(trace.to_dict())


def test_a_question_of_10_000_characters_is_searched_and_leaves_no_room_in_the_prompt(library):
    question = "mars " * 2000
    trace = ask(library, question)
    assert trace.terms == ("mars",) and trace.rankings["bm25"].hits
    # Its words, "Question" and ":", and the instruction.
    assert trace.prompt.tokens == 2000 + 2 + 64
    assert trace.answer.abstained
    assert trace.warnings == (
        "No source is in the prompt: no room: the instruction and the question alone take 2066 of 2000 tokens.",
    )


def test_a_budget_too_small_for_the_first_source_is_told():
    trace = ask(stages("Mars " * 50, budget=100)[-1], "Mars?")
    # 64 + 4 of 100 are taken, and a source of 50 words with [ 1 ] d1 ( d1 . md ) asks for 59.
    assert trace.warnings == ("No source is in the prompt: over the budget: 59 tokens, 32 left.",)


# --- libraries that are not ready


def test_a_library_of_documents_alone_finds_nothing_and_says_so():
    trace = ask(stages(*TEXTS)[0], QUESTION)
    assert [ranking.hits for ranking in trace.rankings.values()] == [(), (), ()]
    assert (trace.complete, trace.answer.abstained) == (False, True)
    assert trace.warnings == ("The index is not ready: nothing has been searched yet.",)


def test_before_lsa_is_ready_bm25_answers_alone():
    trace = ask(stages(*TEXTS)[1], QUESTION)
    assert trace.rankings["lsa"].hits == ()
    assert trace.rankings["fused"].ids == trace.rankings["bm25"].ids
    assert [part.ranking for part in explain(stages(*TEXTS)[1], trace, 0).fusion] == [
        "bm25",
        "near",
        "header",
        "note",
        "crowd",
    ]
    assert (trace.complete, trace.answer.abstained) == (False, False)
    assert trace.warnings == ("LSA is not ready: the fused list goes without it.",)


def test_an_empty_folder_has_nothing_to_say(tmp_path):
    trace = ask(Library.open(tmp_path), QUESTION)
    assert (trace.complete, trace.n_chunks, trace.answer.abstained) == (True, 0, True)
    assert trace.warnings == ("The folder holds no text to search.",)


# --- duplicates


def test_a_paragraph_that_stands_in_two_notes_is_shown_once_with_its_copies():
    trace = ask(stages(TEXTS[0], TEXTS[0].upper(), TEXTS[3])[-1], QUESTION)
    for ranking in trace.rankings.values():
        assert {hit.chunk: hit.copies for hit in ranking.hits} == {0: 2, 2: 1}
        assert [hit.rank for hit in ranking.hits] == [1, 2]
    assert sorted(source.chunk.document for source in trace.prompt.sources) == ["d1.md", "d3.md"]


def test_copies_do_not_take_the_place_of_other_texts():
    library = stages(*["Mars has two moons."] * 30, "Mars has red dust.", depth=2, headers=False)[-1]
    hits = ask(library, "Mars").rankings["bm25"].hits
    shown = [(library.chunks[hit.chunk].text, hit.copies) for hit in hits]
    assert shown == [("Mars has two moons.", 30), ("Mars has red dust.", 1)]


# --- other generators


def test_a_hosted_model_reads_the_prompt_of_the_trace_and_its_answer_is_checked(library, endpoint):
    endpoint.play_chat("Mars has two moons [1]. Mars has 7 seas [9].")
    trace = ask(library, QUESTION, generator=hosted_generator(endpoint.url, "", "tiny"))
    assert endpoint.received[0].body["messages"] == [{"role": "user", "content": trace.prompt.text}]
    assert trace.answer.generator == "tiny"
    assert [check.supported for check in trace.checks] == [True, False]


def test_a_hosted_model_that_abstains_is_not_checked(library, endpoint):
    endpoint.play_chat("I don't know.")
    trace = ask(library, QUESTION, generator=hosted_generator(endpoint.url, "", "tiny"))
    assert (trace.answer.abstained, trace.checks) == (True, ())


def test_a_hosted_failure_is_raised_and_no_extractive_answer_takes_its_place(library, endpoint):
    endpoint.play(401)
    with pytest.raises(EndpointError):
        ask(library, QUESTION, generator=hosted_generator(endpoint.url, "k" * 20, "tiny"))


# --- chunks in memory

CHUNKS = [Chunk(at, f"d{at + 1}.md", 0, len(text), text) for at, text in enumerate(TEXTS)]


@pytest.mark.parametrize("chunks", [CHUNKS, TEXTS], ids=["chunks", "texts"])
def test_a_question_over_chunks_in_memory_takes_the_same_path(chunks):
    bm25 = BM25(InvertedIndex(chunks))
    found = answer_question(QUESTION, chunks, bm25, extractive_generator(bm25), 2)
    assert found.answer == "Mars has two small moons, Phobos and Deimos [1]."
    assert found.ranking.ids == (0, 2)
    assert [source.chunk.text for source in found.prompt.sources] == [TEXTS[0], TEXTS[2]]
    (check,) = found.checks
    assert (check.sentence, check.citations, check.support, check.supported) == (found.answer, (1,), 1.0, True)
    assert check.reason == "6 of 6 terms stand in [1]"


def test_any_function_may_retrieve_and_any_function_may_answer():
    class Last:
        def search(self, query: str, k: int) -> Ranking:
            return Ranking("last", (Hit(1, 3, 1.0), Hit(2, 0, 0.5))[:k])

    def parrot(prompt: Prompt) -> str:
        return f"{prompt.sources[0].chunk.text} [1] Mars has 9 moons [2]."

    found = answer_question(QUESTION, CHUNKS, Last(), parrot, k=2)
    assert [check.supported for check in found.checks] == [True, False]
    assert found.checks[1].missing_numbers == ("9",)


def test_an_abstention_over_chunks_in_memory_has_no_checks():
    found = answer_question("Who?", CHUNKS, BM25(InvertedIndex(CHUNKS)), lambda prompt: "I don't know.")
    assert (found.answer, found.checks, found.prompt.sources) == ("I don't know.", (), ())


# --- what an import brings


def run(script: str) -> str:
    """Run a script in a process of its own; return what it prints."""
    root = Path(engine.__file__).parent.parent
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, cwd=root)
    assert ended.stderr == ""
    return ended.stdout


@pytest.mark.parametrize(
    "statement", ["import engine.records, engine.settings, engine.errors", "import planet_tui.app"]
)
def test_what_the_first_frame_needs_brings_no_arrays_and_no_http(statement):
    loaded = run(f"import sys\n{statement}\nprint(*{{name.split('.')[0] for name in sys.modules}})").split()
    assert "engine" in loaded
    assert not {"numpy", "scipy", "httpx"} & set(loaded)


@pytest.mark.parametrize("question", ["How many moons has Mars?", "path:mars moo", "path:mars", '"two moons"'])
def test_no_question_to_a_kept_index_waits_for_masked_arrays(question, tmp_path):
    Library.open("sample_docs", cache=tmp_path)
    opened = f"import pathlib, sys\nfrom engine import *\ncache = pathlib.Path({str(tmp_path)!r})"
    asked = f"library = next(Library.stages('sample_docs', cache=cache))\nask(library, {question!r}, typing=True)"
    loaded = run(f"{opened}\n{asked}\nprint(library.stage, *sys.modules)").split()
    assert loaded[0] == "lsa"
    assert "numpy.ma" not in loaded


@pytest.mark.parametrize("statement", ["from engine import *", "import engine.evaluation.report"])
def test_the_engine_works_where_there_is_no_terminal_to_import(statement):
    """An import of a module that is `None` in `sys.modules` fails; httpx tries rich and does without."""
    absent = "sys.modules.update(dict.fromkeys(['textual', 'rich', 'planet_tui']))"
    assert run(f"import sys\n{absent}\n{statement}\nprint('done')") == "done\n"


def test_every_public_name_is_there_and_no_other():
    assert all(getattr(engine, name) for name in engine.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        engine.nothing  # noqa: B018


def test_while_typing_the_last_word_is_the_start_of_one():
    library = stages(*TEXTS, headers=False)[-1]
    trace = ask(library, "phob", typing=True)
    assert trace.typing and trace.terms == ("phob", "phobo") and trace.warnings == ()
    assert {library.chunks[chunk].text for chunk in trace.rankings["bm25"].ids} == {
        text for text in TEXTS if "Phobos" in text
    }
    best = trace.rankings["bm25"].hits[0]
    explained = explain(library, trace, best.chunk)
    assert explained.bm25 == best.score
    assert [(term.term, term.stands_for) for term in explained.terms] == [("phob…", ("phobos",))]
    assert ask(library, "phob").rankings["bm25"].hits == ()


@pytest.mark.parametrize("typed", ["pho", "phobo", "phobos", "Phobos"])
def test_a_word_is_found_at_every_letter_though_its_stem_is_shorter(typed):
    library = stages(*TEXTS, headers=False)[-1]
    assert "phobo" in library.index.vocabulary
    assert set(ask(library, typed, typing=True).rankings["bm25"].ids) == {0, 1}


def test_words_are_shown_as_they_are_written_and_terms_kept():
    library = stages(*TEXTS, headers=False)[-1]
    trace = ask(library, "Which Moons of Mars have Rings and phones?")
    why = explain(library, trace, 0)
    assert [(term.term, term.word) for term in why.terms] == [
        ("moon", "Moons"), ("mar", "Mars"), ("ring", "Rings"), ("phone", "phones"),
    ]  # fmt: skip
    assert {word for word, _ in why.lsa_terms} <= {"Mars", "moons", "small", "two", "Phobos", "Deimos"}
    assert trace.warnings == ("No note holds: Rings, phones.",)


@pytest.mark.parametrize("language", ["english", "french"])
@pytest.mark.parametrize("typed", ["etre resume", "être résumé", "Être Resume"])
def test_accents_matter_to_neither_a_question_nor_a_phrase(language, typed):
    library = stages("Tout doit être résumé ici.", "Autre chose.", language=language)[-1]
    assert ask(library, typed).rankings["bm25"].ids == (0,)
    assert ask(library, f'"{typed}"').rankings["bm25"].ids == (0,)


@pytest.mark.parametrize("question", ["mars ", "mars?", "m", "xylo", "mars -moons", 'tag:"mars', ""])
def test_a_last_word_that_cannot_go_on_is_taken_as_it_stands(question):
    library = stages(*TEXTS, headers=False)[-1]
    assert ask(library, question, typing=True).rankings == ask(library, question).rankings


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("Häuser fließen", ["hä", "HÄUS", "flie"]),
        ("les élèves", ["éL", "élè"]),
        ("Зелёный йогурт", ["Зе", "зелё", "зелёный", "йо"]),
        ("हिन्दी किताबें", ["हिन्", "किता"]),
        ("金星", ["金", "金星"]),
        ("한국어", ["한", "한국"]),
        ("שָׁלוֹם", ["שָׁל", "שלו"]),
    ],
)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_word_is_found_while_it_is_typed_however_its_marks_are_written(tmp_path, text, typed, form):
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    (tmp_path / "b.md").write_text("xyz", encoding="utf-8")
    library = Library.open(tmp_path, Settings(language="english", stemming="none"))
    for start in typed:
        assert ask(library, unicodedata.normalize(form, start), typing=True).rankings["bm25"].ids == (0,), start
