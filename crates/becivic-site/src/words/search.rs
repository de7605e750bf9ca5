//! The search page.

super::table! {
    /// The search page.
    Search {
        title: "Search", "Rechercher", "Zoeken", "Suchen";
        intro: "Search procedures, documents and desks in English, French, Dutch or German, in any mix.", "Cherchez des procédures, des documents et des guichets en français, en néerlandais, en allemand ou en anglais, même mélangés.", "Zoek procedures, documenten en loketten in het Nederlands, Frans, Duits of Engels, ook door elkaar.", "Suchen Sie Verfahren, Dokumente und Schalter auf Deutsch, Französisch, Niederländisch oder Englisch, auch gemischt.";
        label: "What are you looking for?", "Que cherchez-vous ?", "Wat zoekt u?", "Was suchen Sie?";
        button: "Search", "Chercher", "Zoeken", "Suchen";
        results: "Results", "Résultats", "Resultaten", "Ergebnisse";
        found: "Results: {}", "Résultats : {}", "Resultaten: {}", "Ergebnisse: {}";
        none: "Nothing was found.", "Rien n’a été trouvé.", "Er is niets gevonden.", "Es wurde nichts gefunden.";
        help: "If nothing is found", "Si rien n’est trouvé", "Als er niets gevonden wordt", "Wenn nichts gefunden wird";
        help_words: "Use one or two words, as an office would say them. A small spelling mistake or a missing accent does no harm.", "Utilisez un ou deux mots, comme les dirait une administration. Une petite faute ou un accent oublié ne gênent pas.", "Gebruik een of twee woorden, zoals een dienst ze zou zeggen. Een kleine tikfout of een vergeten accent is geen probleem.", "Verwenden Sie ein oder zwei Wörter, wie ein Amt sie sagen würde. Ein kleiner Tippfehler oder ein fehlender Akzent schadet nicht.";
        help_lists: "Or look through the lists:", "Ou parcourez les listes :", "Of bekijk de lijsten:", "Oder sehen Sie die Listen durch:";
        kind_skill: "Procedure", "Procédure", "Procedure", "Verfahren";
        kind_path: "Document or desk", "Document ou guichet", "Document of loket", "Dokument oder Schalter";
        kind_doc: "About Be Civic", "À propos de Be Civic", "Over Be Civic", "Über Be Civic";
        also: "also: {}", "aussi : {}", "ook: {}", "auch: {}";
    }
}
