"""What is said in training: announcements, requests, numbers, and speech that is none of it.

An utterance is a list of words. A word is one of the lexicon's, or foreign: `("#", "Haus")`.
"""

import random
import re
from functools import cache
from pathlib import Path

from . import lexicon

Word = str | tuple[str, str]

FILES = "anna bella cäsar david eva felix gustav hektor".split()
RANKS = "eins zwei drei vier fünf sechs sieben acht".split()
# What people say for a file by habit: names of the German spelling table; two are FIDE's own.
OTHERWISE = "anton berta cäsar dora emil friedrich gustav heinrich".split()
# How often.
BY_HABIT = 0.15
PIECES = "könig dame turm läufer springer bauer".split()
# Heard badly by the first model, or taken for each other: said more often.
WEIGHTS = {
    "eva": 1.4, "felix": 1.3, "david": 1.3, "anna": 1.2, "hektor": 1.2, "vier": 1.5, "fünf": 1.5,
    "zwei": 1.3, "drei": 1.3, "turm": 1.5, "dame": 1.3,
}  # fmt: skip
CONFUSABLE = (
    "vier viel fünf felix turm eva zwei drei zwo dame david anna hektor könig acht eins ein sein "
    "mein nein schach nach matt remis ja zug züge weiß zeit wie uhr auf aus"
).split()
PROMOTED = "dame turm läufer springer".split()

_FOREIGN_LIST = Path("/usr/share/dict/ngerman")
# Near a word of the lexicon and none of them: must not be taken for it.
NEAR = """Hanna Panne Hella Teller Kaiser Zäsium Davos nahm Dramen Etwas Ebba Efeu Felsen Helix Gustel
Husten Doktor Hektar Direktor meins keins weit breit frei dreht wir führ viermal Tier Ziel fünfter Sünde
sechster Sex Sieb lieben Riesen Macht achte auch Wurm Sturm Tor tun Käufer Läufe Finger Singer Sänger
Dauer Mauer Trauer schlecht Nacht Bach Dach satt Kamin Bahn Pass klein Stück Ohr Kleid Lüge Haltung
Richter geben leben Bruch top heiß Herz Mitte nie Tiere gelernt Bellen Kante Ansage Wetter""".split()
# What is said at a chess board and about it without being an announcement, and everyday talk.
TALK = """
na das war aber schnell gespielt
ich glaube da kommt gleich noch jemand
hast du die Uhr schon wieder vergessen
wann fängt denn die nächste Runde an
kannst du mir bitte ein Glas Wasser bringen
der Kaffee ist leider schon kalt
wo ist eigentlich mein Mantel geblieben
das Turnier dauert heute besonders lang
psst hier wird noch gespielt
entschuldigen Sie ist dieser Platz noch frei
ich habe gestern bis Mitternacht geübt
wie geht es deiner Schwester
das Wetter soll morgen besser werden
mach doch bitte das Fenster zu
nein danke ich möchte nichts essen
wir fahren am Sonntag mit dem Zug nach Hause
hast du mein Handy gesehen
das ist doch alles Quatsch
ähm Moment mal ich muss kurz überlegen
also eigentlich hatte ich einen anderen Plan
so ein Mist das habe ich übersehen
guten Morgen zusammen
vielen Dank und auf Wiedersehen
könnten Sie etwas leiser sprechen
da hinten klappert jemand mit Geschirr
die Brille liegt auf dem Tisch
er hat seine Eröffnung gut vorbereitet
sie gewinnt fast immer im Endspiel
meine Figuren stehen schlecht
das Publikum soll bitte ruhig sein
""".strip().splitlines()


@cache
def foreign_words() -> tuple[str, ...]:
    """German words that the lexicon does not hold, from Debian's list (wngerman)."""
    known = set(lexicon.read().sounds)
    with open(_FOREIGN_LIST, encoding="utf-8") as file:
        listed = (line.strip() for line in file)
        fit = [word for word in listed if word.isalpha() and 3 <= len(word) <= 12]
    fit = [word for word in fit if word.lower() not in known]
    random.Random(1).shuffle(fit)
    return tuple(fit[:8000])


