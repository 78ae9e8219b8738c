"""Outside bots as JSON."""

from service.accounts.model import Account, Crew, Record
from service.accounts.names import seated
from service.games.tables import stamp
from service.wire import Wire


def account(told: Account, is_connected: bool) -> Wire:
    """Return what everybody may know of a bot."""
    terms = told.terms
    return {
        "name": told.name,
        "bot": seated(told.name),
        "description": terms.description,
        "version": terms.version,
        "open": terms.open,
        "seconds": terms.seconds,
        "accepts": terms.accepts,
        "connected": is_connected,
        "paused": told.pause or None,
        "created_at": stamp(told.created_at),
        "record": _record(told.record),
    }


def _record(record: Record) -> Wire:
    timed = record.decisions
    return {
        "decisions": record.decisions,
        "late": record.late,
        "illegal": record.illegal,
        "milliseconds": round(record.milliseconds / timed) if timed else None,
        "round_trip": record.round_trip,
        "crews": [_crew(crew) for crew in record.crews],
    }


def _crew(crew: Crew) -> Wire:
    return {
        "beside": crew.beside,
        "games": crew.games,
        "rescues": crew.rescues,
        "rescue_rate": round(crew.rescues / crew.games, 4),
    }
