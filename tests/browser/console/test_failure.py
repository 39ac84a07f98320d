"""The link, the agent and the tablet fail; the console says so and comes back by itself."""

from tests.browser.console.stage import BUSY_MS, Console, Stage, expect


def test_a_royal_without_a_link_is_not_recorded_until_it_is(console: Console, stage: Stage) -> None:
    console.round(3)
    stage.wire.cut()
    console.touch(console.seat(3))
    console.choose("Royal flush")
    for card in ("hearts", "ace of hearts", "ten of hearts", "These are the cards"):
        console.choose(card)
    console.hold("record")
    expect(console.part("pay")).to_contain_text("NOT RECORDED. Leave the cards", timeout=BUSY_MS)
    expect(console.part("status")).to_contain_text("Queued, not yet recorded")
    expect(console.part("register")).to_be_disabled()
    stage.wire.mend()
    expect(console.part("pay")).to_contain_text("must come and determine it", timeout=BUSY_MS)
    expect(console.part("status")).to_have_text("Operating properly.", timeout=BUSY_MS)


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
    expect(console.part("status")).to_have_text("Operating properly.", timeout=BUSY_MS)


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


def test_a_registration_without_an_answer_outlives_a_restart(
    console: Console, stage: Stage
) -> None:
    console.step("betting")
    console.touch(console.seat(4))
    register = console.settled("register")
    stage.wire.hold()
    console.touch(register)
    console.step("registering")
    stage.wire.cut()
    _kill_and_restart(console, stage)
    console.step("registering")
    expect(console.part("now")).to_contain_text("Deal no card")
    expect(console.part("without")).to_be_visible()
    expect(console.seat(4)).to_contain_text("waits")
    stage.wire.mend()
    console.step("playing")
    expect(console.part("status")).to_have_text("Operating properly.", timeout=BUSY_MS)
    assert [line["what"] for line in stage.state()["recent"]] == ["Wagers of seat 4"]


def test_the_link_is_lost_and_comes_back_at_each_step(console: Console, stage: Stage) -> None:
    # While betting: nothing can be registered, and the seats stay lit.
    console.step("betting")
    console.touch(console.seat(2))
    stage.wire.cut()
    expect(console.part("now")).to_have_text("Take no Jackpot wagers.", timeout=BUSY_MS)
    expect(console.part("register")).to_be_disabled()
    stage.wire.mend()
    register = console.settled("register")
    expect(console.seat(2)).to_contain_text("wager")
    # While registering: the same registration is answered when it is back.
    stage.wire.hold()
    console.touch(register)
    console.step("registering")
    stage.wire.cut()
    expect(console.part("status")).to_contain_text("Queued, not yet recorded: 1 message")
    stage.wire.mend()
    console.step("playing")
    # While playing: the outcome is taken, a bonus is payable, nothing new begins.
    stage.wire.cut()
    console.touch(console.seat(2))
    console.choose("Full house")
    expect(console.part("record-label")).to_have_text("Record")
    console.main("record")
    console.step("betting")
    expect(console.part("pay")).to_contain_text("Pay seat 2 $")
    expect(console.part("status")).to_contain_text("Queued, not yet recorded", timeout=BUSY_MS)
    expect(console.part("now")).to_have_text("Take no Jackpot wagers.")
    expect(console.part("register")).to_be_disabled()
    stage.wire.mend()
    expect(console.part("status")).to_have_text("Operating properly.", timeout=BUSY_MS)
    console.round(2)


def _kill_and_restart(console: Console, stage: Stage) -> None:
    stage.stop()
    expect(console.part("gone")).to_be_visible(timeout=BUSY_MS)
    stage.start()
    expect(console.part("gone")).to_be_hidden(timeout=BUSY_MS)
