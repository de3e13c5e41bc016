//! Compares an utterance with everything that may be said.

use std::collections::BTreeMap;

use shakmaty::{Chess, Move, Position};

use super::{
    Answer, Asked, Context, Ear, Heard, HeardDecision, Hypothesis, SHARPNESS, Thresholds,
    distance::{Utterance, distances, one_word_apart},
    ear::{Id, STRANGE},
    noise::{is_noise, without_noise_around},
};
use crate::phrase::{
    Command, Phrases, Words,
    grammar::{self, Understood, understand},
    normal::normal_words,
};

/// A move of at least this many words hardly comes out of any talk.
pub(super) const FULL_MOVE: usize = 4;

/// How probable it is that something was said which is in no grammar, as a distance.
const SOMETHING_ELSE: f64 = 1.0;

/// A phrase's meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Meaning {
    Move(usize),
    Command(Command),
    /// A request one word beside an announcement.
    Near(Command),
    Answer(Answer),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Move,
    Command,
    Near,
    Answer,
}

impl Meaning {
    pub(super) fn class(self) -> Class {
        match self {
            Meaning::Move(_) => Class::Move,
            Meaning::Command(_) => Class::Command,
            Meaning::Near(_) => Class::Near,
            Meaning::Answer(_) => Class::Answer,
        }
    }
}

#[derive(Debug)]
struct Entry {
    ids: Vec<Id>,
    targets: Vec<u16>,
    class: Class,
}

/// Everything that may be said in one position. Make it once a move.
#[derive(Debug)]
pub struct Matcher {
    pub(super) ear: Ear,
    pub(super) pos: Chess,
    pub(super) thresholds: Thresholds,
    pub(super) moves: Vec<Move>,
    pub(super) asked: bool,
    meanings: Vec<Meaning>,
    /// Sorted by their words.
    entries: Vec<Entry>,
}

/// A hypothesis with its weight.
pub(super) struct Weighed {
    pub(super) text: String,
    pub(super) words: Vec<String>,
    pub(super) weight: f64,
}

/// How near every meaning is.
pub(super) struct Scores {
    /// Effective distances, in the order of [`Matcher::meanings`].
    distances: Vec<f64>,
    /// Probability of hypotheses that are about something else.
    missing: f64,
}

/// Whether a move was repeated (D.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    Same,
    /// Another legal move was said, clearly.
    Other(Move),
    Unclear,
}

impl Matcher {
    /// For a single position. For several in a row make an [`Ear`] once and use [`Ear::matcher`].
    pub fn new(words: &Words, pos: &Chess, context: Context) -> Matcher {
        Ear::new(words).matcher(pos, context)
    }

    pub(super) fn of(ear: &Ear, pos: &Chess, context: Context, thresholds: Thresholds) -> Matcher {
        let inner = &ear.0;
        let moves: Vec<Move> =
            if context.moves { pos.legal_moves().into_iter().collect() } else { Vec::new() };
        let mut meanings: Vec<Meaning> = (0..moves.len()).map(Meaning::Move).collect();
        let mut phrases: BTreeMap<Vec<Id>, Vec<u16>> = BTreeMap::new();
        if context.moves {
            for (tokens, meant) in Phrases::new(&inner.words, pos).tokens() {
                let indexes = meant.iter().filter_map(|mv| moves.iter().position(|m| m == mv));
                let targets = phrases.entry(inner.phrase(tokens)).or_default();
                for index in indexes {
                    push(targets, index);
                }
            }
        }
        let mut index_of: BTreeMap<Meaning, usize> = BTreeMap::new();
        let commands = inner.commands.iter().filter(|(_, command)| context.allows(*command));
        let near = inner.near.iter().filter(|(_, command)| context.allows(*command));
        let answers = inner.answers.iter().filter(|(_, answer)| match answer {
            Answer::Number(n) => matches!(context.asked, Asked::Number(most) if *n <= most),
            _ => true,
        });
        let rest = commands
            .map(|(ids, command)| (ids, Meaning::Command(*command)))
            .chain(near.map(|(ids, command)| (ids, Meaning::Near(*command))))
            .chain(answers.map(|(ids, answer)| (ids, Meaning::Answer(*answer))));
        for (ids, meaning) in rest {
            let index = *index_of.entry(meaning).or_insert_with(|| {
                meanings.push(meaning);
                meanings.len() - 1
            });
            push(phrases.entry(ids.clone()).or_default(), index);
        }
        let entries = phrases
            .into_iter()
            .filter_map(|(ids, targets)| {
                let class = meanings.get(usize::from(*targets.first()?))?.class();
                Some(Entry { ids, targets, class })
            })
            .collect();
        let asked = context.asked != Asked::Nothing;
        Matcher { ear: ear.clone(), pos: pos.clone(), thresholds, moves, asked, meanings, entries }
    }

