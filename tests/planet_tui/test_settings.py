"""The settings file belongs to the person: nothing in it is lost, and what is not in force is said."""

import errno
import os
import stat
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import EngineError, SettingsError
from engine.roots import Root, Roots
from planet_tui import paths, settings, settings_file
from planet_tui.settings import AppSettings, SettingsFileError, describe, load, save

DEFAULTS = AppSettings()


@pytest.fixture
def file(tmp_path):
    return tmp_path / "settings.toml"


def problems(loaded):
    return [notice.problem for notice in loaded.notices]


def names(folder):
    return sorted(path.name for path in folder.iterdir())


# --- reading


def test_a_missing_file_means_the_defaults(file):
    assert load(file) == settings.Loaded(AppSettings())
    assert not file.exists()


def test_good_values_are_taken(file):
    file.write_text('[app]\ntheme = "light"\n[retrieval]\nk1 = 1\n', encoding="utf-8")
    loaded = load(file)
    assert (loaded.settings.theme, loaded.settings.engine.k1, loaded.notices) == ("light", 1.0, ())


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("k1 = -1", ["line 3", "k1 = -1", "0 to 10", "1.5"]),
        ("k1 = nan", ["line 3", "k1 = nan", "0 to 10"]),
        ('k1 = "high"', ["line 3", "k1 = 'high'", "a number", "0 to 10"]),
        ("k1 = true", ["line 3", "k1 = True", "a number"]),
        ("results = 2.5", ["line 3", "results = 2.5", "a whole number", "1 to 1000"]),
    ],
)
def test_a_bad_value_is_reported_with_line_and_range_and_the_default_used(file, line, says):
    file.write_text(f"# mine\n[retrieval]\n{line}\nb = 0.5\n", encoding="utf-8")
    loaded = load(file)
    assert loaded.settings == DEFAULTS.replace(b=0.5)
    (problem,) = problems(loaded)
    assert all(words in problem for words in says)
    assert loaded.notices[0].path == str(file)


def test_a_choice_out_of_range_names_the_choices(file):
    file.write_text('app.theme = "pink"\n', encoding="utf-8")
    (problem,) = problems(load(file))
    assert "line 1" in problem and "dark, light" in problem


def test_values_that_contradict_each_other_are_reported(file):
    file.write_text("[chunking]\nmax_words = 20\noverlap_words = 20\n", encoding="utf-8")
    loaded = load(file)
    (problem,) = problems(loaded)
    assert problem.startswith("line 3: overlap_words = 20 is not below max_words = 20")
    assert (loaded.settings.engine.max_words, loaded.settings.engine.overlap_words) == (20, 0)


def test_unknown_keys_and_tables_are_reported_by_line(file):
    file.write_text("answer = 3\n[chunking]\nk1 = 1.2\n[plugins]\nx = 1\n", encoding="utf-8")
    assert problems(load(file)) == [
        "line 1: answer is a table: write it as [answer]",
        "line 3: k1 is not a setting here; it belongs under [retrieval]; it is left as it is",
        "line 4: [plugins] is not a table of this program; it is left as it is",
    ]


@pytest.mark.parametrize("key", ["api_key", "API_KEY", "apikey", "access_token", "client_secret", "password"])
def test_a_secret_is_neither_used_nor_repeated(file, key):
    file.write_text(f'[hosted]\n{key} = "sk-12345"\n', encoding="utf-8")
    loaded = load(file)
    (problem,) = problems(loaded)
    assert "PLANET_TUI_API_KEY" in problem and "line 2" in problem
    assert "sk-12345" not in problem + repr(loaded.settings)


def test_a_byte_order_mark_is_no_error(file):
    file.write_bytes(b"\xef\xbb\xbf[answer]\r\nthreshold = 0.25\r\n")
    assert load(file) == settings.Loaded(DEFAULTS.replace(threshold=0.25))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"[answer]\nthreshold = \n", "line 2"),
        (b"[answer]\nthreshold = 0.2\nthreshold = 0.3\n", "line 3"),
        (b'[app]\nlast_folder = "caf\xe9"\n', "not UTF-8 (at line 2)"),
        (b"x = " + b"[" * 100_000, "too deeply"),
        (b"x = " + b"9" * 10_000, ""),
        (b"\0", "line 1"),
    ],
    ids=["no value", "twice", "latin-1", "deep", "long number", "binary"],
)
def test_a_broken_file_is_reported_and_set_aside(file, content, says):
    file.write_bytes(content)
    loaded = load(file)
    assert loaded.settings == DEFAULTS
    (problem,) = problems(loaded)
    assert says in problem and "settings.toml.broken-1" in problem
    assert names(file.parent) == ["settings.toml.broken-1"]
    assert (file.parent / "settings.toml.broken-1").read_bytes() == content


