"""What can be checked in seconds: `python -m unittest training.test_training`."""

import json
import pickle
import random
import shutil
import struct
import tempfile
import unittest
from dataclasses import asdict
from pathlib import Path
from unittest import mock
from xml.etree import ElementTree

import kaldi_native_fbank
import numpy as np
import onnxruntime
import soundfile
import torch
from onnx import TensorProto, helper, numpy_helper
from scipy.io import wavfile
from scipy.signal import lfilter

from . import accents, card, evaluation, export, features, festival, finished, flite, floats, foreign, graphs
from . import labels, learning, lexicon, listening, mmi, network, people, perturbation, pipeline, recordings, rhvoice
from . import second_ear, second_ear_load, second_ear_onnx, sounds, store, svox, synthesis, texts, voices
from .conversion import another_voice
from .inputs import Refused
from .perturbation import Hearing


class Graphs(unittest.TestCase):
    def test_the_slope_of_the_loss_is_that_of_small_steps(self):
        torch.manual_seed(3)
        y = torch.randn(2, 14, lexicon.OUTPUTS, requires_grad=True)
        frames = [14, 11]
        said = [
            graphs.said(("eva", "vier"), (None, None), False),
            graphs.said((lexicon.UNKNOWN,), (("h", "aU", "s"),), True),
        ]
        sayable = [graphs.sayable(True, True), graphs.sayable(False, True)]
        mmi.loss(y, frames, said, sayable).backward()
        rng = random.Random(1)
        for _ in range(12):
            n, t, o = rng.randrange(2), rng.randrange(11), rng.randrange(lexicon.OUTPUTS)
            step = torch.zeros_like(y)
            step[n, t, o] = 0.05
            up, down = (mmi.loss(y.detach() + k * step, frames, said, sayable).item() for k in (1, -1))
            self.assertAlmostEqual((up - down) / 0.1, y.grad[n, t, o].item(), delta=2e-4)
        self.assertEqual(y.grad[1, 11:].abs().max().item(), 0, "after its end nothing counts")

    def test_what_was_said_is_never_likelier_than_all_that_might_be(self):
        y = torch.randn(1, 60, lexicon.OUTPUTS)
        script = texts.Script(5)
        for _ in range(50):
            words = script.utterance()[:3]
            names = tuple(word if isinstance(word, str) else lexicon.UNKNOWN for word in words)
            sounds_of = tuple(
                None if isinstance(word, str) else foreign.foreign_phones(word[1]) for word in words
            )
            strange = lexicon.UNKNOWN in names
            by_sound = strange and all(s for s, n in zip(sounds_of, names) if n == lexicon.UNKNOWN)
            one = graphs.said(names, sounds_of, by_sound)
            all_ = graphs.sayable(not by_sound, by_sound or not strange)
            self.assertGreater(mmi.loss(y, [60], [one], [all_]).item(), 0, words)

    def test_speech_too_short_for_its_words_counts_nothing(self):
        y = torch.randn(1, 3, lexicon.OUTPUTS, requires_grad=True)
        loss = mmi.loss(y, [3], [graphs.said(("rochade",), (None,), False)], [graphs.sayable(True, True)])
        loss.backward()
        self.assertEqual((loss.item(), y.grad.abs().max().item()), (0, 0))


class Network(unittest.TestCase):
    def test_one_output_for_each_30_ms_and_none_sees_more_than_its_context(self):
        net = network.Network(16).eval()
        torch.nn.init.normal_(net.last.weight)
        x = torch.randn(1, 3 * 9 + 1 + 2 * network.CONTEXT, features.DIMENSIONS)
        self.assertEqual(net(x).shape, (1, 10, lexicon.OUTPUTS))
        changed = x.clone()
        changed[:, 2 * network.CONTEXT + 1 :] += 1
        self.assertTrue(torch.equal(net(x)[:, 0], net(changed)[:, 0]))
        self.assertFalse(torch.equal(net(x)[:, 1], net(changed)[:, 1]))


    def test_who_says_what_the_teachers_say_on_an_average_has_nothing_to_learn_from_them(self):
        torch.manual_seed(1)
        teachers = [network.Network(16).eval() for _ in range(2)]
        for teacher in teachers:
            torch.nn.init.normal_(teacher.last.weight)
        x = torch.randn(2, 3 * 9 + 1 + 2 * network.CONTEXT, features.DIMENSIONS)
        mean = (teachers[0](x) + teachers[1](x)).detach() / 2
        self.assertAlmostEqual(learning._unlike(mean + 5, [10, 4], teachers, x).item(), 0, places=5)
        # After the end of a recording nothing counts.
        other = mean.clone()
        other[1, 4:] = torch.randn(6, lexicon.OUTPUTS)
        self.assertAlmostEqual(learning._unlike(other, [10, 4], teachers, x).item(), 0, places=5)
        self.assertGreater(learning._unlike(other, [10, 5], teachers, x).item(), 0.01)
        # The slope leads to what they say, and teaches them nothing.
        said = torch.zeros_like(mean, requires_grad=True)
        learning._unlike(said, [10, 4], teachers, x).backward()
        nearer = said.detach() - 5 * said.grad
        before, after = (learning._unlike(one, [10, 4], teachers, x).item() for one in (said, nearer))
        self.assertLess(after, before)
        self.assertTrue(all(weights.grad is None for teacher in teachers for weights in teacher.parameters()))


def _two_networks() -> bytes:
    """A model of two networks that say something, as `export.py` writes it."""
    torch.manual_seed(3)
    both = [network.Network(448).eval() for _ in range(2)]
    for one in both:
        torch.nn.init.normal_(one.last.weight, std=0.1)
    return export.acoustic_model(both)


