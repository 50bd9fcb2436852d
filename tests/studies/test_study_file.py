"""Studies from their files, and every mistake in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fergus.errors import InputError
from fergus.studies.check_blocks import MOST_FIELDS
from fergus.studies.questions.choice import Choice
from fergus.studies.questions.rating import Dimension, Rating
from fergus.studies.study import Assignment, Recruitment
from fergus.studies.study_file import (
    check_file,
    check_study,
    check_texts,
    find_study_file,
    parse_study,
    read_files,
    read_study,
    version_of,
)
from fergus.web.settings import Settings

STUDY = """\
study: tumble
title: How good is it?
language: en
welcome: Hello
consent: We keep your answers.
instructions: Read on.
items: items.csv
questions:
  judgement:
    type: rating
    dimensions:
      quality:
        text: How good?
        labels: {7: Very, 1: Not at all}
  which:
    type: pair
    right: {author: human}
  age: {type: choice, options: [young, old]}
blocks:
  - name: practice
    practice: yes
    items: {block: practice}
    questions: judgement
  - name: main
    items: {block: [main, more]}
    page: group
    questions: [judgement, which]
  - name: about you
    questions: [age]
assignment: {design: subsets, pages: 2, judgements: 3, seed: 7}
"""
ITEMS = """\
item,text,group,author,block
p,Practice,p,human,practice
a,One,g,human,main
b,Two,g,machine,main
c,Three,h,human,more
d,Four,h,machine,more
"""


def changed(old: str, new: str, text: str = STUDY) -> str:
    assert old in text
    return text.replace(old, new, 1)


def problems_of(text: str, items: str | None = ITEMS) -> list[str]:
    return [str(problem) for problem in check_texts(text, items).problems]


def test_a_whole_study() -> None:
    study = parse_study(STUDY, ITEMS)
    assert check_texts(STUDY, ITEMS).problems == ()
    assert (study.name, study.title, study.welcome) == ("tumble", "How good is it?", "Hello")
    assert [block.name for block in study.blocks] == ["consent", "instructions", "practice", "main", "about you"]
    consent, instructions, practice, main, about_you = study.blocks
    assert [question.type for question in consent.questions] == ["consent"]
    assert consent.questions[0].text == "We keep your answers."
    assert (instructions.text, instructions.questions, study.instructions) == ("Read on.", (), "Read on.")
    rating = Rating("judgement", dimensions={"quality": Dimension("How good?", {7: "Very", 1: "Not at all"})})
    assert practice.questions == (rating,)
    assert practice.practice
    assert main.items == {"block": ("main", "more")}
    assert main.page == "group"
    assert [item.id for item in study.items_of(main)] == ["a", "b", "c", "d"]
    assert about_you.questions == (Choice("age", options=("young", "old")),)
    assert about_you.items is None
    assert study.assignment == Assignment("subsets", "system", 2, 3, None, 7)
    assert study.recruitment == Recruitment()
    assert study.version == version_of(STUDY, ITEMS)


def test_the_version_is_that_of_both_texts() -> None:
    versions = {version_of(*texts) for texts in (("a", "b"), ("ab", ""), ("a", "c"), ("a", None), ("", "ab"))}
    assert len(versions) == 5
    assert all(len(version) == 12 for version in versions)
    assert version_of("a", None) == version_of("a", "")


def test_consent_in_full_and_other_settings() -> None:
    text = changed("consent: We keep your answers.", "consent: {text: We keep it., agree: Yes, decline: 'No'}")
    text += (
        "recruitment: {parameters: PID, required: yes, completion_code: 007, "
        'completion_url: "https://x.example/?c={code}&p={PID}"}\n'
        "conditions: [readers, others]\nscore: yes\nshare: on\nthanks: Bye\n"
        'interface: {next: Weiter, page_of: "Seite {page}"}\n'
    )
    text = changed("practice: yes", "practice: yes\n    only: readers", text)
    study = parse_study(text, ITEMS)
    assert study.recruitment == Recruitment(("PID",), True, "007", "https://x.example/?c={code}&p={PID}")
    assert (study.conditions, study.score, study.share, study.thanks) == (("readers", "others"), True, True, "Bye")
    assert study.interface == {"next": "Weiter", "page_of": "Seite {page}"}
    assert study.by_name["practice"].only == ("readers",)
    assert getattr(study.blocks[0].questions[0], "decline", None) == "No"


@pytest.mark.parametrize(
    ("settings", "direction"),
    [
        ("language: en", "ltr"),
        ("language: fa", "rtl"),
        ("language: AR-eg", "rtl"),
        ("language: ku", "ltr"),
        ("language: ku-Latn", "ltr"),
        ("language: ku-Arab-IQ", "rtl"),
        ("language: ff-Adlm", "rtl"),
        ("language: he-Latn", "ltr"),
        ("language: de-1996", "ltr"),
        ("language: ks-Deva\ndirection: rtl", "rtl"),
        ("language: ar\ndirection: ltr", "ltr"),
    ],
)
def test_the_script_says_which_way_pages_run(settings: str, direction: str) -> None:
    assert parse_study(changed("language: en", settings), ITEMS).direction == direction


def test_pages_run_one_way_or_the_other() -> None:
    told = problems_of(changed("language: en", "direction: down"))
    assert told == ["study.yaml:3:12: direction is 'down'; possible are ltr, rtl"]


def test_a_study_without_items() -> None:
    study = parse_study(
        "study: s\ntitle: T\nquestions: {q: {type: comment}}\nblocks: [{name: a, questions: q}]\n", None
    )
    assert study.items == ()


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("study: tumble\n", "", "study.yaml:1: the study has no name; add study: NAME"),
        ("study: tumble", "study: Tumble!", "study.yaml:1: 'Tumble!' is no name for a study; use small letters"),
        ("study: tumble", "study: [a]", "study.yaml:1: '' is no name for a study"),
        ("title: How good is it?\n", "", "study.yaml:1: the study has no title; add title"),
        ("title: How good is it?", "title:", "study.yaml:2: title is empty; give it a value, or delete the line"),
        ("title: How", "tilte: How", "study.yaml:2:1: the study has no 'tilte'; did you mean title? Possible are"),
        ("language: en", "language: English!", "study.yaml:3: language is 'English!'; write a code"),
        ("consent: We keep your answers.", "consent: {txt: a}", "consent has no 'txt'; did you mean text?"),
        ("consent: We keep your answers.", "consent: [a]", "study.yaml:5: consent is a list; write a mapping"),
        ("consent: We keep your answers.", "consent: ' '", "study.yaml:5: text of consent: there is none"),
        (
            "type: rating",
            "type: ratting",
            "question 'judgement' is of type 'ratting', which is none; did you mean rating",
        ),
        ("    type: rating\n", "", "study.yaml:9: question 'judgement' has no type; add type: one of rating, "),
        (
            "type: rating",
            "type: rating\n    pionts: 7",
            ":11:5: question 'judgement' has no 'pionts'; did you mean points?",
        ),
        ("type: rating", "type: rating\n    points: 1", ":11: points of question 'judgement': 1 is not from 2 to"),
        ("{7: Very,", "{9: Very,", "study.yaml:11: dimensions of question 'judgement': quality labels 9, but"),
        ("text: How good?", "txet: How good?", "has no 'txet'; did you mean text?"),
        ("  which:", "  wh.ich:", "study.yaml:15: 'wh.ich' is no name for a question"),
        ("age: {type: choice, options: [young, old]}", "age: choice", "study.yaml:18: question 'age' is 'choice'"),
        ("options: [young, old]", "options: [young]", "options of question 'age': there are fewer than two"),
        (
            "questions: [age]",
            "questions: [aeg]",
            "study.yaml:29:17: block 'about you' asks 'aeg', which is no question",
        ),
        ("questions: [age]", "questions: [age, age]", "study.yaml:29:22: block 'about you' asks 'age' twice"),
        ("questions: [age]", "questions: [[age]]", "a question of block 'about you' is a list; write a text"),
        ("name: about you", "name: main", "study.yaml:28: two blocks have the name 'main' (before, on line 24)"),
        ("name: about you", "name: '/../'", "study.yaml:28: '/../' is no name for a block"),
        ("  - name: about you\n    questions", "  - questions", "study.yaml:28: block 3 has no name; add name"),
        (
            "name: about you",
            "name: consent",
            "study.yaml:28: the name 'consent' is that of the block that consent: makes",
        ),
        ("practice: yes", "practice: maybe", "practice of block 'practice' is 'maybe'; write yes or no"),
        ("practice: yes", "order: sideways", "order of block 'practice' is 'sideways'; possible are random, file"),
        ("practice: yes", "only: readers", "block 'practice' is for 'readers', which is no condition; there are none"),
        ("items: {block: practice}", "items: practice", "items of block 'practice' is 'practice'; write all, or"),
        (
            "items: {block: practice}",
            "items: {blok: practice}",
            ":22: block 'practice' asks for items by the column 'blok'",
        ),
        (
            "items: {block: practice}",
            "items: {block: pratcice}",
            "no item has 'pratcice' in the column 'block'; did you",
        ),
        ("items: {block: practice}", "items: {block: main, author: human, item: p}", "block 'practice' picks no item"),
        ("page: group", "page: grup", "study.yaml:26: block 'main' puts items on a page by the column 'grup'"),
        (
            "page: group",
            "page: item",
            ":27: question 'which' in block 'main': a pair has two items, here are 1 (and 3 more",
        ),
        ("design: subsets", "design: subset", "design of assignment is 'subset'; did you mean subsets?"),
        ("pages: 2", "pages: 0", "study.yaml:30: pages of assignment is 0; write a number from 1"),
        ("seed: 7", "seed: -7", "study.yaml:30: seed of assignment is -7; write a number from 0"),
        ("pages: 2, judgements: 3, ", "", "nothing says how many pages each participant sees"),
        ("design: subsets", "design: all", "study.yaml:30: pages has no meaning in the design all"),
        ("assignment: {", "assignment: [", "study.yaml:30"),
        ("items: items.csv\n", "", "study.yaml:21: block 'practice' shows items, but the study names no items file"),
    ],
)
def test_mistakes_have_their_line_and_a_remedy(old: str, new: str, problem: str) -> None:
    text = changed(old, new)
    found = problems_of(text, ITEMS if "items: items.csv" in text else None)
    assert any(problem in told for told in found), found
    assert check_texts(text, ITEMS).study is None


@pytest.mark.parametrize(
    ("added", "problem"),
    [
        ("conditions: [a, a]", "study.yaml:31: a condition is there twice"),
        ("conditions: [a/b]", "study.yaml:31: 'a/b' is no condition"),
        ("recruitment: {parameters: [a b]}", "study.yaml:31: 'a b' is no parameter of a link"),
        ("recruitment: {required: yes}", "study.yaml:31: no parameter is named that could be required"),
        ("recruitment: {completion_url: 'javascript:alert(1)'}", "completion_url is 'javascript:alert(1)'; begin with"),
        ("recruitment: {completion_url: 'https://[x'}", "completion_url is 'https://[x'"),
        ("recruitment: {parameters: [a], completion_url: 'https://{a}.example/'}", "completion_url is"),
        ("recruitment: {completion_url: 'https://x.example/{code}'}", "has {code}, but there is no code"),
        ("recruitment: {completion_url: 'https://x.example/{PID}'}", "{PID} means nothing in completion_url"),
        ("recruitment: {completion_url: 'https://x.example/{'}", "the braces of completion_url do not match"),
        ("interface: {nxet: Weiter}", "study.yaml:31: interface has no 'nxet'; did you mean next?"),
        (
            "interface: {page_of: 'Seite {seite}'}",
            "{seite} means nothing in page_of of interface; page_of of interface can",
        ),
        ("interface: {page_of: 'Seite {page:99999}'}", "means nothing in page_of"),
        ("interface: {next: 'Weiter {page}'}", "{page} means nothing in next of interface; delete the braces"),
    ],
)
def test_mistakes_in_other_settings(added: str, problem: str) -> None:
    found = problems_of(f"{STUDY}{added}\n")
    assert any(problem in told for told in found), found


def test_every_mistake_is_found_at_once_in_the_order_of_lines() -> None:
    text = changed("language: en", "language: '?'")
    text = changed("type: pair", "type: pear", text)
    text = changed("items: {block: [main, more]}", "items: {blcok: main}", text)
    text = changed("design: subsets", "design: some", text)
    lines = [int(told.split(":")[1]) for told in problems_of(text)]
    assert lines == [3, 16, 25, 30]


def test_a_question_that_cannot_be_read_is_told_once() -> None:
    assert len(problems_of(changed("type: pair", "type: pear"))) == 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "study.yaml:1: the file is empty; begin with study: NAME"),
        ("[a]", "study.yaml:1: the file is a list"),
        ("study: s\ntitle: t\n", "study.yaml:1: the study has no blocks"),
        ("study: s\ntitle: t\nblocks:\n", "study.yaml:3: the study has no blocks"),
        ("study: s\ntitle: t\nblocks: main\n", "study.yaml:3:9: blocks is 'main'; write a list"),
        ("study: s\ntitle: t\nblocks: [main]\n", "study.yaml:3:10: block 1 is 'main'; write a mapping"),
        ("study: s\ntitle: t\nblocks: [{name: a}]\n", "study.yaml:3: block 'a' shows nothing"),
        ("study: s\ntitle: t\nquestions: [a]\n", "study.yaml:3:12: questions is a list"),
        (
            "study: s\ntitle: t\nquestions:\nblocks: [{name: a, questions: b}]",
            "is no question; describe it under questions:",
        ),
        ("study: s\n\ttitle: t\n", "study.yaml:2"),
    ],
)
def test_files_that_are_hardly_studies(text: str, problem: str) -> None:
    assert any(told.startswith(problem) or problem in told for told in problems_of(text, None))


def test_a_pair_of_three_is_blamed_on_its_rows() -> None:
    problems = problems_of(STUDY, ITEMS + "e,Five,h,machine,more\n")
    assert problems == [
        "items.csv:5: question 'which' in block 'main': a pair has two items, here are 3; "
        "mend this row or those of its page"
    ]


def test_values_that_share_a_page_must_be_short() -> None:
    problems = problems_of(STUDY, ITEMS.replace(",g,", f",{'g' * 1000},"))
    assert (
        "study.yaml:26: block 'main' puts items on a page by the column 'group', whose values are too long"
        in problems[0]
    )


def test_a_broken_items_file_does_not_blame_the_blocks() -> None:
    assert problems_of(STUDY, "item,text,group,author,block\na,,g,human,main\n") == [
        "items.csv:2: item 'a' has no text; fill in the column text"
    ]


def test_what_is_not_used_is_a_warning() -> None:
    text = changed("questions: [age]", "text: Bye")
    checked = check_texts(text, ITEMS + "x,Alone,x,human,nowhere\ny,Alone,y,human,nowhere\n")
    assert checked.study is not None
    assert checked.errors == ()
    assert [str(problem) for problem in checked.problems] == [
        "study.yaml:18: no block asks question 'age'; name it in a block",
        "items.csv:7: no block shows item 'x' and 1 more; name its value in a block's items",
    ]


def test_items_without_questions_are_a_warning() -> None:
    checked = check_texts(changed("    questions: judgement\n", ""), ITEMS)
    assert checked.study is not None
    assert [str(problem) for problem in checked.problems] == [
        "study.yaml:20: block 'practice' shows items and asks nothing; give it questions"
    ]


TIMED = """\
study: s
title: t
items: items.csv
questions:
  find: {type: task, seconds: 60, grading: by-hand}
  why: {type: comment, required: yes}
