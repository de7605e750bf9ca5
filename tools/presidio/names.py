"""Finds people in marked lines with Presidio over a spaCy model, as `cargo xtask bench names` does with ours.

1. Load the model as Presidio's engine; only its PERSON entity is asked for. One text after another, on one core.
2. Read `phenomenon TAB community TAB text with [[names]]`; take the marks out.
3. A name is found when anything found touches it; what is found is right when it touches a name; a line without a name is
   held when anything is found. Spans that are a name to the letter are counted too.
4. Print one line of JSON.

Arguments: LANGUAGE MODEL FILE.
"""

import json
import re
import sys
import time

from presidio_analyzer import AnalyzerEngine
from presidio_analyzer.nlp_engine import NlpEngineProvider


def marked(line):
    text, names, end = "", [], 0
    for match in re.finditer(r"\[\[(.*?)\]\]", line):
        text += line[end : match.start()]
        names.append((len(text), len(text) + len(match[1])))
        text += match[1]
        end = match.end()
    return text + line[end:], names


def main():
    language, model, path = sys.argv[1:]
    engine = NlpEngineProvider(
        nlp_configuration={
            "nlp_engine_name": "spacy",
            "models": [{"lang_code": language, "model_name": model}],
            "ner_model_configuration": {"model_to_presidio_entity_mapping": {"PER": "PERSON", "PERSON": "PERSON"}},
        }
    ).create_engine()
    analyzer = AnalyzerEngine(nlp_engine=engine, supported_languages=[language])
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t")[2] for line in file if line.count("\t") == 2 and not line.startswith("#")]
    lines = [marked(line) for line in lines]
    analyzer.analyze("Bonjour", language=language, entities=["PERSON"])
    began = time.perf_counter()
    found = [
        [(it.start, it.end) for it in analyzer.analyze(text, language=language, entities=["PERSON"])]
        for text, _ in lines
    ]
    seconds = time.perf_counter() - began
    counts = {"names": 0, "names_found": 0, "spans": 0, "spans_right": 0, "spans_exact": 0, "benign": 0, "benign_held": 0}
    for (_, names), spans in zip(lines, found):
        touches = lambda a, b: a[0] < b[1] and b[0] < a[1]
        counts["names"] += len(names)
        counts["names_found"] += sum(any(touches(n, s) for s in spans) for n in names)
        counts["spans"] += len(spans)
        counts["spans_right"] += sum(any(touches(n, s) for n in names) for s in spans)
        counts["spans_exact"] += sum(span in names for span in spans)
        counts["benign"] += not names
        counts["benign_held"] += not names and bool(spans)
    print(json.dumps({**counts, "lines_per_second": len(lines) / seconds}))


if __name__ == "__main__":
    main()
