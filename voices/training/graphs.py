"""What was said, and what might have been: graphs of phones for training.

Training makes what was said (the numerator of LF-MMI) likelier than all that might be said (the
denominator). There are three denominators, because foreign words are taught in two ways: as garbage,
so that `[unk]` is heard, and by their real sounds, so that the network knows phones and not only words.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from . import lexicon

# Shares of what may follow next.
SILENCE, GARBAGE, WORDS, PHONES = 0.22, 0.04, 0.62, 0.12
_GARBAGE_PHONES = (lexicon.GARBAGE,) * 3


@dataclass(frozen=True)
class Graph:
    """See mmi.cpp; one entry a state."""

    hubs: int
    end: int
    from_: np.ndarray
    first: np.ndarray
    later: np.ndarray
    leaves_for: np.ndarray
    enter: np.ndarray
    leave: np.ndarray


class _Builder:
    def __init__(self) -> None:
        self.states: list[list[float]] = []
        self.nodes: dict[tuple[int, int, str, int], int] = {}

    def path(self, phones: tuple[str, ...], share: float, hub: int, to: int) -> None:
        """From a hub through phones to a hub. Paths that begin alike share states."""
        source = -1 - hub
        for phone in phones:
            key = (hub, source, phone, to)
            if key not in self.nodes:
                self.nodes[key] = len(self.states)
                first, later = lexicon.outputs(phone)
                self.states.append([source, first, later, -1, 1.0, 0.0])
            source = self.nodes[key]
        self.states[source][3] = to
        self.states[source][5] += share

    def word(self, word: str, hub: int, to: int) -> None:
        variants = lexicon.read().sounds[word]
        for variant in variants:
            self.path(variant, WORDS / len(lexicon.read().words) / len(variants), hub, to)

    def graph(self, hubs: int, end: int) -> Graph:
        table = np.array(self.states)
        ints = [np.ascontiguousarray(table[:, n].astype(np.int32)) for n in range(4)]
        enter, leave = (np.ascontiguousarray(table[:, n].astype(np.float32)) for n in (4, 5))
        return Graph(hubs, end, *ints, enter, leave)


@cache
def sayable(garbage: bool, phones: bool) -> Graph:
    """Everything that might be said: words and silence in any order, and garbage or single phones too."""
    builder = _Builder()
    builder.path((lexicon.SILENCE,), SILENCE, 0, 0)
    for word in lexicon.read().words:
        builder.word(word, 0, 0)
    if garbage:
        builder.path(_GARBAGE_PHONES, GARBAGE, 0, 0)
    if phones:
        for phone in lexicon.OF_WORDS:
            builder.path((phone,), PHONES / len(lexicon.OF_WORDS), 0, 0)
    return builder.graph(1, 0)


@cache
def said(words: tuple[str, ...], foreign: tuple[tuple[str, ...] | None, ...], by_sound: bool) -> Graph:
    """Just these words, with silence where there may be some.

    Foreign words count by their sounds or as garbage, any number of it in a row.
    """
    builder, hub = _Builder(), 0
    builder.path((lexicon.SILENCE,), SILENCE, 0, 0)
    before = ""
    for word, sounds in zip(words, foreign):
        if word != lexicon.UNKNOWN:
            builder.word(word, hub, hub + 1)
        elif by_sound and sounds is not None:
            builder.path(sounds, (PHONES / len(lexicon.OF_WORDS)) ** len(sounds), hub, hub + 1)
        elif before == lexicon.UNKNOWN:
            continue
        else:
            builder.path(_GARBAGE_PHONES, GARBAGE, hub, hub + 1)
            builder.path(_GARBAGE_PHONES, GARBAGE, hub + 1, hub + 1)
        before, hub = word, hub + 1
        builder.path((lexicon.SILENCE,), SILENCE, hub, hub)
    return builder.graph(hub + 1, hub)


@cache
def nothing_said() -> Graph:
    """Silence, or noises that are no words."""
    builder = _Builder()
    builder.path((lexicon.SILENCE,), SILENCE, 0, 0)
    builder.path(_GARBAGE_PHONES, GARBAGE, 0, 0)
    return builder.graph(1, 0)