blocks:
  - name: main
    items: all
    questions: [find, why]
"""


def test_a_task_with_a_time_limit_and_something_to_answer_beside_it_is_a_warning() -> None:
    items = "text\nA\n"
    checked = check_texts(TIMED, items)
    assert checked.study is not None
    assert [str(problem) for problem in checked.problems] == [
        "study.yaml:10: question 'why' is on the page of the task 'find', whose time runs until both are answered; "
        "ask 'why' in a block of its own, or let it be left out (required: no)"
    ]
    for one, other in ((" seconds: 60,", ""), ("required: yes", "required: no"), ("[find, why]", "[find]")):
        assert "time runs" not in " ".join(map(str, check_texts(TIMED.replace(one, other), items).problems))


SQUARE = """\
study: s
title: t
items: items.csv
questions: {q: {type: comment}}
blocks: [{name: main, items: all, questions: q}]
assignment: {design: latin-square}
"""
SQUARE_ITEMS = "text,group,system,always\nA,g,x,\nB,g,y,\nC,h,x,\nD,h,y,\nE,check,,yes\n"


def test_latin_squares() -> None:
    assert problems_of(SQUARE, SQUARE_ITEMS) == []
    lacking = problems_of(SQUARE, SQUARE_ITEMS.replace("D,h,y,\n", ""))
    assert lacking == [
        "items.csv:4: group 'h' has no item with system 'y'; a Latin square shows every level of every group to "
        "somebody: add it, or use design: subsets"
    ]
    uneven = check_texts(SQUARE, SQUARE_ITEMS + "F,i,x,\nG,i,y,\n")
    assert uneven.study is not None
    assert "study.yaml:6: block 'main' has 3 groups for 2 values of system" in str(uneven.problems[0])


@pytest.mark.parametrize(
    ("items", "found"), [("text,group\nA,g\n", "no value"), ("text,system\nA,x\n", "one value, 'x'")]
)
def test_latin_squares_need_something_to_rotate(items: str, found: str) -> None:
    told = f"study.yaml:6: the Latin square has {found} to rotate in the column 'system'"
    assert problems_of(SQUARE, items)[0].startswith(told)


def test_mistakes_in_latin_squares_are_told_with_all_others_at_the_line_of_the_factor() -> None:
    text = SQUARE.replace("{design: latin-square}", "\n  design: latin-square\n  factor: sistem\n  seed: -1\n")
    problems = problems_of(text.replace("title: t", "titel: t"), SQUARE_ITEMS)
    assert [problem.split(":")[1] for problem in problems] == ["1", "2", "8", "9"]
    assert "the Latin square has no value to rotate in the column 'sistem'" in problems[2]


@pytest.mark.parametrize(
    ("old", "new"), [("name: main", "name: main, page: grupp"), ("name: main", "name: main, order: odd")]
)
def test_latin_squares_are_not_blamed_for_blocks_that_could_not_be_read(old: str, new: str) -> None:
    errors = check_texts(SQUARE.replace(old, new), "text,group\nA,g\n").errors
    assert len(errors) == 1
    assert "Latin" not in str(errors[0])


REVIEW = """\
study: s
title: t
items: items.csv
questions:
  review: {type: review, most: 200}
