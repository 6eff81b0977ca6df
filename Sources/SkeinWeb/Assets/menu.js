// The menu of a chat's settings, at the chat's row. The program sends its items.
'use strict';

const menu = document.getElementById('menu'), chats = document.getElementById('conversations');
// The chat of the menu, and the chat whose menu was open when the pointer went down.
let menuChat = null, chatBefore = null;

const isMenuOpen = () => menu.matches(':popover-open');
const openerOf = chat => chats.querySelector(`[data-do=settings][data-chat="${chat}"]`);

// Called when the items have arrived.
function openMenu() {
  menuChat = menu.querySelector('[data-chat]').dataset.chat;
  menu.togglePopover(true);
  placeMenu();
  menu.querySelector('button').focus();
}

// Gives the focus back to the element that had it, or to the button of the row if that is gone.
function closeMenu() {
  menu.togglePopover(false);
  if (document.activeElement === document.body) openerOf(menuChat)?.focus({ preventScroll: true });
}

// The menu stays at its row if the row moves, and closes if the row is gone.
function placeMenu() {
  const opener = isMenuOpen() ? openerOf(menuChat) : null;
  for (const button of chats.querySelectorAll('[aria-expanded=true]'))
    if (button !== opener) button.setAttribute('aria-expanded', 'false');
  if (!opener) return menu.togglePopover(false);
  opener.setAttribute('aria-expanded', 'true');
  const at = opener.getBoundingClientRect(), size = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(8, Math.min(at.left, innerWidth - size.width - 8))}px`;
  menu.style.top = `${at.bottom + size.height + 8 > innerHeight ? at.top - size.height : at.bottom}px`;
}

// A click on the button of the open menu closes the menu: the browser has closed it already.
function hasClosedMenu(button) {
  const isSame = button.dataset.do === 'settings' && button.dataset.chat === chatBefore;
  chatBefore = null;
  return isSame;
}

document.addEventListener('pointerdown', () => { chatBefore = isMenuOpen() ? menuChat : null; }, true);
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
  request('settings', { chat: Number(opener.dataset.chat) });
});
chats.addEventListener('scroll', () => menu.togglePopover(false), { passive: true });
window.addEventListener('resize', () => menu.togglePopover(false));
