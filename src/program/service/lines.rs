//! Outputs as JSON lines, the form that others test and build on.

use serde_json::{Map, Value, json};

use annabella_core::game::{At, Blind, HeardAs, Output};

/// The JSON lines of one output; none for internal ones. `blind` decides whether a move's seat is
/// called blind or sighted. Where both are blind, spoken lines have their player's colour.
pub fn json_lines(at: At, blind: Blind, output: &Output) -> Vec<Value> {
    let line = |key: &str, value: Value| {
        let mut object = Map::new();
        object.insert("t".to_owned(), json!(at.ms));
        object.insert(key.to_owned(), value);
        Value::Object(object)
    };
    match output {
        Output::Say { channel, seat, words, .. } => words
            .parts
            .iter()
            .map(|part| {
                let mut said = json!({ "channel": channel, "lang": part.lang, "text": part.text });
                if let Some(seat) = seat.filter(|_| blind == Blind::Both) {
                    said["seat"] = json!(seat.fold_wb("white", "black"));
                }
                line("say", said)
            })
            .collect(),
        Output::Move { ply, uci, san, seat, state, said } => {
            let seat = if blind.is(*seat) { "blind" } else { "sighted" };
            let mut moved =
                json!({ "ply": ply, "uci": uci, "san": san, "seat": seat, "state": state });
            if *said {
                moved["said"] = json!(true);
            }
            vec![line("move", moved)]
        }
        Output::Clock { white_ms, black_ms, running } => {
            let clock = json!({ "white_ms": white_ms, "black_ms": black_ms, "running": running });
            vec![line("clock", clock)]
        }
        Output::Problem { article, text, refused, detail } => {
            let mut problem = json!({ "article": article, "text": text, "detail": detail });
            if *refused {
                problem["detail"]["refused"] = json!(true);
            }
            vec![line("problem", problem)]
        }
        Output::Touched { seat, square, piece } => {
            let seat = if blind.is(*seat) { "blind" } else { "sighted" };
            let touched = json!({ "seat": seat, "square": square.to_string(), "piece": piece });
            vec![line("touched", touched)]
        }
        Output::Boards(boards) => vec![line("boards", json!(boards))],
        Output::Result { result, reason, article } => {
            vec![json!({ "t": at.ms, "result": result, "reason": reason, "article": article })]
        }
        Output::Heard(heard) => {
            let HeardAs { texts, decision, uci, command, candidates, permille } = &**heard;
            let confidence = f64::from(*permille) / 1000.0;
            let heard = json!({
                "texts": texts, "decision": decision, "move": uci, "command": command,
                "candidates": candidates, "confidence": confidence,
            });
            vec![line("heard", heard)]
        }
        Output::Show { seat, words } => {
            let seat = seat.fold_wb("white", "black");
            vec![line("show", json!({ "seat": seat, "text": words.to_string() }))]
        }
        // A sealed move in the making is shown nowhere.
        Output::Whisper { .. } => Vec::new(),
        Output::Proposal(proposal) => vec![line("proposal", json!(proposal))],
        Output::Settled(settled) => vec![line("settled", json!(settled))],
        Output::Correct { seat, steps } => {
            let seat = if blind.is(*seat) { "blind" } else { "sighted" };
            vec![line("correct", json!({ "seat": seat, "steps": steps }))]
        }
        Output::Ruled(ruled) => vec![line("ruling", json!(ruled))],
        Output::Manner { .. }
        | Output::Hush { .. }
        | Output::Codes { .. }
        | Output::Prepare { .. } => Vec::new(),
    }
}
