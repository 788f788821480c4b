"""Articles fetched into a folder: from a real server on loopback that answers as a wiki does."""

import hashlib
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import parse_article
from engine.errors import EndpointError
from engine.reading.article_folder import LOCK_FILE, LockError, Outcome, fetch_articles, file_name
from engine.reading.folder import load_markdown_folder
from engine.reading.wikipedia import Wiki
from planet_tui import cli
from tests.engine.reading.test_articles import OWN, real
from tests.engine.reading.wiki_server import WikiServer

IO = "<p><b>Io</b> is a moon.</p><h2>Core</h2><p>Iron.</p>"


@pytest.fixture
def server() -> Iterator[WikiServer]:
    wiki = WikiServer()
    wiki.revisions = {11: ("Io", IO), 12: ("Venus", "<p>Hot.</p>")}
    yield wiki
    wiki.close()


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def wiki(server: WikiServer, pauses: list[float]) -> Wiki:
    return Wiki(server.url, "planet-tui/test", pause=0.25, retries=2, sleep=pauses.append)


def states(outcomes: Iterator[Outcome]) -> list[tuple[str, str]]:
    return [(outcome.title, outcome.state) for outcome in outcomes]


def lock(folder: Path) -> dict[str, dict[str, object]]:
    tables = tomllib.loads((folder / LOCK_FILE).read_text(encoding="utf-8"))
    return {article["title"]: article for article in tables["article"]}


def test_articles_become_notes_and_the_lock_file_says_which(tmp_path: Path, wiki: Wiki) -> None:
    folder = tmp_path / "new" / "folder"
    assert states(fetch_articles(folder, ["Io", "Venus"], wiki)) == [("Io", "fetched"), ("Venus", "fetched")]
    entry = lock(folder)["Io"]
    note = (folder / "Io.md").read_bytes()
    assert (entry["revision"], entry["file"], entry["date"]) == (11, "Io.md", "2024-05-01")
    assert entry["sha256"] == hashlib.sha256(note).hexdigest()
    assert sorted(path.name for path in folder.iterdir()) == ["Io.md", "Venus.md", LOCK_FILE]


def test_a_note_reads_back_as_the_article_and_names_source_and_licence(
    tmp_path: Path, server: WikiServer, wiki: Wiki
) -> None:
    server.revisions[13] = ("AC/DC: 100% *live*", OWN)
    list(fetch_articles(tmp_path, ["AC/DC: 100% *live*"], wiki))
    (note,) = load_markdown_folder(tmp_path).documents
    assert note.title == "AC/DC: 100% *live*"
    assert note.text == f"{note.title}\n\n{parse_article(OWN).text}"
    front = note.front_matter
    assert front["license"] == "CC BY-SA 4.0 https://creativecommons.org/licenses/by-sa/4.0/"
    assert front["source"] == "http://wiki.example.org/w/index.php?title=AC%2FDC%3A_100%25_%2Alive%2A&oldid=13"
    assert front["source"] in front["attribution"] and (front["revision"], note.date) == (13, "2024-05-01")


def test_what_is_there_is_not_fetched_again_and_needs_no_network(
    tmp_path: Path, server: WikiServer, wiki: Wiki
) -> None:
    list(fetch_articles(tmp_path, ["Io", "Venus"], wiki))
    asked = len(server.asked)
    assert states(fetch_articles(tmp_path, [], wiki)) == [("Io", "kept"), ("Venus", "kept")]
    assert len(server.asked) == asked


def test_a_run_that_was_broken_off_goes_on_where_it_stopped(tmp_path: Path, server: WikiServer, wiki: Wiki) -> None:
    outcomes = fetch_articles(tmp_path, ["Io", "Venus"], wiki)
    next(outcomes)
    outcomes.close()
    assert list(lock(tmp_path)) == ["Io"]
    assert states(fetch_articles(tmp_path, ["Io", "Venus"], wiki)) == [("Io", "kept"), ("Venus", "fetched")]
    assert server.requests("parse") == 2


def test_later_runs_keep_to_the_locked_revision_until_they_are_told(
    tmp_path: Path, server: WikiServer, wiki: Wiki
) -> None:
    list(fetch_articles(tmp_path, ["Io"], wiki))
    server.revisions[21] = ("Io", IO.replace("Iron", "Rock"))
    (tmp_path / "Io.md").unlink()
    assert states(fetch_articles(tmp_path, ["io"], wiki)) == [("io", "fetched")]
    assert "Iron" in (tmp_path / "Io.md").read_text(encoding="utf-8") and lock(tmp_path)["Io"]["revision"] == 11
    assert states(fetch_articles(tmp_path, [], wiki, update=True)) == [("Io", "updated")]
    assert "Rock" in (tmp_path / "Io.md").read_text(encoding="utf-8") and lock(tmp_path)["Io"]["revision"] == 21
    assert states(fetch_articles(tmp_path, [], wiki, update=True)) == [("Io", "kept")]


