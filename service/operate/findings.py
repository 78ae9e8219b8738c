"""Say what a check found."""

from dataclasses import asdict, dataclass

OK, WARN, FAIL = "ok", "warn", "FAIL"


@dataclass(frozen=True)
class Finding:
    level: str
    what: str
    advice: str = ""  # what to do about it

    @property
    def line(self) -> str:
        return f"{self.level:<4}  {self.what}" + (f" → {self.advice}" if self.advice else "")

    def to_dict(self) -> dict[str, str]:
        return asdict(self)


def ok(what: str) -> Finding:
    return Finding(OK, what)


def warn(what: str, advice: str) -> Finding:
    return Finding(WARN, what, advice)


def fail(what: str, advice: str) -> Finding:
    return Finding(FAIL, what, advice)
