import pytest

from engine.answering import Generator, generate
from engine.answering.abstention import is_abstention
from engine.answering.extractive import ABSTENTION, extractive_generator
from engine.indexing.bm25 import BM25
from engine.indexing.inverted_index import InvertedIndex
from engine.records import Answer, Prompt

EMPTY = Prompt("?", "", (), (), 0, 0)


@pytest.mark.parametrize(
    "text",
    [
        ABSTENTION,
        "I don't know.",
        "I don’t know",
        "I do not know the answer to this question.",
        "I DON'T KNOW",
        "  **I don't know.** The sources speak of Mars only.",
        "I'm sorry, but I don't know.",
        "Sorry, I cannot answer this from the sources.",
        "Unfortunately, the sources do not mention Titan.",
        "Based on the provided sources, I don't know.",
        "According to the sources, I cannot tell.",
        "I cannot find the answer in the sources.",
        "I could not find any mention of it.",
        "I'm not sure: nothing is said about it.",
        "I do not have enough information to answer.",
        "The sources do not say.",
        "The provided sources don't contain the answer.",
        "The notes do not mention Titan's\ntemperature.",
        "The context does not explicitly state it.",
        "None of the sources mentions it.",
        "There is no information about this in the sources.",
        "No information is given on that.",
        "Not in the passages",
        "Not in the passages.",
        "Not mentioned in the sources.",
        "It is not stated in the notes.",
        "The answer is not in the sources.",
        "The answer to the question isn't provided in the context.",
        "Unknown.",
        "我不知道。",
        "资料中没有提到。",
        "わかりません。",
        "Ich weiß es nicht.",
        "No lo sé.",
        "Je ne sais pas.",
        "I do not have sufficient information to answer.",
        "There isn't enough information in the sources.",
        "Insufficient information.",
        "Cannot be determined from the sources.",
        "The answer cannot be found in the provided sources.",
        "It is not possible to answer this from the sources.",
        "The sources provided do not mention it.",
        "The documents above do not contain the answer.",
        "Neither source mentions it.",
        "This information is not provided.",
        "Based on the sources, the answer is not known.",
        "Not specified.",
        "Answer: Not in the passages",
        "Not in the passages [1].",
        "The sources do not mention Titan's temperature [1][2].",
        "I don't know. [1]",
        "",
        " \n ",
    ],
)
def test_these_texts_abstain(text):
    assert is_abstention(text)


@pytest.mark.parametrize(
    "text",
    [
        "I don't know its mass, but it has two moons [1].",
        "I don't know its mass. It has two moons [1].",
        "The sources do not say when [1]; it is hot [2].",
        "The sources do not give its mass, though it is hot [1].",
        "The notes do not say. It is hot [1].",
        "It cannot be found on Mars [1].",
        "It cannot be seen from Earth.",
        "It is not known for its rings [1].",
        "There is not enough gravity to hold air.",
        "Mars has two moons [1].",
        "Mars has two moons.",
        "What Mars is made of, I don't know from experience.",
        "Notes say that it is hot.",
        "Knowledge of Mars grew.",
        "Unknown to Galileo, Neptune stood in his notes.",
        "No information got lost.",
        "Not all planets have moons.",
        "Not in vain do the sources mention it.",
        "I know that.",
    ],
)
def test_these_do_not(text):
    assert not is_abstention(text)


# --- generate


def test_a_plain_function_is_a_generator_named_after_itself():
    def parrot(prompt: Prompt) -> str:
        return prompt.question

    assert generate(parrot, EMPTY) == Answer("?", "parrot", abstained=False)


def test_a_callable_without_a_name_is_named_after_its_class():
    class Oracle:
        def __call__(self, prompt: Prompt) -> str:
            return "I don't know."

    assert generate(Oracle(), EMPTY) == Answer("I don't know.", "Oracle", abstained=True)


def test_a_generator_that_can_say_more_is_let_to():
    generator = extractive_generator(BM25(InvertedIndex(["Mars"])))
    assert isinstance(generator, Generator)
    assert generate(generator, EMPTY) == generator.answer(EMPTY)
    assert generate(generator, EMPTY).reason