def test_a_revision_that_reads_otherwise_than_locked_is_said(tmp_path: Path, server: WikiServer, wiki: Wiki) -> None:
    list(fetch_articles(tmp_path, ["Io"], wiki))
    before = lock(tmp_path)
    server.revisions[11] = ("Io", IO.replace("moon", "planet"))
    (tmp_path / "Io.md").unlink()
    (outcome,) = fetch_articles(tmp_path, ["Io"], wiki)
    assert outcome.state == "fetched" and "otherwise" in outcome.detail and lock(tmp_path) == before


def test_a_note_that_a_person_changed_is_left_alone_and_said(tmp_path: Path, wiki: Wiki) -> None:
    list(fetch_articles(tmp_path, ["Io"], wiki))
    (tmp_path / "Io.md").write_text("mine", encoding="utf-8")
    (outcome,) = fetch_articles(tmp_path, ["Io"], wiki)
    assert outcome.state == "changed" and (tmp_path / "Io.md").read_text(encoding="utf-8") == "mine"
    assert states(fetch_articles(tmp_path, ["Io"], wiki, update=True)) == [("Io", "fetched")]


def test_redirects_missing_pages_and_lists_of_meanings_are_said(tmp_path: Path, server: WikiServer, wiki: Wiki) -> None:
    server.redirects = {"Jupiter I": "Io"}
    server.revisions[14] = ("Mercury", "<ul><li>a planet</li></ul>")
    server.disambiguations = {"Mercury"}
    outcomes = list(fetch_articles(tmp_path, ["jupiter_I", "Nowhere", "Mercury", "a|b", " "], wiki))
    assert [outcome.state for outcome in outcomes] == ["fetched", "missing", "fetched", "missing", "missing"]
    assert [outcome.file for outcome in outcomes] == ["Io.md", "", "Mercury.md", "", ""]
    assert "leads to Io" in outcomes[0].detail and "no such page" in outcomes[1].detail
    assert "could be meant" in outcomes[2].detail and "no paragraph" in outcomes[2].detail
    assert "character" in outcomes[3].detail and "empty" in outcomes[4].detail
    assert states(fetch_articles(tmp_path, ["Jupiter I"], wiki)) == [("Jupiter I", "kept")]


def test_a_revision_that_is_gone_is_one_failure_among_others(tmp_path: Path, server: WikiServer, wiki: Wiki) -> None:
    list(fetch_articles(tmp_path, ["Io", "Venus"], wiki))
    del server.revisions[11]
    for name in ("Io.md", "Venus.md"):
        (tmp_path / name).unlink()
    assert states(fetch_articles(tmp_path, [], wiki)) == [("Io", "failed"), ("Venus", "fetched")]


def test_fifty_titles_are_looked_up_in_one_request(tmp_path: Path, server: WikiServer, wiki: Wiki) -> None:
    server.revisions = {number: (f"Page {number}", IO) for number in range(1, 61)}
    pages = wiki.pages([f"Page {number}" for number in range(1, 61)])
    assert len(pages) == 60 and server.requests("query") == 2


class TestPoliteness:
    def test_every_request_waits_and_names_the_program(
        self, tmp_path: Path, server: WikiServer, wiki: Wiki, pauses: list[float]
    ) -> None:
        list(fetch_articles(tmp_path, ["Io"], wiki))
        assert pauses == [0.25] * len(server.asked) and server.agents == {"planet-tui/test"}
        assert all(asked["maxlag"] == "5" for asked in server.asked)

    def test_a_busy_server_is_waited_for_as_long_as_it_asks(
        self, server: WikiServer, wiki: Wiki, pauses: list[float]
    ) -> None:
        server.trouble(429, {}, Retry_After="7")
        server.trouble(
            200, {"error": {"code": "maxlag", "info": "Waiting for a database: 6 seconds lagged"}}, Retry_After="5"
        )
        assert wiki.article(11) == IO
        assert pauses == [0.25, 7.0, 0.25, 5.0, 0.25]

    def test_without_a_word_from_it_the_pauses_double_and_end(
        self, server: WikiServer, wiki: Wiki, pauses: list[float]
    ) -> None:
        for _ in range(3):
            server.trouble(503)
        with pytest.raises(EndpointError, match="503") as caught:
            wiki.article(11)
        assert pauses == [0.25, 1.0, 0.25, 2.0, 0.25] and caught.value.hint


@pytest.mark.parametrize(
    ("status", "body"), [(404, b"gone"), (200, b"<html>"), (200, []), (200, {"parse": {}}), (403, {})]
)
def test_what_is_no_wiki_is_an_error_with_a_hint(status: int, body: object, server: WikiServer, wiki: Wiki) -> None:
    server.trouble(status, body)
    with pytest.raises(EndpointError) as caught:
        wiki.article(11)
    assert server.url in caught.value.message and caught.value.hint


