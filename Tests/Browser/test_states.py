"""Pages with failures, long histories and hostile content."""

import re

from conftest import accessible, picture
from playwright.sync_api import expect
from test_chat import begin, bubbles, write


def test_no_message_is_lost_while_the_server_is_down(world):
    alice, bob = world.page("alice"), world.page("bob")
    begin(alice, "bob")
    write(alice, "One")
    bob.locator("#conversations .chat").click()
    expect(bubbles(bob)).to_have_count(1)
    inspector = alice.context.new_page()
    inspector.goto(world.programs["alice"].address + "inspector")
    expect(inspector.locator("#outbox")).to_contain_text("Nothing waits")
    expect(inspector.locator("#chats .bars")).to_contain_text("start1 message")
    world.server.stop()
    expect(alice.locator("#connection")).to_contain_text("No connection")
    write(alice, "Two, while it is gone")
    expect(inspector.locator("#outbox")).to_contain_text("no connection")
    expect(inspector.locator("#client")).to_contain_text("offline")
    picture(inspector, "inspector")
    expect(bubbles(alice).nth(1).locator(".standing")).to_contain_text("no connection")
    picture(alice, "offline")
    world.restart_server()
    expect(bubbles(bob)).to_have_count(2, timeout=40_000)
    expect(bubbles(alice).nth(1).locator(".standing")).to_have_count(0)
    expect(bubbles(alice)).to_have_count(2)
    expect(inspector.locator("#outbox")).to_contain_text("Nothing waits")
    # The message gets its place at the sender once her own connection is back.
    expect(inspector.locator("#chats .bars")).to_contain_text("2 messages", timeout=40_000)


def test_a_press_on_a_row_that_changes_opens_its_chat(world):
    alice, bob = world.page("alice"), world.page("bob")
    begin(alice, "bob")
    write(alice, "One")
    row = bob.locator("#conversations .chat")
    expect(row).to_contain_text("One")
    row.hover()
    bob.mouse.down()
    bob.evaluate(
        "receive([{ list: 'conversations', replace: 0, html: lists.conversations.children[0].outerHTML }])"
    )
    bob.mouse.up()
    expect(bubbles(bob)).to_have_count(1)


def test_a_draft_outlives_the_program(world):
    alice = world.page("alice")
    begin(alice, "bob")
    alice.locator("#text").fill("not sent yet")
    expect(alice.locator("#conversations .last")).to_have_text("Draft: not sent yet")
    world.programs.pop("alice").stop()
    expect(alice.locator("#gone")).to_be_visible()
    again = world.page("alice")
    again.locator("#conversations .chat").click()
    expect(again.locator("#text")).to_have_value("not sent yet")


def test_a_narrow_page_switches_between_list_and_chat(world):
    bob = world.page("bob")
    alice = world.page("alice", viewport={"width": 390, "height": 760})
    begin(alice, "bob")
    write(alice, "One")
    bob.locator("#conversations .chat").click()
    write(bob, "Two")
    expect(bubbles(alice)).to_have_count(2)
    expect(bubbles(bob).nth(1).locator(".state.read")).to_be_visible()
    alice.get_by_role("button", name="Back to the chats").click()
    write(bob, "Three, that nobody sees")
    expect(alice.locator("#conversations .unread")).to_have_text("1")
    expect(bubbles(bob).nth(2).locator(".state.read")).to_have_count(0)
    alice.locator("#conversations .chat").click()
    expect(bubbles(alice).nth(2)).to_be_in_viewport()
    expect(bubbles(bob).nth(2).locator(".state.read")).to_be_visible()


def test_a_message_above_an_unsent_one_is_read(world):
    world.program("bob")
    alice = world.page("alice")
    begin(alice, "bob")
    write(alice, "One")
    expect(bubbles(alice).first.locator(".state")).to_contain_text("✓")
    assert alice.evaluate("""() => {
      const requests = [];
      socket.send = frame => requests.push(JSON.parse(frame).do);
      const row = (id, name) =>
        `<li class="message ${name}" tabindex="-1" data-id="${id}" data-time="0"><div class="bubble"></div></li>`;
      apply([{ list: 'messages', insert: 1, html: row(1002, 'own') }]);
      apply([{ list: 'messages', insert: 1, html: row(1001, 'other') }]);
      apply([]);
      // The chat may be marked as unread by another device.
      lists.conversations.querySelector('.chat').click();
      return requests;
    }""") == ["read", "read", "read", "open"]


