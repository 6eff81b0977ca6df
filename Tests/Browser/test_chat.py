"""Two people chat on two pages."""

import base64

from conftest import picture
from playwright.sync_api import expect

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR4nGNgaPhPGhrVMKph2GgAAOXRf4FVhWfOAAAAAElFTkSuQmCC")


def begin(page, name):
    page.get_by_label("Name of a user to begin a chat with").fill(name)
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#header h1")).to_have_text(name)


def write(page, text):
    page.locator("#text").fill(text)
    page.locator("#text").press("Enter")


def bubbles(page):
    return page.locator("#messages > li.message")


def test_two_people_chat(world):
    alice, bob = world.page("alice"), world.page("bob")
    expect(bob.locator("#none")).to_be_visible()
    begin(alice, "bob")
    write(alice, "Shall we cook? See https://example.com/soup (it is easy), @bob")
    expect(bob.locator("#conversations .unread")).to_have_text("@ 1")
    bob.locator("#conversations .chat").click()
    row = bubbles(bob).first
    expect(row).to_have_class("message other calls")
    expect(row.locator("a")).to_have_attribute("href", "https://example.com/soup")
    expect(row.locator(".mention")).to_have_text("@bob")
    expect(bubbles(alice).first).to_have_class("message own")
    expect(bubbles(alice).first.locator(".state.read")).to_be_visible()
    expect(bob.locator("#conversations .unread")).to_have_count(0)

    bob.locator("#text").press_sequentially("I am")
    expect(alice.locator(".about")).to_have_text("is typing …")
    bob.locator("#text").fill("")

    row.hover()
    row.get_by_role("button", name="Reply").click()
    write(bob, "With pleasure.")
    expect(bubbles(alice).nth(1).locator(".quote strong")).to_have_text("alice")

    bubbles(alice).nth(1).hover()
    bubbles(alice).nth(1).get_by_role("button", name="Like").click()
    expect(bubbles(bob).nth(1).locator(".reactions button")).to_have_text("👍 1")

    bubbles(alice).first.hover()
    bubbles(alice).first.get_by_role("button", name="Edit").click()
    expect(alice.locator("#mode")).to_contain_text("Editing")
    write(alice, "Shall we cook soup?")
    expect(bubbles(bob).first.locator(".text").first).to_have_text("Shall we cook soup?")
    expect(bubbles(bob).first).to_contain_text("edited")

    write(alice, "A slip")
    expect(bubbles(bob)).to_have_count(3)
    bubbles(alice).nth(2).hover()
    bubbles(alice).nth(2).get_by_role("button", name="Recall").click()
    expect(bubbles(bob).nth(2)).to_have_class("message other recalled")
    assert alice.problems == [] and bob.problems == []


def act(row, name):
    row.hover()
    row.get_by_role("button", name=name, exact=True).click()


def test_messages_are_pinned_and_listed(world):
    alice, bob = world.page("alice"), world.page("bob")
    begin(alice, "bob")
    for text in ("The address", "The time"):
        write(alice, text)
        expect(bubbles(alice).last.locator(".text")).to_have_text(text)
        act(bubbles(alice).last, "Pin")
        expect(bubbles(alice).last.locator(".flag")).to_have_text("📌 Pinned")
    bob.locator("#conversations .chat").click()
    expect(bob.locator("#pinned")).to_contain_text("alice: The time")
    bob.get_by_role("button", name="and 1 more").click()
    found = bob.locator("#results .chat .last")
    expect(found).to_have_text(["alice: The time", "alice: The address"])
    act(bubbles(alice).last, "Unpin")
    expect(found).to_have_text(["alice: The address"])
    bob.get_by_role("button", name="Close the list").click()
    expect(bob.locator("#results")).to_be_empty()
    assert alice.problems == [] and bob.problems == []


def test_messages_are_starred(world):
    alice, bob = world.page("alice"), world.page("bob")
    begin(alice, "bob")
    bob.locator("#conversations .chat").click()
    alice.get_by_role("button", name="Starred messages").click()
    found = alice.locator("#results .chat .last")
    expect(alice.locator("#results .empty")).to_have_text("No message is starred yet.")
    write(alice, "The address")
    expect(bubbles(bob)).to_have_count(1)
    act(bubbles(alice).last, "Star")
    expect(found).to_have_text("alice: The address")
    expect(bubbles(alice).last.locator(".flag")).to_have_text("⭐ Starred")
    write(alice, "Is it right?")
    expect(bubbles(bob)).to_have_count(2)
    expect(bubbles(bob).locator(".flag")).to_have_count(0)
    picture(alice, "starred")
    found.click()
    expect(bubbles(alice).first).to_be_focused()
    act(bubbles(alice).first, "Unstar")
    expect(alice.locator("#results .empty")).to_be_visible()
    assert alice.problems == [] and bob.problems == []


