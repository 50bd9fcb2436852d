"""Figures as a report writes them: without the leading zero, p as papers have it, a dash where nothing is defined."""

from __future__ import annotations

from math import isinf, isnan

NOTHING = "–"


def figure(value: float | None, decimals: int = 3, *, signed: bool = False) -> str:
    """A number with so many decimals; of one below 1 the leading zero is left out.

    >>> figure(-0.5), figure(12.3456, 1), figure(float("nan"))
    ('−.500', '12.3', '–')
    """
    if value is None or isnan(value):
        return NOTHING
    if isinf(value):
        return "∞" if value > 0 else "−∞"
    text = f"{value:+,.{decimals}f}" if signed else f"{value:,.{decimals}f}"
    if decimals and float(text.replace(",", "")) == 0:
        return f"{0:.{decimals}f}"[1:]
    text = text.replace("-", "−")
    return text.replace("0.", ".", 1) if text.lstrip("+−").startswith("0.") else text


def general(value: float, digits: int = 4) -> str:
    """A number of any size with so many digits that count.

    >>> general(-0.0123456), general(float("nan"))
    ('−0.01235', '–')
    """
    return NOTHING if isnan(value) else f"{value:.{digits}g}".replace("-", "−")


def interval(low: float, high: float, decimals: int = 3) -> str:
    """Both ends.

    >>> interval(0.25, 1)
    '.250 to 1.000'
    """
    return NOTHING if isnan(low) or isnan(high) else f"{figure(low, decimals)} to {figure(high, decimals)}"


def probability(p: float) -> str:
    """A p-value.

    >>> probability(0.0002), probability(0.0311)
    ('< .001', '.031')
    """
    if isnan(p):
        return NOTHING
    return "< .001" if p < 0.001 else "1" if p > 0.9995 else figure(p, 3)


def is_p(p: float) -> str:
    """The same in a sentence.

    >>> is_p(0.00001), is_p(0.2)
    ('p < .001', 'p = .200')
    """
    text = probability(p)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def percent(value: float | None) -> str:
    """A share of 1.

    >>> percent(0.5049)
    '50.5%'
    """
    return NOTHING if value is None or isnan(value) else f"{100 * value:.1f}%"


def percents(low: float, high: float) -> str:
    """Both ends of an interval.

    >>> percents(0.5, 0.6251)
    '50.0 to 62.5%'
    """
    return NOTHING if isnan(low) or isnan(high) else f"{100 * low:.1f} to {100 * high:.1f}%"


def points(value: float) -> str:
    """A difference of shares.

    >>> points(-0.125)
    '−12.5'
    """
    return figure(100 * value, 1, signed=True)


def counted(count: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "judge"), counted(1200, "judge")
    ('1 judge', '1,200 judges')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def people(count: int) -> str:
    """So many of them.

    >>> people(1), people(1200)
    ('1 person', '1,200 people')
    """
    return "1 person" if count == 1 else f"{count:,} people"


def listed(names: list[str] | tuple[str, ...], *, most: int = 0) -> str:
    """Names with commas and an ``and``; those after the first few are counted.

    >>> listed(["a", "b", "c"]), listed(["a", "b", "c"], most=1)
    ('a, b and c', 'a and 2 others')
    """
    names = list(names)
    if most and len(names) > most + 1:
        names = [*names[:most], f"{len(names) - most:,} others"]
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + (f" and {names[-1]}" if names else "")