def test_unsent_text_is_never_lost(world):
    world.program("bob")
    alice = world.page("alice")
    begin(alice, "bob")
    write(alice, "One")
    expect(bubbles(alice).first.locator(".state")).to_contain_text("✓")
    text = alice.locator("#text")
    text.fill("half a thought")
    bubbles(alice).first.hover()
    bubbles(alice).first.get_by_role("button", name="Edit").click()
    expect(text).to_have_value("One")
    write(alice, "One, edited")
    expect(bubbles(alice).first).to_contain_text("One, edited")
    expect(text).to_have_value("half a thought")
    begin(alice, "carol")
    expect(text).to_have_value("")
    write(alice, "Hello Carol")
    alice.locator("#conversations .chat", has_text="bob").click()
    expect(alice.locator("#header h1")).to_have_text("bob")
    expect(text).to_have_value("half a thought")
    expect(bubbles(alice)).to_have_count(1)
    # A reply to a message that was recalled meanwhile returns to the composer.
    bubbles(alice).first.hover()
    bubbles(alice).first.get_by_role("button", name="Reply").click()
    bubbles(alice).first.hover()
    bubbles(alice).first.get_by_role("button", name="Recall").click()
    expect(bubbles(alice).first).to_have_class("message own recalled")
    write(alice, "too late")
    expect(alice.locator("#notice")).not_to_be_empty()
    expect(text).to_have_value("too late")


def test_a_text_that_is_too_long_stays_in_the_composer(world):
    world.program("bob")
    alice = world.page("alice")
    begin(alice, "bob")
    connections = []
    alice.on("websocket", lambda socket: connections.append(socket.url))
    # These characters have three bytes each.
    write(alice, "长" * 350_000)
    expect(alice.locator("#notice")).to_contain_text("more than 1 MB")
    assert alice.locator("#text").evaluate("text => text.value.length") == 350_000
    # Neither is it kept as a draft, which would close the connection after a while.
    alice.evaluate("keepDraft()")
    write(alice, "Short")
    expect(bubbles(alice).locator(".text")).to_have_text("Short")
    expect(bubbles(alice).locator(".state")).to_contain_text("✓")
    expect(alice.locator("#text")).to_have_value("")
    assert connections == [] and alice.problems == []


def test_scrolling_through_thousands_and_a_gap_does_not_jump(world):
    alice = world.page("alice")
    world.say("bob", ["/open alice"] + [f"Before {number}" for number in range(60)])
    alice.locator("#conversations .chat").click()
    expect(bubbles(alice).last).to_contain_text("Before 59")
    # Alice is away for the next messages: catching up fetches the newest and leaves a gap before them.
    world.programs.pop("alice").stop()
    world.say("bob", ["/open alice"] + [f"Message {number}" for number in range(2000)])
    alice = world.page("alice")
    alice.locator("#conversations .chat").click()
    expect(bubbles(alice).last).to_contain_text("Message 1999")
    inspector = alice.context.new_page()
    inspector.goto(world.programs["alice"].address + "inspector")
    expect(inspector.locator("#chats .gap")).to_have_count(1)
    inspector.close()
    jumps = alice.evaluate("""async () => {
      const scroll = document.getElementById('scroll'), list = document.getElementById('messages');
      const seen = new Set(), jumps = [];
      const pause = () => new Promise(done => setTimeout(done, 16));
      for (let turn = 0; turn < 3000 && !seen.has('Before 0'); turn++) {
        const rows = [...list.querySelectorAll('.message')];
        for (const row of rows) seen.add(row.querySelector('.text').textContent);
        const top = scroll.getBoundingClientRect().top;
        const row = rows.find(row => row.getBoundingClientRect().bottom > top + 5);
        const place = row => row.querySelector('.bubble').getBoundingClientRect().top;
        const id = row.dataset.id, before = place(row);
        const step = Math.min(scroll.scrollTop, 300);
        scroll.scrollTop -= step;
        await pause();
        // New rows above must move the scroll position by their height, so that the row moves by the step alone.
        const same = list.querySelector(`[data-id="${id}"]`);
        if (same) {
          const moved = place(same) - before;
          // Some positions are rounded to whole pixels.
          if (Math.abs(moved - step) > 2) jumps.push([turn, step, moved]);
        }
      }
      return { jumps, seen: seen.size };
    }""")
    assert jumps["jumps"] == []
    assert jumps["seen"] == 2060
    alice.get_by_role("button", name="Go to the newest message").click()
    expect(bubbles(alice).last).to_contain_text("Message 1999")


