"""Needs no package: `python -m unittest training.test_people_table` in voices/."""

import json
import unittest

from . import people_table

MEAN = {"mean": 97.5, "interval": [95.0, 100.0], "worst": 95.0, "people": 2}
TALK = {"talk_s": 1800.0, "false_moves": 1, "false_requests": 0, "needless_questions": 3}


def line(model: str, group: str, **figures) -> str:
    return json.dumps({"model": model, "mean_of": group, "people": 12, "talk": TALK} | figures)


class PeopleTable(unittest.TestCase):
    def test_each_figure_is_a_row_and_each_model_a_column(self):
        lines = [
            "again, joined: a 'eva vier' heard ''",
            json.dumps({"model": "a", "person": "x", "ranks": {"right": 1, "of": 2}}),
            line("b", "tests", ranks=MEAN | {"mean": 90.0}),
            line("a", "tests", ranks=MEAN, WRONG=MEAN | {"mean": 0.25, "people": 1}),
            line("a", "all", ranks=MEAN),
        ]
        self.assertEqual(
            people_table.table(lines, {"a": "this model", "b": "the former one"}).splitlines(),
            [
                "| | people | this model | the former one |",
                "|---|---|---|---|",
                "| eins to acht, alone, in a quiet room: people who were only tested | 2 "
                "| 97.5 % (95.0 to 100.0), worst 95.0 | 90.0 % (95.0 to 100.0), worst 95.0 |",
                "| the same, taken for another move: people who were only tested | 1 | 0.2 % | – |",
                "| talk: false moves / requests / needless questions an hour | 12 | 2.0 / 0.0 / 6.0 of 0.50 h | – |",
            ],
        )

    def test_the_worst_rank_is_told_for_each_place(self):
        worst = {"ranks cut": {"rank": 5, "mean": 91.2}, "in babble": {"rank": 7, "mean": 80.0}}
        table = people_table.table([line("a", "in turn", **{"in babble": MEAN, "worst word": worst})], {"a": "this model"})
        self.assertIn("| the same, others talk 10 dB below: people who left one another out in turn | 2 | 97.5 %", table)
        self.assertIn("people who left one another out in turn | | ranks cut: 5 (91.2 %), in babble: 7 (80.0 %) |", table)

    def test_lines_without_averages_are_refused(self):
        with self.assertRaises(ValueError):
            people_table.table(["model a", "{}"], {"a": "this model"})


if __name__ == "__main__":
    unittest.main()
