// The menu of a chat's settings, at the chat's row. The program sends its items.
'use strict';

const menu = document.getElementById('menu'), chats = document.getElementById('conversations');
// The chat of the menu, the chat whose menu was open when the pointer went down, and whether the pointer is down.
let menuChat = null, chatBefore = null, isPressed = false;

const isMenuOpen = () => menu.matches(':popover-open');
const openerOf = chat => chats.querySelector(`[data-do=settings][data-chat="${chat}"]`);

// Called when the items have arrived.
function openMenu() {
  menuChat = menu.querySelector('[data-chat]').dataset.chat;
  menu.togglePopover(true);
  placeMenu();
  menu.querySelector('button').focus();
}

// Gives the focus back to the element that had it. If that is gone, gives it to the button of the row, or to the first row.
function closeMenu() {
  const hadFocus = menu.contains(document.activeElement);
  menu.togglePopover(false);
  if (!hadFocus || document.activeElement !== document.body && !menu.contains(document.activeElement)) return;
  (openerOf(menuChat) ?? chats.querySelector('.chat'))?.focus({ preventScroll: true });
}

// The menu stays at its row if the row moves, and closes if the row is gone.
function placeMenu() {
  const opener = isMenuOpen() ? openerOf(menuChat) : null;
  for (const button of chats.querySelectorAll('[aria-expanded=true]'))
    if (button !== opener) button.setAttribute('aria-expanded', 'false');
  if (!opener) return isMenuOpen() && closeMenu();
  opener.setAttribute('aria-expanded', 'true');
  const at = opener.getBoundingClientRect(), size = menu.getBoundingClientRect(), list = chats.getBoundingClientRect();
  if (at.bottom < list.top || at.top > list.bottom) return closeMenu();
  menu.style.left = `${Math.max(8, Math.min(at.left, innerWidth - size.width - 8))}px`;
  menu.style.top = `${Math.max(8, at.bottom + size.height + 8 > innerHeight ? at.top - size.height : at.bottom)}px`;
}

// A click on the button of the open menu closes the menu: the browser has closed it already. A click by the keyboard opens it.
function hasClosedMenu(button, event) {
  const isSame = event.detail > 0 && button.dataset.do === 'settings' && button.dataset.chat === chatBefore;
  chatBefore = null;
  return isSame;
}

document.addEventListener('pointerdown', () => { isPressed = true; chatBefore = isMenuOpen() ? menuChat : null; }, true);
for (const end of ['pointerup', 'pointercancel']) document.addEventListener(end, () => { isPressed = false; }, true);
menu.addEventListener('toggle', placeMenu);
menu.addEventListener('keydown', event => {
  const items = [...menu.querySelectorAll('button')], at = items.indexOf(document.activeElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (next !== undefined) { event.preventDefault(); items.at(next % items.length).focus(); }
  if (['Escape', 'Tab'].includes(event.key)) { event.preventDefault(); closeMenu(); }
});
chats.addEventListener('contextmenu', event => {
  const opener = event.target.closest('li')?.querySelector('[data-do=settings]');
  if (!opener) return;
  event.preventDefault();
  const released = new AbortController();
  const open = () => { released.abort(); request('settings', { chat: Number(opener.dataset.chat) }); };
  if (!isPressed) return open();
  // The end of the press would close the menu.
  for (const end of ['pointerup', 'pointercancel']) document.addEventListener(end, open, { signal: released.signal });
});
chats.addEventListener('scroll', placeMenu, { passive: true });
window.addEventListener('resize', placeMenu);