    /// With other thresholds.
    #[must_use]
    pub fn with_thresholds(mut self, thresholds: Thresholds) -> Matcher {
        self.thresholds = thresholds;
        self
    }

    /// How many phrases it knows.
    pub fn phrases(&self) -> usize {
        self.entries.len()
    }

    /// Decides about an utterance.
    pub fn decide(&self, heard: &Heard) -> HeardDecision {
        match self.understood(heard) {
            HeardDecision::Accept { mv, correction, confidence }
                if self.is_loud(heard) || !self.parts_agree(mv, correction, &heard.parts) =>
            {
                HeardDecision::Confirm { mv, correction, confidence, second: None }
            }
            HeardDecision::Command { command, confidence }
                if !heard.parts.is_empty() && command != Command::Stop =>
            {
                HeardDecision::ConfirmCommand { command, intended: None, confidence }
            }
            decision => decision,
        }
    }

    /// Whether an announcement with a long pause in it is this move in its parts, too: the rest may
    /// be another person's talk.
    fn parts_agree(&self, mv: Move, correction: bool, parts: &[String]) -> bool {
        if parts.is_empty() {
            return true;
        }
        let parts: Vec<&str> = parts.iter().map(|part| without_noise_around(part)).collect();
        let mut understood = self.understand(&self.without_unsaid(&parts.join(" ")));
        if let (true, Understood::Correction(corrected)) = (correction, &understood) {
            understood = (**corrected).clone();
        }
        understood == Understood::Move(mv)
    }

    /// Whether the room was so loud that another person's word may have replaced one of the
    /// player's. No recogniser's probability shows that. A limit of 0 is never undercut.
    fn is_loud(&self, heard: &Heard) -> bool {
        heard.above_room_db.is_some_and(|db| f64::from(db.max(0.0)) < self.thresholds.loud_room_db)
    }

    /// The same, however loud it was.
    fn understood(&self, heard: &Heard) -> HeardDecision {
        let hypotheses = self.weigh(&heard.hypotheses);
        let Some(top) = best(&hypotheses) else {
            return HeardDecision::Again { candidates: Vec::new() };
        };
        if is_blank(top) {
            return HeardDecision::Again { candidates: Vec::new() };
        }
        if let Some((lead, led)) = self.led(&hypotheses) {
            return self.decide_led(lead, &led, top);
        }
        let scores = self.score(&hypotheses);
        let Some((winner, distance)) = self.nearest(&scores, |_| true) else {
            return HeardDecision::Again { candidates: Vec::new() };
        };
        if distance > self.thresholds.accept_distance
            && top.weight >= self.thresholds.accept_confidence
            && !self.moves.is_empty()
            && let Understood::Illegal(spoken) = self.understand(&top.text)
        {
            return HeardDecision::Illegal { spoken, confidence: top.weight };
        }
        let class = winner.class();
        // A request that is asked about takes nothing from a move.
        let other = self.nearest(&scores, |m| match class {
            Class::Move => !matches!(m.class(), Class::Move | Class::Near),
            _ => m.class() == Class::Move,
        });
        let gap = other.map_or(f64::INFINITY, |(_, other)| other - distance);
        if gap < self.thresholds.class_gap || self.too_near(class, top) {
            return self.again(&scores);
        }
        match winner {
            Meaning::Move(_) => match self.decide_move(&scores, top, false) {
                HeardDecision::Accept { mv, correction, confidence }
                    if !self.loop_agrees(mv, top, &heard.word_loop)
                        && !self.comparison_agrees(mv, &heard.comparison) =>
                {
                    if self.loop_requests(&heard.word_loop) {
                        return self.again(&scores);
                    }
                    let second = self.loop_move(&heard.word_loop).filter(|other| *other != mv);
                    HeardDecision::Confirm { mv, correction, confidence, second }
                }
                HeardDecision::Confirm { mv, correction, confidence, .. }
                    if self.loop_announces_clearly(mv, &heard.word_loop)
                        || self.comparison_settles(mv, heard) =>
                {
                    HeardDecision::Accept { mv, correction, confidence }
                }
                decision => decision,
            },
            Meaning::Command(command) => {
                if self.loop_announces(&heard.word_loop) {
                    return self.again(&scores);
                }
                match self.decide_command(&scores, command, top) {
                    HeardDecision::Command { command, confidence }
                        if command != Command::Stop && !self.is_requested(command, top, heard) =>
                    {
                        HeardDecision::ConfirmCommand { command, intended: None, confidence }
                    }
                    decision => decision,
                }
            }
            Meaning::Near(command) => self.decide_near(&scores, command, top, heard),
            Meaning::Answer(answer) => self.decide_answer(&scores, answer),
        }
    }