def test_a_second_broken_file_does_not_overwrite_the_first(file):
    for number in (1, 2, 3):
        file.write_text(f"{number} =", encoding="utf-8")
        load(file)
    assert [(file.parent / f"settings.toml.broken-{n}").read_text() for n in (1, 2, 3)] == ["1 =", "2 =", "3 ="]


def test_a_folder_in_its_place_is_reported(file):
    file.mkdir()
    loaded = load(file)
    assert loaded.settings == DEFAULTS and len(loaded.notices) == 1
    with pytest.raises(SettingsFileError):
        save(file, DEFAULTS, DEFAULTS.replace(theme="light"))


# --- writing


def test_what_is_saved_is_loaded(file):
    changed = DEFAULTS.replace(theme="light", last_folders=("/notes/ü", "/wiki"), k1=1.2, headers=False, results=3)
    assert save(file, DEFAULTS, changed) == ()
    assert load(file) == settings.Loaded(changed)
    assert names(file.parent) == ["settings.toml"]


def test_only_what_changed_is_written(file):
    save(file, DEFAULTS, DEFAULTS.replace(b=0.5))
    assert tomllib.loads(file.read_text()) == {"version": 2, "retrieval": {"b": 0.5}}


def test_nothing_changed_touches_nothing(file):
    assert save(file, DEFAULTS, DEFAULTS) == ()
    assert not file.exists()


def test_folders_are_made(tmp_path):
    deep = tmp_path / "a" / "b" / "settings.toml"
    save(deep, DEFAULTS, DEFAULTS.replace(theme="light"))
    assert load(deep).settings.theme == "light"


def test_unknown_keys_and_bad_values_stay(file):
    file.write_text('future = 1\n[answer]\nthreshold = 7\nhue = [1, {a = 2}]\n[plugins]\nx = "y"\n', encoding="utf-8")
    before = load(file).settings
    save(file, before, before.replace(generator="hosted"))
    assert tomllib.loads(file.read_text()) == {
        "version": 2,
        "future": 1,
        "answer": {"threshold": 7, "hue": [1, {"a": 2}], "generator": "hosted"},
        "plugins": {"x": "y"},
    }


def test_two_instances_overwrite_each_other_key_by_key(file):
    first = second = load(file).settings
    save(file, first, first.replace(k1=1.0, theme="light"))
    save(file, second, second.replace(b=0.5, theme="dark", k1=2.0))
    assert load(file).settings == DEFAULTS.replace(k1=2.0, theme="light", b=0.5)


def test_comments_are_copied_beside_once(file):
    text = "# why I chose this\n[retrieval]\nk1 = 1.2 # lucene\n"
    file.write_text(text, encoding="utf-8")
    before = load(file).settings
    (notice,) = save(file, before, before.replace(b=0.5))
    assert "settings.toml.before-app" in notice.problem
    assert (file.parent / "settings.toml.before-app").read_text() == text
    assert save(file, before, before.replace(b=0.6)) == ()
    assert names(file.parent) == ["settings.toml", "settings.toml.before-app"]
    file.write_text("# again\n", encoding="utf-8")
    save(file, before, before.replace(b=0.7))
    assert (file.parent / "settings.toml.before-app-2").read_text() == "# again\n"


def test_a_hash_in_a_text_is_no_comment(file):
    save(file, DEFAULTS, DEFAULTS.replace(last_folders=('/a "#b"',), base_url="http://host/#c"))
    assert save(file, DEFAULTS, DEFAULTS.replace(b=0.5)) == ()
    assert names(file.parent) == ["settings.toml"]


def test_a_value_where_a_table_belongs_is_copied_beside(file):
    file.write_text("answer = 3\n", encoding="utf-8")
    save(file, DEFAULTS, DEFAULTS.replace(threshold=0.4))
    assert (file.parent / "settings.toml.before-app").read_text() == "answer = 3\n"
    assert load(file).settings.engine.threshold == 0.4


