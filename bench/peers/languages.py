"""Makes texts in UTF-8 whose characters have two, three and four bytes."""

import random


def russian(english: str) -> str:
    """The English words, letter for letter: two bytes each."""
    return english.translate(str.maketrans("etaoinshrdlucmfwypvbgkjqxz", "оеаинтсрвлкмдпуяыьгзбчйхжш"))


def chinese(characters: int) -> str:
    """Sentences of 4 to 15 of 3000 characters, without spaces: three bytes each. Lines have a few sentences."""
    rng = random.Random(3)
    known = [chr(0x4E00 + each) for each in rng.sample(range(0x51A6), 3000)]
    parts, length = [], 0
    while length < characters:
        parts.append("".join(known[int(3000 * rng.random() ** 2)] for _ in range(rng.randrange(4, 16))))
        parts[-1] += rng.choices("，。、\n", [50, 25, 5, 20])[0]
        length += len(parts[-1])
    return "".join(parts) + "\n"


def emoji(characters: int) -> str:
    """Groups of 1 to 8 emoji, four bytes each, with spaces between; some have a colour, or are joined to another."""
    rng = random.Random(4)
    known = [chr(each) for each in (*range(0x1F300, 0x1F321), *range(0x1F400, 0x1F43F), *range(0x1F600, 0x1F650),
                                    *range(0x1F90C, 0x1F93A))]
    parts, length = [], 0
    while length < characters:
        parts += rng.choices(known, k=rng.randrange(1, 9))
        if rng.random() < 0.1:
            parts.append(rng.choice(["\U0001F3FD", "\u200d" + rng.choice(known), "\ufe0f"]))
        parts.append(rng.choices(" \n", [90, 10])[0])
        length += 6
    return "".join(parts) + "\n"