def test_files_are_sent_and_shown(world, tmp_path):
    alice, bob = world.page("alice"), world.page("bob")
    begin(alice, "bob")
    (tmp_path / "dot.png").write_bytes(PNG)
    (tmp_path / "page.html").write_text("<script>document.title = 'broken'</script>")
    alice.locator("#file").set_input_files([tmp_path / "dot.png", tmp_path / "page.html"])
    bob.locator("#conversations .chat").click()
    image = bob.locator("#messages .media img")
    expect(image).to_have_attribute("width", "16")
    expect(image).to_have_js_property("naturalWidth", 16)
    link = bob.locator("#messages a.file")
    expect(link.locator(".name")).to_have_text("page.html")
    with bob.expect_download() as download:
        link.click()
    assert download.value.suggested_filename == "page.html"
    bob.mouse.move(0, 0)
    image.click()
    expect(bob.locator("#viewer")).to_be_visible()
    address = bob.evaluate("document.querySelector('#messages a.file').href")
    answer = bob.request.get(address)
    assert answer.headers["content-type"] == "application/octet-stream"
    # A browser that seeks in a video requests a range.
    rest = bob.request.get(address, headers={"Range": "bytes=8-"})
    assert rest.status == 206 and rest.body() == answer.body()[8:]
    assert rest.headers["content-range"] == f"bytes 8-{len(answer.body()) - 1}/{len(answer.body())}"
    assert alice.problems == [] and bob.problems == []


def test_a_picture_is_loaded_again_when_the_connection_is_back(world, tmp_path):
    alice, bob = world.page("alice"), world.page("bob")
    begin(alice, "bob")
    (tmp_path / "dot.png").write_bytes(PNG)
    alice.locator("#file").set_input_files(tmp_path / "dot.png")
    expect(bob.locator("#conversations .unread")).to_have_text("1")
    world.server.stop()
    expect(bob.locator("#connection")).to_contain_text("No connection")
    bob.locator("#conversations .chat").click()
    image = bob.locator("#messages .media img")
    expect(image).to_have_attribute("data-broken", "true")
    world.restart_server()
    expect(image).to_have_js_property("naturalWidth", 16, timeout=40_000)
    expect(image).not_to_have_attribute("data-broken", "true")


def test_a_page_and_a_terminal_show_the_same_cards(world):
    alice = world.page("alice")
    world.say("bob", ["/open alice", '/poll "What do we drink?" Tea Coffee', "/do"])
    alice.locator("#conversations .chat").click()
    alice.get_by_role("button", name="Vote for Coffee").click()
    expect(alice.get_by_role("button", name="Vote for Coffee")).to_have_text("Coffee  1")
    world.say("bob", ["/open alice", "/do", "/do 2"])
    expect(alice.get_by_role("button", name="Vote for Coffee")).to_have_text("Coffee  2")
    for _ in range(10):
        # A script may end before new messages have arrived.
        shown = world.say("bob", ["/open alice", "/do"])
        if "What do we drink? · Tea 0 · Coffee 2" in shown:
            break
    assert "What do we drink? · Tea 0 · Coffee 2" in shown
    assert "Vote for Tea" in shown and "☑ Coffee" in shown


def test_looks(world):
    alice = world.page("alice")
    begin(alice, "bob")
    bob = world.page("bob")
    write(alice, "Good morning! The market opens at nine.")
    write(alice, "Shall we meet there?")
    bob.locator("#conversations .chat").click()
    write(bob, "Yes. I bring the bag 🛍️")
    write(bob, "今晚去吃火锅吗？")
    expect(bubbles(alice)).to_have_count(4)
    begin(alice, "dora")
    write(alice, "Hello Dora")
    alice.locator("#conversations .chat", has_text="bob").click()
    expect(bubbles(alice)).to_have_count(4)
    expect(alice.locator(".state.read").first).to_be_visible()
    picture(alice, "light")
    alice.emulate_media(color_scheme="dark")
    picture(alice, "dark")
    phone = world.page("alice", viewport={"width": 390, "height": 760}, color_scheme="light")
    picture(phone, "phone-chats")
    phone.locator("#conversations .chat", has_text="bob").click()
    expect(bubbles(phone)).to_have_count(4)
    picture(phone, "phone-chat")
    assert alice.problems == [] and phone.problems == []
