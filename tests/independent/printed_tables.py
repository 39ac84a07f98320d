"""Every jackpot table of both documents, typed from the printed pages.

Nothing here is computed: each cell is the text as printed. In the split tables columns are R and
rows are S, whatever the corner says, as the figures themselves show (A-1): cells are keyed (R, S).
"""

Cells = dict[tuple[int, int], str]


def _rows(text: str) -> list[tuple[str, str]]:
    """Lines of two columns, parted by a bar."""
    lines = (line.split("|") for line in text.strip().splitlines())
    return [(left.strip(), right.strip()) for left, right in lines]


def _grid(text: str) -> Cells:
    """The first line holds the columns (R); every other begins with its row (S)."""
    columns, *rows = (line.split("|") for line in text.strip().splitlines())
    return {
        (int(royals), int(row[0])): cell.strip()
        for row in rows
        for royals, cell in zip(columns[1:], row[1:], strict=True)
    }


# WSOP Bonus Texas Holdem Rules, version 10.0

WSOP_TABLE_2 = _rows("""
    10,000 | 34.06%
    20,000 | 32.51%
    30,000 | 30.94%
    40,000 | 29.36%
    50,000 | 27.76%
    60,000 | 26.12%
    75,000 | 23.50%
""")

WSOP_TABLE_3 = _rows("""
    10,000 | 31.02%
    20,000 | 29.47%
    30,000 | 27.90%
    40,000 | 26.32%
    50,000 | 24.70%
    60,000 | 23.02%
    75,000 | 20.28%
""")

WSOP_TABLE_4 = _rows("""
    Royal Flush    | 100% of the rounded meter value
    Straight Flush | 10% of the rounded meter value
    Four of a Kind | $500 for each $1 of Jackpot wager (bonus payout)
    Full House     | $150 for each $1 of Jackpot wager (bonus payout)
    Flush          | $100 for each $1 of Jackpot wager (bonus payout)
""")

WSOP_TABLE_5 = _rows("""
    Royal Flush    | 100% of the rounded meter value
    Straight Flush | 10% of the rounded meter value
    Four of a Kind | $600 for each $1 of Jackpot wager (bonus payout)
    Full House     | $100 for each $1 of Jackpot wager (bonus payout)
    Flush          | $60 for each $1 of Jackpot wager (bonus payout)
    Straight       | $40 for each $1 of Jackpot wager (bonus payout)
""")

WSOP_TABLE_6 = _grid("""
    S | 1
    1 | 90.909%
""")

WSOP_TABLE_7 = _grid("""
    S | 1
    1 | 9.091%
""")

WSOP_TABLE_8 = _grid("""
    S | 0
    2 | 9.500%j + 0.500%r
""")

# Three Card Poker Rules, version 4.0

THREE_CARD_TABLE_1 = _rows("""
    10,000 | 34.06%
    20,000 | 32.51%
    30,000 | 30.94%
    40,000 | 29.36%
    50,000 | 27.76%
    60,000 | 26.12%
    75,000 | 23.50%
""")

THREE_CARD_TABLE_2 = _rows("""
    10,000 | 31.02%
    20,000 | 29.47%
    30,000 | 27.90%
    40,000 | 26.32%
    50,000 | 24.70%
    60,000 | 23.02%
    75,000 | 20.28%
""")

THREE_CARD_TABLE_3 = _rows("""
    Royal Flush    | 100%* of the rounded meter value
    Straight Flush | 10%* of the rounded meter value
    Four of a kind | $500 for each $1 of Jackpot Wager (bonus payout)
    Full House     | $150 for each $1 of Jackpot Wager (bonus payout)
    Flush          | $100 for each $1 of Jackpot Wager (bonus payout)
""")

THREE_CARD_TABLE_4 = _rows("""
    Royal Flush    | 100%* of the rounded meter value
    Straight Flush | 10%* of the rounded meter value
    Four of a Kind | $600 for each $1 of Jackpot Wager (bonus payout)
    Full House     | $100 for each $1 of Jackpot Wager (bonus payout)
    Flush          | $60 for each $1 of Jackpot Wager (bonus payout)
    Straight       | $40 for each $1 of jackpot Wager (bonus payout)
""")

THREE_CARD_TABLE_5 = {1: "j", 2: "j + r", 3: "j + 2r", 4: "j + 3r"}
"""The prize pool by R."""

THREE_CARD_TABLE_6 = _grid("""
    S | 1        | 2       | 3       | 4
    0 | 100.000% | 50.000% | 33.333% | 25.000%
    1 | 90.909%  | 47.619% | 32.258% | 24.390%
    2 | 83.333%  | 45.455% | 31.250% | 23.810%
    3 | 76.923%  | 43.478% | 30.303% | 23.256%
    4 | 71.429%  | 41.667% | 29.412% | 22.727%
    5 | 66.667%  | 40.000% | 28.571% | 22.222%
    6 | 62.500%  | 38.462% | 27.778% | 21.739%
    7 | 58.824%  | 37.037% | 27.027% | 21.277%
""")

THREE_CARD_TABLE_7 = _grid("""
    S | 1      | 2      | 3      | 4
    1 | 9.091% | 4.762% | 3.226% | 2.439%
    2 | 8.333% | 4.545% | 3.125% | 2.381%
    3 | 7.692% | 4.348% | 3.030% | 2.326%
    4 | 7.143% | 4.167% | 2.941% | 2.273%
    5 | 6.667% | 4.000% | 2.857% | 2.222%
    6 | 6.250% | 3.846% | 2.778% | 2.174%
    7 | 5.882% | 3.704% | 2.703% | 2.128%
""")

THREE_CARD_TABLE_8 = _grid("""
    S | 0
    1 | 10.000%j + 0.000%r
    2 | 9.500%j + 0.500%r
    3 | 9.033%j + 0.967%r
    4 | 8.598%j + 1.403%r
    5 | 8.190%j + 1.810%r
    6 | 7.809%j + 2.191%r
    7 | 7.453%j + 2.547%r
""")
