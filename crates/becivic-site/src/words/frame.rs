//! The page around every text.

super::table! {
    /// The page around every text.
    Frame {
        site: "Be Civic", "Be Civic", "Be Civic", "Be Civic";
        skip: "Skip to the text", "Aller au texte", "Naar de tekst", "Zum Text";
        menu: "Menu", "Menu", "Menu", "Menü";
        close: "Close", "Fermer", "Sluiten", "Schließen";
        skills: "Procedures", "Procédures", "Procedures", "Verfahren";
        paths: "Documents and desks", "Documents et guichets", "Documenten en loketten", "Dokumente und Schalter";
        agents: "For agents", "Pour les agents", "Voor agents", "Für Agenten";
        docs: "How it works", "Comment ça marche", "Hoe het werkt", "So funktioniert es";
        activity: "Activity", "Activité", "Activiteit", "Aktivität";
        search: "Search", "Rechercher", "Zoeken", "Suchen";
        theme: "Dark", "Sombre", "Donker", "Dunkel";
        what_to_do: "What do you want to arrange?", "Que voulez-vous régler ?", "Wat wilt u regelen?", "Was möchten Sie erledigen?";
        search_in: "Address, permit, birth act…", "Adresse, permis, acte de naissance…", "Adres, vergunning, geboorteakte…", "Adresse, Aufenthaltstitel, Geburtsurkunde…";
        language: "Language", "Langue", "Taal", "Sprache";
        on_this_page: "On this page", "Sur cette page", "Op deze pagina", "Auf dieser Seite";
        agent_line: "Agents: read this page as", "Agents : lisez cette page en", "Agents: lees deze pagina als", "Agenten: Lesen Sie diese Seite als";
        and_start: "and start at", "et commencez par", "en begin bij", "und beginnen Sie bei";
        licence: "Text, schemas and code are published under", "Textes, schémas et code sont publiés sous", "Teksten, schema’s en code zijn gepubliceerd onder", "Texte, Schemas und Code stehen unter";
        not_the_state: "Be Civic is not affiliated with the Belgian government.", "Be Civic n’est pas affilié au gouvernement belge.", "Be Civic is niet verbonden met de Belgische overheid.", "Be Civic ist nicht mit der belgischen Regierung verbunden.";
        no_cookies: "No account, no cookies, no trackers.", "Ni compte, ni cookies, ni traceurs.", "Geen account, geen cookies, geen trackers.", "Kein Konto, keine Cookies, keine Tracker.";
        privacy: "Privacy", "Vie privée", "Privacy", "Datenschutz";
        log: "Changes of status", "Changements de statut", "Statuswijzigingen", "Statusänderungen";
        mcp: "MCP address", "Adresse MCP", "MCP-adres", "MCP-Adresse";
        missing_title: "There is nothing here", "Il n’y a rien ici", "Hier is niets", "Hier ist nichts";
        missing_text: "No page of this site has that address. It may have been mistyped, or the page may have another name now.", "Aucune page de ce site n’a cette adresse. Elle est peut-être mal écrite, ou la page porte un autre nom maintenant.", "Geen pagina van deze site heeft dat adres. Misschien is het verkeerd getypt, of heet de pagina nu anders.", "Keine Seite dieser Website hat diese Adresse. Vielleicht ist sie falsch geschrieben, oder die Seite heißt jetzt anders.";
        did_you_mean: "Did you mean one of these?", "Cherchiez-vous l’une de celles-ci ?", "Bedoelde u een van deze?", "Meinten Sie eine von diesen?";
        gone_title: "This was taken down", "Ceci a été retiré", "Dit is weggehaald", "Das wurde entfernt";
        other_ways: "Perhaps one of these ways leads further:", "L’un de ces chemins vous mènera peut-être plus loin :", "Misschien helpt een van deze wegen u verder:", "Vielleicht führt einer dieser Wege weiter:";
        gone_text: "What stood at this address is not published any more.", "Ce qui se trouvait à cette adresse n’est plus publié.", "Wat op dit adres stond, is niet meer gepubliceerd.", "Was an dieser Adresse stand, wird nicht mehr veröffentlicht.";
    }
}
