//! How good the recogniser is on marked lines: `phenomenon TAB community TAB text with [[names]]`.

use becivic_core::names::Names;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::Path;

/// Anything that stops reading.
pub type Failure = Box<dyn std::error::Error>;

/// The languages there are lines in.
const LANGUAGES: [&str; 4] = ["fr", "nl", "de", "en"];

/// A marked line.
pub struct Line {
    /// The language of its file.
    pub language: String,
    /// What makes it hard.
    pub phenomenon: String,
    /// Whose names it has; `-` where it has none.
    pub community: String,
    /// The text, marks taken out.
    pub text: String,
    /// Where its names are.
    pub names: Vec<Range<usize>>,
}

/// Reads `<prefix><language>.txt` of a folder for the four languages.
pub fn read(folder: &Path, prefix: &str) -> Result<Vec<Line>, Failure> {
    let mut lines = Vec::new();
    for language in LANGUAGES {
        let path = folder.join(format!("{prefix}{language}.txt"));
        let Ok(text) = fs::read_to_string(&path) else {
            return Err(format!("{} cannot be read", path.display()).into());
        };
        for (number, line) in
            text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        {
            let read = marked(language, line)
                .ok_or_else(|| format!("{}:{}: not a marked line", path.display(), number + 1))?;
            lines.push(read);
        }
    }
    Ok(lines)
}

fn marked(language: &str, line: &str) -> Option<Line> {
    let mut fields = line.splitn(3, '\t');
    let (phenomenon, community, marked) = (fields.next()?, fields.next()?, fields.next()?);
    let mut text = String::new();
    let mut names = Vec::new();
    let mut rest = marked;
    while let Some((before, after)) = rest.split_once("[[") {
        let (name, after) = after.split_once("]]")?;
        text.push_str(before);
        let start = text.len();
        text.push_str(name);
        names.push(start..text.len());
        rest = after;
    }
    text.push_str(rest);
    let fits = names.is_empty() == (community == "-");
    fits.then(|| Line {
        language: language.to_owned(),
        phenomenon: phenomenon.to_owned(),
        community: community.to_owned(),
        text,
        names,
    })
}

/// Some of many, with the interval the true share lies in 95 times of 100 (Wilson).
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Share {
    /// How many.
    pub hits: usize,
    /// Of how many.
    pub of: usize,
    /// The share.
    pub share: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Share {
    fn count(&mut self, hit: bool) {
        self.of += 1;
        self.hits += usize::from(hit);
        let (n, z) = (self.of as f64, 1.96);
        let p = self.hits as f64 / n;
        let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let reach = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
        (self.share, self.low, self.high) = (p, (middle - reach).max(0.0), (middle + reach).min(1.0));
    }
}

/// What a set of lines shows.
#[derive(Debug, Default, Serialize)]
pub struct Scores {
    /// Names that are found, all and by language, community and phenomenon.
    pub recall: BTreeMap<String, Share>,
    /// Lines without a name that are held all the same, all and by language and phenomenon.
    pub held: BTreeMap<String, Share>,
    /// Spans found that touch a name, by language.
    pub precision: BTreeMap<String, Share>,
}

/// Scores the lines; `tell` hears of each line that went wrong.
pub fn score(names: &Names<'_>, lines: &[Line], mut tell: impl FnMut(&Line, &str)) -> Scores {
    let mut scores = Scores::default();
    for line in lines {
        let found = names.find(&line.text).persons;
        let touches = |name: &Range<usize>| found.iter().any(|it| it.start < name.end && name.start < it.end);
        let tags = [
            "all".to_owned(),
            format!("language {}", line.language),
            format!("community {}", line.community),
            format!("phenomenon {}", line.phenomenon),
        ];
        for name in &line.names {
            let hit = touches(name);
            tags.iter().for_each(|tag| scores.recall.entry(tag.clone()).or_default().count(hit));
            if !hit {
                tell(line, &format!("missed {}", &line.text[name.clone()]));
            }
        }
        if line.names.is_empty() {
            for tag in tags.iter().filter(|tag| !tag.starts_with("community")) {
                scores.held.entry(tag.clone()).or_default().count(!found.is_empty());
            }
        }
        for person in &found {
            let hit = line.names.iter().any(|name| person.start < name.end && name.start < person.end);
            tags[..2].iter().for_each(|tag| scores.precision.entry(tag.clone()).or_default().count(hit));
            if !hit {
                tell(line, &format!("took {} ({})", &line.text[person.start..person.end], person.score));
            }
        }
    }
    scores
}