blocks:
  - name: main
    items: all
    page: group
    questions: [review]
"""


def test_pages_that_could_never_be_sent() -> None:
    items = "item,text,group\n" + "".join(f"{n},Text,g\n" for n in range(4))
    # Four texts with 200 rows of part, start and comment, and three fields of the page itself.
    assert problems_of(REVIEW, items) == [
        "study.yaml:10: a page of block 'main' has 2,403 fields; at most 2,000 can be sent; put fewer items on a "
        "page, ask less, or let a review have fewer remarks (most)"
    ]
    assert problems_of(REVIEW.replace("200", "166"), items) == []  # 1,995


def test_as_many_fields_are_sent_as_the_server_takes() -> None:
    assert Settings().most_fields == MOST_FIELDS


def test_the_pages_of_a_latin_square_are_checked_as_people_see_them() -> None:
    text = SQUARE.replace("type: comment", "type: pair").replace("items: all", "items: all, page: group")
    problems = problems_of(text, SQUARE_ITEMS.replace("E,check,,yes\n", ""))
    assert "a pair has two items, here are 1 (and 3 more pages)" in problems[0]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "study.yaml").write_text(STUDY, encoding="utf-8")
    (tmp_path / "items.csv").write_text(ITEMS, encoding="utf-8")
    return tmp_path


def test_files_give_what_texts_give(folder: Path) -> None:
    path = folder / "study.yaml"
    assert read_study(path) == parse_study(STUDY, ITEMS)
    assert check_study(path) == []
    files = read_files(path)
    assert (files.text, files.items_text, files.items_name) == (STUDY, ITEMS, str(folder / "items.csv"))
    assert find_study_file(folder) == path == find_study_file(path)


def test_mistakes_name_their_file(folder: Path) -> None:
    (folder / "items.csv").write_text("item,text\na\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"items\.csv:2: the row has 1 fields"):
        read_study(folder / "study.yaml")


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ("itmes.csv", "study.yaml:7: there is no file 'itmes.csv' beside it; check the name under items:"),
        ("../items.csv", "study.yaml:7: '../items.csv' is not in the folder of the study"),
        ("/etc/passwd", "study.yaml:7: '/etc/passwd' is not in the folder of the study"),
        ("a\\..\\..\\b.csv", "is not in the folder of the study"),
        ("link.csv", "study.yaml:7: 'link.csv' is not in the folder of the study"),
        ("[a, b]", "study.yaml:7: items is a list; write the name of a file: items: items.csv"),
        ("bytes.csv", "bytes.csv:1: byte 0xff is not UTF-8"),
    ],
)
def test_items_files_that_cannot_be_read(folder: Path, given: str, problem: str) -> None:
    (folder / "link.csv").symlink_to("/etc/hostname")
    (folder / "bytes.csv").write_bytes(b"\xff")
    path = folder / "study.yaml"
    path.write_text(changed("items: items.csv", f"items: {given}"), encoding="utf-8")
    checked = check_file(path)
    assert checked.study is None
    assert len(checked.problems) == 1, checked.problems
    assert problem in str(checked.problems[0])
    with pytest.raises(InputError):
        read_files(path)


def test_a_study_that_is_not_there(tmp_path: Path) -> None:
    assert "cannot be read" in str(check_study(tmp_path / "none.yaml")[0])


def test_a_study_whose_items_are_not_given() -> None:
    problems = problems_of(STUDY, None)
    assert problems == [
        "study.yaml:7: the study has an items file, but none was given; give both files, or delete the line"
    ]


def test_a_file_without_items_has_none(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text("\ufeffstudy: s\ntitle: t\nitems:\nblocks: [{name: a, text: Hello}]\n", encoding="utf-8")
    assert read_files(path).items_text is None
