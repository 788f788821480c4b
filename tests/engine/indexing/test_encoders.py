"""Vectors that a model makes: one behind a real server on loopback, one in a folder."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from engine.endpoints import Endpoint
from engine.errors import Cancelled, EndpointError, MissingExtraError, SettingsError
from engine.indexing.encoders import Embeddings, encoder_for, first_tokens
from engine.indexing.endpoint_encoder import BATCH, EndpointEncoder
from engine.indexing.local_encoder import LocalEncoder
from engine.library import Library
from engine.pipeline import ask, explain
from engine.reading.markdown import parse_markdown
from engine.settings import Settings

WORDS = {"mars": 0, "moon": 1, "satellite": 1, "moons": 1, "bread": 2, "flour": 2}
NOTES = {
    "a.md": "# Night\nThe satellite rises late.\n",
    "b.md": "# Kitchen\nBread needs flour.\n",
    "c.md": "# Red\nMars is red.\n",
}


def meaning(text):
    """A vector by words: moon and satellite are one."""
    vector = [0.0, 0.0, 0.0, 0.01]
    for word in text.lower().replace(".", " ").replace("?", " ").split():
        if word in WORDS:
            vector[WORDS[word]] += 1
    return vector


def play_embeddings(endpoint, times=1, backwards=False):
    """Answer as an OpenAI-compatible server does."""

    def play(handler):
        texts = endpoint.received[-1].body["input"]
        data = [{"object": "embedding", "index": at, "embedding": meaning(text)} for at, text in enumerate(texts)]
        content = json.dumps({"object": "list", "data": data[::-1] if backwards else data}).encode()
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    endpoint.plays += [play] * times


@pytest.fixture
def encoder(endpoint, tmp_path):
    return EndpointEncoder(Endpoint(endpoint.url, "sk-secret-key", retries=0), "tiny-embed", tmp_path / "embeddings")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A model2vec model of six words."""
    from model2vec import StaticModel
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.normalizers import Lowercase
    from tokenizers.pre_tokenizers import Whitespace

    names = {"[UNK]": 0} | {word: at for at, word in enumerate(WORDS, 1)}
    tokenizer = Tokenizer(WordLevel(names, unk_token="[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = Lowercase(), Whitespace()
    vectors = np.array([[0, 0, 0]] + [np.eye(3)[WORDS[word]] for word in WORDS], np.float32)
    folder = tmp_path_factory.mktemp("models") / "six-words"
    StaticModel(vectors, tokenizer).save_pretrained(folder)
    return folder


def test_texts_are_sent_in_batches_and_come_back_in_order(endpoint, encoder):
    play_embeddings(endpoint, backwards=True)
    texts = [f"mars {'moon ' * (at % 3)}number {at}" for at in range(BATCH + 5)]
    vectors = encoder.encode(texts)
    assert vectors.dtype == np.float32
    assert vectors == pytest.approx(np.array([meaning(text) for text in texts]))
    assert [len(request.body["input"]) for request in endpoint.received] == [BATCH, 5]
    assert endpoint.received[0].path == "/v1/embeddings"
    assert endpoint.received[0].body["model"] == "tiny-embed"
    assert endpoint.received[0].headers["Authorization"] == "Bearer sk-secret-key"


def test_a_text_is_asked_for_once_and_its_vector_kept_on_disk(endpoint, encoder, tmp_path):
    play_embeddings(endpoint)
    first = encoder.encode(["mars", "moon", "mars"])
    assert endpoint.received[0].body["input"] == ["mars", "moon"]
    again = EndpointEncoder(encoder.endpoint, encoder.model, encoder.folder)
    assert (again.encode(["moon", "mars", "mars"]) == first[[1, 0, 0]]).all()
    assert len(endpoint.received) == 1
    again.encode(["moon", "bread"])
    assert endpoint.received[1].body["input"] == ["bread"]
    (kept,) = encoder.folder.iterdir()
    content = kept.read_bytes()
    assert b"mars" not in content and b"secret" not in content
    other = EndpointEncoder(encoder.endpoint, "other", encoder.folder)
    other.encode(["moon", "mars"])
    assert len(endpoint.received) == 3, "another model's vectors are its own"


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 nonsense", b"\x93NUMPY"])
def test_a_damaged_file_of_vectors_is_made_again(endpoint, encoder, damage):
    play_embeddings(endpoint)
    wanted = encoder.encode(["mars", "moon"])
    (kept,) = encoder.folder.iterdir()
    kept.write_bytes(damage)
    assert (encoder.encode(["mars", "moon"]) == wanted).all()
    assert len(endpoint.received) == 2
    assert (encoder.encode(["mars", "moon"]) == wanted).all()
    assert len(endpoint.received) == 2


def test_what_has_come_is_kept_when_the_rest_fails_or_is_called_off(endpoint, encoder):
    play_embeddings(endpoint)
    endpoint.play(500, {"error": {"message": "overloaded sk-secret-key"}})
    play_embeddings(endpoint)
    texts = [f"text {at}" for at in range(2 * BATCH)]
    with pytest.raises(EndpointError, match="500") as failed:
        encoder.encode(texts)
    assert "secret" not in failed.value.message
    with pytest.raises(Cancelled):
        encoder.encode(texts, should_stop=lambda: True)
    encoder.encode(texts)
    assert endpoint.received[-1].body["input"] == texts[BATCH:]


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        {"data": []},
        {"data": [{"index": 0, "embedding": [1.0]}]},
        {"data": [{"embedding": "abc"}, {"embedding": [1.0]}]},
        {"data": [{"embedding": [None]}, {"embedding": [1.0]}]},
        {"data": [{"embedding": []}, {"embedding": []}]},
        {"data": [{"embedding": [1.0, 2.0]}, {"embedding": [1.0]}]},
        {"data": ["x", "y"]},
        {"data": [{"index": "a", "embedding": [1.0]}, {"index": 1, "embedding": [1.0]}]},
        {"choices": [{"message": {"content": "hello"}}]},
    ],
)
def test_a_reply_that_is_not_a_vector_a_text_is_an_error(endpoint, encoder, body):
    endpoint.play(body=body)
    with pytest.raises(EndpointError) as failed:
        encoder.encode(["mars", "moon"])
    assert "tiny-embed" in failed.value.message and failed.value.hint