    /// Whether the opponent's move, announced and made in this position, was repeated. Other
    /// phrases count less than in [`Matcher::decide`]: one move is expected.
    ///
    /// Source: FIDE D.2.1
    pub fn repeats(&self, announced: Move, heard: &Heard) -> Repetition {
        match self.decide(heard) {
            HeardDecision::Accept { mv, .. } | HeardDecision::Confirm { mv, .. }
                if mv == announced =>
            {
                Repetition::Same
            }
            HeardDecision::Accept { mv, .. } => Repetition::Other(mv),
            HeardDecision::Ambiguous { moves, .. } if moves.contains(&announced) => {
                Repetition::Same
            }
            _ => Repetition::Unclear,
        }
    }

    pub(super) fn weigh(&self, hypotheses: &[Hypothesis]) -> Vec<Weighed> {
        let scored = hypotheses.iter().any(|h| h.confidence.is_some());
        let mut weights: Vec<f64> = if scored {
            let all = hypotheses.iter().map(|h| h.confidence.unwrap_or(0.0));
            all.map(|p| if p.is_finite() { p.clamp(0.0, 1.0) } else { 0.0 }).collect()
        } else {
            let mut weight = 10.0;
            hypotheses
                .iter()
                .map(|_| {
                    weight /= 10.0;
                    weight
                })
                .collect()
        };
        let sum: f64 = weights.iter().sum();
        if sum > 1.0 {
            weights.iter_mut().for_each(|weight| *weight /= sum);
        }
        let mut all: Vec<Weighed> = Vec::new();
        for (hypothesis, weight) in hypotheses.iter().zip(weights).filter(|(_, w)| *w > 0.0) {
            let text = self.without_unsaid(&hypothesis.text);
            match all.iter_mut().find(|other| other.text == text) {
                Some(same) => same.weight += weight,
                None => {
                    let words = self.ear.0.canonical(&raw_words(&text));
                    all.push(Weighed { text, words, weight });
                }
            }
        }
        all
    }

    /// Whether these words, as the packs spell them, are all of a phrase that may be said here.
    pub(super) fn lists(&self, words: &[String]) -> bool {
        let ids = self.ear.0.ids_of(&self.ear.0.canonical(words));
        self.entries.iter().any(|entry| entry.ids == ids)
    }

    fn utterance(&self, words: &[String], known: &mut BTreeMap<String, Vec<f32>>) -> Utterance {
        let costs = words.iter().map(|word| {
            known.entry(word.clone()).or_insert_with(|| self.ear.0.costs_of(word)).clone()
        });
        Utterance { costs: costs.collect(), ids: self.ear.0.ids_of(words) }
    }

