"""Writes how common words are in French, Dutch, German and English: `language TAB word TAB centibels`, in a fixed order.

The figures are wordfreq's; a word is taken when it has letters only (hyphens and apostrophes inside) and occurs at least
once in three million. 0 centibels would be every word of a text, -300 one in a thousand.

Argument: the file to write.
"""

import sys

from wordfreq import get_frequency_list

RAREST = -650


def main():
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        for language in ("fr", "nl", "de", "en"):
            for centibels, words in enumerate(get_frequency_list(language, "large")):
                if -centibels < RAREST:
                    break
                for word in sorted(words):
                    if word.replace("-", "").replace("'", "").isalpha():
                        file.write(f"{language}\t{word}\t{-centibels}\n")


if __name__ == "__main__":
    main()