def test_a_file_broken_by_hand_meanwhile_is_set_aside_before_writing(file):
    file.write_text("[answer\n", encoding="utf-8")
    (notice,) = save(file, DEFAULTS, DEFAULTS.replace(b=0.5))
    assert "broken-1" in notice.problem
    assert (file.parent / "settings.toml.broken-1").read_text() == "[answer\n"
    assert load(file).settings.engine.b == 0.5


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
def test_permissions_are_kept(file):
    file.write_text("", encoding="utf-8")
    file.chmod(0o640)
    save(file, DEFAULTS, DEFAULTS.replace(b=0.5))
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_a_symbolic_link_stays_one(tmp_path):
    real, link = tmp_path / "dotfiles.toml", tmp_path / "settings.toml"
    real.write_text("[retrieval]\nk1 = 1.2\n", encoding="utf-8")
    try:
        link.symlink_to(real)
    except OSError:
        pytest.skip("symbolic links are not allowed here")
    save(link, DEFAULTS, DEFAULTS.replace(b=0.5))
    assert link.is_symlink()
    assert load(real).settings == DEFAULTS.replace(k1=1.2, b=0.5)


def refuse(number):
    def refused(*_, **__):
        raise OSError(number, os.strerror(number))

    return refused


@pytest.mark.parametrize(
    ("function", "number"),
    [("fsync", errno.ENOSPC), ("replace", errno.EACCES), ("fdopen", errno.EIO)],
    ids=["full disk", "may not replace", "input/output error"],
)
def test_a_failed_write_is_said_and_loses_nothing(file, monkeypatch, function, number):
    file.write_text("[retrieval]\nk1 = 1.2\n", encoding="utf-8")
    with monkeypatch.context() as patch, pytest.raises(SettingsFileError) as caught:
        patch.setattr(settings_file.os, function, refuse(number))
        save(file, DEFAULTS, DEFAULTS.replace(b=0.5))
    assert str(file) in caught.value.message and os.strerror(number) in caught.value.message and caught.value.hint
    assert isinstance(caught.value, EngineError)
    assert file.read_text() == "[retrieval]\nk1 = 1.2\n"
    assert names(file.parent) == ["settings.toml"]


def test_a_broken_file_that_cannot_be_set_aside_is_not_overwritten(file, monkeypatch):
    file.write_text("[answer\n", encoding="utf-8")
    with monkeypatch.context() as patch:
        patch.setattr(settings_file.os, "replace", refuse(errno.EROFS))
        loaded = load(file)
        with pytest.raises(SettingsFileError):
            save(file, DEFAULTS, DEFAULTS.replace(b=0.5))
    assert loaded.settings == DEFAULTS and "the defaults are used" in problems(loaded)[0]
    assert file.read_text() == "[answer\n"
    assert names(file.parent) == ["settings.toml"]


def test_a_file_that_cannot_be_read_is_not_overwritten(file, monkeypatch):
    file.write_text("[retrieval]\nk1 = 1.2\n", encoding="utf-8")
    with monkeypatch.context() as patch:
        patch.setattr(settings_file.Path, "read_bytes", refuse(errno.EACCES))
        assert "cannot be read" in problems(load(file))[0]
        with pytest.raises(SettingsFileError):
            save(file, DEFAULTS, DEFAULTS.replace(b=0.5))
    assert load(file).settings.engine.k1 == 1.2


def test_a_folder_name_that_is_not_text_is_an_error_not_a_crash(file):
    with pytest.raises(SettingsFileError, match="not valid text"):
        save(file, DEFAULTS, DEFAULTS.replace(last_folders=["/caf\udce9"]))
    assert names(file.parent) == []


# --- versions

# As planet-tui wrote it when it remembered one folder, with what a person put in.
VERSION_1 = """\
[app]
theme = "light"
last_folder = "/home/me/notes"
hue = 7

[retrieval]
k1 = 1.2

[plugins]
x = "y"
"""


def test_an_older_file_is_read_as_one_of_today_and_not_touched(file):
    file.write_text(VERSION_1, encoding="utf-8")
    loaded = load(file)
    assert loaded.settings == DEFAULTS.replace(theme="light", last_folders=["/home/me/notes"], k1=1.2)
    assert problems(loaded) == [
        "line 4: hue is not a setting here; it is left as it is",
        "line 9: [plugins] is not a table of this program; it is left as it is",
    ]
    assert file.read_text() == VERSION_1