    pub(super) fn score(&self, hypotheses: &[Weighed]) -> Scores {
        let mut known = BTreeMap::new();
        let mut likely = vec![0.0f64; self.meanings.len()];
        let mut nearest = vec![f32::INFINITY; self.meanings.len()];
        let top = best(hypotheses).map(|top| top.text.as_str());
        for hypothesis in hypotheses {
            let heard = self.utterance(&hypothesis.words, &mut known);
            nearest.fill(f32::INFINITY);
            let mut least = f32::INFINITY;
            distances(&heard, self.entries.iter().map(|e| e.ids.as_slice()), |n, distance| {
                least = least.min(distance);
                for target in &self.entries[n].targets {
                    let nearest = &mut nearest[usize::from(*target)];
                    *nearest = nearest.min(distance);
                }
            });
            // Well said, but not listed: an announced check that is none.
            if least > 0.0 && top == Some(hypothesis.text.as_str()) && !self.moves.is_empty() {
                for mv in self.meant(&hypothesis.text) {
                    if let Some(index) = self.moves.iter().position(|m| *m == mv) {
                        nearest[index] = 0.0;
                    }
                }
            }
            for (likely, distance) in likely.iter_mut().zip(&nearest) {
                *likely += hypothesis.weight * (-SHARPNESS * f64::from(*distance)).exp();
            }
        }
        let mass: f64 = hypotheses.iter().map(|h| h.weight).sum();
        let distances = likely.iter().map(|p| -p.ln() / SHARPNESS).collect();
        Scores { distances, missing: (1.0 - mass).max(0.0) }
    }

    pub(super) fn understand(&self, text: &str) -> Understood {
        understand(&self.ear.0.words, &self.pos, text)
    }

    /// The legal moves that a text means, word for word.
    fn meant(&self, text: &str) -> Vec<Move> {
        match self.understand(text) {
            Understood::Move(mv) => vec![mv],
            Understood::Ambiguous(moves) => moves,
            _ => Vec::new(),
        }
    }

    /// The nearest meaning of those wanted; the first of several.
    pub(super) fn nearest(
        &self,
        scores: &Scores,
        wanted: impl Fn(Meaning) -> bool,
    ) -> Option<(Meaning, f64)> {
        let all = self.meanings.iter().copied().zip(scores.distances.iter().copied());
        all.filter(|(meaning, _)| wanted(*meaning)).min_by(|a, b| a.1.total_cmp(&b.1))
    }

    fn second(&self, scores: &Scores, first: Move) -> Option<(Move, f64)> {
        let wanted = |m| matches!(m, Meaning::Move(n) if self.moves[n] != first);
        match self.nearest(scores, wanted)? {
            (Meaning::Move(n), distance) => Some((self.moves[n], distance)),
            _ => None,
        }
    }

    /// How probable the best is against the second best, all that was not heard, and anything else.
    fn confidence(&self, scores: &Scores, first: f64, second: f64) -> f64 {
        let likely = |distance: f64| (-SHARPNESS * distance).exp();
        let best = likely(first);
        let rest = likely(second) + likely(SOMETHING_ELSE) + scores.missing;
        if best > 0.0 { best / (best + rest) } else { 0.0 }
    }

    /// Whether one word only lies between what was heard and a phrase of the other class.
    fn too_near(&self, class: Class, top: &Weighed) -> bool {
        let other = match class {
            Class::Move => Class::Command,
            Class::Command => Class::Move,
            Class::Answer | Class::Near => return false,
        };
        let ids = self.ear.0.ids_of(&top.words);
        self.entries.iter().any(|e| e.class == other && one_word_apart(&e.ids, &ids))
    }

    fn again(&self, scores: &Scores) -> HeardDecision {
        let all = self.moves.iter().copied().zip(scores.distances.iter().copied());
        let mut near: Vec<(Move, f64)> =
            all.filter(|(_, distance)| *distance <= self.thresholds.confirm_distance).collect();
        near.sort_by(|a, b| a.1.total_cmp(&b.1));
        HeardDecision::Again { candidates: near.into_iter().map(|(mv, _)| mv).take(2).collect() }
    }

