//! `standings`: where every artefact stands, and what its cohort says. A row is changed in the transaction of what changes it:
//! a verdict that lands, a commit that joins `main`, a row of the catalogue that takes another's place.

use super::{DbError, Param, Row, Tx};
use crate::moment::Moment;
use becivic_core::consensus::Tally;
use becivic_core::vocabulary::Status;

/// One artefact's.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the columns
pub struct Standing {
    pub target_type: String,
    pub target_id: String,
    pub status: String,
    pub version: String,
    pub cohort: String,
    pub started_at: Moment,
    pub first_at: Moment,
    pub withheld: bool,
    pub tally: Tally,
    pub base: (i64, i64),
    pub last_confirm_day: Option<Moment>,
    pub last_vote_day: Option<Moment>,
    pub look_at: Option<Moment>,
    /// Where the transparency log tells of it last.
    pub log_position: Option<i64>,
}

impl Standing {
    /// One that begins: nobody has voted.
    pub fn new(
        (target_type, target_id): (&str, &str),
        status: &str,
        version: &str,
        cohort: String,
        now: Moment,
    ) -> Self {
        Self {
            target_type: target_type.to_owned(),
            target_id: target_id.to_owned(),
            status: status.to_owned(),
            version: version.to_owned(),
            cohort,
            started_at: now,
            first_at: now,
            withheld: false,
            tally: Tally::default(),
            base: (0, 0),
            last_confirm_day: None,
            last_vote_day: None,
            look_at: None,
            log_position: None,
        }
    }

    /// The status it is served with: a flag that quarantines is ahead of the file.
    pub fn served(&self) -> Option<Status> {
        if self.withheld { Some(Status::Quarantined) } else { Status::named(&self.status) }
    }

    /// `type:id`, as verdicts name the artefact they count for.
    pub fn artefact(&self) -> String {
        artefact(&self.target_type, &self.target_id)
    }

    /// The next cohort's key on a version line.
    pub fn next_cohort(&self, line: &str) -> String {
        let number = self.cohort.rsplit_once('#').and_then(|(_, number)| number.parse::<u64>().ok());
        format!("{line}#{}", number.unwrap_or(0) + 1)
    }

    /// The `major.minor` its cohort is of; the whole key where there is none.
    pub fn line(&self) -> &str {
        self.cohort.rsplit_once('#').map_or(self.cohort.as_str(), |(line, _)| line)
    }
}

/// `type:id`.
pub fn artefact(target_type: &str, target_id: &str) -> String {
    [target_type, ":", target_id].concat()
}

macro_rules! columns {
    () => {
        "target_type, target_id, status, version, cohort, started_at, first_at, withheld, confirms, rejects, \
         confirm_records, reject_records, voters, rejecters, flaggers, carried_flaggers, probe_confirms, probe_rejects, \
         probe_confirm_records, probe_reject_records, base_confirms, base_rejects, last_confirm_day, last_vote_day, \
         look_at, confirm_days, confirm_day, log_position"
    };
}

/// One artefact's standing.
pub fn find(tx: &mut dyn Tx, target_type: &str, target_id: &str) -> Result<Option<Standing>, DbError> {
    tx.first(FIND, &[target_type.into(), target_id.into()])?.as_ref().map(read).transpose()
}

pub(super) const FIND: &str =
    concat!("SELECT ", columns!(), " FROM standings WHERE target_type = $1 AND target_id = $2");

/// The same, and nobody else changes it until this transaction ends.
pub fn lock(tx: &mut dyn Tx, target_type: &str, target_id: &str) -> Result<Option<Standing>, DbError> {
    const LOCK: &str = concat!(
        "UPDATE standings SET withheld = withheld WHERE target_type = $1 AND target_id = $2 RETURNING ",
        columns!()
    );
    if tx.writes_alone() {
        return find(tx, target_type, target_id);
    }
    tx.first(LOCK, &[target_type.into(), target_id.into()])?.as_ref().map(read).transpose()
}

