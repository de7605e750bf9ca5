//! `robots.txt`: everything may be read but the maintainers' desk, internal routes and endless pages of results.

use crate::world::World;

/// The file.
pub fn text(world: &World<'_>) -> String {
    format!(
        "# Agents: start at {base}/llms.txt and {base}/agents.\n\
         User-agent: *\n\
         Disallow: /review\n\
         Disallow: /api/_internal/\n\
         Disallow: /search?\n\
         \n\
         Sitemap: {base}/sitemap.xml\n",
        base = world.base
    )
}
