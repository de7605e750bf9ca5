//! The seeds of the fuzz targets, run like the fuzzer would.

use crate::fixture_dir;
use becivic_core::fuzzing;

#[test]
fn every_seed_passes_its_target() {
    type Target = fn(&[u8]);
    let targets: [(&str, Target); 7] = [
        ("frontmatter", fuzzing::frontmatter),
        ("mdx", fuzzing::mdx),
        ("names", fuzzing::names),
        ("paths_index", fuzzing::paths_index),
        ("scrub", fuzzing::scrub),
        ("scrub_rules", fuzzing::scrub_rules),
        ("unified_diff", fuzzing::unified_diff),
    ];
    for (name, target) in targets {
        let folder = fixture_dir().join("../fuzz/seeds").join(name);
        let seeds: Vec<_> = std::fs::read_dir(&folder).expect("seeds").flatten().collect();
        assert!(seeds.len() >= 5, "{name} has {} seeds", seeds.len());
        for seed in seeds {
            target(&std::fs::read(seed.path()).expect("a seed"));
        }
    }
}