def test_an_older_file_becomes_one_of_today_when_it_is_saved_and_a_copy_is_kept(file):
    file.write_text(VERSION_1, encoding="utf-8")
    before = load(file).settings
    (notice,) = save(file, before, before.replace(b=0.5))
    assert "copied to settings.toml.version-1" in notice.problem
    assert (file.parent / "settings.toml.version-1").read_text() == VERSION_1
    assert tomllib.loads(file.read_text()) == {
        "version": 2,
        "app": {"theme": "light", "last_folders": ["/home/me/notes"], "hue": 7},
        "retrieval": {"k1": 1.2, "b": 0.5},
        "plugins": {"x": "y"},
    }
    assert load(file).settings == before.replace(b=0.5)
    assert save(file, before, before.replace(b=0.6)) == ()


def test_an_older_file_with_comments_is_copied_once(file):
    file.write_text("# mine\n" + VERSION_1, encoding="utf-8")
    save(file, DEFAULTS, DEFAULTS.replace(b=0.5))
    assert names(file.parent) == ["settings.toml", "settings.toml.version-1"]


def test_what_both_versions_say_is_taken_from_the_newer(file):
    file.write_text('[app]\nlast_folder = "/old"\nlast_folders = ["/new"]\n', encoding="utf-8")
    assert load(file).settings.last_folders == ("/new",)


NEWER = """\
version = 9

[app]
theme = "light"
last_folders = "everything, in a way of its own"

[orbit]
period = 224.7
"""


def test_a_newer_file_is_read_as_far_as_it_is_known(file):
    file.write_text(NEWER, encoding="utf-8")
    loaded = load(file)
    assert loaded.settings == DEFAULTS.replace(theme="light")
    first, *others = problems(loaded)
    assert first.startswith("line 1: it is of version 9, from a newer planet-tui")
    assert ["last_folders" in others[0], "[orbit]" in others[1], len(others)] == [True, True, 2]


def test_a_newer_file_is_copied_before_it_is_first_written_and_keeps_what_is_not_known(file):
    file.write_text(NEWER, encoding="utf-8")
    before = load(file).settings
    (notice,) = save(file, before, before.replace(theme="dark"))
    assert "copied to settings.toml.version-9" in notice.problem
    assert tomllib.loads(file.read_text()) == tomllib.loads(NEWER) | {
        "app": {"theme": "dark", "last_folders": "everything, in a way of its own"}
    }
    assert save(file, before, before.replace(b=0.5)) == ()
    assert (file.parent / "settings.toml.version-9").read_text() == NEWER


@pytest.mark.parametrize("version", ["0", "-1", "true", '"two"', "2.0", "[2]"])
def test_a_version_that_is_none_is_said_and_stays(file, version):
    file.write_text(f"version = {version}\n[retrieval]\nk1 = 1.2\n", encoding="utf-8")
    loaded = load(file)
    assert "line 1: version = " in problems(loaded)[0] and loaded.settings == DEFAULTS.replace(k1=1.2)
    save(file, loaded.settings, loaded.settings.replace(b=0.5))
    assert tomllib.loads(file.read_text())["version"] == tomllib.loads(f"v = {version}")["v"]


# --- folders


def test_excludes_and_libraries_are_read(file, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    file.write_text(
        '[folders."~/notes"]\nexclude = ["archive/", "*.tmp.md"]\n[libraries.work]\nfolders = ["~/notes", "/w"]\n',
        encoding="utf-8",
    )
    loaded = load(file)
    assert loaded.notices == ()
    folders = loaded.settings.folders
    assert folders.library("work") == ("~/notes", "/w")
    roots = folders.with_excludes(Roots.of([Root(tmp_path / "notes", ("!archive/",)), tmp_path]))
    assert [root.exclude for root in roots] == [()], "one within another is a part of it"
    roots = folders.with_excludes(Roots.of([Root(tmp_path / "notes", ("!archive/",)), Path("/w")]))
    assert [root.exclude for root in roots] == [("archive/", "*.tmp.md", "!archive/"), ()]
    save(file, loaded.settings, loaded.settings.replace(b=0.5))
    assert load(file).settings.folders == folders


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('folders = ["~/notes"]', "line 1: folders is a table"),
        ('[folders]\n"~/notes" = ["x"]', "line 2: ~/notes is a table"),
        ('[folders."~/notes"]\nexclude = "x"', "takes a list of texts"),
        ('[folders."~/notes"]\nexclude = [1]', "takes a list of texts"),
        ('[folders."~/notes"]\nexcludes = ["x"]', "[folders] knows exclude alone: 'excludes'"),
        ('[folders."notes"]\nexclude = ["x"]', "'notes' is no whole path"),
        ('[libraries.work]\nfolders = ["notes"]', "'notes' is no whole path"),
        ('libraries.work = "x"', "work is a table"),
    ],
)
def test_what_cannot_be_used_of_folders_is_said(file, text, says):
    file.write_text(text + "\n", encoding="utf-8")
    loaded = load(file)
    assert any(says in problem for problem in problems(loaded)), problems(loaded)
    assert not any(loaded.settings.folders.exclude.values()) and not any(loaded.settings.folders.libraries.values())


