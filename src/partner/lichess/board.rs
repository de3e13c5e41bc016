//! A game on Lichess, as the table far away.

use shakmaty::Color;

use super::{
    listen::Listener,
    news::{self, Full},
    site::Site,
    words,
};
use crate::{
    door::Door,
    far::{
        follow::Far,
        sit::{Sitter, WhenGone},
        there::{Act, FarError, Heard, News, There, Waits},
        told::Told,
    },
};

/// How a person there is played with.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wishes {
    /// What the opponent writes is said.
    pub chat: bool,
    pub when_gone: WhenGone,
}

/// A game there.
#[derive(Debug)]
pub struct Board {
    site: Site,
    /// The game's number.
    id: String,
    /// The own account, in small letters.
    account: String,
    from: Listener<news::News>,
    chat: bool,
}

impl Board {
    /// Whoever sits at a game that `from` tells of, whose first line was `full`.
    pub fn sits(
        (door, site): (Door, Site),
        account: &str,
        (full, own): (&Full, Color),
        from: Listener<news::News>,
        wishes: Wishes,
        tell: fn(&str),
    ) -> Sitter<Board> {
        let far = Far::at_server(own, &full.start, full.state.clone());
        let opponent = full.names[usize::from(own.is_white())].clone();
        let (id, account) = (full.id.clone(), account.to_owned());
        let board = Board { site, id, account, from, chat: wishes.chat };
        Sitter::new((door, board), (far, &opponent), wishes.when_gone, tell)
    }

    fn read(&self, line: news::News) -> News {
        match line {
            news::News::Full(full) => News::State(full.state),
            news::News::State(state) => News::State(state),
            news::News::Gone { gone, claim_s } => News::Gone { gone, claim_s },
            news::News::Chat { room, name, text } => {
                let own = name.to_lowercase() == self.account;
                // What the server itself writes there is known here otherwise.
                let other = room == "player" && !own && name != "lichess";
                match self.chat && other && !text.is_empty() {
                    true => News::Chat(text),
                    false => News::Nothing,
                }
            }
            news::News::Other => News::Nothing,
        }
    }
}

impl There for Board {
    async fn next(&mut self) -> Heard<News> {
        match self.from.next().await {
            Heard::Line(line) => Heard::Line(self.read(line)),
            Heard::Lost(err) => Heard::Lost(err),
            Heard::Closed(err) => Heard::Closed(err),
        }
    }

    async fn does(&mut self, act: Act<'_>) -> Result<(), FarError> {
        let with_offer;
        let what = match act {
            Act::Move { uci, offering } => {
                let offering = if offering { "?offeringDraw=true" } else { "" };
                with_offer = format!("move/{uci}{offering}");
                &with_offer
            }
            Act::OfferDraw => "draw/yes",
            Act::DeclineDraw => "draw/no",
            Act::RefuseTakeback => "takeback/no",
            Act::Abort => "abort",
            Act::Resign => "resign",
            Act::ClaimDraw | Act::ClaimDrawOfGone => "claim-draw",
            Act::ClaimVictory => "claim-victory",
        };
        self.site.post(&format!("/api/board/game/{}/{what}", self.id), &[]).await
    }

    fn renew(&self) {
        self.from.renew();
    }

    fn waits(&self) -> Waits {
        self.site.waits
    }

    fn name(&self) -> &str {
        self.site.name()
    }

    fn sentence(&self, told: Told, language: &str) -> &'static str {
        words::sentence(told, language)
    }
}
