//! The hosted side of Be Civic: the HTTP door, the submission pipeline, SQL, the repository.

pub mod address;
pub mod app;
pub mod bundled;
pub mod config;
pub mod consensus;
pub mod db;
pub mod erasure;
pub mod forge;
pub mod gate;
pub mod git;
pub mod http;
pub mod jobs;
pub mod limits;
pub mod live;
pub mod logs;
pub mod metrics;
pub mod moment;
pub mod pipeline;
pub mod probe;
pub mod rejection;
pub mod repository;
pub mod retraction;
pub mod review;
pub mod secrets;
pub mod serve;
pub mod served;
