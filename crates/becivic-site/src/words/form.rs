//! The page of the onboarding form: what stands around its questions.

super::table! {
    /// The page of the onboarding form.
    Form {
        required: "required", "obligatoire", "verplicht", "Pflichtangabe";
        yes: "Yes", "Oui", "Ja", "Ja";
        no: "No", "Non", "Nee", "Nein";
        clear: "Clear this answer", "Effacer cette réponse", "Dit antwoord wissen", "Diese Antwort löschen";
        choose: "Choose", "Choisir", "Kies", "Auswählen";
        still_running: "still running", "toujours en cours", "loopt nog", "läuft noch";
        month_hint: "Year and month, for instance 2024-05", "Année et mois, par exemple 2024-05", "Jaar en maand, bijvoorbeeld 2024-05", "Jahr und Monat, zum Beispiel 2024-05";
        have_it: "I have it", "Je l’ai", "Ik heb het", "Ich habe es";
        not_yet: "Not yet, or not needed", "Pas encore, ou pas nécessaire", "Nog niet, of niet nodig", "Noch nicht, oder nicht nötig";
        obtained_in: "Since which month, if you know", "Depuis quel mois, si vous le savez", "Sinds welke maand, als u het weet", "Seit welchem Monat, falls Sie es wissen";
        how: "How would you like to give these rows?", "Comment voulez-vous donner ces lignes ?", "Hoe wilt u deze rijen geven?", "Wie möchten Sie diese Zeilen angeben?";
        row: "Row {}", "Ligne {}", "Rij {}", "Zeile {}";
        add_row: "Add a row", "Ajouter une ligne", "Rij toevoegen", "Zeile hinzufügen";
        remove_row: "Remove row {}", "Supprimer la ligne {}", "Rij {} verwijderen", "Zeile {} entfernen";
        row_added: "Row {} was added.", "La ligne {} a été ajoutée.", "Rij {} is toegevoegd.", "Zeile {} wurde hinzugefügt.";
        row_removed: "A row was removed.", "Une ligne a été supprimée.", "Er is een rij verwijderd.", "Eine Zeile wurde entfernt.";
        no_rows: "No row yet.", "Pas encore de ligne.", "Nog geen rij.", "Noch keine Zeile.";
        later_folder: "Put the documents in the folder you share with your agent. It reads what matters and keeps no copy.", "Mettez les documents dans le dossier que vous partagez avec votre agent. Il lit ce qui compte et n’en garde pas de copie.", "Zet de documenten in de map die u met uw agent deelt. Hij leest wat van belang is en bewaart geen kopie.", "Legen Sie die Dokumente in den Ordner, den Sie mit Ihrem Agenten teilen. Er liest, was zählt, und behält keine Kopie.";
        later_chat: "Your agent will ask you in the conversation.", "Votre agent vous le demandera dans la conversation.", "Uw agent vraagt het u in het gesprek.", "Ihr Agent fragt Sie im Gespräch danach.";
        no_personal: "No names, addresses or numbers of documents, please.", "Pas de noms, d’adresses ni de numéros de documents, s’il vous plaît.", "Geen namen, adressen of documentnummers alstublieft.", "Bitte keine Namen, Adressen oder Dokumentnummern.";
        stays_here: "Nothing you type leaves this page until you press the button below.", "Rien de ce que vous tapez ne quitte cette page avant que vous n’appuyiez sur le bouton ci-dessous.", "Niets van wat u typt, verlaat deze pagina voor u op de knop onderaan drukt.", "Nichts, was Sie eingeben, verlässt diese Seite, bevor Sie unten auf die Schaltfläche drücken.";
        goes_to_chat: "Then your answers go into your conversation with your agent, and nowhere else.", "Vos réponses vont alors dans votre conversation avec votre agent, et nulle part ailleurs.", "Dan gaan uw antwoorden naar uw gesprek met uw agent, en nergens anders heen.", "Dann gehen Ihre Antworten in Ihr Gespräch mit Ihrem Agenten, und nirgendwo sonst hin.";
        goes_to_you: "Then you get your answers as a text to copy or download for your agent. Where this form is shown inside another page, that page gets them too.", "Vous recevez alors vos réponses sous forme de texte à copier ou à télécharger pour votre agent. Si ce formulaire est affiché dans une autre page, celle-ci les reçoit aussi.", "Dan krijgt u uw antwoorden als tekst om te kopiëren of te downloaden voor uw agent. Staat dit formulier in een andere pagina, dan krijgt die ze ook.", "Dann erhalten Sie Ihre Antworten als Text zum Kopieren oder Herunterladen für Ihren Agenten. Wird dieses Formular in einer anderen Seite gezeigt, erhält auch diese sie.";
        needs_script: "This form needs JavaScript, because it is filled in and checked on your own device. Without it, answer your agent’s questions in the conversation instead.", "Ce formulaire a besoin de JavaScript, car il est rempli et vérifié sur votre propre appareil. Sans cela, répondez plutôt aux questions de votre agent dans la conversation.", "Dit formulier heeft JavaScript nodig, want het wordt op uw eigen toestel ingevuld en nagekeken. Anders beantwoordt u de vragen van uw agent in het gesprek.", "Dieses Formular braucht JavaScript, weil es auf Ihrem eigenen Gerät ausgefüllt und geprüft wird. Ohne JavaScript beantworten Sie die Fragen Ihres Agenten im Gespräch.";
        hand_over: "Hand over to my agent", "Transmettre à mon agent", "Aan mijn agent geven", "Meinem Agenten übergeben";
        show_answers: "Show my answers", "Afficher mes réponses", "Mijn antwoorden tonen", "Meine Antworten zeigen";
        errors_title: "Please look at these answers again", "Veuillez revoir ces réponses", "Kijk deze antwoorden nog eens na", "Bitte sehen Sie diese Antworten noch einmal an";
        error_required: "An answer is needed.", "Une réponse est nécessaire.", "Er is een antwoord nodig.", "Eine Antwort ist nötig.";
        error_month: "Write a month from 1900 on as year and month, for instance 2024-05.", "Écrivez un mois à partir de 1900 avec l’année et le mois, par exemple 2024-05.", "Schrijf een maand vanaf 1900 als jaar en maand, bijvoorbeeld 2024-05.", "Schreiben Sie einen Monat ab 1900 als Jahr und Monat, zum Beispiel 2024-05.";
        error_day: "Choose a day that exists.", "Choisissez un jour qui existe.", "Kies een dag die bestaat.", "Wählen Sie einen Tag, den es gibt.";
        error_number: "Write a number.", "Écrivez un nombre.", "Schrijf een getal.", "Schreiben Sie eine Zahl.";
        error_whole: "Write a whole number.", "Écrivez un nombre entier.", "Schrijf een geheel getal.", "Schreiben Sie eine ganze Zahl.";
        error_range: "The number must lie between {} and {}.", "Le nombre doit être compris entre {} et {}.", "Het getal moet tussen {} en {} liggen.", "Die Zahl muss zwischen {} und {} liegen.";
        error_long: "At most {} characters, please.", "{} caractères au plus, s’il vous plaît.", "Hoogstens {} tekens alstublieft.", "Höchstens {} Zeichen, bitte.";
        error_letters: "Letters only, please.", "Des lettres uniquement, s’il vous plaît.", "Alleen letters alstublieft.", "Bitte nur Buchstaben.";
        error_country: "Choose a country from the list.", "Choisissez un pays dans la liste.", "Kies een land uit de lijst.", "Wählen Sie ein Land aus der Liste.";
        error_commune: "Choose a commune from the list.", "Choisissez une commune dans la liste.", "Kies een gemeente uit de lijst.", "Wählen Sie eine Gemeinde aus der Liste.";
        error_region: "This commune is not in the region you chose.", "Cette commune n’est pas dans la région choisie.", "Deze gemeente ligt niet in het gekozen gewest.", "Diese Gemeinde liegt nicht in der gewählten Region.";
        error_rows: "Fill in at least {}, or choose another way.", "Remplissez-en au moins {}, ou choisissez une autre manière.", "Vul er minstens {} in, of kies een andere manier.", "Füllen Sie mindestens {} aus, oder wählen Sie einen anderen Weg.";
        languages_now: "Languages to choose from: {}", "Langues au choix : {}", "Talen om uit te kiezen: {}", "Sprachen zur Auswahl: {}";
        done_title: "Your answers", "Vos réponses", "Uw antwoorden", "Ihre Antworten";
        done_handed: "They were handed over to your agent. This is exactly what it got.", "Elles ont été transmises à votre agent. Voici exactement ce qu’il a reçu.", "Ze zijn aan uw agent gegeven. Dit is precies wat hij heeft gekregen.", "Sie wurden Ihrem Agenten übergeben. Das ist genau, was er erhalten hat.";
        done_copy: "Give this text to your agent. Nothing else is kept of it.", "Donnez ce texte à votre agent. Rien d’autre n’en est conservé.", "Geef deze tekst aan uw agent. Er wordt niets anders van bewaard.", "Geben Sie diesen Text Ihrem Agenten. Sonst wird nichts davon behalten.";
        copy: "Copy", "Copier", "Kopiëren", "Kopieren";
        copied: "Copied.", "Copié.", "Gekopieerd.", "Kopiert.";
        download: "Download", "Télécharger", "Downloaden", "Herunterladen";
        prompt: "My answers to the Be Civic form:", "Mes réponses au formulaire Be Civic :", "Mijn antwoorden op het formulier van Be Civic:", "Meine Antworten auf das Formular von Be Civic:";
    }
}
