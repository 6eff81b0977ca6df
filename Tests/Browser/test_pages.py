"""The pages of `make web`, with every kind of message."""

import re

from conftest import Program, accessible, picture
from playwright.sync_api import expect
from test_chat import bubbles


def test_every_kind_is_shown(browser):
    program = Program("pages").start()
    try:
        addresses = [program.address, re.search(r"http://\S+", program.process.stdout.readline()).group()]
        alice, bob = (browser.new_page(viewport={"width": 1000, "height": 1060}) for _ in range(2))
        for page, address, other in zip((alice, bob), addresses, ("bob", "alice")):
            page.problems = []
            page.on("pageerror", lambda error, page=page: page.problems.append(str(error)))
            page.on("console", lambda line, page=page: page.problems.append(line.text) if line.type == "error" else None)
            page.goto(address)
            page.locator("#conversations .chat").filter(has=page.get_by_text(other, exact=True)).click()
            expect(bubbles(page)).to_have_count(19)
        for part in (".media img", ".sticker img", "a.file[download]", "a.file[href*=openstreetmap]", ".audio button",
                     ".quote", ".history", ".recalled", ".mention", "[data-component=poll]", ".reactions button", ".notice",
                     "[data-component=contact]", "[data-component=moment]", "[data-component=topic]",
                     "[data-component=invitation]"):
            expect(bob.locator(f"#messages {part}").first).to_be_attached()

        alice.get_by_role("button", name="Vote for Soup").click()
        expect(bob.get_by_role("button", name="Vote for Soup")).to_have_text("Soup  1")
        bob.get_by_role("button", name="Vote for Hot pot").click()
        expect(alice.get_by_role("button", name="Vote for Hot pot")).to_have_text("Hot pot  1")
        alice.get_by_role("button", name="Play").click()
        expect(alice.locator(".audio.playing")).to_have_count(1)
        alice.get_by_role("button", name="Stop").click()
        expect(alice.locator(".audio.playing")).to_have_count(0)
        like = alice.get_by_role("button", name="Like", exact=True).and_(alice.locator("[data-component]"))
        like.click()
        expect(bob.locator("[data-component=moment]")).to_have_text("♡ 1")
        expect(alice.locator("[data-component=moment]:disabled")).to_have_text("♥ 1")
        alice.locator("#pinned button").first.click()
        expect(bubbles(alice).first).to_be_focused()
        alice.get_by_role("button", name="Go to the newest message").click()
        expect(bubbles(alice).last).to_be_in_viewport()
        assert alice.evaluate("""() => {
          const time = document.createElement('time');
          time.dataset.time = '9223372036854775807';
          lists.messages.lastElementChild.append(time);
          apply([]);
          const said = time.textContent;
          time.remove();
          return said;
        }""") == "–"
        alice.get_by_role("button", name="Write to Carol Chen").click()
        expect(alice.locator("#header h1")).to_have_text("carol")
        alice.locator("#conversations .chat").filter(has=alice.get_by_text("bob", exact=True)).click()
        alice.get_by_role("button", name="Have a look").click()
        expect(alice.locator("#notice")).to_contain_text("offer")
        expect(alice.locator("#notice")).to_be_empty(timeout=10_000)
        picture(alice, "every-kind")
        bob.set_viewport_size({"width": 1180, "height": 800})
        bob.locator("#pinned button").first.click()
        expect(bubbles(bob).first).to_be_focused()
        bob.locator("#text").focus()
        bob.mouse.move(0, 0)
        picture(bob, "web")
        accessible(bob)
        bob.emulate_media(color_scheme="dark")
        picture(bob, "web-dark")
        accessible(bob)
        assert alice.problems == [] and bob.problems == []
    finally:
        for context in browser.contexts:
            context.close()
        program.stop()


def test_broken_plugins_affect_only_their_cards(browser):
    program = Program("pages", "--faulty").start()
    try:
        page = browser.new_page(viewport={"width": 1000, "height": 760})
        page.goto(program.address)
        page.locator("#conversations .chat").click()
        for text in ("a message whose plugin throws", "a message whose plugin hangs",
                     "a message whose plugin floods the chat", "And this is the end of it."):
            expect(bubbles(page).filter(has_text=text)).to_have_count(1)
        expect(bubbles(page).get_by_text("flood", exact=True)).to_have_count(20)
        page.get_by_role("button", name="Vote for Yes").click()
        expect(page.get_by_role("button", name="Vote for Yes")).to_have_text("Yes  1")
        page.locator("#text").fill("It goes on.")
        page.keyboard.press("Enter")
        expect(bubbles(page).last).to_contain_text("It goes on.")

        inspector = browser.new_page(viewport={"width": 1000, "height": 760})
        inspector.goto(program.address + "inspector")
        rows = inspector.locator("#problems tbody tr")
        for business, code in (("throwing", "noComponents"), ("hanging", "componentsHang"), ("flooding", "sendsTooMuch")):
            expect(rows.filter(has_text=business).filter(has_text=code)).to_have_count(1)
        picture(inspector, "inspector-problems")
    finally:
        for context in browser.contexts:
            context.close()
        program.stop()
