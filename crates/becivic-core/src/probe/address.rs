//! An address that may be asked: https on its own port, a named host that is listed, no user. Whoever holds one may ask it.

use crate::url_policy::{self, Refused};
use url::Url;

/// Why an address may not be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// Its form: another scheme, a port, a user, a number instead of a name.
    #[error("{0}")]
    Form(Refused),
    /// Its host is not in `schemas/source-classes.json`.
    #[error("its host is not listed")]
    Unlisted,
}

/// An address that may be asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    url: Url,
    host: String,
}

impl Address {
    /// Reads an address, with the hosts that are listed.
    pub fn read(text: &str, is_listed: &dyn Fn(&str) -> bool) -> Result<Self, Unfit> {
        let host = url_policy::host(text).map_err(Unfit::Form)?.into_owned();
        let malformed = Unfit::Form(Refused::Malformed);
        let mut url = Url::parse(text).map_err(|_| malformed)?;
        // `host.` is the same host with another name: it is asked, and counted, under one.
        url.set_host(Some(&host)).map_err(|_| malformed)?;
        url.set_fragment(None);
        if !is_listed(&host) {
            return Err(Unfit::Unlisted);
        }
        Ok(Self { url, host })
    }

    /// Where a redirect from here leads.
    pub fn lead(&self, location: &str, is_listed: &dyn Fn(&str) -> bool) -> Result<Self, Unfit> {
        let joined = self.url.join(location.trim()).map_err(|_| Unfit::Form(Refused::Malformed))?;
        Self::read(joined.as_str(), is_listed)
    }

    /// Another path on the same host.
    pub fn beside(&self, path: &str) -> Self {
        let mut url = self.url.clone();
        url.set_path(path);
        url.set_query(None);
        Self { url, host: self.host.clone() }
    }

    /// The host, in lower case.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The whole address.
    pub fn as_str(&self) -> &str {
        self.url.as_str()
    }

    /// Path and query, as a request names them.
    pub fn target(&self) -> &str {
        &self.url[url::Position::BeforePath..url::Position::AfterQuery]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(host: &str) -> bool {
        host == "www.belgium.be" || host == "irisbox.irisnet.be"
    }

    #[test]
    fn only_listed_https_hosts_are_asked() {
        let read = |text| Address::read(text, &listed);
        let address = read("https://WWW.belgium.be.:443/fr?x=1#y").expect("fit");
        assert_eq!(address.as_str(), "https://www.belgium.be/fr?x=1");
        assert_eq!((address.host(), address.target()), ("www.belgium.be", "/fr?x=1"));
        assert_eq!(address.beside("/robots.txt").as_str(), "https://www.belgium.be/robots.txt");
        for (text, why) in [
            ("http://www.belgium.be/", Unfit::Form(Refused::NotHttps)),
            ("https://www.belgium.be:8443/", Unfit::Form(Refused::Port)),
            ("https://me@www.belgium.be/", Unfit::Form(Refused::UserInfo)),
            ("https://169.254.169.254/", Unfit::Form(Refused::IpLiteral)),
            ("https://www.belgium.be.example.org/", Unfit::Unlisted),
            ("https://belgium.be/", Unfit::Unlisted),
        ] {
            assert_eq!(read(text), Err(why), "{text}");
        }
    }

    #[test]
    fn a_redirect_is_held_to_the_same() {
        let from = Address::read("https://www.belgium.be/fr/a?x=1", &listed).expect("fit");
        let led = |location| from.lead(location, &listed).map(|it| it.as_str().to_owned());
        assert_eq!(led("../b").as_deref(), Ok("https://www.belgium.be/b"));
        assert_eq!(led("//irisbox.irisnet.be/x").as_deref(), Ok("https://irisbox.irisnet.be/x"));
        for (location, why) in [
            ("http://www.belgium.be/", Unfit::Form(Refused::NotHttps)),
            ("https://10.0.0.1/", Unfit::Form(Refused::IpLiteral)),
            ("https://localhost/", Unfit::Form(Refused::Malformed)),
            ("https://elsewhere.example/", Unfit::Unlisted),
            ("file:///etc/passwd", Unfit::Form(Refused::NotHttps)),
        ] {
            assert_eq!(led(location), Err(why), "{location}");
        }
    }
}
