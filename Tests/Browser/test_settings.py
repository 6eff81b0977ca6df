"""The settings of a chat: mute, pin, and mark as unread."""

from conftest import accessible, picture
from playwright.sync_api import expect
from test_chat import begin, bubbles, write


def rows(page):
    return page.locator("#conversations > li")


def row(page, name):
    return rows(page).filter(has=page.locator(".name", has_text=name))


def opener(page, name):
    return page.get_by_role("button", name=f"Settings of {name}")


def choose(page, name, words):
    row(page, name).hover()
    opener(page, name).click()
    page.get_by_role("menuitem", name=words, exact=True).click()
    expect(page.locator("#menu")).to_be_hidden()


def mark(page, name, words):
    return row(page, name).get_by_role("img", name=words, exact=True)


def names(page):
    return rows(page).locator(".name")


def three_chats(world):
    """Alice's page with the chats of three users, the newest first: erin, dora, bob."""
    alice = world.page("alice")
    for name in ("bob", "dora", "erin"):
        world.program(name)
        begin(alice, name)
        write(alice, f"Hello {name}")
        expect(bubbles(alice).last.locator(".state")).to_contain_text("✓")
    expect(names(alice)).to_have_text(["erin", "dora", "bob"])
    return alice


def test_settings_are_chosen_in_a_menu_and_reach_the_other_page(world):
    alice = three_chats(world)
    choose(alice, "bob", "Pin")
    expect(names(alice)).to_have_text(["bob", "erin", "dora"])
    expect(mark(alice, "bob", "pinned")).to_be_visible()
    choose(alice, "dora", "Mute")
    expect(mark(alice, "dora", "muted")).to_be_visible()
    choose(alice, "dora", "Mark as unread")
    expect(mark(alice, "dora", "marked as unread")).to_be_visible()
    # The mark counts in no number.
    expect(alice).to_have_title("Skein")

    other = alice.context.new_page()
    other.goto(world.programs["alice"].address)
    expect(names(other)).to_have_text(["bob", "erin", "dora"])
    expect(mark(other, "dora", "muted")).to_be_visible()
    choose(other, "dora", "Mark as read")
    choose(other, "dora", "Unmute")
    choose(other, "bob", "Unpin")
    expect(names(alice)).to_have_text(["erin", "dora", "bob"])
    expect(alice.locator("#conversations .marks > *")).to_have_count(0)
    assert alice.problems == []


def test_a_marked_chat_is_read_by_opening_it(world):
    alice = three_chats(world)
    for name in ("dora", "erin"):
        choose(alice, name, "Mark as unread")
        expect(mark(alice, name, "marked as unread")).to_be_visible()
        # Erin's chat is open already.
        row(alice, name).locator(".chat").click()
        expect(mark(alice, name, "marked as unread")).to_have_count(0)


def test_an_unread_chat_is_read_in_the_menu(world):
    alice = world.page("alice")
    world.say("bob", ["/open alice", "One", "Two"])
    expect(alice.locator("#conversations .unread")).to_have_text("2")
    choose(alice, "bob", "Mute")
    expect(alice).to_have_title("Skein")
    choose(alice, "bob", "Mark as read")
    expect(alice.locator("#conversations .unread")).to_have_count(0)
    expect(alice.locator("#messages > li")).to_have_count(0)


def test_the_menu_is_used_with_the_keyboard_alone(world):
    alice = three_chats(world)
    keys, items = alice.keyboard, alice.get_by_role("menuitem")
    row(alice, "dora").locator(".chat").focus()
    keys.press("Tab")
    expect(opener(alice, "dora")).to_be_focused()
    expect(opener(alice, "dora")).to_have_attribute("aria-expanded", "false")
    keys.press("Enter")
    expect(items.nth(0)).to_be_focused()
    expect(opener(alice, "dora")).to_have_attribute("aria-expanded", "true")
    for key, index in (("ArrowDown", 1), ("End", 2), ("ArrowDown", 0), ("ArrowUp", 2), ("Home", 0)):
        keys.press(key)
        expect(items.nth(index)).to_be_focused()
    keys.press("Escape")
    expect(opener(alice, "dora")).to_be_focused()
    expect(opener(alice, "dora")).to_have_attribute("aria-expanded", "false")

    # The focus stays with the row that moves to the top.
    keys.press("Enter")
    expect(items.nth(0)).to_be_focused()
    keys.press("ArrowDown")
    keys.press("Enter")
    expect(names(alice)).to_have_text(["dora", "erin", "bob"])
    expect(opener(alice, "dora")).to_be_focused()
    assert alice.problems == []