    fn decide_move(&self, scores: &Scores, top: &Weighed, correction: bool) -> HeardDecision {
        let limits = &self.thresholds;
        let moves = |m| matches!(m, Meaning::Move(_));
        let Some((Meaning::Move(n), distance)) = self.nearest(scores, moves) else {
            return HeardDecision::Again { candidates: Vec::new() };
        };
        let mv = self.moves[n];
        let second = self.second(scores, mv);
        let behind = second.map_or(f64::INFINITY, |(_, distance)| distance);
        let (margin, confidence) = (behind - distance, self.confidence(scores, distance, behind));
        if margin < limits.accept_margin {
            // A single phrase that means them all, or a guess.
            let meant = self.meant(&top.text);
            let among = |mv: &Move| meant.contains(mv);
            if among(&mv) && second.is_some_and(|(second, _)| among(&second)) {
                return self.ambiguous(scores, meant, distance, correction);
            }
        }
        let near = distance <= limits.accept_distance;
        if near && margin >= limits.accept_margin && confidence >= limits.accept_confidence {
            return match self.understand(&top.text) {
                Understood::Illegal(_) => {
                    HeardDecision::Confirm { mv, correction, confidence, second: None }
                }
                _ => HeardDecision::Accept { mv, correction, confidence },
            };
        }
        let ask = distance <= limits.confirm_distance
            && margin >= limits.confirm_margin
            && confidence >= limits.confirm_confidence;
        if ask {
            let second = second.filter(|(_, distance)| *distance <= limits.confirm_distance);
            let second = second.map(|(mv, _)| mv);
            return HeardDecision::Confirm { mv, correction, confidence, second };
        }
        self.again(scores)
    }

    fn ambiguous(
        &self,
        scores: &Scores,
        meant: Vec<Move>,
        distance: f64,
        correction: bool,
    ) -> HeardDecision {
        let wanted = |m| matches!(m, Meaning::Move(n) if !meant.contains(&self.moves[n]));
        let behind = self.nearest(scores, wanted).map_or(f64::INFINITY, |(_, distance)| distance);
        let confidence = self.confidence(scores, distance, behind);
        let limits = &self.thresholds;
        let clear = distance <= limits.accept_distance
            && behind - distance >= limits.accept_margin
            && confidence >= limits.accept_confidence;
        if clear {
            return HeardDecision::Ambiguous { moves: meant, correction, confidence };
        }
        self.again(scores)
    }

    fn decide_command(&self, scores: &Scores, command: Command, top: &Weighed) -> HeardDecision {
        let limits = &self.thresholds;
        let this = Meaning::Command(command);
        let (distance, margin, confidence) = self.clearness(scores, this);
        let near = distance <= limits.accept_distance && margin >= limits.accept_margin;
        let ask = HeardDecision::ConfirmCommand { command, intended: None, confidence };
        // The arbiter comes to the board: much talk is like that one word.
        if near && command == Command::CallArbiter && top.words.len() == 1 {
            return HeardDecision::AskCommand { command, confidence };
        }
        if near && command.is_irrevocable() && confidence >= limits.confirm_confidence {
            return ask;
        }
        // Hushing harms nobody, and asking about it would.
        let least = match command {
            Command::Stop => limits.stop_confidence,
            _ if top.words.len() == 1 => limits.single_word_confidence,
            _ => limits.accept_confidence,
        };
        if near && confidence >= least {
            return HeardDecision::Command { command, confidence };
        }
        let asked = distance <= limits.confirm_distance
            && margin >= limits.confirm_margin
            && confidence >= limits.confirm_confidence
            && (near || top.words.len() > 1)
            && command != Command::Stop
            && !command.is_irrevocable();
        if asked { ask } else { self.again(scores) }
    }

    /// A request one word beside an announcement: whether it is meant is asked, or it counts for
    /// nothing.
    fn decide_near(
        &self,
        scores: &Scores,
        command: Command,
        top: &Weighed,
        heard: &Heard,
    ) -> HeardDecision {
        let limits = &self.thresholds;
        let (distance, margin, confidence) = self.clearness(scores, Meaning::Near(command));
        let near = distance <= limits.accept_distance && margin >= limits.accept_margin;
        let clear = near
            && confidence >= limits.accept_confidence
            && !self.loop_announces(&heard.word_loop)
            && self.is_requested(command, top, heard);
        if clear {
            return HeardDecision::AskCommand { command, confidence };
        }
        self.again(scores)
    }

    fn decide_answer(&self, scores: &Scores, answer: Answer) -> HeardDecision {
        let limits = &self.thresholds;
        let (distance, margin, confidence) = self.clearness(scores, Meaning::Answer(answer));
        let near = distance <= limits.accept_distance && margin >= limits.accept_margin;
        if near && confidence >= limits.accept_confidence {
            return HeardDecision::Answer { answer, confidence };
        }
        self.again(scores)
    }

