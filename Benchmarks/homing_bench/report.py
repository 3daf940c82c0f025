"""What was found: rows of figures with what they stand beside, and whether they may be compared."""

import dataclasses
import json


@dataclasses.dataclass(frozen=True)
class Aim:
    """The design's bound of a figure, or of its ratio to another."""

    bound: float
    at_least: bool = False
    of_ratio: bool = False

    @property
    def text(self):
        """As people write it."""
        return f"{'≥' if self.at_least else '≤'} {self.bound:g}{' ×' if self.of_ratio else ''}"

    def is_met(self, value):
        """Whether the figure keeps to it."""
        return value >= self.bound if self.at_least else value <= self.bound


def at_most(bound):
    """An aim of the figure itself."""
    return Aim(bound)


def ratio_at_most(bound):
    """An aim of the ratio."""
    return Aim(bound, of_ratio=True)


def ratio_at_least(bound):
    """An aim of the ratio, from below."""
    return Aim(bound, at_least=True, of_ratio=True)


class Report:
    """The rows, the windows in which they were measured, and what else was found."""

    def __init__(self):
        self.rows, self.details, self.methods, self.loads = [], {}, {}, {}

    def add_load(self, window, load):
        """How busy others were in a window; the last that is told counts."""
        self.loads[window] = load

    def explain(self, window, text):
        """How the figures of a window are found."""
        self.methods[window] = text

    def add(self, window, name, unit, value, beside=(), aim=None):
        """A figure of a window. `beside` is of (what, its figure, aim of the ratio or None)."""
        self.rows.append({"window": window, "name": name, "unit": unit, "homing": value, "aim": aim, "beside": [
            {"what": what, "value": other, "aim": bound} for what, other, bound in beside]})

    @property
    def busy(self):
        """{window: why} of those whose figures are not to be compared."""
        return {window: load.problem for window, load in self.loads.items() if load.problem}

    def ratio(self, row, other):
        """Of a row to what stands beside it; None where the machine was busy, or there is nothing to compare."""
        if row["window"] in self.busy or not other["value"] or row["homing"] is None:
            return None
        return row["homing"] / other["value"]

    def text(self):
        """The table, how each figure was found, and why some are not compared."""
        lines = [f"{'':46} {'Homing':>9}  {'beside':26} {'ratio':>5}  aim"]
        for row in self.rows:
            name = f"{row['name']}{', ' + row['unit'] if row['unit'] else ''}"
            lines += self._lines(row, name)
        lines += ["", *(f"{window}: {text}" for window, text in self.methods.items())]
        if self.busy:
            lines += ["", "NO RATIOS of these, as the machine was busy:",
                      *(f"  {window}: {why}" for window, why in self.busy.items())]
        return "\n".join(lines)

    def _lines(self, row, name):
        begin = f"{name:46} {number(row['homing']):>9}"
        aim = row["aim"].text if row["aim"] else ""
        for other in row["beside"]:
            ratio = self.ratio(row, other)
            shown = "busy" if row["window"] in self.busy else "" if ratio is None else f"{ratio:.2f}"
            wanted = "; ".join(text for text in (aim, other["aim"].text if other["aim"] else "") if text)
            yield f"{begin}  {number(other['value']) + ' ' + other['what']:26} {shown:>5}  {wanted}".rstrip()
            begin, aim = f"{'':56}", ""
        if not row["beside"]:
            yield f"{begin}  {'':26} {'':5}  {aim}".rstrip()

    def json(self, **about):
        """All of it. Ratios stand there as they are printed: not at all where the machine was busy."""
        figures = [{**row, "aim": _plain(row["aim"], row["homing"]), "beside": [
            {**other, "ratio": self.ratio(row, other), "aim": _plain(other["aim"], self.ratio(row, other))}
            for other in row["beside"]]} for row in self.rows]
        loads = {window: dataclasses.asdict(load) for window, load in self.loads.items()}
        return json.dumps({**about, "busy": self.busy, "figures": figures, "methods": self.methods, "loads": loads,
                           "details": self.details}, indent=1, ensure_ascii=False) + "\n"


def _plain(aim, value):
    return aim and {"text": aim.text, "met": None if value is None else aim.is_met(value)}


def number(value):
    """A figure with as many digits as it deserves."""
    if value is None:
        return "–"
    return f"{value:.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:.3g}"