class Finished(unittest.TestCase):
    mdl = _two_networks()
    some = [
        features.Example((), (), False, cepstra.astype(np.float16))
        for cepstra in np.random.default_rng(1).standard_normal((6, 100, features.DIMENSIONS)) * 12
    ]

    def model(self, folder: str) -> Path:
        """That model in a folder."""
        am = Path(folder) / "model" / "am"
        am.mkdir(parents=True)
        (am / "final.mdl").write_bytes(self.mdl)
        return am.parent

    def test_networks_of_any_shape_stay_beside_the_one_that_goes_on(self):
        [first, second] = finished.networks(self.mdl, self.some)
        with tempfile.TemporaryDirectory() as folder:
            kept = finished.beside(self.model(folder))
        self.assertEqual([end for _, _, end in kept], ["kept1.output", "kept2.output"])
        both = export.acoustic_model([first], kept)
        self.assertEqual(len(finished.networks(both, self.some)), 1, "those that are kept are not gone on with")
        text = both[both.find(b"<Nnet3>") : both.find(b"<NumComponents>")].decode()
        self.assertEqual(text.count("Scale(0.3333333333333333, "), 3)
        self.assertIn("Offset(kept2.tdnn1, 3)", text)
        # Read again they are written to the byte as they were.
        self.assertEqual(finished.kept(both), kept)
        self.assertEqual(export.acoustic_model([first], finished.kept(both)), both)
        # The built-in model has one, whose shape is another.
        [(_, own, _)] = finished.kept_of(lexicon.VOICES / "model")
        self.assertIn("kept1.tdnn2.affine", own)

    def test_weights_of_32_bits_are_kept_with_16(self):
        values = np.random.default_rng(1).standard_normal((3, 4)).astype("<f4")
        whole = b"<LinearParams> FM " + struct.pack("<bibi", 4, 3, 4, 4) + values.tobytes()
        halved = finished._halved(b"<FixedAffineComponent> " + whole + b"<BiasParams> " + whole)
        reader = finished._Reader(halved, "a component")
        for _ in range(2):
            reader.after(b"<LinearParams> CM2 ")
            np.testing.assert_allclose(reader.compressed(), values, atol=0.51 * np.ptp(values) / 65535 + 1e-6)

    def test_a_quarter_of_the_way_is_nearer_to_where_it_began(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(store, "ROOT", Path(folder)):
            heard = Path(folder) / "heard" / "examples.pickle"
            heard.parent.mkdir()
            heard.write_bytes(pickle.dumps(self.some))
            one, other = finished.weights(self.model(folder), [heard])
            quarter = finished.between(one, other, 0.25, [heard])
            [first], [second], [found] = (
                finished._layers(export.acoustic_model([export.network_of(path / "weights.pt")]), "")
                for path in (one, other, quarter)
            )
            [(a, _)], [(b, _)], [(c, _)] = first["output"], second["output"], found["output"]
            np.testing.assert_allclose(c, a + (b - a) / 4, atol=2 * np.ptp(b) / export.STEPS)

    def test_a_model_read_back_says_the_same_and_is_written_as_it_was(self):
        nets = finished.networks(self.mdl, self.some)
        self.assertGreater(len(nets), 1)
        again = export.acoustic_model(nets)
        self.assertEqual(len(again), len(self.mdl))
        old, new = finished._affines(self.mdl, "old"), finished._affines(again, "new")
        self.assertEqual(list(old), list(new))
        for name, affines in old.items():
            for (weights, bias), (new_weights, new_bias) in zip(affines, new[name], strict=True):
                step = (weights.max() - weights.min()) / export.STEPS
                np.testing.assert_allclose(new_weights, weights, rtol=1e-5, atol=1.01 * step, err_msg=name)
                np.testing.assert_allclose(new_bias, bias, rtol=1e-5, atol=1e-5, err_msg=name)

    def test_weights_are_rounded_to_one_of_65536_steps(self):
        for values in (np.array([[-3.0, 0.1, 0.2], [5.0, 4.9, 0.0]]), np.zeros((2, 2)), np.full((1, 1), 7.0)):
            out = export._Kaldi()
            out.matrix(values.astype(np.float32))
            reader = finished._Reader(bytes(out.out), "a matrix")
            reader.after(b"CM2 ")
            read = reader.compressed()
            self.assertEqual(read.shape, values.shape)
            np.testing.assert_allclose(read, values, atol=0.51 * np.ptp(values) / 65535 + 1e-6)

    def test_it_learns_from_where_it_was(self):
        for net in finished.networks(self.mdl, self.some):
            # Of all that was heard at once the normalisations know as much as of what they saw.
            net.dropout = 0.0
            rows = [one.cepstra.astype(np.float32) for one in self.some]
            batch = learning.padded(rows, 34)
            with torch.no_grad():
                calm, learns = net.eval()(batch), net.train()(batch)
            self.assertLess((calm - learns).abs().mean().item(), 0.02 * calm.abs().mean().item())

    def test_each_network_of_a_model_can_be_gone_on_with(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(store, "ROOT", Path(folder)):
            heard = Path(folder) / "heard" / "examples.pickle"
            heard.parent.mkdir()
            heard.write_bytes(pickle.dumps(self.some))
            begun = finished.weights(self.model(folder), [heard])
            self.assertEqual(len({store.name(one) for one in begun}), len(finished.networks(self.mdl, self.some)))
            # Written by itself each is a model, and a smaller one.
            for one in begun:
                alone = export.acoustic_model([export.network_of(one / "weights.pt")])
                self.assertEqual(len(finished.networks(alone, self.some)), 1)
                self.assertLess(len(alone), len(self.mdl))

    def test_halfway_between_two_networks_is_the_mean_of_what_is_folded(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(store, "ROOT", Path(folder)):
            heard = Path(folder) / "heard" / "examples.pickle"
            heard.parent.mkdir()
            heard.write_bytes(pickle.dumps(self.some))
            one, other = finished.weights(self.model(folder), [heard])
            mean = finished.halfway(one, other, [heard])
            [first], [second], [between] = (
                finished._layers(export.acoustic_model([export.network_of(path / "weights.pt")]), "")
                for path in (one, other, mean)
            )
            for name in first:
                for (a, shift_a), (b, shift_b), (c, shift_c) in zip(first[name], second[name], between[name]):
                    step = max(np.ptp(a), np.ptp(b)) / export.STEPS
                    np.testing.assert_allclose(c, (a + b) / 2, atol=2 * step)
                    np.testing.assert_allclose(shift_c, (shift_a + shift_b) / 2, atol=1e-3)

    def test_only_a_finished_model_can_be_taught(self):
        with self.assertRaisesRegex(Refused, "only a finished model can be taught: name one with --from"):
            pipeline.make(pipeline.SIZES["taught"], 1)
        with self.assertRaisesRegex(Refused, "made anew only for a finished model: name one with --from"):
            pipeline.make(pipeline.SIZES["anew"], 1)

    def test_no_shard_is_heard_as_two_and_further_hears_all_of_anew(self):
        for name, size in pipeline.SIZES.items():
            shards = size.shards()
            self.assertEqual(len(shards), len(set(shards)), name)
        anew, further = (set(pipeline.SIZES[name].shards()) for name in ("anew", "further"))
        self.assertLess(anew, further)
        self.assertIn(("kokoro", 4247), further)
        self.assertIn(("svox", 4123), further)

    def test_one_network_becomes_two_and_of_two_one_is_replaced(self):
        first, second, trained = Path("first"), Path("second"), Path("trained")
        self.assertEqual(pipeline.beside([], None, trained), [trained])
        self.assertEqual(pipeline.beside([first], first, trained), [first, trained])
        self.assertEqual(pipeline.beside([first, second], first, trained), [trained, second])
        self.assertEqual(pipeline.beside([first, second], second, trained), [first, trained])

    def test_the_card_tells_what_each_network_was_made_of(self):
        first = {"said_hours": 12.7, "heard_hours": 28.3, "speakers": 1666}
        then = {"said_hours": 5.0, "heard_hours": 13.4, "speakers": 451, "begun": first}
        told = (
            "first 12.7 hours of 1666 speakers and blends of two, heard for 28.3 hours, then "
            "5.0 hours of 451 speakers and blends of two, heard for 13.4 hours, "
        )
        self.assertEqual(card._before(first), "")
        self.assertEqual(card._before({"begun": then, "size": {"anew": False}}), f"{told}then ")
        anew = {"begun": then, "size": {"anew": True}}
        self.assertEqual(card._before(anew), f"one network {told}the other ")
        # What goes on from that one keeps the two apart.
        anew |= {"said_hours": 8.9, "heard_hours": 22.9, "speakers": 700}
        gone_on = "8.9 hours of 700 speakers and blends of two, heard for 22.9 hours, then "
        self.assertEqual(card._before({"begun": anew, "size": {"anew": False}}), f"one network {told}the other {gone_on}")
        # Whoever is heard through another size has spoken, too.
        further = json.loads(json.dumps(asdict(pipeline.SIZES["further"])))
        self.assertEqual(card._learnt(further), card._learnt(asdict(pipeline.SIZES["anew"])))
        self.assertIn("RHVoice", card._learnt(further))
        self.assertEqual(card._learnt(asdict(pipeline.SIZES["first"])), "")

    def test_what_is_no_model_of_this_pipeline_is_told(self):
        for mdl, told in (
            (b"", "no <NumComponents>"),
            (self.mdl[:100_000], "cut off at byte 100000"),
            (self.mdl.replace(b"CM2 ", b"CM4 ", 1), "'CM4' at byte"),
            (self.mdl.replace(b"net1.tdnn2 <Comp", b"net1.strange <Comp"), "not those of training/network.py"),
            # One step fewer in the second layer.
            (self.mdl.replace(b"\4\3\0\0\0<Fixed", b"\4\1\0\0\0<Fixed", 1), "layers of net1, not those"),
        ):
            with self.assertRaisesRegex(Refused, f"^some.mdl: .*{told}"):
                finished.networks(mdl, self.some, "some.mdl")

    def test_a_model_that_cannot_be_gone_on_with_is_told_before_anything_is_made(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(Refused, "final.mdl: cannot be read .No such file.*name the folder"):
                finished.check(Path(folder), 448)
        with self.assertRaisesRegex(Refused, "final.mdl: 448 wide, and 320 are to be trained"):
            finished.check(lexicon.VOICES / "model", 320)
        finished.check(lexicon.VOICES / "model", pipeline.SIZES["more"].width)


class People(unittest.TestCase):
    HEAD = "file\ttext\tspeaker\tsource\tlicence\tperson\tcertainty\torig_sr\tseconds\n"

    def folder(self, *lines: tuple[str, str, str, str]) -> Path:
        """A folder of recordings: file, text, speaker, certainty."""
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        folder = Path(made.name)
        rows = [f"{file}\t{text}\t{who}\tx\tCC0\tperson\t{sure}\t48000\t0.5\n" for file, text, who, sure in lines]
        (folder / people.LIST).write_text(self.HEAD + "".join(rows), encoding="utf-8")
        for n, (file, *_) in enumerate(lines):
            (folder / file).parent.mkdir(exist_ok=True)
            tone = 9000 * np.sin(np.arange(8000) * (0.1 + 0.01 * n))
            soundfile.write(folder / file, tone.astype(np.int16), 16_000)
        return folder

    def test_whoever_is_tested_or_chooses_is_not_trained_on(self):
        folder = self.folder(
            ("picochess_a/1.flac", "eins", "p", "likely"),
            ("childsplay/1.flac", "eins", "c", "exact"),
            ("gcompris_herweg/1.flac", "eins", "c", "exact"),
            ("heidelberg/1.flac", "eins", "hd-01", "exact"),
            ("heidelberg/2.flac", "zwei", "hd-00", "exact"),
            ("heidelberg/3.flac", "drei", "hd-00", "guess"),
            ("heidelberg/4.flac", "(Ende)", "hd-00", "exact"),
        )
        said = {part: [one.text for one in people.recordings(folder, part)] for part in ("train", "validation", "tests")}
        self.assertEqual(said, {"train": ["zwei"], "validation": ["eins"], "tests": ["eins", "eins"]})
        with self.assertRaisesRegex(Refused, "nobody of the tests"):
            people.shards(folder, "tests")
        with self.assertRaisesRegex(Refused, "name their folder with --people"):
            pipeline.make(pipeline.SIZES["people"], 1)

    def test_words_are_ours_or_told_by_their_sounds_and_single_ones_are_joined_too(self):
        lines = [(f"heidelberg/{n}.flac", text, "hd-00", "exact") for n, text in enumerate(["eins", "zwei", "drei", "vier", "fünf"])]
        lines += [("heidelberg/a.flac", "Buchstabe A", "hd-00", "exact"), ("heidelberg/w.flac", "Das Brett, da", "hd-00", "exact")]
        lines += [("heidelberg/z.flac", "drücken Sie 1", "hd-00", "exact")]
        with tempfile.TemporaryDirectory() as root, mock.patch.object(store, "ROOT", Path(root)):
            [shard] = people.shards(self.folder(*lines))
            said = synthesis.load(shard)
        self.assertEqual([one.words for one in said[:5]], [("eins",), ("zwei",), ("drei",), ("vier",), ("fünf",)])
        [talk] = [one for one in said if lexicon.UNKNOWN in one.words]
        self.assertTrue(all((word == lexicon.UNKNOWN) == (sounds is not None) for word, sounds in zip(talk.words, talk.foreign)))
        joined = [one for one in said if len(one.words) > 1 and one is not talk]
        self.assertEqual(len(joined), int(5 * people.JOINED))
        self.assertTrue(all(len(one.samples) > 8000 for one in joined))
        self.assertFalse(any("1" in one.words for one in said), "what is not spelled is not known")

    def test_peoples_other_words_are_never_garbage(self):
        one = features.Example((lexicon.UNKNOWN,), (("b", "a:"),), False, np.zeros((50, 40), np.float16), True)
        rng = random.Random(1)
        self.assertTrue(all(learning._heard(one, rng, Hearing(0, 0.0), [])[2] for _ in range(20)))

    def test_what_is_cut_tight_begins_and_ends_with_the_voice(self):
        rng = np.random.default_rng(1)
        quiet, voice = np.zeros(8000), 9000 * np.sin(np.arange(8000) * 0.1)
        lengths = [len(sounds._cut(np.concatenate([quiet, voice, quiet]), rng)) for _ in range(50)]
        self.assertLess(max(lengths), 8000 + 0.28 * sounds.RATE_HZ)
        self.assertGreater(min(lengths), 8000 - 0.06 * sounds.RATE_HZ)
        self.assertLess(min(lengths), 8000, "now and then without the very first or last of it")


class SecondEar(unittest.TestCase):
    HEAD = People.HEAD

    def ear(self) -> second_ear.Ear:
        torch.manual_seed(2)
        ear = second_ear.Ear()
        ear.train()
        with torch.no_grad():
            for _ in range(3):
                ear(ear.cepstral(torch.randn(4, second_ear.WINDOW) * 800))
        return ear.eval()

    def test_what_ships_says_what_was_learnt(self):
        ear, heard = self.ear(), torch.randn(1, second_ear.WINDOW) * 900
        with tempfile.TemporaryDirectory() as folder:
            second_ear_onnx.write(ear, Path(folder) / "ear.onnx")
            session = onnxruntime.InferenceSession(str(Path(folder) / "ear.onnx"))
        [said] = session.run(None, {"sound": heard.numpy()})
        with torch.no_grad():
            wanted = torch.log_softmax(ear(ear.cepstral(heard))[0], -1)
        np.testing.assert_allclose(said, wanted.numpy(), atol=1e-4)

    def test_weights_of_another_network_are_told(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "ears.pt"
            torch.save({"all": {"last.bias": torch.zeros(9)}}, file)
            with self.assertRaisesRegex(ValueError, "not the weights of this network"):
                second_ear_onnx.load(file)

    def test_nobody_of_the_tests_teaches_it_and_those_in_turn_do(self):
        folder = People.folder(
            self,
            ("picochess_a/1.flac", "eins", "p", "likely"),
            ("heidelberg/1.flac", "fünf", "hd-01", "exact"),
            ("heidelberg/2.flac", "zwo", "hd-00", "exact"),
            ("emodb/1.flac", "Der Lappen liegt", "emodb-13", "exact"),
            ("gcompris_claudia/1.flac", "Haus", "gc-claudia", "exact"),
            ("asterisk_gabi/1.flac", "eins", "ast-gabi", "likely"),
            ("kerstin/1.flac", "Es ist drei Uhr", "kerstin", "exact"),
            ("kerstin/2.flac", "Das ist ein Haus", "kerstin", "exact"),
        )
        load = second_ear_load.Load()
        second_ear_load.add_people(load, folder)
        taught = {(speaker, what) for _, _, speaker, what in load.rows}
        ranks = second_ear_load.RANKS
        wanted = {("hd-01", ranks.index("fünf")), ("hd-00", ranks.index("zwei"))}
        wanted |= {("gc-claudia", second_ear_load.OTHER), ("kerstin", second_ear_load.TALK)}
        self.assertEqual(taught, wanted)
        with tempfile.TemporaryDirectory() as out:
            load.write(Path(out))
            said = second_ear.read(Path(out), torch.device("cpu"))
        self.assertEqual(said.names, ["hd-00", "hd-01"])
        self.assertEqual(sorted(said.turn.tolist()), [-1, -1, 0, 1])
        self.assertAlmostEqual(said.share.sum().item(), 1.0, places=5)

    def test_its_sounds_come_out_the_same_and_hold_their_word(self):
        tone = lambda n: 5000 * np.sin(np.arange(6000) * (0.1 + 0.05 * n))
        load = second_ear_load.Load()
        for n, (who, what) in enumerate([("hd-00", 0), ("hd-01", 4), ("x", 8), ("y", 9)]):
            load.add(np.concatenate([np.zeros(3000), tone(n), np.zeros(3000)]).astype(np.int16), who, what)
        with tempfile.TemporaryDirectory() as out:
            load.write(Path(out))
            said = second_ear.read(Path(out), torch.device("cpu"))
        one, other = (second_ear.Sounds(said, torch.device("cpu"), 3).batch(16) for _ in range(2))
        for first, second in zip(one, other):
            self.assertTrue(torch.equal(first, second))
        x, what, turn = one
        self.assertEqual(x.shape, (16, second_ear.WINDOW))
        self.assertTrue(torch.isfinite(x).all())
        self.assertTrue(set(what.tolist()) <= {0, 4, 8})
        self.assertTrue(all(who == -1 for who, one in zip(turn.tolist(), what.tolist()) if one == 8))

    def test_labels_are_compared_word_by_word_whatever_the_spelling_of_numbers(self):
        self.assertEqual(labels.alike("Fünf", "5."), 1.0)
        self.assertEqual(labels.plain("Straße, 12!"), "strasse zwölf")
        self.assertLess(labels.alike("Cäsar", "Charlie"), labels.ALIKE)


class Recordings(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        kept = mock.patch.object(store, "ROOT", self.root / "store")
        kept.start()
        self.addCleanup(kept.stop)

    def write(self, *rows: str) -> Path:
        columns = "file\tspeaker\tcondition\tkind\tfen\tmeant\tsaid"
        (self.root / "corpus.tsv").write_text("\n".join([columns, *rows]) + "\n", encoding="utf-8")
        return self.root

    def test_what_a_player_said_is_heard_in_training(self):
        said = (np.sin(np.arange(24_000) / 9) * 9000).astype(np.int16)
        for name, rate in (("0.wav", 16_000), ("1.wav", 48_000)):
            wavfile.write(self.root / name, rate, said)
        folder = self.write(
            "0.wav\tMaria\tenrolment\tmove\t-\tg1f3\tSpringer Gustav eins, Felix drei",
            "1.wav\tMaria\tenrolment\trequest\t-\tmy-time\tmeine Zeit",
            "2.wav\tMaria\tenrolment\ttalk\t-\t-\tirgendwas",
        )
        shard = recordings.shard(folder)
        one, two = synthesis.load(shard)
        self.assertEqual(one.words, ("springer", "gustav", "eins", "felix", "drei"))
        self.assertTrue(np.array_equal(one.samples, said))
        self.assertEqual((two.speaker, two.words, len(two.samples)), ("people Maria", ("meine", "zeit"), 8000))
        # As the voices of engines are.
        heard = features.load(features.shard(shard, 0))
        self.assertEqual([one.words for one in heard[:2]], [one.words, two.words])
        self.assertEqual(recordings.shard(folder), shard)

    def test_a_list_that_is_none_is_told_by_line_and_word(self):
        with self.assertRaisesRegex(Refused, "corpus.tsv: cannot be read"):
            recordings.shard(self.root)
        with self.assertRaisesRegex(Refused, "corpus.tsv: lists no announcement"):
            recordings.shard(self.write())
        with self.assertRaisesRegex(Refused, "line 2: 2 columns"):
            recordings.shard(self.write("0.wav\tMaria"))
        with self.assertRaisesRegex(Refused, "line 2: 'haus' is no word of"):
            recordings.shard(self.write("0.wav\tM\te\tmove\t-\t-\tHaus eins"))
        with self.assertRaisesRegex(Refused, "line 2: .*0.wav is not there"):
            recordings.shard(self.write("0.wav\tM\te\tmove\t-\t-\teva eins"))
        (self.root / "0.wav").write_text("no sound")
        with self.assertRaisesRegex(Refused, "0.wav: no WAV file"):
            recordings.shard(self.write("0.wav\tM\te\tmove\t-\t-\teva eins"))
        wavfile.write(self.root / "0.wav", 16_000, np.zeros((9, 2), np.int16))
        with self.assertRaisesRegex(Refused, "0.wav: must be mono"):
            recordings.shard(self.write("0.wav\tM\te\tmove\t-\t-\teva eins"))


class Speech(unittest.TestCase):
    def test_accents_are_rules_for_phones_that_there_are(self):
        for name, rules in accents.RULES.items():
            self.assertLessEqual(set(rules), set(lexicon.OF_WORDS), name)
        self.assertEqual(set(accents.SHARES), set(accents.RULES))

    def test_the_same_seed_says_the_same_and_in_time_every_word_is_said(self):
        one, two = texts.Script(1), texts.Script(1)
        said = [one.utterance() for _ in range(20_000)]
        self.assertEqual(said[:500], [two.utterance() for _ in range(500)])
        words = {word for words in said for word in words if isinstance(word, str)}
        self.assertEqual(words, set(lexicon.read().words))

    def test_every_way_to_announce_a_move_is_taught(self):
        # As `Spoken::parse` in src/words/phrase/grammar.rs reads them. What was never taught is heard as what was: without a file
        # alone before "nach" a model hears a rank there.
        kinds = {word: "F" for word in texts.FILES} | {word: "R" for word in [*texts.RANKS, "zwo"]}
        kinds |= {word: "P" for word in texts.PIECES}
        script = texts.Script(2)
        origins, links = ("F R ", "F ", "R ", "von F R ", ""), ("", "nach ", "schlägt ")
        # No piece, and no square or file either, is no announcement.
        ways = [(piece, origin) for piece in ("P ", "") for origin in origins if piece or "F" in origin]
        wanted = {f"{piece}{origin}{link}F R" for piece, origin in ways for link in links}
        wanted |= {"P F R schlägt nach F R", "P von F F R", "P von R F R", "F R F R P", "P F R wird P", "korrektur P F R F R"}
        wanted |= {"P F R F R schach", "P F R F R matt", "fünfzig züge mit P F R F R"}
        # In time: the rarest is one utterance of twelve thousand.
        for _ in range(60_000):
            wanted.discard(" ".join(kinds.get(word, str(word)) for word in script.utterance()))
            if not wanted:
                break
        self.assertFalse(wanted)

    def test_no_foreign_word_is_one_of_ours(self):
        ours = set(lexicon.read().words)
        self.assertFalse({word.lower() for word in (*texts.foreign_words(), *texts.NEAR)} & ours)

    def test_foreign_words_are_spelled_in_our_phones(self):
        self.assertEqual(foreign.foreign_phones("Haus"), ("h", "aU", "s"))
        self.assertEqual(foreign.foreign_phones("Brücke"), ("b", "r", "Y", "k", "@"))

    def test_festival_has_recordings_of_all_that_is_joined_in_our_words(self):
        rng = random.Random(1)
        for name, voice in festival.VOICES.items():
            silence, known = voice.language[0], festival.diphones(name)
            for word in lexicon.read().words:
                accent = accents.draw(rng)
                signs = festival.written(name, [word], accent, rng)
                self.assertIsNotNone(signs, (word, accent))
                said = [silence, *(phone for phone, _, _ in festival.path(name, signs)), silence]
                self.assertFalse(set(zip(said, said[1:])) - known, (name, word, accent))

    def test_festival_has_a_sound_for_every_phone_in_every_accent(self):
        spelled = {form for rules in accents.RULES.values() for forms in rules.values() for form in forms}
        spelled |= {accents.DICTIONARY.ipa(phone) for phone in lexicon.OF_WORDS}
        for name, voice in festival.VOICES.items():
            for ipa in spelled:
                signs = festival.signs(ipa, voice.language[1], {}, 1.0, random.Random(1))
                self.assertIsNotNone(signs, (name, ipa))

    def test_every_voice_of_festival_says_the_same_again_whatever_came_before(self):
        def say(names: list[str]) -> dict[str, np.ndarray]:
            engine = festival.Festival()
            self.addCleanup(engine.close)
            said = {}
            for name in names:
                rng = random.Random(name)
                words = ["springer", "gustav", "eins", ("#", "Haus"), "fünf"]
                signs = festival.written(name, words, accents.DICTIONARY, rng)
                said[name] = engine.speak(name, signs, rng)
            return said

        names = list(festival.VOICES)
        first, again = say(names), say(names[::-1])
        for name in names:
            self.assertTrue(np.array_equal(first[name], again[name]), name)
            self.assertTrue(16_000 < len(first[name]) < 80_000, name)
            self.assertTrue(15_000 < np.abs(first[name]).max() < 32_768, name)

    def test_rhvoice_says_all_our_words_in_every_accent_with_sounds_of_its_languages(self):
        folder = Path("/usr/share/RHVoice/languages")
        if not folder.is_dir():
            self.skipTest("RHVoice is not installed")
        rng = random.Random(1)
        for name, language in rhvoice.VOICES.items():
            listed = ElementTree.parse(folder / language.title() / "phonemes.xml")
            known = {phone.get("name") for phone in listed.iter("phoneme")}
            for word in lexicon.read().words:
                accent = accents.draw(rng)
                (phones,) = rhvoice.written(name, [word], accent, rng)
                plain = {phone.rstrip("01") if language == "english" else phone for phone in phones}
                self.assertFalse(plain - known, (name, word, accent))

    def test_flite_says_all_our_words_and_the_same_again(self):
        rng = random.Random(1)
        for word in lexicon.read().words:
            self.assertTrue(rhvoice.nearest(festival.ENGLISH[1], [word], accents.draw(rng), rng), word)
        for name in flite.VOICES:
            sounds_of = rhvoice.nearest(festival.ENGLISH[1], ["springer", "eins"], accents.DICTIONARY, rng)
            words = [rhvoice.marked(word) for word in sounds_of]
            said = [flite.speak(name, words, random.Random(1)) for _ in range(2)]
            self.assertTrue(np.array_equal(*said), name)
            self.assertTrue(10_000 < len(said[0]) < 60_000, name)
        # What is not among the sounds of its voices it leaves out and says nothing.
        theirs = set("aa ae ah ao aw ax ay eh er ey ih iy ow oy uh uw b ch d dh f g hh jh k l m n ng p r s sh".split())
        theirs |= set("t th v w y z zh".split())
        ours = {phone for ways in festival.ENGLISH[1].values() for phone in ways.split()} - {"|", "/"}
        self.assertFalse(ours - theirs)

    def test_rhvoice_says_the_same_again(self):
        if shutil.which("RHVoice-test") is None:
            self.skipTest("RHVoice is not installed")
        for name in rhvoice.VOICES:
            words = ["springer", "gustav", "eins", ("#", "Haus"), "fünf"]
            said = [
                rhvoice.speak(name, rhvoice.written(name, words, accents.DICTIONARY, rng), rng)
                for rng in (random.Random(name), random.Random(name))
            ]
            self.assertTrue(np.array_equal(*said), name)
            self.assertTrue(16_000 < len(said[0]) < 80_000, name)
        with self.assertRaisesRegex(Refused, "RHVoice's anna cannot say .*Unknown phoneme: oops"):
            rhvoice.speak("anna", [["oops"]], random.Random(1))

    def test_svox_says_all_our_words_in_every_accent_with_sounds_that_its_voices_have(self):
        # What a voice lacks pico leaves out without a word.
        of_all = set("p b t d k g f s m n l j".split())
        # As two sounds where the language does not have it as one.
        of_all.add("t_s")
        english = set("v z S Z h N w T D t_S d_Z A: { V E @ 3: I i: O: Q U u: a_I a_U O_I e_I @_U".split()) | {r"r\\"}
        known = {
            "en-GB": of_all | english,
            "en-US": of_all | english,
            "es-ES": of_all | set("B D G N T x r 4 t_S a e i o u".split()),
            "fr-FR": of_all | set("v z S Z R w N a E e @ i O o u y 2 9".split()),
            "it-IT": of_all | set("v z S t_S d_Z r 4 N a E e i O o u".split()),
        }
        self.assertEqual(set(svox.VOICES), set(known))
        rng = random.Random(1)
        for name, table in svox.VOICES.items():
            ours = {sound for ways in table.values() for sound in ways.split()} - {"|", "/"}
            self.assertFalse(ours - known[name], name)
            for word in lexicon.read().words:
                self.assertTrue(rhvoice.nearest(table, [word], accents.draw(rng), rng), (name, word))

    def test_svox_marks_the_stressed_syllable_as_pico_reads_it(self):
        rng = random.Random(1)
        for name, word, expected in (
            ("en-GB", "springer", '"Spr'), ("es-ES", "läufer", '"l'), ("fr-FR", "remis", 'Re"mi'), ("it-IT", "turm", '"t'),
        ):  # fmt: skip
            (said,) = rhvoice.nearest(svox.VOICES[name], [word], accents.DICTIONARY, rng)
            self.assertTrue(svox.written(said).startswith(expected), (name, word, svox.written(said)))

    def test_svox_says_the_same_again_and_what_is_written_in_sounds_like_what_is_read(self):
        if shutil.which("pico2wave") is None:
            self.skipTest("svox pico is not installed")
        for name, text, sounds_of in (
            ("en-GB", "red", r'"r\\Ed'), ("en-US", "go", '"g@_U'), ("es-ES", "chico", '"t_Siko'), ("fr-FR", "neuf", '"n9f'),
            ("it-IT", "anche", '"aNke'),
        ):  # fmt: skip
            read, said = voices.pico(text, name), voices.pico(f"<phoneme ph='{sounds_of}'/>", name)
            self.assertTrue(np.array_equal(read, said), (name, text))
            drawn = [svox.speak(name, [sounds_of] * 3, random.Random(1)) for _ in range(2)]
            self.assertTrue(np.array_equal(*drawn), name)
            self.assertTrue(len(drawn[0]) > 2 * len(said) - 16_000, name)

    def test_rooms_and_noises_come_out_the_same_and_are_sound(self):
        speech = (np.sin(np.arange(16_000) / 9) * 9000).astype(np.int16)
        for seed in range(30):
            for place in (sounds.ANYWHERE, sounds.LOUD):
                first, again = (
                    sounds.varied(speech, np.random.default_rng(seed), [speech], place) for _ in range(2)
                )
                self.assertTrue(np.array_equal(first, again))
                self.assertTrue(np.isfinite(first).all() and np.abs(first).max() <= 32_768)
            quiet = sounds.no_speech(np.random.default_rng(seed), [speech])
            self.assertTrue(np.isfinite(quiet).all())

    def test_cepstra_are_bands_and_can_be_turned_back(self):
        speech = lfilter([1], [1, -1.6, 0.81], np.random.default_rng(1).standard_normal(16_000) * 900)
        options = kaldi_native_fbank.FbankOptions()
        options.frame_opts.samp_freq, options.frame_opts.dither = sounds.RATE_HZ, 0.0
        options.mel_opts.num_bins = features.DIMENSIONS
        options.mel_opts.low_freq, options.mel_opts.high_freq = 20, 7600
        fbank = kaldi_native_fbank.OnlineFbank(options)
        fbank.accept_waveform(sounds.RATE_HZ, speech.astype(np.float32))
        fbank.input_finished()
        expected = np.stack([fbank.get_frame(n) for n in range(fbank.num_frames_ready)])
        forth, back = perturbation.transforms()
        bands = features.cepstra(speech).astype(np.float32) @ back.T
        np.testing.assert_allclose(bands, expected, atol=0.03)
        np.testing.assert_allclose(forth @ back, np.eye(features.DIMENSIONS), atol=1e-5)
        np.testing.assert_allclose(perturbation.stretched(bands, 1.0), bands, atol=1e-4)
        # What was at 1000 Hz is at 1100 Hz in a throat a tenth shorter.
        tone = perturbation.stretched(np.exp(-(((perturbation.centres_hz() - 1000) / 200) ** 2))[None], 1.1)
        self.assertLess(abs(perturbation.centres_hz()[tone[0].argmax()] - 1100), 60)

    def test_what_is_heard_again_sounds_a_little_different_by_its_seed_alone(self):
        cepstra = np.random.default_rng(1).standard_normal((200, features.DIMENSIONS)).astype(np.float32)
        talk = [features.Example((), (), False, cepstra[20:150].astype(np.float16))]
        hearing = perturbation.Hearing(time_gaps=2, among_others=0.5, hiss=0.5)

        def perturbed(frames, seed):
            return perturbation.perturbed(frames, random.Random(seed), hearing, talk)

        first, again, other = (perturbed(cepstra, seed) for seed in (1, 1, 2))
        for heard, anew, otherwise in zip(first, again, other):
            self.assertTrue(np.array_equal(heard, anew))
            self.assertFalse(np.array_equal(heard, otherwise))
            self.assertTrue(np.isfinite(heard).all() and heard.shape == cepstra.shape)
        self.assertEqual(perturbed(cepstra[:3], 1)[0].shape, (3, features.DIMENSIONS))

    def test_what_teachers_hear_is_the_same_voice_undisturbed(self):
        cepstra = np.random.default_rng(1).standard_normal((200, features.DIMENSIONS)).astype(np.float32)
        loud = perturbation.Hearing(time_gaps=2, among_others=0.0, hiss=1.0, dark=1.0)
        calm = perturbation.Hearing(time_gaps=0, among_others=0.0)
        with mock.patch.object(perturbation, "BAND_GAPS", 0):
            for seed in range(9):
                heard, undisturbed = perturbation.perturbed(cepstra, random.Random(seed), loud)
                plain, as_it_is = perturbation.perturbed(cepstra, random.Random(seed), calm)
                np.testing.assert_allclose(undisturbed, as_it_is, atol=1e-4)
                np.testing.assert_allclose(plain, as_it_is, atol=1e-4)
                self.assertGreater(np.abs(heard - undisturbed).mean(), 0.05)

    def test_a_dark_voice_keeps_its_lowest_sounds_alone(self):
        bands = np.random.default_rng(5).standard_normal((50, features.DIMENSIONS)).astype(np.float32)
        centres = perturbation.centres_hz()
        low, high = perturbation.DARK_FROM_HZ[0], perturbation.DARK_TO_HZ[1]
        for seed in range(20):
            quieter = bands - perturbation.darkened(bands, np.random.default_rng(seed))
            np.testing.assert_allclose(quieter[:, centres < low], 0, atol=1e-6)
            most = quieter[:, centres > high]
            self.assertTrue(perturbation.DARK[0] - 1e-5 <= most.min() and most.max() <= perturbation.DARK[1] + 1e-5)
            np.testing.assert_allclose(most, np.full_like(most, most.mean()), atol=1e-5)
            self.assertTrue((np.diff(quieter[0]) > -1e-5).all())

    def test_a_crowd_is_added_as_loud_as_it_is_to_be(self):
        rng = np.random.default_rng(5)
        voice, crowd = (rng.standard_normal(32_000) * loud for loud in (3000, 100))
        _, back = perturbation.transforms()
        bands = features.cepstra(voice).astype(np.float32) @ back.T
        others = [features.Example(("eva",), (None,), False, features.cepstra(crowd))]
        heard = [perturbation.among(bands, others, np.random.default_rng(seed)) for seed in range(40)]
        # Powers add: what is more than the voice's own is the crowd's.
        own = np.exp(bands).mean()
        louder = [10 * np.log10(own / (np.exp(one).mean() - own)) for one in heard]
        low, high = perturbation.CROWD_DB
        self.assertTrue(low - 0.1 < min(louder) < low + 4 and high - 4 < max(louder) < high + 0.5, louder)
        # Just as if the sounds themselves had been added, but for what two waves do to each other.
        together = features.cepstra(voice + crowd * 30).astype(np.float32) @ back.T
        added = np.log(np.exp(bands) + np.exp(features.cepstra(crowd * 30).astype(np.float32) @ back.T))
        self.assertLess(abs(float((together - added).mean())), 0.3)

    def test_hiss_is_as_loud_as_it_is_to_be_and_like_that_of_real_noise(self):
        _, back = perturbation.transforms()
        bands = features.cepstra(np.random.default_rng(5).standard_normal(32_000) * 300).astype(np.float32) @ back.T
        low, high = perturbation.HISS_DB
        for seed in range(40):
            heard = perturbation.hissing(bands, np.random.default_rng(seed))
            own = np.exp(bands).mean()
            louder = 10 * np.log10(own / (np.exp(heard).mean() - own))
            self.assertTrue(low - 0.5 < louder < high + 0.5, louder)
        # Alone, without a fall, it varies in each band as much as white noise does, and has as much power there.
        with mock.patch.object(perturbation, "HISS_FALL", (0.0, 1e-9)):
            # One loud moment, and silence.
            said = np.full_like(bands, -30)
            said[0] = 10
            alone = perturbation.hissing(said, np.random.default_rng(1))[1:]
        np.testing.assert_allclose(alone.std(0), bands.std(0), rtol=0.35)
        level = bands.mean(0) - alone.mean(0)
        np.testing.assert_allclose(level, np.full_like(level, level.mean()), atol=0.45)

    def test_another_voice_comes_out_the_same_and_about_as_long(self):
        pulses = np.zeros(32_000)
        pulses[::130] = 9000
        speech = lfilter([1], [1, -1.6, 0.81], pulses).astype(np.int16)
        for seed in range(20):
            first, again = (another_voice(speech, np.random.default_rng(seed)) for _ in range(2))
            self.assertTrue(np.array_equal(first, again))
            self.assertTrue(np.isfinite(first).all())
            self.assertTrue(0.6 < len(first) / len(speech) < 1.6)
        silence = another_voice(np.zeros(8000, np.int16), np.random.default_rng(1))
        self.assertTrue(np.isfinite(silence).all())

    def test_convolutions_of_integers_say_the_same_as_floats(self):
        rng = np.random.default_rng(1)
        weights = rng.integers(0, 256, (4, 3, 5)).astype(np.uint8)
        graph = helper.make_graph(
            [helper.make_node("ConvInteger", ["x", "w", "xz", "wz"], ["y"], "c", pads=[2, 2], dilations=[1])],
            "one",
            [
                helper.make_tensor_value_info("x", TensorProto.UINT8, [1, 3, None]),
                helper.make_tensor_value_info("xz", TensorProto.UINT8, []),
            ],
            [helper.make_tensor_value_info("y", TensorProto.INT32, [1, 4, None])],
            [
                numpy_helper.from_array(weights, "w"),
                numpy_helper.from_array(np.array(121, np.uint8), "wz"),
            ],
        )
        opsets = [helper.make_opsetid("", 17)]
        slow = helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString()
        quick = floats.quicker(slow)
        self.assertNotIn(b"ConvInteger", quick)
        seen = {"x": rng.integers(0, 256, (1, 3, 40)).astype(np.uint8), "xz": np.array(7, np.uint8)}
        said = [onnxruntime.InferenceSession(one).run(None, seen)[0] for one in (slow, quick)]
        self.assertTrue(np.array_equal(*said))


class Listening(unittest.TestCase):
    def test_all_that_is_announced_can_be_heard(self):
        lines = listening.lines()
        self.assertEqual({line.kind for line in lines}, set(listening.LINES))
        known = set(lexicon.read().words)
        for line in lines:
            if line.kind != "talk":
                self.assertLessEqual(set(line.said.lower().split()), known)

    def test_no_voice_of_the_tests_is_trained_on(self):
        self.assertFalse(set(voices.Espeak().variants) & set(voices.HELD_OUT_ESPEAK))

    def test_a_list_with_too_few_lines_to_choose_thresholds_with_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            lists = Path(folder) / "corpus.tsv"
            lists.write_text(
                "file\tspeaker\tcondition\tkind\tfen\tmeant\tsaid\n"
                "1.wav\tsomebody\tclean\tmove\t-\te2e4\tEva vier\n",
                encoding="utf-8",
            )
            with self.assertRaisesRegex(Refused, "1 lines of the kind move, and 2 are needed.*--moves"):
                listening.to_tune(1, lists, 2, ("clean",))

    def test_distance_counts_words_put_in_taken_out_and_changed(self):
        said = "dame eva vier eva fünf".split()
        self.assertEqual(evaluation.distance(said, said), 0)
        self.assertEqual(evaluation.distance(said, "dame eva viel eva fünf ja".split()), 2)
        self.assertEqual(evaluation.distance(said, []), 5)


class Store(unittest.TestCase):
    def test_what_was_broken_off_was_never_there(self):
        def breaks(folder: Path) -> None:
            (folder / "half").write_text("")
            raise KeyboardInterrupt

        def works(folder: Path) -> None:
            (folder / "whole").write_text("")

        with tempfile.TemporaryDirectory() as root, mock.patch.object(store, "ROOT", Path(root)):
            with self.assertRaises(KeyboardInterrupt):
                store.made("thing", [1], breaks)
            self.assertEqual(list(Path(root).iterdir()), [])
            folder = store.made("thing", [1], works)
            self.assertTrue((folder / "whole").exists())
            self.assertEqual(store.made("thing", [1], breaks), folder)
            self.assertNotEqual(store.made("thing", [2], works), folder)


if __name__ == "__main__":
    unittest.main()
