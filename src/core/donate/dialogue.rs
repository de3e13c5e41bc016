//! The dialogue: consent, who it is as far as that is told, then word after word.

use std::collections::BTreeSet;

use shakmaty::Chess;

use super::{
    answers::{Given, is_name, phrases, spoken_name, typed},
    plan,
};
use annabella_words::{
    phrase::{
        Prompt, Slot, Utterance, Words,
        hear::{Choices, Chosen, Grammar, Heard, Thresholds},
        normal_words,
    },
    text::spelled,
};

/// How often it is said how many are left.
const TELL_EVERY: usize = 20;
/// A question without an answer is asked so often.
const ASKED: u8 = 3;
/// The answers to the questions about age and region.
const AGES: u8 = 5;
const REGIONS: u8 = 6;
/// The age groups below eighteen.
const MINORS: u8 = 2;

/// Who it is, and how the dialogue may go.
#[derive(Clone, Debug)]
pub struct Donor {
    pub words: Words,
    /// Our own ears know the words: labels are checked and requests understood.
    pub understands: bool,
    pub limits: Thresholds,
    /// Positions for announcements.
    pub positions: Vec<Chess>,
    /// Names to be offered, the first one first; a single one is not asked about.
    pub names: Vec<String>,
    /// Names of others.
    pub taken: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consenting {
    Donor,
    /// Of a minor.
    Guardian,
}

/// A fault of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakeFault {
    /// A cough.
    TooShort,
    TooQuiet,
    Clipped,
    /// Speech touches its begin or its end.
    Cut,
}