/// Stores a standing where there is none.
pub fn begin(tx: &mut dyn Tx, it: &Standing) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO standings (target_type, target_id, status, version, cohort, started_at, first_at, withheld) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (target_type, target_id) DO NOTHING";
    let [identity, standing] = fixed(it);
    tx.execute(SQL, &identity.into_iter().chain(standing).collect::<Vec<_>>()).map(drop)
}

/// Stores a standing, in the place of the one that is there.
pub fn store(tx: &mut dyn Tx, it: &Standing) -> Result<(), DbError> {
    const SQL: &str = concat!(
        "INSERT INTO standings (",
        columns!(),
        ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, \
         $23, $24, $25, $26, $27, $28) ON CONFLICT (target_type, target_id) DO UPDATE SET status = excluded.status, \
         version = excluded.version, cohort = excluded.cohort, started_at = excluded.started_at, \
         first_at = excluded.first_at, withheld = excluded.withheld, confirms = excluded.confirms, \
         rejects = excluded.rejects, confirm_records = excluded.confirm_records, \
         reject_records = excluded.reject_records, voters = excluded.voters, rejecters = excluded.rejecters, \
         flaggers = excluded.flaggers, carried_flaggers = excluded.carried_flaggers, probe_confirms = excluded.probe_confirms, \
         probe_rejects = excluded.probe_rejects, probe_confirm_records = excluded.probe_confirm_records, \
         probe_reject_records = excluded.probe_reject_records, base_confirms = excluded.base_confirms, \
         base_rejects = excluded.base_rejects, last_confirm_day = excluded.last_confirm_day, \
         last_vote_day = excluded.last_vote_day, look_at = excluded.look_at, \
         confirm_days = excluded.confirm_days, confirm_day = excluded.confirm_day, log_position = excluded.log_position"
    );
    let [identity, standing] = fixed(it);
    let counts = counted(it);
    let params: Vec<Param<'_>> = identity.into_iter().chain(standing).chain(counts).collect();
    tx.execute(SQL, &params).map(drop)
}

fn fixed(it: &Standing) -> [Vec<Param<'_>>; 2] {
    let identity = vec![
        (&it.target_type).into(),
        (&it.target_id).into(),
        (&it.status).into(),
        (&it.version).into(),
        (&it.cohort).into(),
    ];
    [identity, vec![it.started_at.0.into(), it.first_at.0.into(), i64::from(it.withheld).into()]]
}

fn counted(it: &Standing) -> Vec<Param<'_>> {
    let day = |day: Option<Moment>| Param::from(day.map(|day| day.0));
    let counts = tallied(&it.tally).into_iter().chain([it.base.0, it.base.1]).map(Param::Int);
    let last = [Param::Int(it.tally.confirm_days), it.tally.confirm_day.into(), it.log_position.into()];
    counts.chain([day(it.last_confirm_day), day(it.last_vote_day), day(it.look_at)]).chain(last).collect()
}

fn tallied(it: &Tally) -> [i64; 12] {
    [
        it.confirms,
        it.rejects,
        it.confirm_records,
        it.reject_records,
        it.voters,
        it.rejecters,
        it.flaggers,
        it.carried_flaggers,
        it.probe_confirms,
        it.probe_rejects,
        it.probe_confirm_records,
        it.probe_reject_records,
    ]
}

