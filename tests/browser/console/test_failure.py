"""The link, the agent and the tablet fail; the console says so and comes back by itself."""

from tests.browser.console.stage import Console, Stage, expect

SECONDS_MS = 40_000


def test_a_royal_without_a_link_is_not_recorded_until_it_is(console: Console, stage: Stage) -> None:
    console.round(3)
    stage.wire.cut()
    console.touch(console.seat(3))
    console.choose("Royal flush")
    for card in ("hearts", "ace of hearts", "ten of hearts", "These are the cards"):
        console.choose(card)
    console.hold("record")
    expect(console.part("pay")).to_contain_text("NOT RECORDED. Leave the cards", timeout=SECONDS_MS)
    expect(console.part("status")).to_contain_text("Queued, not yet recorded")
    expect(console.part("register")).to_be_disabled()
    stage.wire.mend()
    expect(console.part("pay")).to_contain_text("must come and determine it", timeout=SECONDS_MS)
    expect(console.part("status")).to_have_text("Operating properly.", timeout=SECONDS_MS)


def test_an_unanswered_registration_is_played_without_jackpot(
    console: Console, stage: Stage
) -> None:
    console.step("betting")
    console.touch(console.seat(5))
    expect(console.part("register")).to_be_enabled()
    stage.wire.hold()  # the agent cannot know yet
    console.main("register")
    console.step("registering")
    expect(console.part("now")).to_contain_text("Deal no card")
    console.touch(console.part("without"))
    expect(console.part("said")).to_contain_text("Deal this round without jackpot.")
    expect(console.part("status")).to_contain_text("Queued, not yet recorded: 2 messages")
    stage.wire.mend()
    expect(console.part("status")).to_have_text("Operating properly.", timeout=SECONDS_MS)


def test_a_killed_agent_is_said_and_every_step_comes_back_as_it_was(
    console: Console, stage: Stage
) -> None:
    console.step("betting")
    for seat in (2, 6):
        console.touch(console.seat(seat))
    expect(console.seat(6)).to_contain_text("wager")
    _kill_and_restart(console, stage)
    expect(console.seat(2)).to_contain_text("wager")
    expect(console.seat(6)).to_contain_text("wager")
    console.main("register")
    console.step("playing")
    console.touch(console.seat(6))
    console.choose("Flush $")
    expect(console.seat(6)).to_contain_text("flush")
    _kill_and_restart(console, stage)
    console.step("playing")
    expect(console.seat(6)).to_contain_text("flush")
    console.main("record")
    console.step("betting")
    expect(console.part("pay")).to_contain_text("Pay seat 6 $")
    _kill_and_restart(console, stage)
    expect(console.part("pay")).to_contain_text("Pay seat 6 $")


def _kill_and_restart(console: Console, stage: Stage) -> None:
    stage.stop()
    expect(console.part("gone")).to_be_visible(timeout=SECONDS_MS)
    stage.start()
    expect(console.part("gone")).to_be_hidden(timeout=SECONDS_MS)
