"""Prize meter systems, the groups of tables they serve, and the signs on the floor."""

from meter_server.domain.requirements.row import INFERRED, Requirement

SYSTEMS = (
    Requirement(
        "SYS-1",
        "A casino runs one or more prize meter systems, each for one table or one group of tables.",
        "WSOP 9.1.1(a); Three Card 6.1.1(a)",
    ),
    Requirement(
        "SYS-2",
        "All tables of a group share qualifying hands, payout table, increment rate and seed; "
        "games may mix, options may not.",
        "WSOP 9.1.1(b); Three Card 6.1.1(b)",
    ),
    Requirement(
        "SYS-3",
        "A table belongs to at most one group, and moves between groups in one step.",
        "WSOP 9.1.1(c); Three Card 6.1.1(c)",
    ),
    Requirement(
        "SYS-4",
        "A group has one wager cost, and no two systems have the same cost.",
        "WSOP 9.1.1(d), (e); Three Card 6.1.1(d), (e)",
    ),
    Requirement(
        "SYS-5",
        "All systems run one seed, rate and payout table: all option 1 or all option 2.",
        "WSOP 9.1.1(f); Three Card 6.1.1(f)",
    ),
    Requirement(
        "SYS-6",
        "The option changes for every system together, after a notice has stood for a reasonable "
        "period and the tables have drained; a round left open keeps the rules it began under.",
        "WSOP 9.1.1(g); Three Card 6.1.1(g); the draining is inferred",
    ),
    Requirement(
        "SYS-7",
        "A table is added, removed or transferred at the earliest 20 minutes after its sign went "
        "up.",
        "WSOP 9.1.1(h); Three Card 6.1.1(h)",
    ),
    Requirement(
        "SYS-8",
        "A system closes at the earliest 20 minutes after the last of its tables shows the closure "
        "sign.",
        "WSOP 9.1.1(i); Three Card 6.1.1(i)",
    ),
    Requirement(
        "SYS-9",
        "A closing system passes on its meter less seed times cost, all of it, to other systems.",
        "WSOP 9.1.1(j); Three Card 6.1.1(j)",
    ),
    Requirement(
        "SYS-10",
        "The seeds of an option go with the payouts of that option only; the pair is one value.",
        "WSOP Tables 2-5; Three Card Tables 1-4",
    ),
)

SIGNAGE = (
    Requirement(
        "SGN-1",
        "A display at each participating table works and shows the meter, unless manual "
        "arrangements stand.",
        "WSOP 9.1.1(k); Three Card 6.1.1(k)",
    ),
    Requirement(
        "SGN-2",
        "Boards elsewhere in the casino may show one meter or several together.",
        "WSOP 9.1.1(l); Three Card 6.1.1(l)",
    ),
    Requirement(
        "SGN-3",
        "A display that is stale or cut off never looks live, and its table is not operating "
        "properly.",
        "inferred from WSOP 9.1.1(k), 9.2.1; Three Card 6.1.1(k), 6.2.1",
    ),
    Requirement(
        "SGN-4",
        "The system shows and times the notices of addition, removal, transfer, closure and option "
        "change.",
        "WSOP 9.1.1(g)-(i); Three Card 6.1.1(g)-(i)",
    ),
    Requirement(
        "SGN-5",
        "Each table's sign gives the minimum and maximum wager, for the jackpot both the cost; a "
        "higher minimum needs a 20-minute sign.",
        "Casino Control Act s 66; WSOP 6.1; Three Card 8.1; Crown Poker 6.1",
    ),
    Requirement(
        "SGN-6",
        "The option in force and its payout table are shown, and bonus prizes where offered.",
        "inferred; Crown Poker 11.2",
    ),
    Requirement(
        "SGN-7",
        "Signage only reads; it takes no part in settlement.",
        INFERRED,
    ),
)