HOSTILE = [
    "<script>window.broken = 1</script>",
    "<img src=x onerror='window.broken = 1'>",
    "\"><svg onload=window.broken=1>",
    "'-(window.broken=1)-'",
    "javascript:window.broken=1",
    "https://example.com/\" onmouseover=window.broken=1 x=\"",
    "</li></ol><iframe srcdoc='<script>parent.broken=1</script>'>",
    "{{constructor.constructor('window.broken=1')()}}",
    "\u202Etxt.exe",
    "<style>*{display:none}</style>",
]


def test_user_content_is_never_executed(world, tmp_path):
    alice, bob = world.page("alice"), world.page("bob")
    begin(alice, "bob")
    for text in HOSTILE:
        write(alice, text)
    expect(bubbles(alice)).to_have_count(len(HOSTILE))
    for number, text in enumerate(HOSTILE):
        name = re.sub(r"[/\\]", "_", text)[:60] + str(number)
        (tmp_path / name).write_text("x")
        alice.locator("#file").set_input_files(tmp_path / name)
    expect(bubbles(alice)).to_have_count(2 * len(HOSTILE))
    bob.locator("#conversations .chat").click()
    expect(bubbles(bob)).to_have_count(2 * len(HOSTILE))
    texts = bob.locator("#messages .text").all_text_contents()
    assert texts == HOSTILE
    bubbles(bob).first.hover()
    bubbles(bob).first.get_by_role("button", name="Reply").click()
    write(bob, HOSTILE[1])
    expect(alice.locator("#messages .quote")).to_have_count(1)
    alice.locator("#search").fill("script")
    expect(alice.locator("#results li").first).to_be_visible()
    begin(alice, "x-y.z")
    for page in (alice, bob):
        assert page.evaluate("window.broken") is None
        assert page.locator("#messages iframe, #messages svg, #messages script, #messages style").count() == 0
        for link in page.locator("#messages a[href]").all():
            assert re.match(r"https?://|file/[0-9]+$", link.get_attribute("href"))
        assert page.problems == []


def test_requests_without_the_secret_are_refused(world):
    alice = world.page("alice")
    address = world.programs["alice"].address
    origin = re.match(r"http://[^/]+", address).group()
    assert alice.request.get(origin + "/").status == 404
    assert alice.request.get(origin + "/page.js").status == 404
    assert alice.request.get(address, headers={"Host": "evil.example"}).status == 404
    assert alice.request.post(address + "upload?chat=1&name=a", data="x", headers={"Origin": "http://evil.example"}).status == 403
    policy = alice.request.get(address).headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    blocked = alice.evaluate("""() => new Promise(done => {
      document.addEventListener('securitypolicyviolation', event => done(event.violatedDirective));
      const script = document.createElement('script');
      script.textContent = 'window.broken = 1';
      document.body.append(script);
    })""")
    assert blocked.startswith("script-src") and alice.evaluate("window.broken") is None


