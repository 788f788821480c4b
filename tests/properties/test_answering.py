from hypothesis import given
from hypothesis import strategies as st

from engine.answering.citations import cite, parse_citations, strip_citations
from engine.answering.extractive import extractive_generator
from engine.answering.prompt import assemble_prompt, select_and_order
from engine.answering.templates import CHAT, PASSAGES, TEMPLATES
from engine.answering.tokens import count_tokens
from engine.answering.verification import check_answer, split_claims
from engine.indexing.bm25 import BM25
from engine.indexing.inverted_index import InvertedIndex
from engine.records import Chunk
from engine.text.analysis import analyze, tokenize

PIECES = (
    "Mars Venus moons two 224.7 1,014 days hot. dust. [1] [2, 3] 【1】 [9-12] Question: 火星有。 it is how ! U.S. \n"
)
WORDS = st.sampled_from(PIECES.split(" "))
TEXTS = st.lists(WORDS, max_size=30).map(" ".join) | st.text(max_size=60)
CHUNKS = st.lists(TEXTS, max_size=7).map(
    lambda texts: [Chunk(at, f"{at}.md", 0, len(text), text, "Mars", "Orbit") for at, text in enumerate(texts)]
)
STRATEGIES = st.sampled_from(["prefix", "edges"])
WORDINGS = st.sampled_from(sorted(TEMPLATES.values(), key=lambda template: template.name))


@given(TEXTS, CHUNKS, st.integers(0, 400), st.integers(1, 7), STRATEGIES, WORDINGS)
def test_a_prompt_is_never_over_its_budget_while_it_holds_a_source(
    question, chunks, budget, sources, strategy, template
):
    prompt = assemble_prompt(question, chunks, budget=budget, sources=sources, strategy=strategy, template=template)
    assert prompt.tokens == count_tokens(prompt.text)
    assert prompt.tokens == (
        prompt.instruction_tokens + prompt.question_tokens + sum(source.tokens for source in prompt.sources)
    )
    assert prompt.tokens <= budget or not prompt.sources
    assert len(prompt.sources) <= sources


@given(TEXTS, CHUNKS, st.integers(0, 300), st.integers(1, 7), STRATEGIES)
def test_every_ranked_chunk_is_a_source_or_dropped_with_a_reason(question, chunks, budget, sources, strategy):
    prompt = assemble_prompt(question, chunks, budget=budget, sources=sources, strategy=strategy)
    placed = [source.chunk.id for source in prompt.sources]
    dropped = [item.chunk.id for item in prompt.dropped]
    assert sorted(placed + dropped) == [chunk.id for chunk in chunks]
    assert dropped == sorted(dropped)
    assert all(item.why for item in prompt.dropped)
    assert [source.number for source in prompt.sources] == list(range(1, len(placed) + 1))


@given(TEXTS, CHUNKS, st.integers(0, 300))
def test_prefix_places_a_prefix_and_one_more_would_not_fit(question, chunks, budget):
    prompt = assemble_prompt(question, chunks, budget=budget, sources=7)
    n = len(prompt.sources)
    assert [source.chunk for source in prompt.sources] == chunks[:n]
    if n < len(chunks):
        longer = assemble_prompt(question, chunks[: n + 1], budget=10_000, sources=7)
        assert len(longer.sources) == n + 1 and longer.tokens > budget


@given(TEXTS, CHUNKS)
def test_only_labels_and_the_question_stand_at_the_margin(question, chunks):
    prompt = assemble_prompt(question, chunks, budget=10_000, sources=7)
    body = prompt.text.removeprefix(CHAT.instruction).splitlines()
    margin = [line for line in body if line and not line.startswith("    ")]
    assert margin[:-1] == [f"[{source.number}] {source.label}" for source in prompt.sources]
    assert margin[-1].startswith("Question:")


