//! Every source of a class is to be looked at again: an authority has changed its portal. Each is shown as stale until somebody,
//! or a probe, confirms it.

use super::{Done, Record, Refused, decide};
use crate::app::App;
use crate::db::source_tallies::{self, OfSource};
use crate::db::standings;
use becivic_core::path::SourceClass;

/// Asks for every source of a class to be confirmed again.
pub(super) async fn revalidate(app: &App, record: Record, class: SourceClass) -> Result<Done, Refused> {
    let live = app.live.load_full();
    let paths = live.corpus.paths.iter().flat_map(|paths| &paths.entries);
    // In the order of their ids, so that two who do this at once do not wait for each other.
    let named: Vec<(String, String)> = paths
        .flat_map(|(id, path)| path.entry.sources.iter().map(move |source| (id, source)))
        .filter(|(_, source)| source.source_class == class)
        .map(|(id, source)| (id.clone(), source.id.clone()))
        .collect();
    if named.is_empty() {
        return Err(Refused::Missing(format!("No path has a source of the class {class}.")));
    }
    decide(app, move |tx| {
        if let Err(refused) = record.permit(tx)? {
            return Ok(Err(refused));
        }
        for (path, source) in &named {
            let standing = standings::lock(tx, "path", path)?;
            let new = || OfSource {
                source_id: source.clone(),
                cohort: standing.map(|it| it.cohort).unwrap_or_default(),
                ..OfSource::default()
            };
            let mut of_source = source_tallies::find(tx, path, source)?.unwrap_or_else(new);
            of_source.revalidate = true;
            source_tallies::store(tx, path, &of_source)?;
        }
        record.write(tx, &format!("source_class:{class}"))?;
        let many = if named.len() == 1 { "1 source".to_owned() } else { format!("{} sources", named.len()) };
        Ok(Ok(Done { text: format!("{many} of the class {class} are stale until somebody confirms them.") }))
    })
    .await
}