spelled! {
    /// How certain it is that a take holds its text, as lists of recordings have it.
    Certainty {
        /// Our own ears heard it, too.
        Exact = "exact",
        /// No ears checked it.
        Likely = "likely",
        /// They heard something else twice, or it is a bad recording.
        Doubtful = "doubtful",
        /// They heard something else, and the person was asked again. Nobody trains on it or counts
        /// it.
        Guess = "guess",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DonateEnd {
    /// Nobody agreed: nothing was written.
    Declined,
    /// It goes on another day.
    Later,
    Done,
    Deleted,
}

/// What the caller is to do.
#[derive(Clone, Debug, PartialEq)]
pub enum DonateAct {
    Say(Utterance),
    /// This was a consent; `spoken`: the sound just heard is its record.
    Consented {
        who: Consenting,
        spoken: bool,
    },
    /// From now on there is a folder.
    Begin,
    /// The sound just heard is a take of this text of the plan.
    Keep {
        text: usize,
        /// From 1.
        take: u8,
        certainty: Certainty,
        /// What our own ears heard; empty where they heard nothing.
        heard: String,
    },
    /// All takes of this text are said anew.
    Forget {
        text: usize,
    },
    Delete,
    End(DonateEnd),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Consent,
    Adult,
    Guardian,
    Name,
    Age,
    Region,
    Prompt,
    Paused,
    AskFinish,
    AskDelete,
    Over,
}

/// The dialogue with one person.
#[derive(Clone, Debug)]
pub struct Donation {
    donor: Donor,
    phrases: Vec<(String, Given)>,
    step: Step,
    name: usize,
    minor: bool,
    age: Option<u8>,
    region: Option<u8>,
    plan: Vec<String>,
    at: usize,
    /// How often the present text was said.
    takes: u8,
    /// How often nobody answered.
    silent: u8,
    done: BTreeSet<usize>,
    left_out: BTreeSet<usize>,
    /// The texts that were said or left out, the last one last.
    trail: Vec<usize>,
    /// Requests heard in place of a text. Heard twice there, they are that text misheard.
    requested: BTreeSet<(usize, Given)>,
}

impl Donation {
    /// A person who has never been asked.
    pub fn begin(donor: Donor) -> (Donation, Vec<DonateAct>) {
        let donation = Donation::new(donor, Step::Consent);
        let acts = donation.question();
        (donation, acts)
    }

    /// Goes on with a plan, of which these texts are done.
    pub fn resume(
        donor: Donor,
        plan: Vec<String>,
        done: BTreeSet<usize>,
    ) -> (Donation, Vec<DonateAct>) {
        let mut donation = Donation { plan, done, ..Donation::new(donor, Step::Prompt) };
        let mut acts = vec![donation.say(Prompt::DonateBegin, &[Slot::count(donation.left())])];
        acts.extend(donation.go_from(donation.plan.len()));
        (donation, acts)
    }

    fn new(donor: Donor, step: Step) -> Donation {
        let phrases = phrases(&donor.words);
        Donation {
            donor,
            phrases,
            step,
            name: 0,
            minor: false,
            age: None,
            region: None,
            plan: Vec::new(),
            at: 0,
            takes: 0,
            silent: 0,
            done: BTreeSet::new(),
            left_out: BTreeSet::new(),
            trail: Vec::new(),
            requested: BTreeSet::new(),
        }
    }

    /// The name in the list.
    pub fn name(&self) -> &str {
        self.donor.names.get(self.name).map_or("", String::as_str)
    }

    /// What is said; empty before [`DonateAct::Begin`].
    pub fn plan(&self) -> &[String] {
        &self.plan
    }

    /// The questions about the person with the number of each answer; none where it was left out.
    pub fn answers(&self) -> [(Utterance, Option<u8>); 2] {
        let asked = |prompt| self.donor.words.prompt(prompt, &[]);
        [(asked(Prompt::DonateAge), self.age), (asked(Prompt::DonateRegion), self.region)]
    }

    /// What was agreed to, sentence by sentence.
    pub fn agreed(&self) -> Vec<Utterance> {
        let mut all = CONSENT.to_vec();
        all.extend(self.minor.then_some(Prompt::DonateGuardian));
        all.into_iter().map(|prompt| self.donor.words.prompt(prompt, &[])).collect()
    }

    /// How many texts are left.
    pub fn left(&self) -> usize {
        self.plan.len() - self.done.union(&self.left_out).count()
    }

    /// What may be said now.
    pub fn grammar(&self) -> Grammar {
        let steering = self.phrases.iter().filter(|(_, given)| self.takes(*given));
        let mut phrases: Vec<String> = steering.map(|(text, _)| text.to_lowercase()).collect();
        if self.step != Step::Prompt {
            return Grammar::of_phrases(phrases);
        }
        phrases.extend(self.plan.iter().map(|text| text.to_lowercase()));
        let asked = self.plan.get(self.at).map(|text| text.to_lowercase()).unwrap_or_default();
        // A pause within what is asked for does not end it.
        let begun = asked.match_indices(' ').map(|(end, _)| asked[..end].to_owned()).collect();
        Grammar { begun, ..Grammar::of_phrases(phrases) }
    }

    /// Somebody spoke.
    pub fn heard(&mut self, heard: &Heard, fault: Option<TakeFault>) -> Vec<DonateAct> {
        if self.step == Step::Prompt {
            return self.take(heard, fault);
        }
        if !self.donor.understands || self.step == Step::Over {
            return Vec::new();
        }
        match self.meant(heard) {
            Chosen::Accept(given) => self.given(given, true),
            Chosen::Confirm(_) | Chosen::Again => self.again(),
            Chosen::Nothing => Vec::new(),
        }
    }

    /// Somebody typed a line.
    pub fn typed(&mut self, line: &str) -> Vec<DonateAct> {
        if self.step == Step::Over {
            return Vec::new();
        }
        let given = typed(&self.donor.words, &self.phrases, line);
        if let Some(given) = given.filter(|given| self.takes(*given)) {
            return self.given(given, false);
        }
        let name = line.trim().to_lowercase();
        if self.step == Step::Name && is_name(&name) && !self.donor.taken.contains(&name) {
            self.donor.names = vec![name];
            self.name = 0;
            return self.go(Step::Age);
        }
        self.again()
    }

    /// Nobody spoke for a while.
    pub fn silence(&mut self) -> Vec<DonateAct> {
        self.silent += 1;
        let patient = self.silent < ASKED;
        match self.step {
            Step::Paused | Step::Over => Vec::new(),
            Step::Prompt if self.silent == 1 => self.question(),
            Step::Prompt => self.go(Step::Paused),
            _ if patient => self.question(),
            Step::Name | Step::Age | Step::Region => self.given(Given::Next, false),
            Step::AskFinish | Step::AskDelete => self.go(Step::Paused),
            Step::Consent | Step::Adult | Step::Guardian => self.given(Given::No, false),
        }
    }

    /// What answers the present question, or steers.
    fn takes(&self, given: Given) -> bool {
        use Given::{Back, Delete, Finish, Next, No, Number, Pause, Repeat, Yes};
        match self.step {
            Step::Consent | Step::Adult | Step::Guardian => {
                matches!(given, Yes | No | Repeat | Finish)
            }
            Step::Name => matches!(given, Yes | No | Next | Repeat | Finish),
            Step::Age => matches!(given, Number(1..=AGES) | Next | Repeat | Finish),
            Step::Region => matches!(given, Number(1..=REGIONS) | Next | Back | Repeat | Finish),
            Step::Prompt => matches!(given, Next | Repeat | Back | Pause | Finish | Delete),
            Step::Paused => matches!(given, Next | Yes | Repeat | Finish | Delete),
            Step::AskFinish | Step::AskDelete => matches!(given, Yes | No | Repeat),
            Step::Over => false,
        }
    }

    fn meant(&self, heard: &Heard) -> Chosen<Given> {
        let phrases = self.phrases.iter().filter(|(_, given)| self.takes(*given)).cloned();
        Choices::new(&self.donor.words, phrases).decide(heard, false, &self.donor.limits)
    }

    fn given(&mut self, given: Given, spoken: bool) -> Vec<DonateAct> {
        use Given::{Back, Delete, Finish, Next, No, Number, Pause, Repeat, Yes};
        self.silent = 0;
        match (self.step, given) {
            (_, Repeat) => self.question(),
            (Step::Consent, Yes) => self.consented(Consenting::Donor, spoken, Step::Adult),
            (Step::Adult, Yes) => self.go(self.naming()),
            (Step::Adult, No) => self.go(Step::Guardian),
            (Step::Guardian, Yes) => {
                self.minor = true;
                let next = if self.age.is_some() { Step::Region } else { self.naming() };
                self.consented(Consenting::Guardian, spoken, next)
            }
            (Step::Guardian, No) => self.end(DonateEnd::Declined, Prompt::DonateNoGuardian, &[]),
            (Step::Consent, _) | (Step::Adult | Step::Guardian, Finish) => self.decline(),
            (Step::Name | Step::Age | Step::Region, Finish) => self.decline(),
            (Step::Name, No) => {
                self.name = (self.name + 1) % self.donor.names.len().max(1);
                self.question()
            }
            (Step::Name, _) => self.go(Step::Age),
            (Step::Age, Number(n)) => {
                self.age = Some(n);
                let minor = n <= MINORS && !self.minor;
                self.go(if minor { Step::Guardian } else { Step::Region })
            }
            (Step::Age, _) => self.go(Step::Region),
            (Step::Region, Back) => self.go(Step::Age),
            (Step::Region, answer) => {
                if let Number(n) = answer {
                    self.region = Some(n);
                }
                self.start()
            }
            (Step::Prompt, Next) => {
                self.left_out.insert(self.at);
                self.trail.push(self.at);
                self.go_from(self.at)
            }
            (Step::Prompt, Back) => self.back(),
            (Step::Prompt, Pause) => self.go(Step::Paused),
            (Step::Prompt, Finish) if spoken => self.go(Step::AskFinish),
            (Step::Prompt | Step::Paused, Finish) | (Step::AskFinish, Yes) => self.later(),
            (Step::Prompt | Step::Paused, Delete) => self.go(Step::AskDelete),
            (Step::AskDelete, Yes) => {
                let mut acts = vec![DonateAct::Delete];
                acts.extend(self.end(DonateEnd::Deleted, Prompt::DonateDeleted, &[]));
                acts
            }
            (Step::Paused | Step::AskFinish | Step::AskDelete, _) => self.go(Step::Prompt),
            (Step::Adult | Step::Guardian | Step::Prompt | Step::Over, _) => Vec::new(),
        }
    }

    /// Whoever has chosen a name is not asked for one.
    fn naming(&self) -> Step {
        if self.donor.names.len() == 1 { Step::Age } else { Step::Name }
    }

    fn consented(&mut self, who: Consenting, spoken: bool, next: Step) -> Vec<DonateAct> {
        let mut acts = vec![DonateAct::Consented { who, spoken }];
        acts.extend(self.go(next));
        acts
    }

    fn start(&mut self) -> Vec<DonateAct> {
        self.plan = plan(&self.donor.words, &self.donor.positions, self.name());
        self.step = Step::Prompt;
        let mut acts = vec![DonateAct::Begin];
        acts.push(self.say(Prompt::DonateBegin, &[Slot::count(self.left())]));
        acts.extend(self.go_from(self.plan.len()));
        acts
    }

    /// A recording of what was asked for, or a request in its place.
    fn take(&mut self, heard: &Heard, fault: Option<TakeFault>) -> Vec<DonateAct> {
        if fault == Some(TakeFault::TooShort) {
            return Vec::new();
        }
        self.silent = 0;
        let text = self.plan.get(self.at).cloned().unwrap_or_default();
        let best: Vec<&str> = heard.best().unwrap_or_default().split_whitespace().collect();
        let known = best.iter().copied().filter(|word| *word != "[unk]");
        let known = known.collect::<Vec<_>>().join(" ");
        let agrees = self.donor.understands.then(|| normal_words(&known) == normal_words(&text));
        if agrees == Some(false)
            && let Chosen::Accept(given) = self.meant(heard)
            && given != Given::Next
            && self.requested.insert((self.at, given))
        {
            return self.given(given, true);
        }
        let good = fault.is_none() && agrees != Some(false);
        self.takes += 1;
        let certainty = match (good, self.takes, agrees) {
            (true, _, Some(_)) => Certainty::Exact,
            (true, _, None) => Certainty::Likely,
            (false, 1, _) => Certainty::Guess,
            (false, ..) => Certainty::Doubtful,
        };
        let keep = DonateAct::Keep {
            text: self.at,
            take: self.takes,
            certainty,
            heard: if self.donor.understands { known.clone() } else { String::new() },
        };
        if certainty != Certainty::Guess {
            self.done.insert(self.at);
            self.trail.push(self.at);
            let mut acts = vec![keep];
            acts.extend(self.go_from(self.at));
            return acts;
        }
        let why = match fault {
            Some(TakeFault::TooQuiet) => Prompt::SetupMicQuiet,
            Some(TakeFault::Clipped) => Prompt::SetupMicLoud,
            Some(TakeFault::Cut) => Prompt::DonateCut,
            _ => Prompt::EnrolAgain,
        };
        // A bad recording that is made again, or a passing lorry, is worth nothing.
        let worth = fault.is_none() && !known.is_empty();
        let mut acts: Vec<DonateAct> = worth.then_some(keep).into_iter().collect();
        acts.push(self.say(why, &[]));
        acts.extend(self.question());
        acts
    }

    /// The next text after that one.
    fn go_from(&mut self, from: usize) -> Vec<DonateAct> {
        let open = |n: &usize| !self.done.contains(n) && !self.left_out.contains(n);
        let after = from.saturating_add(1)..self.plan.len();
        let next = after.chain(0..self.plan.len()).find(open);
        self.takes = 0;
        let Some(next) = next else {
            let said = Slot::count(self.done.len());
            return match self.left_out.is_empty() {
                true => self.end(DonateEnd::Done, Prompt::DonateDone, &[said]),
                false => {
                    self.left_out.clear();
                    self.later()
                }
            };
        };
        self.at = next;
        let left = self.left();
        let tell = left.is_multiple_of(TELL_EVERY) && !self.trail.is_empty();
        let mut acts: Vec<DonateAct> = Vec::new();
        if tell {
            acts.push(self.say(Prompt::EnrolLeft, &[Slot::count(left)]));
        }
        acts.extend(self.question());
        acts
    }

    fn back(&mut self) -> Vec<DonateAct> {
        let Some(text) = self.trail.pop() else {
            let mut acts = vec![self.say(Prompt::NothingBefore, &[])];
            acts.extend(self.question());
            return acts;
        };
        self.left_out.remove(&text);
        self.done.remove(&text);
        (self.at, self.takes) = (text, 0);
        let mut acts = vec![DonateAct::Forget { text }];
        acts.extend(self.question());
        acts
    }

    fn again(&self) -> Vec<DonateAct> {
        let mut acts = vec![self.say(Prompt::AskAgain, &[])];
        acts.extend(self.question());
        acts
    }

    fn go(&mut self, step: Step) -> Vec<DonateAct> {
        self.step = step;
        self.silent = 0;
        self.question()
    }

    /// The question that stands, or the text that is asked for.
    fn question(&self) -> Vec<DonateAct> {
        let one = |prompt| vec![self.say(prompt, &[])];
        match self.step {
            Step::Consent => CONSENT.map(|prompt| self.say(prompt, &[])).to_vec(),
            Step::Adult => one(Prompt::DonateAdult),
            Step::Guardian => one(Prompt::DonateGuardian),
            Step::Name => {
                let name = spoken_name(&self.donor.words, self.name());
                vec![self.say(Prompt::DonateName, &[Slot::Text(&name)])]
            }
            Step::Age => one(Prompt::DonateAge),
            Step::Region => one(Prompt::DonateRegion),
            Step::Paused => one(Prompt::DonatePaused),
            Step::AskFinish => one(Prompt::DonateAskFinish),
            Step::AskDelete => one(Prompt::DonateAskDelete),
            Step::Prompt => {
                let text = self.plan.get(self.at).map(String::as_str).unwrap_or_default();
                let words = self.donor.words.aloud(text);
                vec![self.say(Prompt::DonateSay, &[Slot::Words(&words)])]
            }
            Step::Over => Vec::new(),
        }
    }

    fn decline(&mut self) -> Vec<DonateAct> {
        self.end(DonateEnd::Declined, Prompt::DonateDeclined, &[])
    }

    fn later(&mut self) -> Vec<DonateAct> {
        // What was left out comes again another day.
        let left = Slot::count(self.plan.len() - self.done.len());
        self.end(DonateEnd::Later, Prompt::DonateLater, &[left])
    }

    fn end(&mut self, end: DonateEnd, prompt: Prompt, slots: &[Slot<'_>]) -> Vec<DonateAct> {
        self.step = Step::Over;
        vec![self.say(prompt, slots), DonateAct::End(end)]
    }

    fn say(&self, prompt: Prompt, slots: &[Slot<'_>]) -> DonateAct {
        DonateAct::Say(self.donor.words.prompt(prompt, slots))
    }
}

const CONSENT: [Prompt; 5] = [
    Prompt::DonateHello,
    Prompt::DonateWhat,
    Prompt::DonateLicence,
    Prompt::DonateWithdraw,
    Prompt::DonateConsent,
];
