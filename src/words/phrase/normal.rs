//! Makes heard texts comparable.

use crate::text::is_unseen;

/// The words of a text in lower case, without punctuation and marks: `Läufer` is `laeufer`, `ß` is
/// `ss`, `ё` is `е`, `é` is `e`. Apostrophes and hyphens part words, as recognisers write them.
pub fn normal_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    for c in text.chars().flat_map(char::to_lowercase) {
        match c {
            // A decomposed umlaut; every other combining mark is dropped.
            '\u{308}' if word.ends_with(['a', 'o', 'u']) => word.push('e'),
            '\u{300}'..='\u{36f}' => {}
            c if is_unseen(c) => {}
            c if c.is_alphanumeric() => fold(c, &mut word),
            _ => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

fn fold(c: char, word: &mut String) {
    match c {
        'ä' | 'æ' => word.push_str("ae"),
        'ö' | 'œ' => word.push_str("oe"),
        'ü' => word.push_str("ue"),
        'ß' => word.push_str("ss"),
        'à' | 'á' | 'â' | 'ã' | 'å' | 'ą' => word.push('a'),
        'ç' | 'ć' | 'č' => word.push('c'),
        'è' | 'é' | 'ê' | 'ë' | 'ę' | 'ė' => word.push('e'),
        'ì' | 'í' | 'î' | 'ï' | 'į' => word.push('i'),
        'ł' => word.push('l'),
        'ñ' | 'ń' => word.push('n'),
        'ò' | 'ó' | 'ô' | 'õ' => word.push('o'),
        'š' | 'ś' => word.push('s'),
        'ù' | 'ú' | 'û' | 'ų' | 'ū' => word.push('u'),
        'ž' | 'ź' | 'ż' => word.push('z'),
        'ё' => word.push('е'),
        'й' => word.push('и'),
        c => word.push(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_does_not_matter() {
        assert_eq!(
            normal_words("Läufer Cesar fünf, Schach!").join(" "),
            "laeufer cesar fuenf schach"
        );
        assert_eq!(normal_words("La\u{308}ufer"), normal_words("Laeufer"));
        assert_eq!(normal_words("J’adoube"), normal_words("j' adoube"));
        assert_eq!(normal_words("Ферзь бьёт и\u{306}"), ["ферзь", "бьет", "и"]);
        assert_eq!(normal_words("quatre-vingts").len(), 2);
        assert!(normal_words(" ?! ").is_empty());
        // Marks that nobody sees: text that was copied has them.
        assert_eq!(normal_words("\u{200f}e\u{200b}4\u{2069}"), ["e4"]);
    }
}
