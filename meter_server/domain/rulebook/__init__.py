"""The rules documents as data: every row names the rule it comes from.

``WSOP`` cites the WSOP Bonus Texas Holdem rules, version 10.0 (rule 12 is Ultimate Texas Holdem);
``Three Card`` cites the Three Card Poker rules, version 4.
"""

VERSION = "wsop-10.0+three-card-4/1"
"""Names this transcription of the documents; every settlement records the one it used."""