    /// Distance, margin to the next meaning that is no move, confidence.
    fn clearness(&self, scores: &Scores, this: Meaning) -> (f64, f64, f64) {
        let distance = self.nearest(scores, |m| m == this).map_or(f64::INFINITY, |(_, d)| d);
        let behind = self
            .nearest(scores, |m| m != this && m.class() != Class::Move)
            .map_or(f64::INFINITY, |(_, d)| d);
        (distance, behind - distance, self.confidence(scores, distance, behind))
    }

    /// If the best hypothesis is "Korrektur" or a claim and more: which, and every hypothesis that
    /// begins with it, without it.
    fn led(&self, hypotheses: &[Weighed]) -> Option<(Command, Vec<Weighed>)> {
        let words = &self.ear.0.words;
        let split = |hypothesis: &Weighed| {
            let heard = raw_words(&hypothesis.text);
            let (lead, rest) = grammar::prefixes(words, &heard).into_iter().next()?;
            let rest = match lead {
                Command::Correction => rest,
                _ => grammar::strip_longest(rest, &words.prompts.intending),
            };
            // A longer phrase may be a request of its own.
            let ids = self.ear.0.ids_of(&hypothesis.words);
            let whole = self.entries.iter().any(|e| e.class != Class::Move && e.ids == ids);
            (!rest.is_empty() && !whole).then(|| {
                let led = Weighed {
                    text: rest.join(" "),
                    words: self.ear.0.canonical(rest),
                    weight: hypothesis.weight,
                };
                (lead, led)
            })
        };
        let (lead, _) = split(best(hypotheses)?)?;
        let led = hypotheses.iter().filter_map(split).filter(|(l, _)| *l == lead);
        Some((lead, led.map(|(_, led)| led).collect()))
    }

    fn decide_led(&self, lead: Command, led: &[Weighed], whole: &Weighed) -> HeardDecision {
        let Some(top) = best(led).filter(|_| !self.moves.is_empty()) else {
            return HeardDecision::Again { candidates: Vec::new() };
        };
        let decision = self.decide_move(&self.score(led), top, true);
        match (lead, decision) {
            (Command::Correction, HeardDecision::Accept { mv, correction, confidence })
                if self.may_be_another(mv, whole) =>
            {
                HeardDecision::Confirm { mv, correction, confidence, second: None }
            }
            (Command::Correction, decision) => decision,
            (
                command,
                HeardDecision::Accept { mv, confidence, .. }
                | HeardDecision::Confirm { mv, confidence, .. },
            ) => HeardDecision::ConfirmCommand { command, intended: Some(mv), confidence },
            (_, decision) => decision,
        }
    }

    /// Whether "Korrektur Eva vier" may have been "Springer Eva vier".
    fn may_be_another(&self, mv: Move, whole: &Weighed) -> bool {
        let ids = self.ear.0.ids_of(&whole.words);
        let other = |target: &u16| {
            let meaning = self.meanings[usize::from(*target)];
            matches!(meaning, Meaning::Move(n) if self.moves[n] != mv)
        };
        self.entries.iter().any(|e| {
            e.ids.len() == ids.len() && e.targets.iter().any(other) && one_word_apart(&e.ids, &ids)
        })
    }
}

/// The words of a hypothesis; a noise stays a word that nothing is like.
pub(super) fn raw_words(text: &str) -> Vec<String> {
    let parts = text.split_whitespace();
    parts
        .flat_map(|part| match part {
            "[unk]" | "<unk>" => vec![part.to_owned()],
            part => normal_words(part),
        })
        .collect()
}

/// The hypothesis holds only noise.
pub(super) fn is_blank(hypothesis: &Weighed) -> bool {
    hypothesis.words.iter().all(|word| is_noise(word))
}

/// The most probable hypothesis, the first of several.
pub(super) fn best(hypotheses: &[Weighed]) -> Option<&Weighed> {
    hypotheses.iter().reduce(|best, next| if next.weight > best.weight { next } else { best })
}

/// Adds a target once. A position has fewer moves, and a pack fewer requests, than numbers.
fn push(targets: &mut Vec<u16>, index: usize) {
    debug_assert!(index < usize::from(STRANGE));
    if let Ok(index) = u16::try_from(index)
        && !targets.contains(&index)
    {
        targets.push(index);
    }
}