@given(TEXTS, CHUNKS)
def test_a_base_model_reads_a_line_a_passage_then_the_question_and_nothing_else(question, chunks):
    prompt = assemble_prompt(question, chunks, budget=10_000, sources=7, template=PASSAGES)
    lines = prompt.text.removeprefix(PASSAGES.instruction).strip("\n").splitlines()
    *passages, asked, answer = lines
    assert [line.split("]")[0] for line in passages] == [f"Passage [{source.number}" for source in prompt.sources]
    assert asked.startswith("Question:") and answer == "Answer:"


@given(TEXTS, CHUNKS, STRATEGIES, WORDINGS)
def test_every_source_stands_in_the_text_where_it_says(question, chunks, strategy, template):
    prompt = assemble_prompt(question, chunks, budget=10_000, sources=7, strategy=strategy, template=template)
    ends = [len(template.instruction) + 2]
    for source in prompt.sources:
        assert source.label in prompt.text[slice(*source.span)]
        assert source.span.start >= ends[-1]
        ends.append(source.span.end)


@given(st.lists(st.integers(0, 40), max_size=12), st.integers(-5, 100))
def test_select_and_order_keeps_what_fits_in_rank_order_towards_the_middle(tokens, budget):
    order = select_and_order(list(enumerate(tokens)), budget)
    assert len(set(order)) == len(order)
    assert sum(tokens[at] for at in order) <= max(0, budget)
    middle = (len(order) + 1) // 2
    assert order[:middle] == sorted(order[:middle])
    assert order[middle:] == sorted(order[middle:], reverse=True)
    passed_over = set(range(len(tokens))) - set(order)
    assert all(tokens[at] > budget - sum(tokens[kept] for kept in order if kept < at) for at in passed_over)


@given(TEXTS, CHUNKS)
def test_an_extractive_answer_stands_word_for_word_in_the_source_it_cites(question, chunks):
    generator = extractive_generator(BM25(InvertedIndex(chunks)), 0.0)
    answer = generator.answer(assemble_prompt(question, chunks))
    for candidate in answer.candidates:
        assert candidate.sentence in chunks[candidate.source - 1].text
        assert -0.5 <= candidate.coverage <= 1.0
    best_first = [candidate.coverage for candidate in answer.candidates]
    assert best_first == sorted(best_first, reverse=True)
    if not answer.abstained:
        best = answer.candidates[0]
        assert answer.text == cite(best.sentence, best.source)


@given(TEXTS)
def test_question_terms_are_the_distinct_terms_where_no_word_follows_how(question):
    generator = extractive_generator(BM25(InvertedIndex([])))
    terms = list(dict.fromkeys(analyze(question)))
    assert "how" in tokenize(question) or generator.question_terms(question) == terms


@given(st.text(st.characters(exclude_characters="[]［］【】"), max_size=40), st.integers(1, 99))
def test_citing_a_sentence_can_be_undone(sentence, number):
    cited = cite(sentence, number)
    assert parse_citations(cited) == (number,)
    assert cited.replace(f" [{number}]", "") == sentence
    assert sorted(strip_citations(cited)) == sorted(sentence)


@given(TEXTS, st.lists(TEXTS, max_size=3))
def test_support_is_a_share_and_support_alone_never_suffices(answer, sources):
    for check in check_answer(answer, sources):
        assert 0.0 <= check.support <= 1.0
        assert check.reason
        known = [number for number in check.citations if 1 <= number <= len(sources)]
        assert check.supported == (bool(known) and check.support >= 0.75 and not check.missing_numbers)
        if not known:
            assert check.support == 0.0


@given(TEXTS)
def test_claims_are_the_answer_in_order_and_lose_nothing(answer):
    assert "".join("".join(split_claims(answer)).split()) == "".join(answer.split())


@given(TEXTS)
def test_a_text_supports_itself_where_it_has_words(text):
    cited = " ".join(f"{claim} [1]" for claim in split_claims(strip_citations(text)))
    for check in check_answer(cited, [text]):
        if 1 in check.citations and check.reason != "it holds no word to check":
            assert check.support == 1.0