def test_it_can_be_used_with_the_keyboard_alone(world):
    alice, bob = world.page("alice"), world.page("bob")
    keys = alice.keyboard
    alice.get_by_label("Name of a user to begin a chat with").focus()
    keys.type("bob")
    keys.press("Enter")
    expect(alice.locator("#text")).to_be_focused()
    keys.type("First line")
    keys.press("Shift+Enter")
    keys.type("second line")
    keys.press("Enter")
    expect(bubbles(alice).first.locator(".text")).to_have_text("First line\nsecond line")
    expect(bubbles(alice).first.locator(".state")).to_contain_text("✓")
    keys.press("ArrowUp")
    expect(bubbles(alice).first).to_be_focused()
    keys.press("Enter")
    expect(alice.get_by_role("button", name="Like")).to_be_focused()
    keys.press("Enter")
    expect(bubbles(alice).first.locator(".reactions button")).to_have_text("👍 1")
    for _ in range(12):
        keys.press("Tab")
        if alice.evaluate("document.activeElement.dataset.do") == "edit":
            break
    keys.press("Enter")
    expect(alice.locator("#mode")).to_contain_text("Editing")
    keys.press("Escape")
    expect(alice.locator("#mode")).to_be_hidden()
    expect(alice.locator("#text")).to_be_focused()
    bob.locator("#conversations .chat").focus()
    bob.keyboard.press("Enter")
    expect(bubbles(bob)).to_have_count(1)


def test_the_focus_stays_with_its_row_and_button(world):
    alice = world.page("alice")
    bob, carol = world.page("bob"), world.page("carol")
    for page, name in ((bob, "Bob"), (carol, "Carol")):
        begin(page, "alice")
        write(page, f"I am {name}")
    chats = alice.locator("#conversations .chat")
    expect(chats).to_have_count(2)
    expect(alice.locator("#conversations .unread")).to_have_text(["1", "1"])
    # The chat with a new message moves to the top of the list.
    chats.filter(has_text="bob").focus()
    for page in (carol, bob, carol):
        write(page, "More")
        expect(chats.first).to_contain_text("carol" if page is carol else "bob")
        expect(chats.filter(has_text="bob")).to_be_focused()

    chats.filter(has_text="bob").press("Enter")
    expect(alice.locator("#text")).to_be_focused()
    expect(bubbles(alice)).to_have_count(2)
    for text in ("First", "Second"):
        write(alice, text)
        expect(bubbles(alice).last.locator(".state")).to_contain_text("✓")
    # The row that is deleted leaves the focus to its neighbour.
    bubbles(alice).nth(2).get_by_role("button", name="Delete here").focus()
    alice.keyboard.press("Enter")
    expect(bubbles(alice)).to_have_count(3)
    expect(bubbles(alice).nth(2)).to_be_focused()
    assert alice.problems == []


def test_the_focus_stays_with_the_action_of_a_card(world):
    alice = world.page("alice")
    assert alice.evaluate("""() => {
      const row = words => `<li class="message" tabindex="-1" data-id="1"><div class="bubble">${words}${
        ['one', 'two'].flatMap(component => ['yes', 'no'].map(action =>
          `<button data-do="card" data-component="${component}" data-action="${action}">${component} ${action}</button>`))
          .join('')}</div></li>`;
      by('chat').hidden = false;
      apply([{ list: 'messages', insert: 0, html: row('before') }]);
      const found = [];
      for (let index = 0; index < 4; index++) {
        lists.messages.querySelectorAll('button')[index].focus();
        apply([{ list: 'messages', replace: 0, html: row('after') }]);
        found.push(document.activeElement.textContent);
      }
      return found;
    }""") == ["one yes", "one no", "two yes", "two no"]


def test_roles_names_and_contrast(world):
    world.program("bob")
    alice = world.page("alice")
    accessible(alice)
    begin(alice, "bob")
    write(alice, "See https://example.com, @bob")
    expect(bubbles(alice).first.locator(".state")).to_contain_text("✓")
    inspector = alice.context.new_page()
    inspector.goto(world.programs["alice"].address + "inspector")
    expect(inspector.locator("#timings .histogram")).to_have_count(4)
    for scheme in ("light", "dark"):
        for page in (alice, inspector):
            page.emulate_media(color_scheme=scheme)
            accessible(page)
    alice.set_viewport_size({"width": 390, "height": 760})
    accessible(alice)