class Script:
    """Utterances, from a seed."""

    def __init__(self, seed: int):
        self.rng = random.Random(seed)
        self.words = lexicon.read().words
        self.known = set(self.words)
        pack = lexicon.pack()
        self.requests = _phrases(pack["commands"]) + _phrases(
            {name: said for name, said in pack["setup"].items() if name != "letters"}
        )
        self.claims = _phrases({name: said for name, said in pack["commands"].items() if name in ("claim-repetition", "claim-fifty")})
        self.letters = [name.lower() for name in pack["setup"]["letters"]]
        self.numbers = pack["numbers"]["below-hundred"]
        self.asked = [form.lower() for piece in pack["pieces"].values() for form in piece["asked"]]

    def utterance(self) -> list[Word]:
        """Something that may be said at the board."""
        rng, draw = self.rng, self.rng.random()
        if draw < 0.40:
            return self._led() + self._announcement()
        if draw < 0.47:
            return self._weighted(PIECES, 0.4) + self._square()
        if draw < 0.50:
            return rng.choice(
                [["kurze", "rochade"], ["lange", "rochade"], ["rochade", "kurz"], ["rochade", "lang"],
                 ["kleine", "rochade"], ["große", "rochade"]]
            )  # fmt: skip
        if draw < 0.68:
            return self._request()
        if draw < 0.73:
            return self._time()
        if draw < 0.78:
            return [rng.choice(CONFUSABLE) for _ in range(rng.randint(1, 4))]
        if draw < 0.85:
            return [rng.choice(self.words) for _ in range(rng.randint(1, 4))]
        if draw < 0.97:
            return self._foreign()
        mixed: list[Word] = [rng.choice(self.words) for _ in range(rng.randint(1, 4))]
        for _ in range(rng.randint(1, 2)):
            mixed.insert(rng.randint(0, len(mixed)), self._foreign_word())
        return mixed

    def _weighted(self, words: list[str], share: float = 1.0) -> list[str]:
        if self.rng.random() >= share:
            return []
        return list(self.rng.choices(words, [WEIGHTS.get(word, 1.0) for word in words]))

    def _file(self) -> list[str]:
        file = self._weighted(FILES)
        if self.rng.random() < BY_HABIT:
            return [OTHERWISE[FILES.index(file[0])]]
        return file

    def _square(self) -> list[str]:
        rank = self._weighted(RANKS)
        if rank == ["zwei"] and self.rng.random() < 0.3:
            rank = ["zwo"]
        return self._file() + rank

    def _origin(self) -> list[str]:
        """Where a piece comes from: its square, or what tells it from another one that can go there. What is never said with a
        file alone, or a rank, teaches that a rank follows each file ("Cesar acht nach Eva vier")."""
        draw = self.rng.random()
        if draw < 0.62:
            return self._square()
        return self._file() if draw < 0.76 else self._weighted(RANKS) if draw < 0.86 else []

    def _announcement(self) -> list[Word]:
        rng = self.rng
        said = self._weighted(PIECES, 0.85)
        if origin := self._origin():
            said += ["von", *origin] if rng.random() < 0.1 else origin
        link = rng.random()
        said += ["nach"] if link < 0.2 else ["schlägt"] if link < 0.37 else ["schlägt", "nach"] if link < 0.4 else []
        said += ["auf"] if rng.random() < 0.04 else []
        said += self._square()
        if rng.random() < 0.07:
            ways = ("", "wandelt um in", "wird", "wird zur", "wird zum", "verwandelt in", "umwandlung in")
            said += rng.choice(ways).split() + [rng.choice(PROMOTED)]
        if rng.random() < 0.02:
            said += rng.choice(["ang passang", "en passant", "im vorbeigehen"]).split()
        end = rng.random()
        return said + (["schach"] if end < 0.1 else ["matt"] if end < 0.14 else [])

    def _led(self) -> list[str]:
        """What comes before an announcement now and then: it corrects one, or it is the move to claim a draw with."""
        draw = self.rng.random()
        if draw < 0.02:
            return ["korrektur"]
        return [*self.rng.choice(self.claims), "mit"] if draw < 0.03 else []

    def _request(self) -> list[Word]:
        said = self.rng.choice(self.requests)
        slots = {
            "{square}": lambda: self._square(),
            "{file}": lambda: self._file(),
            "{rank}": lambda: self._weighted(RANKS),
            "{piece}": lambda: [self.rng.choice(self.asked)],
        }
        out: list[Word] = []
        for word in said:
            out += slots[word]() if word in slots else [word]
        return [word for word in out if word in self.known]

    def _number(self, below: int = 100) -> list[str]:
        word = self.numbers[self.rng.randrange(below)]
        return [word] if word in self.known else self._number(below)

    def _time(self) -> list[Word]:
        """A number, a time control, or letters that spell a name."""
        rng, kind = self.rng, self.rng.random()
        if kind < 0.3:
            return self._number()
        if kind < 0.5:
            return [rng.choice(self.letters + FILES) for _ in range(rng.randint(1, 5))]
        said = self._number() + [rng.choice(["minuten", "stunden", "züge", "sekunden"])]
        if rng.random() < 0.6:
            said += [rng.choice(["plus", "in", "dann"])] + self._number()
            said += [rng.choice(["minuten", "sekunden"])]
        return [word for word in said if word in self.known]

    def _foreign_word(self) -> Word:
        return "#", self.rng.choice(NEAR if self.rng.random() < 0.3 else foreign_words())

    def _foreign(self) -> list[Word]:
        if self.rng.random() < 0.5:
            return [self._foreign_word() for _ in range(self.rng.randint(1, 4))]
        sentence = self.rng.choice(TALK).split()
        first = self.rng.randrange(len(sentence))
        part = sentence[first : first + self.rng.randint(2, 6)]
        return [word.lower() if word.lower() in self.known else ("#", word) for word in part]


def _phrases(section: dict) -> list[list[str]]:
    """The phrases of a section as words; those with a word that nobody knows how to say are left out."""
    known = set(lexicon.read().sounds)
    out = []
    for said in section.values():
        for phrase in said:
            words = phrase.lower().split()
            if all(word in known or re.fullmatch(r"\{\w+\}", word) for word in words):
                out.append(words)
    return out
