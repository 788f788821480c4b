"""Commands as a person or a script meets them: output, errors in one line, exit statuses."""

import io
import json
import os
import re
import subprocess
import sys

import pytest

from engine.errors import EndpointError
from planet_tui import cli, paths
from planet_tui.cli import COMMANDS

QUESTION = "How long is a year on Venus?"


def no_app(folder):
    raise AssertionError("the app was opened")


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    """Nothing of the person who runs the tests takes part."""
    monkeypatch.setenv("PLANET_TUI_HOME", str(tmp_path / "home"))
    for name in ("NO_COLOR", "PLANET_TUI_API_KEY", "LLM_API_KEY", "LLM_BASE_URL", "LLM_MODEL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def run(capsys):
    """Run `planet-tui WORDS` in this process; return (status, stdout, stderr)."""

    def run(*words, app=no_app):
        status = cli.run(words, app)
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


def command(*words, env=(), **options):
    """Run `python -m planet_tui WORDS` as a process of its own."""
    environment = os.environ | {"PYTHONUTF8": "1"} | dict(env)
    return subprocess.run([sys.executable, "-m", "planet_tui", *words], env=environment, timeout=60, **options)


@pytest.fixture
def notes(tmp_path):
    folder = tmp_path / "notes"
    (folder / "deep").mkdir(parents=True)
    (folder / "tea.md").write_text(
        "# Tea\n\nGreen tea is steeped at 80 degrees for two minutes.\n\n## Black\n\nBlack tea takes 5 minutes.\n",
        encoding="utf-8",
    )
    (folder / "deep" / "coffee.md").write_text(
        "# Coffee\n\nCoffee is brewed at 93 degrees.\n\n## Milk\n\nCoffee with warm milk is a flat white.\n",
        encoding="utf-8",
    )
    return folder


# --- opening the app


def test_a_folder_opens_the_app(run, notes):
    opened = []
    assert run(str(notes), app=lambda roots: opened.append(roots.folders) or 0)[0] == 0
    assert run(app=lambda roots: opened.append(roots) or 0)[0] == 0
    assert run("--sample", app=lambda roots: opened.append(roots.folders) or 0)[0] == 0
    assert opened == [(notes,), None, (paths.sample_notes(),)]


def test_a_folder_with_the_name_of_a_command_is_opened_by_its_path(run, tmp_path, monkeypatch):
    (tmp_path / "ask").mkdir()
    monkeypatch.chdir(tmp_path)
    opened = []
    assert run("./ask", app=lambda roots: opened.append(roots.first.name) or 0)[0] == 0
    assert opened == ["ask"]


def test_a_folder_that_is_not_there_is_said_in_the_shell(run, tmp_path):
    status, out, err = run(str(tmp_path / "none"))
    assert (status, out) == (1, "")
    assert "does not exist" in err and "Hint:" in err and err.count("\n") == 1


def test_a_command_with_a_typing_error_is_told_from_a_folder(run):
    status, out, err = run("serch", "rings")
    assert (status, out) == (1, "")
    assert "Did you mean `planet-tui search`?" in err and err.count("\n") == 1


def test_the_app_is_not_opened_without_a_terminal():
    ended = command("--sample", stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8")
    assert ended.returncode == 1
    assert "needs a terminal" in ended.stderr and "Traceback" not in ended.stderr


# --- ask


def test_ask_answers_with_sources_and_checks(run):
    status, out, err = run("ask", "--sample", QUESTION)
    assert (status, err) == (0, "")
    assert "224.7" in out.splitlines()[0]
    assert re.search(r"^✓ supported  support 1.00  \[\d\]  Venus", out, re.MULTILINE)
    assert "venus.md:" in out and "cannot see negation" in out
    assert "\x1b" not in out


def test_ask_as_json_is_the_whole_trace(run):
    status, out, _ = run(
        "ask", "--sample", QUESTION, "--json", "--sources", "2", "--max-words", "40", "--threshold", "0.4"
    )
    trace = json.loads(out)
    assert status == 0 and out.isascii()
    assert trace["question"] == QUESTION
    assert list(trace["rankings"]) == ["bm25", "lsa", "fused"]
    assert len(trace["prompt"]["sources"]) == 2
    assert (trace["settings"]["sources"], trace["settings"]["max_words"]) == (2, 40)
    assert trace["checks"][0]["supported"] is True


def test_a_question_may_stand_before_options_unquoted_or_on_standard_input(run, monkeypatch, notes):
    quoted = run("ask", str(notes), "Which tea takes 5 minutes?")
    assert quoted[0] == 0 and "5 minutes" in quoted[1]
    assert run("ask", str(notes), "--sources", "5", *"Which tea takes 5 minutes?".split()) == quoted
    piped = command("ask", str(notes), "-", input="Which tea takes 5 minutes?\n", capture_output=True, encoding="utf-8")
    assert (piped.returncode, piped.stdout) == (0, quoted[1])


def test_an_unanswerable_question_ends_with_status_3(run, notes):
    status, out, _ = run("ask", str(notes), "Who invented the telescope in Holland?")
    assert status == 3
    assert out.startswith("○ not answered")


@pytest.mark.parametrize(
    ("reader", "sure", "why"),
    [
        ("features", r"\w+ right, 0\.\d\d", "no sentence of the notes is likely enough to be the answer."),
        ("coverage", r"covers 0\.\d\d of the question", "the notes do not say."),
    ],
)
def test_a_refusal_shows_the_closest_sentence_where_it_stands_and_how_sure_it_is(run, notes, reader, sure, why):
    (notes / "uranus.md").write_text("# Uranus\n\nThe first planet to be discovered, in 1781\x07.\n", encoding="utf-8")
    settings = paths.config_file()
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(f'[answer]\nreader = "{reader}"\nthreshold = 1.0\n', encoding="utf-8")
    status, out, err = run("ask", str(notes), "When was the first moon of Uranus discovered?")
    refusal, closest, where, *_ = out.splitlines()
    assert (status, err) == (3, "planet-tui: No note holds: moon.\n")
    assert refusal == f"○ not answered  I don't know: {why}"
    quoted = re.escape("“The first planet to be discovered, in 1781\ufffd.” [1]")
    assert re.fullmatch(rf"  Closest: {quoted} – {sure} \(threshold 1\.00\)", closest)
    assert where.endswith("uranus.md:3  Uranus")


def test_a_refusal_with_nothing_to_show_says_why(run, notes):
    status, out, _ = run("ask", str(notes), "Xyzzy plugh?")
    assert status == 3
    assert out.splitlines()[1:] == ["  No source made it into the prompt."]


def test_the_threshold_decides(run, notes):
    assert run("ask", str(notes), "Is green tea healthy?", "--threshold", "0")[0] == 0
    assert run("ask", str(notes), "Is green tea healthy?", "--threshold", "1")[0] == 3


@pytest.mark.parametrize("question", ["", "   ", "\n\t"])
def test_an_empty_question_is_wrong_use(run, notes, question):
    for name in ("ask", "search"):
        status, out, err = run(name, str(notes), question)
        assert (status, out) == (2, "")
        assert "is empty" in err


def test_a_question_of_stopwords_is_said(run, notes):
    status, out, err = run("ask", str(notes), "what is the")
    assert status == 3
    assert "stopword" in err


def test_a_long_question_is_no_problem(run, notes):
    assert run("ask", str(notes), "tea " * 2500)[0] in (0, 3)


def test_settings_of_the_file_are_used_and_options_win(run, notes):
    paths.config_file().parent.mkdir()
    paths.config_file().write_text("[prompt]\nsources = 1\n[answer]\nthreshold = 9\n", encoding="utf-8")
    status, out, err = run("ask", str(notes), "How hot is coffee brewed?", "--json")
    assert len(json.loads(out)["prompt"]["sources"]) == 1
    assert "line 4: threshold = 9" in err
    _, out, _ = run("ask", str(notes), "How hot is coffee brewed?", "--json", "--sources", "2")
    assert json.loads(out)["settings"]["sources"] == 2


def test_skipped_files_are_counted_and_listed(run, notes):
    for number in range(8):
        (notes / f"binary{number}.md").write_bytes(b"a\0b")
    _, out, err = run("search", str(notes), "coffee")
    assert "8 files were skipped" in err and "binary0.md" in err and "… and 3 more" in err
    assert "binary" not in out


# --- a hosted model


def test_a_hosted_model_that_is_not_set_up_fails_without_another_answer(run, notes):
    status, out, err = run("ask", str(notes), "How hot is coffee?", "--generator", "hosted")
    assert (status, out) == (1, "")
    assert err.startswith("planet-tui: ") and "Hint:" in err and err.count("\n") == 1


def test_a_hosted_model_that_does_not_answer_fails_without_another_answer(run, notes, monkeypatch):
    monkeypatch.setenv("LLM_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("LLM_MODEL", "m")
    monkeypatch.setenv("LLM_API_KEY", "sk-very-secret")
    status, out, err = run("ask", str(notes), "How hot is coffee?", "--generator", "hosted")
    assert (status, out) == (1, "")
    assert "127.0.0.1:9" in err and "Hint:" in err and "sk-very-secret" not in err


# --- search


@pytest.mark.parametrize("retriever", ["fused", "bm25", "lsa", "tfidf"])
def test_search_prints_places_that_an_editor_opens(run, notes, monkeypatch, retriever):
    monkeypatch.chdir(notes.parent)
    status, out, _ = run("search", "notes", "coffee brewed", "--retriever", retriever)
    assert status == 0
    first = out.splitlines()[0]
    place, score, header, snippet = first.split("  ")
    assert place.startswith(os.path.join("notes", "deep", "coffee.md") + ":") and place[-1] in "37"
    assert float(score) > 0
    assert (header, snippet) in (
        ("Coffee", "Coffee is brewed at 93 degrees."),
        ("Coffee > Milk", "Coffee with warm milk is a flat white."),
    )


def test_search_names_the_section_and_the_line(run, notes):
    _, out, _ = run("search", str(notes), "black five", "--results", "1")
    (line,) = out.splitlines()
    assert line.startswith((f"{notes / 'tea.md'}:5  ", f"{notes / 'tea.md'}:7  "))
    assert "  Tea > Black  " in line


def test_search_as_json(run, notes):
    status, out, _ = run("search", str(notes), "coffee", "--json", "--retriever", "bm25")
    found = json.loads(out)
    assert (status, found["query"], found["retriever"]) == (0, "coffee", "bm25")
    assert found["hits"][0]["path"] == str(notes / "deep" / "coffee.md")
    assert [hit["rank"] for hit in found["hits"]] == list(range(1, len(found["hits"]) + 1))


def test_filters_narrow_search_and_ask(run, notes):
    status, out, _ = run("search", str(notes), 'coffee -"flat white"')
    assert status == 0 and "93 degrees" in out and "flat white" not in out
    _, out, _ = run("search", str(notes), "path:deep/")
    assert {line.split(":")[0] for line in out.splitlines()} == {str(notes / "deep" / "coffee.md")}
    status, out, _ = run("ask", str(notes), 'At how many degrees is coffee brewed? "93 degrees"', "--json")
    assert (status, json.loads(out)["filters"], json.loads(out)["allowed"]) == (0, ['"93 degrees"'], 1)
    status, out, err = run("search", str(notes), "coffee tag:nowhere", "--retriever", "tfidf")
    assert (status, out) == (0, "")
    assert "Nothing in the notes matches tag:nowhere" in err


def test_lists_and_probes_are_options_of_ask_and_search(run, notes):
    status, out, _ = run("ask", str(notes), "How is coffee brewed?", "--lists", "2", "--probes", "1", "--json")
    trace = json.loads(out)
    assert (trace["settings"]["lists"], trace["settings"]["probes"]) == (2, 1)
    assert 0 < trace["scanned"] == len(trace["rankings"]["lsa"])
    every = "--max-words 60 --dimensions 32 --lists 8 --probes 3 --sources 5 --threshold 0.5".split()
    assert run("search", str(notes), "coffee", *every)[0] == 0
    assert run("search", str(notes), "coffee", "--probes", "0")[0] == 2


def test_an_encoder_that_cannot_be_reached_is_said_and_nothing_stands_in_for_it(run, notes):
    paths.config_file().parent.mkdir(parents=True, exist_ok=True)
    paths.config_file().write_text(
        '[retrieval]\nencoder = "endpoint"\nembedding_model = "m"\n[hosted]\nbase_url = "http://127.0.0.1:9/v1"\n'
    )
    status, out, err = run("search", str(notes), "coffee")
    assert (status, out) == (1, "")
    assert "http://127.0.0.1:9/v1 cannot be reached" in err
    paths.config_file().write_text('[retrieval]\nencoder = "local"\nembedding_path = "nowhere"\n')
    status, _, err = run("ask", str(notes), "coffee?")
    assert status == 2 and "nowhere holds no embedding model" in err


def test_nothing_found_is_said_and_done(run, notes):
    status, out, err = run("search", str(notes), "zeppelin")
    assert (status, out) == (0, "")
    assert "Nothing was found" in err


# --- settings, version, help


def test_settings_path_and_show(run):
    assert run("settings", "path") == (0, f"{paths.config_file()}\n", "")
    status, out, _ = run("settings", "show")
    assert status == 0 and "\n# BM25: how slowly repeated words stop counting (0 to 10)\nk1 = 1.5\n" in out


def test_what_settings_show_prints_is_a_settings_file(run):
    from planet_tui.settings import AppSettings, Loaded, load

    paths.config_file().parent.mkdir()
    paths.config_file().write_text(run("settings", "show")[1], encoding="utf-8")
    assert load(paths.config_file()) == Loaded(AppSettings())


def test_settings_show_what_is_written_about_folders_and_what_was_changed(run):
    from planet_tui.settings import load

    paths.config_file().parent.mkdir()
    paths.config_file().write_text(
        'version = 2\n[app]\nlast_folders = ["/a", "/b"]\n[answer]\nthreshold = 0.25\n'
        '[folders."~/notes"]\nexclude = ["old/"]\n[libraries.work]\nfolders = ["~/notes", "/w"]\n',
        encoding="utf-8",
    )
    before = load(paths.config_file())
    shown = run("settings", "show")[1]
    assert "default 0.5\nthreshold = 0.25" in shown and "default []\nlast_folders = [" in shown
    paths.config_file().write_text(shown, encoding="utf-8")
    assert load(paths.config_file()) == before


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_settings_show_fits_the_terminal(run, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = run("settings", "show")[1].splitlines()
    assert max(map(len, lines)) <= min(columns, 100)


@pytest.mark.parametrize(
    "words",
    [
        ("evaluate", "--sample", "--runs", "~nobody-of-that-name/runs"),
        ("evaluate", "--sample", "--figures", "~nobody-of-that-name"),
        ("evaluate", "--sample", "--report", "~nobody-of-that-name/report.md"),
        ("evaluate", "--sample", "--traces", "~nobody-of-that-name/traces.jsonl"),
        ("experiment", "chunking", "--figure", "~nobody-of-that-name/chunking.png"),
        ("context", "--sample", "--output", "~nobody-of-that-name"),
        ("corpus", "~nobody-of-that-name", "Venus"),
    ],
    ids=lambda words: f"{words[0]} {words[2]}",
)
def test_nothing_is_written_below_a_user_whom_nobody_knows(run, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    status, _, err = run(*words)
    assert status == 2 and "there is no user ~nobody-of-that-name" in err.lower() and err.count("\n") == 1
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith("~")]


def test_version(run):
    status, out, _ = run("--version")
    assert status == 0 and out.startswith("planet-tui ")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_examples(run, name):
    status, out, _ = run(name, "--help")
    assert status == 0 and f"  planet-tui {name} " in out


def test_the_help_lists_every_command_and_the_way_round_a_clash(run):
    status, out, _ = run("--help")
    assert status == 0 and "./ask" in out and all(f"\n  {name} " in out for name in COMMANDS)


# --- what goes wrong


@pytest.mark.parametrize(
    "words",
    [
        ("ask",),
        ("ask", "notes", "q", "--nonsense"),
        ("ask", "notes", "q", "--sources", "many"),
        ("ask", "notes", "q", "--sources", "0"),
        ("ask", "notes", "q", "--threshold", "nan"),
        ("ask", "notes", "q", "--generator", "oracle"),
        ("ask", "notes", "q", "--sour", "1"),
        ("search", "notes", "q", "--retriever", "guess"),
        ("settings",),
        ("settings", "burn"),
        ("--nonsense",),
        ("notes", "more", "words"),
    ],
    ids=" ".join,
)
def test_wrong_use_is_one_line_with_a_hint_and_status_2(run, words, notes, monkeypatch):
    monkeypatch.chdir(notes.parent)
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert err.startswith("planet-tui: ") and "Hint:" in err and err.count("\n") == 1


@pytest.mark.parametrize("name", ["ask", "search", "evaluate"])
def test_a_folder_that_cannot_be_read_is_status_1(run, tmp_path, name):
    file = tmp_path / "note.md"
    file.write_text("# A note", encoding="utf-8")
    for folder in (tmp_path / "none", file):
        status, out, err = run(name, str(folder), *(["tea"] if name != "evaluate" else []))
        assert (status, out) == (1, "")
        assert folder.name in err and "Hint:" in err and err.count("\n") == 1


def test_an_empty_folder_is_no_error(run, tmp_path):
    (tmp_path / "empty").mkdir()
    assert run("search", str(tmp_path / "empty"), "tea")[0] == 0
    assert run("ask", str(tmp_path / "empty"), "What is tea?")[0] == 3


@pytest.mark.parametrize("words", [("settings", "path"), ("ask", "--sample", QUESTION), ("doctor",), ()])
def test_a_home_of_nobody_is_one_line_with_a_hint(run, monkeypatch, words):
    from planet_tui import app

    monkeypatch.setenv("PLANET_TUI_HOME", "~nosuchuser")
    status, out, err = run(*words, app=app.run)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "PLANET_TUI_HOME = '~nosuchuser': there is no such user. Hint:" in err


def test_a_folder_of_nobody_is_said(run):
    status, _, err = run("ask", "~nosuchuser/notes", QUESTION)
    assert status == 1 and "~nosuchuser/notes does not exist" in err


def test_an_unexpected_error_is_one_line_and_the_log_has_the_rest(run, monkeypatch):
    def broken(_):
        raise ZeroDivisionError("surprise \x1b[31m")

    status, out, err = run(app=broken)
    assert (status, out) == (1, "")
    assert "ZeroDivisionError" in err and str(paths.log_file()) in err and "Traceback" not in err and "\x1b" not in err
    assert "Traceback" in paths.log_file().read_text(encoding="utf-8")


def test_ctrl_c_is_quiet(run):
    def interrupted(_):
        raise KeyboardInterrupt

    assert run(app=interrupted) == (130, "", "")


def test_a_message_with_line_breaks_stays_one_line(run):
    def failing(_):
        raise EndpointError("first\nsecond.", "do\tthis.")

    assert run(app=failing) == (1, "", "planet-tui: first second. Hint: do this.\n")


def test_escape_sequences_in_notes_and_names_are_not_obeyed(run, tmp_path):
    folder = tmp_path / "odd"
    folder.mkdir()
    text = "# [/] \x1b]0;title\x07\n\nThe \x1b[31mred\x1b[0m kettle\u202e holds 3 litres. [bold]x[/bold]\n"
    (folder / "\x1b[2J[bold].md").write_text(text, encoding="utf-8")
    for words in (("ask", str(folder), "kettle litres"), ("search", str(folder), "red kettle")):
        _, out, err = run(*words)
        assert "kettle" in out
        assert not {"\x1b", "\x07", "\u202e"} & set(out + err)


def test_a_reader_that_leaves_early_is_no_error():
    reading, writing = os.pipe()
    os.close(reading)
    ended = command("settings", "show", stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (141, b"")


@pytest.mark.parametrize("env", [{"LC_ALL": "C", "PYTHONUTF8": "0"}, {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}])
def test_a_poor_encoding_does_not_crash(tmp_path, env):
    folder = tmp_path / "zh"
    folder.mkdir()
    (folder / "茶.md").write_text("# 茶\n\n绿茶用八十度的水冲泡。\n", encoding="utf-8")
    ended = command("ask", str(folder), "绿茶", env=env, capture_output=True)
    assert ended.returncode in (0, 3)
    assert b"Traceback" not in ended.stderr and b"went wrong" not in ended.stderr


def test_the_app_path_loads_neither_numpy_nor_the_engine_room():
    script = (
        "import sys; from planet_tui import __main__, cli; "
        "assert cli.run(['--sample'], lambda folder: 0) == 0; "
        "print([name for name in sys.modules if name.split('.')[0] in ('numpy', 'scipy', 'textual', 'httpx')])"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", timeout=60)
    assert (ended.stdout, ended.stderr) == ("[]\n", "")


@pytest.fixture
def terminal():
    """Return a pseudo-terminal: the end a process writes to, and a function that returns what was drawn."""
    pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")
    ours, theirs = pty.openpty()
    yield theirs, lambda: os.read(ours, 65536).decode()
    os.close(theirs)
    os.close(ours)


@pytest.mark.parametrize(("env", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_colour_is_for_terminals_that_want_it(notes, terminal, env, coloured):
    screen, drawn = terminal
    words = ("ask", str(notes), "Which tea takes 5 minutes?")
    ended = command(*words, env={"TERM": "xterm"} | env, stdout=screen, stderr=subprocess.PIPE)
    assert (ended.returncode, ended.stderr) == (0, b"")
    shown = drawn()
    assert "✓ supported" in shown
    assert ("\x1b[32m✓ supported\x1b[0m" in shown) == coloured == ("\x1b" in shown)


def test_progress_is_drawn_on_a_terminal_and_taken_away(notes, terminal):
    screen, drawn = terminal
    ended = command("search", str(notes), "tea", stdout=subprocess.PIPE, stderr=screen)
    assert ended.returncode == 0 and b"\x1b" not in ended.stdout
    shown = drawn()
    assert "reading 2 of 2" in shown and shown.endswith("\r\x1b[K")


# --- surroundings that fail


LONG = "a" * 5000


@pytest.mark.parametrize(
    "words", [("ask", LONG, "q"), ("search", LONG, "q"), (LONG,), ("corpus", LONG), ("index", LONG)]
)
def test_a_name_that_no_system_takes_is_said_in_a_line_of_bearable_length(run, words):
    status, out, err = run(*words)
    assert (status in (1, 2), out) == (True, "")
    assert "Hint:" in err and "went wrong" not in err and "refused" not in err and len(err) < 1000


@pytest.mark.parametrize("words", [("context", "--sample", "--output", "~nobody/x"), ("corpus", "~nobody")])
def test_a_path_of_nobody_is_no_fault_of_the_program(run, words, monkeypatch):
    monkeypatch.setenv("LLM_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("LLM_MODEL", "m")
    status, _, err = run(*words)
    assert status in (1, 2) and "went wrong" not in err and "Hint:" in err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
@pytest.mark.parametrize("words", [("ask", "--sample", QUESTION), ("ask", "--sample", QUESTION, "--json"), ("--help",)])
@pytest.mark.parametrize(
    "unbuffered", [{"PYTHONUNBUFFERED": ""}, {"PYTHONUNBUFFERED": "1"}], ids=["buffered", "unbuffered"]
)
def test_output_that_cannot_be_written_is_one_line(words, unbuffered):
    with open("/dev/full", "w") as full:
        ended = command(*words, env=unbuffered, stdout=full, stderr=subprocess.PIPE, encoding="utf-8")
    assert ended.returncode == 1
    assert "The output cannot be written: No space left" in ended.stderr and ended.stderr.count("\n") == 1


@pytest.mark.skipif(os.name == "nt", reason="the shell closes streams")
@pytest.mark.parametrize(
    ("closed", "question", "status"),
    [("2>&-", QUESTION, 0), (">&-", QUESTION, 0), ("<&-", "-", 2), ("<&- >&- 2>&-", QUESTION, 0), ("2>&-", "", 2)],
)
def test_closed_streams_lead_nowhere(closed, question, status):
    line = f'exec "$0" -m planet_tui ask --sample "$1" {closed}'
    ended = subprocess.run(["sh", "-c", line, sys.executable, question], capture_output=True, encoding="utf-8")
    assert ended.returncode == status
    assert "Traceback" not in ended.stderr and "went wrong" not in ended.stderr
    assert ("224.7" in ended.stdout) == (status == 0 and ">&-" not in closed.replace("2>&-", ""))


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps a folder that is somebody's current one")
def test_a_current_folder_that_was_removed_is_no_matter_unless_it_is_asked_for(run, tmp_path, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    status, out, _ = run("ask", "--sample", QUESTION)
    assert status == 0 and "venus.md:" in out
    status, _, err = run("ask", ".", QUESTION)
    assert status == 1 and "The current folder does not exist any more" in err
    monkeypatch.chdir(tmp_path)


def test_a_question_of_megabytes_is_refused_at_once(run, notes, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("tea " * 1_000_000))
    status, out, err = run("ask", str(notes), "-")
    assert (status, out) == (2, "") and "longer than 20,000 characters" in err


def test_more_than_the_memory_holds_is_no_fault_of_the_program(run):
    def vast(_):
        raise MemoryError("Unable to allocate 23.3 TiB")

    status, out, err = run(app=vast)
    assert (status, out) == (1, "") and "not enough memory: Unable to allocate 23.3 TiB. Hint:" in err


def test_what_the_system_refuses_is_named_and_logged(run):
    def refused(_):
        raise PermissionError(13, "Permission denied", "/somewhere")

    status, _, err = run(app=refused)
    assert status == 1 and "/somewhere: Permission denied" in err and str(paths.log_file()) in err