def test_nothing_to_encode_asks_nobody(endpoint, encoder):
    assert encoder.encode([]).shape == (0, 0)
    assert endpoint.received == []
    assert Embeddings(encoder, []).search("mars").hits == ()


def library_with(settings, cache=None):
    documents = {name: parse_markdown(text, name) for name, text in NOTES.items()}
    return list(Library.from_documents(documents, settings, Path("notes")))


def test_the_dense_list_is_the_encoders_and_says_so(endpoint):
    play_embeddings(endpoint)
    settings = Settings(encoder="endpoint", base_url=endpoint.url, embedding_model="tiny-embed", lists=2, probes=2)
    *_, with_lsa, library = library_with(settings)
    assert with_lsa.dense is with_lsa.lsa and library.dense is library.encoded
    trace = ask(library, "When does the moon rise? -bread")
    assert endpoint.received[-1].body["input"] == ["When does the moon rise?"], "as written, without the filter"
    assert [library.chunks[at].document for at in trace.rankings["lsa"].ids] == ["a.md", "c.md"]
    # The question is (0, 1, 0, 0.01) and so is the chunk: a cosine of 1, by no word that both hold.
    assert trace.rankings["lsa"].hits[0].score == pytest.approx(1)
    assert trace.encoder == f"tiny-embed at {endpoint.url}"
    assert trace.to_dict()["encoder"] == trace.encoder
    why = explain(library, trace, trace.rankings["lsa"].ids[0])
    assert (why.lsa, why.lsa_terms) == (pytest.approx(1), ())
    asked = len(endpoint.received)
    ask(library, "When does the moon rise? -bread")
    assert len(endpoint.received) == asked, "a question is encoded once"
    early = ask(with_lsa, "When does the moon rise?")
    assert early.encoder == "" and early.warnings[-1] == "The vectors of the encoder are not there: LSA stands in."
    assert trace.warnings == ("No note holds: moon.",)


