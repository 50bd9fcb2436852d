"""Records from JSON: what is read, what is refused and how it is told, and the schema of the same records."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.web.schema import InvalidError, Said
from fergus.web.schema_documents import record_schema, records_in
from fergus.web.schema_reading import read


@dataclass(frozen=True)
class Address:
    """Where somebody lives."""

    town: Annotated[str, Said("The town.", example="Lund", least=1, most=10)]


@dataclass(frozen=True)
class Person:
    """Somebody."""

    name: Annotated[str, Said("The name.", example="Ann", most=5)]
    age: Annotated[int, Said("In years.", example=30, least=0, most=150)] = 1
    weight: Annotated[float, Said("In kilos.", least=0)] = 1.5
    is_here: Annotated[bool, Said("Here?")] = False
    kind: Annotated[str, Said("Which.", choices=("a", "b"))] = "a"
    words: Annotated[tuple[str, ...] | None, Said("Some.", most=2, each_most=3, choices=("x", "yy"))] = None
    either: Annotated[str | tuple[object, ...], Said("One or many.", example="x")] = ""
    address: Annotated[Address | None, Said("Where.")] = None
    counts: Annotated[dict[str, int], Said("How many.", least=1, most=2)] = None  # type: ignore[assignment]
    addresses: Annotated[tuple[Address, ...], Said("All.")] = ()


def faults(value: Any) -> list[tuple[str, str]]:
    with pytest.raises(InvalidError) as refused:
        read(Person, value)
    return [(one.field, one.problem) for one in refused.value.faults]


def test_a_record_is_read_with_its_defaults() -> None:
    assert read(Person, {"name": "Ann"}) == Person("Ann")
    everything = {
        "name": "Bob", "age": 3, "weight": 2, "is_here": True, "kind": "b", "words": ["x"], "either": [1, {"a": []}],
        "address": {"town": "Lund"}, "counts": {"z": 1}, "addresses": [{"town": "Oslo"}],
    }  # fmt: skip
    assert read(Person, everything) == Person(
        "Bob", 3, 2, True, "b", ("x",), (1, {"a": []}), Address("Lund"), {"z": 1}, (Address("Oslo"),)
    )
    assert read(Person, {"name": "Ann", "words": None, "address": None}) == Person("Ann")


def test_everything_that_is_wrong_is_told_at_once() -> None:
    assert faults([]) == [("the request", "is no object")]
    assert faults({"nam": "x"}) == [("nam", "there is no such field"), ("name", "is missing")]
    assert faults(
        {
            "name": "too long", "age": 151, "weight": -1, "is_here": 1, "kind": "c", "words": ["x", "q", 3],
            "either": 3, "address": {"town": ""}, "counts": {}, "addresses": [{"town": "x"}, 4],
        }
    ) == [
        ("name", "has 8 characters"),
        ("age", "151 is out of bounds"),
        ("weight", "-1 is out of bounds"),
        ("is_here", "is not true or false"),
        ("kind", "“c” will not do"),
        ("words", "has 3 entries"),
        ("words[1]", "“q” will not do"),
        ("words[2]", "is not a string"),
        ("either", "is not a string or a list"),
        ("address.town", "has 0 characters"),
        ("counts", "has 0 entries"),
        ("addresses[1]", "is no object"),
    ]  # fmt: skip
    assert faults({"name": "A", "age": True}) == [("age", "is not a whole number")]
    assert faults({"name": "A", "age": 1.5, "counts": []}) == [
        ("age", "is not a whole number"),
        ("counts", "is no object"),
    ]
    assert faults({"name": "\ud800"}) == [("name", "has half a surrogate pair in it")]
    assert faults({"name": None}) == [("name", "is not a string")]
    assert faults({"name": "A", "addresses": {}}) == [("addresses", "is no list")]


def test_a_fault_has_the_value_and_what_would_be_right() -> None:
    with pytest.raises(InvalidError) as refused:
        read(
            Person, {"name": "Ann", "age": 10**400, "weight": "x" * 100, "kind": "z", "either": {"a": list(range(99))}}
        )
    again = pickle.loads(pickle.dumps(refused.value))
    assert again.faults == refused.value.faults
    age, weight, kind, either = again.faults
    assert (age.value, age.remedy) == ("a number of 1,329 bits", "give a number from 0 to 150")
    assert weight.value is not None
    assert len(weight.value) == 60
    assert kind.remedy == "write one of a, b"
    assert either.remedy == 'write a string or a list, for instance "x"'
    with pytest.raises(InvalidError) as many:
        read(Person, {"name": "A", "addresses": [4] * 1000})
    assert len(many.value.faults) == 20
    with pytest.raises(InvalidError) as low:
        read(Person, {"name": "A", "weight": -1})
    assert low.value.faults[0].remedy == "give 0 or more"


def test_the_schema_says_the_same() -> None:
    assert [record.__name__ for record in records_in(Person)] == ["Person", "Address"]
    schema = record_schema(Person)
    assert schema["required"] == ["name"]
    assert schema["additionalProperties"] is False
    assert schema["description"] == "Somebody."
    fields = schema["properties"]
    assert fields["name"] == {"type": "string", "maxLength": 5, "description": "The name.", "examples": ["Ann"]}
    assert fields["age"]["minimum"] == 0
    assert fields["age"]["default"] == 1
    assert fields["kind"]["enum"] == ["a", "b"]
    assert fields["words"]["anyOf"] == [
        {"type": "array", "items": {"type": "string", "maxLength": 3, "enum": ["x", "yy"]}, "maxItems": 2},
        {"type": "null"},
    ]
    assert fields["either"]["anyOf"][1] == {"type": "array", "items": {}}
    assert fields["address"]["anyOf"][0] == {"$ref": "#/components/schemas/Address"}
    assert fields["counts"] == {
        "type": "object",
        "additionalProperties": {"type": "integer"},
        "minProperties": 1,
        "maxProperties": 2,
        "description": "How many.",
    }
    assert fields["addresses"]["default"] == []


@dataclass(frozen=True)
class Point:
    """Somewhere."""

    at: Annotated[tuple[str, float], Said("A name and a distance.", example=["home", 2.5])]


@dataclass(frozen=True)
class Branch:
    """A place with others below it, and a number of anything."""

    below: Annotated[tuple[Branch, ...], Said("The others.")] = ()
    numbers: Annotated[dict[str, int], Said("How many of that name.", is_rest=True)] = field(default_factory=dict)


@dataclass(frozen=True)
class Journey:
    """Places."""

    stop: Annotated[Point | Branch | None, Said("Where.")] = None
    raw: Annotated[object, Said("Read elsewhere.", shape=str | Point)] = None


def journey_faults(value: Any) -> list[tuple[str, str]]:
    with pytest.raises(InvalidError) as refused:
        read(Journey, value)
    return [(one.field, one.problem) for one in refused.value.faults]


def test_records_of_several_kinds_are_told_by_the_fields_they_need() -> None:
    assert read(Journey, {"stop": {"at": ["home", 1]}}).stop == Point(("home", 1))
    found = read(Journey, {"stop": {"apples": 2, "below": [{"below": [], "pears": 1}]}}).stop
    assert found == Branch((Branch((), {"pears": 1}),), {"apples": 2})
    assert journey_faults({"stop": {"apples": "two"}}) == [("stop.apples", "is not a whole number")]
    assert journey_faults({"stop": 3}) == [("stop", "is not an object or null")]
    with pytest.raises(InvalidError, match="at: is missing"):
        read(Point, {})


def test_a_list_of_so_many_members() -> None:
    assert journey_faults({"stop": {"at": ["home"]}}) == [("stop.at", "has 1 entries")]
    assert journey_faults({"stop": {"at": [1, "home"]}}) == [
        ("stop.at[0]", "is not a string"),
        ("stop.at[1]", "is not a number"),
    ]


def test_what_is_read_elsewhere_is_taken_as_it_is_and_described() -> None:
    assert read(Journey, {"raw": [3]}).raw == [3]
    described = record_schema(Journey)["properties"]["raw"]
    assert described["anyOf"] == [{"type": "string"}, {"$ref": "#/components/schemas/Point"}]


def test_the_schema_of_fixed_lists_rests_and_records_in_themselves() -> None:
    assert [record.__name__ for record in records_in(Journey)] == ["Journey", "Point", "Branch"]
    assert record_schema(Point)["properties"]["at"] == {
        "type": "array",
        "prefixItems": [{"type": "string"}, {"type": "number"}],
        "items": False,
        "minItems": 2,
        "description": "A name and a distance.",
        "examples": [["home", 2.5]],
    }
    branch = record_schema(Branch)
    assert branch["additionalProperties"] == {"type": "integer", "description": "How many of that name."}
    assert branch["properties"].keys() == {"below"}
    assert branch["properties"]["below"]["items"] == {"$ref": "#/components/schemas/Branch"}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(Person.__dataclass_fields__, JSON)) | JSON)
def test_any_json_is_read_or_refused(value: Any) -> None:
    try:
        found = read(Person, value)
    except InvalidError:
        return
    assert isinstance(found, Person)


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(Journey.__dataclass_fields__, JSON)) | JSON)
def test_any_journey_is_read_or_refused(value: Any) -> None:
    try:
        found = read(Journey, value)
    except InvalidError:
        return
    assert isinstance(found, Journey)
