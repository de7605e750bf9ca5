//! becivic
fn main() {}
