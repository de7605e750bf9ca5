#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| becivic_core::fuzzing::names(data));