/// Stores a tally and the days it speaks of, and nothing else: of a row that is there and locked. No index is touched.
pub fn count(tx: &mut dyn Tx, it: &Standing) -> Result<(), DbError> {
    const SQL: &str = "UPDATE standings SET confirms = $1, rejects = $2, confirm_records = $3, reject_records = $4, \
         voters = $5, rejecters = $6, flaggers = $7, carried_flaggers = $8, probe_confirms = $9, probe_rejects = $10, \
         probe_confirm_records = $11, probe_reject_records = $12, last_confirm_day = $13, last_vote_day = $14, \
         confirm_days = $15, confirm_day = $16 WHERE target_type = $17 AND target_id = $18";
    let day = |day: Option<Moment>| Param::from(day.map(|day| day.0));
    let mut params: Vec<Param<'_>> = tallied(&it.tally).into_iter().map(Param::Int).collect();
    params.extend([day(it.last_confirm_day), day(it.last_vote_day)]);
    params.extend([Param::Int(it.tally.confirm_days), it.tally.confirm_day.into()]);
    params.extend([Param::from(&it.target_type), (&it.target_id).into()]);
    tx.execute(SQL, &params).map(drop)
}

/// Removes the standing of an artefact that is gone.
pub fn remove(tx: &mut dyn Tx, target_type: &str, target_id: &str) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM standings WHERE target_type = $1 AND target_id = $2";
    tx.execute(SQL, &[target_type.into(), target_id.into()]).map(drop)
}

/// Artefacts whose time has come, those that wait longest first.
pub fn due(tx: &mut dyn Tx, now: Moment, limit: i64) -> Result<Vec<Standing>, DbError> {
    tx.query(DUE, &[now.0.into(), limit.into()])?.iter().map(read).collect()
}

pub(super) const DUE: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM standings WHERE look_at IS NOT NULL AND look_at <= $1 ORDER BY look_at LIMIT $2"
);

/// Says when to look next.
pub fn look_at(
    tx: &mut dyn Tx,
    target_type: &str,
    target_id: &str,
    at: Option<Moment>,
) -> Result<(), DbError> {
    const SQL: &str = "UPDATE standings SET look_at = $1 WHERE target_type = $2 AND target_id = $3";
    tx.execute(SQL, &[at.map(|at| at.0).into(), target_type.into(), target_id.into()]).map(drop)
}

/// Says where the transparency log tells of an artefact last.
pub fn logged(tx: &mut dyn Tx, (target_type, target_id): (&str, &str), position: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE standings SET log_position = $1 WHERE target_type = $2 AND target_id = $3";
    tx.execute(SQL, &[position.into(), target_type.into(), target_id.into()]).map(drop)
}

/// Whether a row of a page comes after the one named; pages of everything, in the order of their keys.
pub fn page(
    tx: &mut dyn Tx,
    (target_type, target_id): (&str, &str),
    limit: i64,
) -> Result<Vec<Standing>, DbError> {
    tx.query(PAGE, &[target_type.into(), target_id.into(), limit.into()])?.iter().map(read).collect()
}

pub(super) const PAGE: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM standings WHERE (target_type, target_id) > ($1, $2) ORDER BY target_type, target_id LIMIT $3"
);

/// Id, status and version of every artefact of a type.
pub fn of_type(tx: &mut dyn Tx, target_type: &str) -> Result<Vec<(String, String, String)>, DbError> {
    let rows = tx.query(OF_TYPE, &[target_type.into()])?;
    rows.iter().map(|row| Ok((row.text(0)?, row.text(1)?, row.text(2)?))).collect()
}

pub(super) const OF_TYPE: &str = "SELECT target_id, status, version FROM standings WHERE target_type = $1";

/// The artefact that names the last entry of the transparency log of all, and that entry.
pub fn named_last(tx: &mut dyn Tx) -> Result<Option<(String, i64)>, DbError> {
    const SQL: &str = "SELECT target_type, target_id, log_position FROM standings \
         WHERE log_position = (SELECT MAX(log_position) FROM standings)";
    let read = |row: &Row| Ok((artefact(&row.text(0)?, &row.text(1)?), row.int(2)?));
    tx.first(SQL, &[])?.as_ref().map(read).transpose()
}

/// An artefact as it is served, beside what the transparency log tells of it last.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the columns
pub struct Served {
    pub target_id: String,
    pub status: Option<Status>,
    pub version: String,
    pub entry: Option<Vec<u8>>,
}