def test_the_menu_closes_and_stays_with_its_row(world):
    alice, menu = three_chats(world), None
    menu = alice.get_by_role("menu", name="Settings of bob")
    row(alice, "bob").hover()
    opener(alice, "bob").click()
    expect(menu).to_be_visible()
    opener(alice, "bob").click()
    expect(menu).to_be_hidden()
    opener(alice, "bob").click()
    expect(menu).to_be_visible()

    # A new message moves the row to the top while the menu is open.
    world.programs.pop("bob").stop()
    world.say("bob", ["/open alice", "Look"])
    expect(names(alice)).to_have_text(["bob", "erin", "dora"])
    expect(opener(alice, "bob")).to_have_attribute("aria-expanded", "true")
    button, box = opener(alice, "bob").bounding_box(), alice.locator("#menu").bounding_box()
    assert abs(button["y"] + button["height"] - box["y"]) < 2
    alice.get_by_role("menuitem", name="Mute").click()
    expect(mark(alice, "bob", "muted")).to_be_visible()

    # The button of the mouse may be down for a while.
    row(alice, "dora").hover()
    alice.mouse.down(button="right")
    expect(alice.get_by_role("menu", name="Settings of dora")).to_be_hidden()
    alice.mouse.up(button="right")
    expect(alice.get_by_role("menu", name="Settings of dora")).to_be_visible()
    alice.locator("#header").click()
    expect(alice.locator("#menu")).to_be_hidden()
    assert alice.problems == []


LAYOUT = """() => [...document.querySelectorAll('#conversations > li *')].map(element => {
  const box = element.getBoundingClientRect();
  return [box.x, box.y, box.width, box.height];
})"""


def test_looks_of_settings(world):
    alice = three_chats(world)
    world.programs.pop("dora").stop()
    world.say("dora", ["/open alice", "A long message that does not fit in one line of the list"])
    world.say("frank-with-the-longest-name-of-all", ["/open alice", "Good morning"])
    expect(rows(alice)).to_have_count(4)
    choose(alice, "bob", "Pin")
    choose(alice, "dora", "Mute")
    choose(alice, "erin", "Mark as unread")
    choose(alice, "frank", "Mute")
    choose(alice, "frank", "Pin")
    expect(mark(alice, "frank", "pinned")).to_be_visible()
    row(alice, "dora").locator(".chat").click()
    # The row becomes narrower when the chat is read.
    expect(row(alice, "dora").locator(".unread")).to_have_count(0)
    alice.mouse.move(600, 300)
    before = alice.evaluate(LAYOUT)
    row(alice, "bob").hover()
    expect(opener(alice, "bob")).to_have_css("opacity", "1")
    assert alice.evaluate(LAYOUT) == before
    picture(alice, "settings")
    accessible(alice)
    opener(alice, "bob").click()
    expect(alice.get_by_role("menuitem").first).to_be_focused()
    for scheme in ("light", "dark"):
        alice.emulate_media(color_scheme=scheme)
        picture(alice, f"settings-menu-{scheme}")
        accessible(alice)
    phone = world.page("alice", viewport={"width": 390, "height": 760}, is_mobile=True, has_touch=True)
    expect(opener(phone, "bob")).to_have_css("opacity", "1")
    opener(phone, "bob").tap()
    expect(phone.get_by_role("menuitem").first).to_be_focused()
    picture(phone, "settings-phone")
    assert alice.problems == [] and phone.problems == []