def test_a_folder_opened_again_asks_for_what_is_new_only(endpoint, tmp_path):
    play_embeddings(endpoint)
    folder, cache = tmp_path / "notes", tmp_path / "cache"
    folder.mkdir()
    for name, text in NOTES.items():
        (folder / name).write_text(text)
    settings = Settings(encoder="endpoint", base_url=endpoint.url, embedding_model="tiny-embed")
    first = Library.open(folder, settings, cache=cache)
    assert len(endpoint.received) == 1
    again = Library.open(folder, settings, cache=cache)
    assert len(endpoint.received) == 1
    assert (again.encoded.embeddings == first.encoded.embeddings).all()
    (folder / "d.md").write_text("# Moons\nTwo moons of Mars.\n")
    changed = Library.open(folder, settings, cache=cache)
    assert endpoint.received[1].body["input"] == ["Moons\nTwo moons of Mars."]
    assert changed.encoded.embeddings.shape == (4, 4)
    assert changed.with_settings(settings.replace(k1=1.0)).dense is changed.encoded


def test_a_chunk_longer_than_the_model_reads_is_reported(endpoint):
    play_embeddings(endpoint)
    encoder = EndpointEncoder(Endpoint(endpoint.url), "tiny-embed")
    embeddings = Embeddings(encoder, ["mars " * 600, "mars " * 512, "moon"])
    assert embeddings.n_cut == 1
    assert endpoint.received[0].body["input"][0] == ("mars " * 512).strip()
    settings = Settings(encoder="endpoint", base_url=endpoint.url, embedding_model="tiny-embed", max_words=2000)
    document = parse_markdown("mars, " * 400 + "end.", "long.md")
    *_, library = Library.from_documents({"long.md": document}, settings, Path("notes"))
    assert [notice.problem for notice in library.notices] == [
        "1 of 1 passages go on after the 512 tokens that are encoded"
    ]


def test_the_first_tokens_are_words_and_marks():
    assert first_tokens("a-b c", 3) == "a-b"
    assert first_tokens("a" * 5_000, 10) == "a" * 5_000
    assert first_tokens("", 3) == ""


def test_a_model_in_a_folder_finds_by_meaning(model):
    settings = Settings(encoder="local", embedding_path=str(model))
    *_, library = library_with(settings)
    trace = ask(library, "moons?")
    assert trace.encoder == "six-words"
    assert library.chunks[trace.rankings["lsa"].ids[0]].document == "a.md"
    assert trace.rankings["bm25"].hits == ()
    assert library.encoded.embeddings.shape == (3, 3)
    assert ask(library, "xyzzy").rankings["lsa"].hits == ()


def test_a_local_model_takes_any_text_and_can_be_stopped(model):
    encoder = LocalEncoder(model)
    vectors = encoder.encode(["mars", "", "\ud800 moon", "xyzzy"])
    assert vectors.shape == (4, 3) and np.isfinite(vectors).all()
    assert encoder.encode([]).shape == (0, 3)
    with pytest.raises(Cancelled):
        encoder.encode(["mars"], should_stop=lambda: True)


def test_what_is_not_set_up_is_said(tmp_path, monkeypatch, model):
    assert encoder_for(Settings(), {}) is None
    with pytest.raises(EndpointError, match="No embedding endpoint") as failed:
        encoder_for(Settings(encoder="endpoint"), {})
    assert "embedding_model" in failed.value.hint
    for path in ("", str(tmp_path), "~nosuchuser/x"):
        with pytest.raises(SettingsError, match="holds no embedding model"):
            encoder_for(Settings(encoder="local", embedding_path=path), {})
    for name in ("model.safetensors", "tokenizer.json", "config.json"):
        (tmp_path / name).write_text("{}")
    with pytest.raises(SettingsError, match="cannot be read"):
        LocalEncoder(tmp_path)
    monkeypatch.setitem(sys.modules, "model2vec", None)
    with pytest.raises(MissingExtraError, match="model2vec"):
        LocalEncoder(model)


def test_the_address_of_the_environment_serves_and_no_secret_is_in_the_name():
    settings = Settings(encoder="endpoint", embedding_model="m")
    encoder = encoder_for(settings, {"LLM_BASE_URL": "http://localhost:1/v1?key=hush", "LLM_API_KEY": "sk-hush-hush"})
    assert encoder.name == "m at http://localhost:1/v1"
    assert "hush" not in repr(encoder)