/// Goes through every artefact of a type, in the order of their ids; few are in memory at a time.
pub fn each_served(
    tx: &mut dyn Tx,
    target_type: &str,
    mut see: impl FnMut(Served) -> Result<(), DbError>,
) -> Result<(), DbError> {
    const PAGE: i64 = 1_000;
    let mut after = String::new();
    loop {
        let rows = tx.query(SERVED, &[target_type.into(), after.as_str().into(), PAGE.into()])?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = last.text(0)?;
        for row in &rows {
            let withheld = row.int(3)? == 1;
            let status = if withheld { Some(Status::Quarantined) } else { Status::named(&row.text(1)?) };
            let (target_id, version) = (row.text(0)?, row.text(2)?);
            see(Served { target_id, status, version, entry: row.maybe_bytes(4)? })?;
        }
    }
}

pub(super) const SERVED: &str = "SELECT target_id, status, version, withheld, entry FROM standings \
     LEFT JOIN log_entries ON position = log_position WHERE target_type = $1 AND target_id > $2 \
     ORDER BY target_id LIMIT $3";

/// A current row of the catalogue that has no standing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the columns
pub struct MissingRow {
    pub target_type: String,
    pub uid: String,
    pub status: String,
    pub row_key: String,
}

/// Rows of the catalogue that have no standing.
pub fn missing_rows(tx: &mut dyn Tx) -> Result<Vec<MissingRow>, DbError> {
    const SQL: &str = "SELECT CASE r.prefix WHEN 'val' THEN 'volatile_value' ELSE 'reference' END, r.uid, r.status, \
         r.row_key FROM catalogue_rows r WHERE r.superseded_at IS NULL AND NOT EXISTS \
         (SELECT 1 FROM standings s WHERE s.target_id = r.uid \
         AND s.target_type = CASE r.prefix WHEN 'val' THEN 'volatile_value' ELSE 'reference' END)";
    let read = |row: &Row| {
        let (target_type, uid, status, row_key) = (row.text(0)?, row.text(1)?, row.text(2)?, row.text(3)?);
        Ok(MissingRow { target_type, uid, status, row_key })
    };
    tx.query(SQL, &[])?.iter().map(read).collect()
}

/// Skills and paths that a flag has put away before their files say so, as `(type, id)`.
pub fn withheld(tx: &mut dyn Tx) -> Result<Vec<(String, String)>, DbError> {
    tx.query(WITHHELD, &[])?.iter().map(|row| Ok((row.text(0)?, row.text(1)?))).collect()
}

pub(super) const WITHHELD: &str = "SELECT target_type, target_id FROM standings \
     WHERE withheld = 1 AND target_type > ''";

fn read(row: &Row) -> Result<Standing, DbError> {
    let tally = Tally {
        confirms: row.int(8)?,
        rejects: row.int(9)?,
        confirm_records: row.int(10)?,
        reject_records: row.int(11)?,
        confirm_days: row.int(25)?,
        confirm_day: row.maybe_int(26)?,
        voters: row.int(12)?,
        rejecters: row.int(13)?,
        flaggers: row.int(14)?,
        carried_flaggers: row.int(15)?,
        probe_confirms: row.int(16)?,
        probe_rejects: row.int(17)?,
        probe_confirm_records: row.int(18)?,
        probe_reject_records: row.int(19)?,
    };
    Ok(Standing {
        target_type: row.text(0)?,
        target_id: row.text(1)?,
        status: row.text(2)?,
        version: row.text(3)?,
        cohort: row.text(4)?,
        started_at: Moment(row.int(5)?),
        first_at: Moment(row.int(6)?),
        withheld: row.int(7)? == 1,
        tally,
        base: (row.int(20)?, row.int(21)?),
        last_confirm_day: row.maybe_int(22)?.map(Moment),
        last_vote_day: row.maybe_int(23)?.map(Moment),
        look_at: row.maybe_int(24)?.map(Moment),
        log_position: row.maybe_int(27)?,
    })
}
