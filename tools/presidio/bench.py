"""Times Presidio's pattern recognisers on the texts `becivic scrub` is timed on.

1. Make every pattern recogniser the package brings, and the telephone recogniser. No language model is
   loaded: a recogniser is asked directly, without the engine around it. That is less work than Presidio
   does in use, so the comparison leans to its side.
2. Two sets: those for what our rules look for too (KINDRED), and all of them.
3. Read the slice of the prose as one text, and notes one by one; keep the best of some rounds.
4. Print one line of JSON.

Arguments: PROSE-FILE PROSE-BYTES NOTES-FILE NOTES-COUNT.
"""

import inspect
import json
import sys
import time

import tldextract
from presidio_analyzer import PatternRecognizer, predefined_recognizers

ROUNDS = 3

# What our rules look for as well, by the names of the classes.
KINDRED = """
CreditCardRecognizer EmailRecognizer IbanRecognizer IpRecognizer MacAddressRecognizer PhoneRecognizer
UsSsnRecognizer NhsRecognizer UkNinoRecognizer EsNifRecognizer EsNieRecognizer ItFiscalCodeRecognizer
PlPeselRecognizer InAadhaarRecognizer FiPersonalIdentityCodeRecognizer SePersonnummerRecognizer
DeTaxIdRecognizer TrNationalIdRecognizer
""".split()


def recognisers():
    """One of each class that can be made without arguments."""
    found = {}
    for name, kind in inspect.getmembers(predefined_recognizers, inspect.isclass):
        if issubclass(kind, PatternRecognizer) or name == "PhoneRecognizer":
            if not inspect.isabstract(kind) and kind is not PatternRecognizer:
                found[name] = kind()
    return found


def seconds(recognisers, texts):
    """The best time of some rounds over all texts, after one short text to warm up, and what was found."""
    best, hits = float("inf"), 0
    for recogniser in recognisers:
        recogniser.analyze(text="warm", entities=recogniser.supported_entities, nlp_artifacts=None)
    for _ in range(ROUNDS):
        began, hits = time.perf_counter(), 0
        for text in texts:
            for recogniser in recognisers:
                found = recogniser.analyze(
                    text=text, entities=recogniser.supported_entities, nlp_artifacts=None
                )
                hits += len(found or ())
        best = min(best, time.perf_counter() - began)
    return best, hits


def main():
    prose_file, prose_bytes, notes_file, notes_count = sys.argv[1:]
    # An address is judged by the list the package brings; nothing is fetched.
    tldextract.extract = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
    with open(prose_file, "rb") as file:
        prose = file.read(int(prose_bytes))
    text = prose.decode("utf-8", errors="ignore")
    with open(notes_file, encoding="utf-8") as file:
        notes = [line.rstrip("\n") for _, line in zip(range(int(notes_count)), file)]
    every = recognisers()
    answer = {}
    for name, members in [("kindred", [every[n] for n in KINDRED if n in every]), ("all", list(every.values()))]:
        prose_seconds, prose_hits = seconds(members, [text])
        notes_seconds, notes_hits = seconds(members, notes)
        answer[name] = {
            "recognisers": len(members),
            "prose_bytes": len(prose),
            "prose_seconds": prose_seconds,
            "prose_hits": prose_hits,
            "notes": len(notes),
            "notes_seconds": notes_seconds,
            "notes_hits": notes_hits,
        }
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