def test_a_library_that_is_not_there_names_those_that_are(file):
    file.write_text('[libraries.work]\nfolders = ["/w"]\n', encoding="utf-8")
    with pytest.raises(SettingsError, match="There is no library @home") as caught:
        load(file).settings.folders.library("home")
    assert "@work" in caught.value.hint


# --- the record


def test_every_option_is_checked_and_stands_in_one_table():
    assert list(DEFAULTS.to_dict()) == [option.name for option in describe()]
    assert len(set(DEFAULTS.to_dict())) == len(describe())
    for bad in ({"theme": "pink"}, {"k1": -1}, {"nonsense": 1}):
        with pytest.raises(SettingsError):
            DEFAULTS.replace(**bad)


def test_the_start_is_the_last_folders_else_the_bundled_notes(tmp_path):
    assert DEFAULTS.start.folders == (paths.sample_notes(),)
    assert DEFAULTS.replace(last_folders=[str(tmp_path), "/wiki"]).start.folders == (tmp_path, Path("/wiki"))


@given(st.text(st.characters(codec="utf-8")), st.text(st.characters(codec="utf-8")))
def test_any_text_comes_back(tmp_path_factory, folder, model):
    file = tmp_path_factory.mktemp("any") / "settings.toml"
    changed = DEFAULTS.replace(last_folders=[folder], model=model)
    save(file, DEFAULTS, changed)
    assert load(file) == settings.Loaded(changed)
    assert save(file, changed, DEFAULTS.replace(b=0.5)) == ()


def test_a_file_nested_too_deeply_to_be_written_again_stays_as_it_is(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text("deep = " + "[" * 350 + "]" * 350 + "\n")
    before = path.read_bytes()
    with pytest.raises(SettingsFileError, match="nested too deeply"):
        save(path, AppSettings(), AppSettings(theme="light"))
    assert path.read_bytes() == before


# --- numbers that Python does not write, and files that are none


@pytest.mark.parametrize("key", ["k1", "max_words", "threshold", "theme", "headers"])
@pytest.mark.parametrize("number", ["0x" + "f" * 5000, "[0x" + "f" * 5000 + "]"], ids=["alone", "in a list"])
def test_an_integer_of_5000_digits_is_reported_and_not_used(file, key, number):
    (option,) = (option for option in describe() if option.name == key)
    file.write_text(f"[{option.group}]\n{key} = {number}\n")
    loaded = load(file)
    (problem,) = problems(loaded)
    assert problem.startswith(f"line 2: {key} = ") and len(problem) < 400
    assert loaded.settings == DEFAULTS


def test_a_decimal_of_5000_digits_is_a_broken_file(file):
    file.write_text("[retrieval]\nk1 = " + "9" * 5000 + "\n")
    assert problems(load(file)) == [
        "it holds a number of too many digits; it was set aside as settings.toml.broken-1 and the defaults are used"
    ]


def test_a_number_that_cannot_be_written_again_keeps_the_file(file):
    content = f"[own]\nlarge = 0x{'f' * 5000}\n"
    file.write_text(content)
    with pytest.raises(SettingsFileError, match="too many digits to be written again"):
        save(file, DEFAULTS, DEFAULTS.replace(theme="light"))
    assert file.read_text() == content
    assert names(file.parent) == ["settings.toml"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_in_its_place_is_reported_and_not_waited_for(file):
    os.mkfifo(file)
    assert problems(load(file)) == ["it cannot be read (it is not a file); the defaults are used"]
    with pytest.raises(SettingsFileError, match="it is not a file"):
        save(file, DEFAULTS, DEFAULTS.replace(theme="light"))
    assert stat.S_ISFIFO(file.stat().st_mode)