@pytest.mark.parametrize("api", ["http://127.0.0.1:9/w/api.php", "nonsense", "ftp://x/y", "http://[", ""])
def test_an_address_where_nobody_answers_is_an_error_with_a_hint(api: str) -> None:
    with pytest.raises(EndpointError) as caught:
        Wiki(api, "test", pause=0).article(1)
    assert caught.value.hint


@pytest.mark.parametrize(
    "text",
    [
        "a = ",
        "article = 7",
        "[[article]]\ntitle = 'x'",
        "\x00",
        "[[article]]\ntitle = 'x'\nfile = '../x.md'\npage = 1\nrevision = 1\ndate = ''\nsha256 = ''",
    ],
)
def test_a_broken_lock_file_is_an_error_and_stays(text: str, tmp_path: Path, wiki: Wiki) -> None:
    (tmp_path / LOCK_FILE).write_text(text, encoding="utf-8")
    with pytest.raises(LockError) as caught:
        list(fetch_articles(tmp_path, ["Io"], wiki))
    assert caught.value.hint and (tmp_path / LOCK_FILE).read_text(encoding="utf-8") == text


def test_the_lock_file_of_another_wiki_is_not_mixed_with_this_one(tmp_path: Path, wiki: Wiki) -> None:
    list(fetch_articles(tmp_path, ["Io"], wiki))
    with pytest.raises(LockError, match="other.example"):
        list(fetch_articles(tmp_path, ["Io"], Wiki("https://other.example/api.php", "test")))


@given(st.lists(st.text(min_size=1, max_size=200), max_size=6))
def test_names_are_safe_and_never_alike(titles: list[str]) -> None:
    taken: list[str] = []
    for title in titles:
        name = file_name(title, taken)
        assert name.endswith(".md") and len(name.encode("utf-8", "surrogatepass")) < 200
        assert not set(name) & set('<>:"/\\|?*\n\0') and not name.startswith((".", "-", " "))
        assert name.casefold() not in {each.casefold() for each in taken}
        taken.append(name)


@pytest.mark.parametrize("title", ["NUL", "com1.x", "Aux", "..", "...", "C:\\x", "trailing. ", "é" * 300])
def test_names_that_some_system_refuses_are_changed(title: str) -> None:
    name = file_name(title)
    stem = name.removesuffix(".md").split(".")[0].upper()
    assert stem not in {"NUL", "COM1", "AUX"} and stem.strip(". ") and len(name.encode()) < 200


@pytest.mark.parametrize("name", ["Dog", "ar-Mathematics", "parse_contents_zh"])
def test_a_real_article_reads_back_from_its_note_word_for_word(
    name: str, tmp_path: Path, server: WikiServer, wiki: Wiki
) -> None:
    html = real(name)
    server.revisions = {1: ("Article", html)}
    assert states(fetch_articles(tmp_path, ["Article"], wiki)) == [("Article", "fetched")]
    (note,) = load_markdown_folder(tmp_path).documents
    assert note.text == f"Article\n\n{parse_article(html).text}" and note.tags == () and note.links == ()


class TestCommand:
    def run(self, *words: str) -> int:
        return cli.run(["corpus", *words], lambda folder: 1)

    @pytest.fixture(autouse=True)
    def quick(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("time.sleep", lambda seconds: None)

    def test_it_prints_a_line_an_article(
        self, tmp_path: Path, server: WikiServer, capsys: pytest.CaptureFixture[str]
    ) -> None:
        server.redirects = {"Jupiter I": "Io"}
        assert self.run(str(tmp_path), "Venus", "Jupiter I", "--api", server.url, "--contact", "ada@example.org") == 0
        out, err = capsys.readouterr()
        assert out == "✓ fetched Venus  Venus.md\n✓ fetched Jupiter I  Io.md\n" and "Jupiter I leads to Io" in err
        (agent,) = server.agents
        assert agent.startswith("planet-tui/") and "ada@example.org" in agent
        assert self.run(str(tmp_path)) == 0  # the lock file knows the wiki
        assert capsys.readouterr().out == "= kept    Venus  Venus.md\n= kept    Io  Io.md\n"

    def test_a_missing_page_is_status_1_and_the_others_are_there(
        self, tmp_path: Path, server: WikiServer, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert self.run(str(tmp_path), "Nowhere\x1b[1m", "Io", "--api", server.url) == 1
        out, err = capsys.readouterr()
        assert "✗ missing" in out and (tmp_path / "Io.md").exists() and "\x1b" not in out + err

    @pytest.mark.parametrize(
        "words",
        [
            [],
            ["{folder}"],
            ["{folder}", "Io", "--language", "e/n"],
            ["{folder}", "Io", "--language", "de", "--api", "x"],
        ],
    )
    def test_wrong_use_is_status_2(self, words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert self.run(*(word.format(folder=tmp_path) for word in words)) == 2
        assert "Hint" in capsys.readouterr().err
