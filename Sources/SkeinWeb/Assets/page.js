// The page is a view: it applies the steps that the program sends, and reports the user's actions as
// requests. All markup comes from the program, which escapes texts.
'use strict';

const by = id => document.getElementById(id);
const parts = ['connection', 'header', 'invitation', 'pinned', 'results', 'chooser', 'menu', 'notice'];
const lists = { conversations: by('conversations'), messages: by('messages') };
const scroll = by('scroll'), text = by('text');
let socket = null, chat = null, reach = [false, false], pause = 250, asked = { older: false, newer: false };
let mode = { action: null, message: null }, kept = '', draftTimer = null, noticeTimer = null;
let sticks = true, goesToEnd = false, lastRead = null;
// The text that was sent to the program and is not yet known to be on disk.
let unconfirmed = null;

// The program closes the connection if a request has more than 1 MiB.
const longest = 1_000_000;

// Returns whether the request was sent.
function request(name, more = {}) {
  if (socket?.readyState !== WebSocket.OPEN) return false;
  const frame = JSON.stringify({ do: name, ...more });
  if (new Blob([frame]).size > longest) {
    fill('notice', '<span>A text of more than 1 MB can neither be sent nor kept as a draft.</span>');
    return false;
  }
  socket.send(frame);
  return true;
}
// A request contains its chat, since the program may have another chat open when the request arrives.
const requestInChat = (name, more = {}) => chat !== null && request(name, { chat, ...more });

// The connection to the program.

function connect() {
  socket = new WebSocket(location.href.replace(/^http/, 'ws').replace(/[#?].*$/, '') + 'socket');
  socket.onopen = () => {
    pause = 250;
    by('gone').hidden = true;
    if (chat !== null) request('open', { chat });
  };
  socket.onmessage = event => receive(JSON.parse(event.data));
  socket.onclose = () => {
    by('gone').hidden = false;
    setTimeout(connect, pause);
    pause = Math.min(pause * 2, 5000);
  };
}

// Steps from the program.

// A press becomes a click only if its element is still there when it ends, and a step may replace the element. Steps
// therefore wait for the end of a short press.
let pressed = null, waiting = [];
const longestPress = 1000;

function receive(patches) {
  if (pressed === null) apply(patches); else waiting.push(...patches);
}

function released() {
  clearTimeout(pressed);
  pressed = null;
  if (waiting.length) apply(waiting.splice(0));
}

addEventListener('pointerdown', () => {
  clearTimeout(pressed);
  pressed = setTimeout(released, longestPress);
}, true);
// The click comes after the release.
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => setTimeout(released), true);

function apply(patches) {
  const anchor = keepPlace(), refocus = keepFocus();
  let reveal = null;
  for (const patch of patches) {
    if (patch.list) applyStep(lists[patch.list], patch);
    // A message may be inserted above the last one, which may be waiting to be sent.
    if (patch.list === 'messages' && patch.insert !== undefined) lastRead = null;
    if (patch.fill && parts.includes(patch.fill)) fill(patch.fill, patch.html);
    if (patch.chat !== undefined) opened(patch.chat, patch.text);
    if (patch.reach) reach = patch.reach;
    if (patch.sent) { unconfirmed = null; keepDraft(); }
    if (patch.done) asked[patch.done] = false;
    if (patch.failed) setTimeout(() => { asked[patch.failed] = false; pageIfNeeded(); }, 3000);
    if (patch.reveal !== undefined) reveal = patch.reveal;
    if (patch.compose) compose(patch.compose, patch.message, patch.text);
    if (patch.unread !== undefined) document.title = patch.unread ? `(${patch.unread}) Skein` : 'Skein';
  }
  refocus();
  placeMenu();
  by('none').hidden = lists.conversations.childElementCount > 0;
  by('start').hidden = lists.messages.childElementCount > 0;
  markDays();
  fillTimes(document);
  if (reveal !== null) show(reveal); else anchor();
  if (!reach[1]) goesToEnd = false;
  by('newest').hidden = isAtEnd();
  pageIfNeeded();
  noteRead();
  play();
}

function made(html) {
  const template = document.createElement('template');
  template.innerHTML = html;
  // Import the element now: media restarts if it moves to another document later.
  return document.importNode(template.content, true).firstElementChild;
}

function applyStep(list, patch) {
  if (patch.clear) return list.replaceChildren();
  if (patch.remove !== undefined) return list.children[patch.remove]?.remove();
  const element = made(patch.html);
  if (patch.insert !== undefined) return list.insertBefore(element, list.children[patch.insert] ?? null);
  const old = list.children[patch.replace];
  if (!old) return;
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  // Keep media that is playing.
  const playing = old.querySelector('video:not([data-plays]), audio[data-plays]');
  const next = playing && element.querySelector(`${playing.tagName}[src="${playing.getAttribute('src')}"]`);
  if (next) next.replaceWith(playing);
  old.replaceWith(element);
  if (focused) giveFocus(element, focused);
}

// The keyboard's focus stays with its row and button if the row moves. If the row is gone, a neighbour gets it.

function keepFocus() {
  const focused = document.activeElement;
  const row = focused?.closest('#messages > li, #conversations > li');
  if (!row) return () => {};
  const nameOf = row => row.dataset.id ?? row.dataset.chat;
  const [list, name] = [row.parentElement, nameOf(row)];
  const near = [row.nextElementSibling, row.previousElementSibling];
  return () => {
    if (document.activeElement !== document.body) return;
    const same = name && [...list.children].find(row => nameOf(row) === name);
    const neighbour = near.find(row => row?.isConnected);
    if (same) giveFocus(same, focused); else if (neighbour) giveFocus(neighbour);
  };
}

function giveFocus(row, button) {
  const same = button && [...row.querySelectorAll('button')].find(other => !other.disabled
    && ['do', 'action', 'component', 'value', 'key'].every(name => other.dataset[name] === button.dataset[name]));
  (same ?? (row.hasAttribute('tabindex') ? row : row.querySelector('button')))?.focus({ preventScroll: true });
}

function fill(part, html) {
  by(part).innerHTML = html;
  if (part === 'connection' && by(part).querySelector('.online')) loadBroken();
  if (part === 'chooser') by('choose').showModal();
  if (part === 'menu') openMenu();
  if (part === 'notice') {
    clearTimeout(noticeTimer);
    noticeTimer = setTimeout(() => by('notice').replaceChildren(), 8000);
  }
}

function opened(id, draft) {
  document.body.classList.add('open');
  reach = [false, false];
  asked = { older: false, newer: false };
  clearTimeout(draftTimer);
  if (id === chat) {
    // The connection is back: keep the text in the composer, and restore a text that may be lost.
    if (unconfirmed) restore(unconfirmed);
    unconfirmed = null;
    keepDraft();
  } else {
    keepDraft();
    unconfirmed = null;
    chat = id;
    mode = { action: null, message: null };
    by('mode').hidden = true;
    text.value = draft ?? '';
    sticks = true;
    lastRead = null;
  }
  grow();
  by('chat').hidden = false;
  by('welcome').hidden = true;
  for (const button of lists.conversations.querySelectorAll('.chat'))
    button.setAttribute('aria-current', String(Number(button.dataset.chat) === id));
  if (matchMedia('(min-width: 46rem)').matches) text.focus();
}

// The scroll position stays with the row that the reader sees, or at the end.

const isAtEnd = () => scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 40 && !reach[1];

// Measure the bubble, since the line with the day above it may appear or disappear.
const topOf = row => (row.querySelector('.bubble') ?? row).getBoundingClientRect().top;

function keepPlace() {
  const edge = scroll.getBoundingClientRect().top;
  const row = sticks ? null : [...lists.messages.children].find(row => row.getBoundingClientRect().bottom > edge);
  const id = row?.dataset.id, place = row ? topOf(row) : 0;
  return () => {
    if (sticks || goesToEnd) { scroll.scrollTop = scroll.scrollHeight; return; }
    const same = row?.isConnected ? row : id && lists.messages.querySelector(`[data-id="${id}"]`);
    if (same) scroll.scrollTop += topOf(same) - place;
  };
}

function show(id) {
  const row = lists.messages.querySelector(`[data-id="${id}"]`);
  if (!row) return;
  sticks = goesToEnd = false;
  row.scrollIntoView({ block: 'center' });
  row.focus({ preventScroll: true });
  row.classList.remove('found');
  requestAnimationFrame(() => row.classList.add('found'));
}

function pageIfNeeded() {
  if (chat === null) return;
  for (const [way, isNear, hasMore] of [
    ['older', scroll.scrollTop < 400, reach[0]],
    ['newer', scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 400, reach[1]],
  ]) {
    if (!isNear || !hasMore || asked[way]) continue;
    asked[way] = true;
    requestInChat(way);
  }
}

// Report the chat as read when its end is visible in a page that has the focus.
function noteRead() {
  const last = lists.messages.lastElementChild?.dataset.id;
  if (last === undefined || last === lastRead || !scroll.clientHeight || !isAtEnd()) return;
  if (document.visibilityState !== 'visible' || !document.hasFocus()) return;
  lastRead = last;
  requestInChat('read');
}

scroll.addEventListener('scroll', () => {
  sticks = isAtEnd();
  by('newest').hidden = sticks;
  pageIfNeeded();
  if (sticks) noteRead();
}, { passive: true });
new ResizeObserver(() => { if (sticks) scroll.scrollTop = scroll.scrollHeight; }).observe(scroll);
lists.messages.addEventListener('load', () => { if (sticks) scroll.scrollTop = scroll.scrollHeight; }, true);
for (const event of ['focus', 'visibilitychange']) window.addEventListener(event, noteRead);

// A picture may be missing because the server can't be reached.

document.addEventListener('error', event => {
  if (event.target instanceof HTMLImageElement) event.target.dataset.broken = 'true';
}, true);

function loadBroken() {
  for (const image of document.querySelectorAll('img[data-broken]')) {
    delete image.dataset.broken;
    image.src = image.src;
  }
}

// Days and times in the reader's locale.

const dayOf = time => new Date(Number(time)).toDateString();

function markDays() {
  let day = null, sender = null;
  for (const row of lists.messages.children) {
    const time = row.dataset.time;
    if (!time) { sender = null; continue; }
    const today = dayOf(time);
    const isFirst = today !== day;
    if (isFirst) {
      row.dataset.day = new Date(Number(time)).toLocaleDateString(
        undefined, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
    } else delete row.dataset.day;
    row.classList.toggle('follows', !isFirst && row.dataset.sender === sender);
    [day, sender] = [today, row.dataset.sender];
  }
}

function fillTimes(root) {
  for (const element of root.querySelectorAll('time[data-time]:empty')) {
    const date = new Date(Number(element.dataset.time));
    // A message may have any number as its time.
    if (Number.isNaN(date.getTime())) { element.textContent = '–'; continue; }
    const isToday = date.toDateString() === new Date().toDateString();
    element.dateTime = date.toISOString();
    const form = element.dataset.form;
    element.textContent = form === 'full' ? date.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'short' })
      : form === 'short' && !isToday ? date.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })
      : date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
    element.title = date.toLocaleString();
  }
}

// Requests from clicks.

document.addEventListener('click', event => {
  const button = event.target.closest('[data-do]');
  if (!button || button.disabled || hasClosedMenu(button, event)) return;
  const row = button.closest('#messages > li');
  const given = button.dataset, more = {};
  const message = given.message ?? row?.dataset.id;
  if (given.do === 'view') return view(button.querySelector('img'));
  if (message !== undefined && !(given.do === 'jump' && given.message === undefined)) more.message = Number(message);
  if (given.chat !== undefined) more.chat = Number(given.chat);
  else if (chat !== null) more.chat = chat;
  if (row) more.index = [...lists.messages.children].indexOf(row);
  for (const name of ['server', 'key', 'component', 'action', 'value']) if (given[name] !== undefined) more[name] = given[name];
  if (given.do === 'jump' && row && given.message === undefined) delete more.message;
  if (given.do === 'forwardTo') by('choose').close();
  if (given.do === 'open' && more.chat === chat) {
    document.body.classList.add('open');
    if (sticks) scroll.scrollTop = scroll.scrollHeight;
    lastRead = null;
    noteRead();
  }
  if (['recall', 'delete'].includes(given.do) && !confirm(`${button.title}?`)) return;
  request(given.do, more);
  if (button.closest('#menu')) closeMenu();
});

function view(image) {
  by('viewer').querySelector('img').src = image.src;
  by('viewer').querySelector('img').alt = image.alt;
  by('viewer').showModal();
}

function compose(action, message, words) {
  if (action === 'restore') restore(words);
  else {
    leave();
    mode = { action, message };
    by('mode').hidden = false;
    by('mode').firstElementChild.textContent = action === 'edit' ? 'Editing' : `Reply to ${words}`;
    if (action === 'edit') [kept, text.value] = [text.value, words];
  }
  grow();
  text.focus();
}

// Put an unsent text back into the composer, above the text that is there now.
function restore(words) {
  unconfirmed = null;
  text.value = [words, text.value].filter(Boolean).join('\n');
  grow();
}

// End a reply or an edit. After an edit, restore the text that was in the composer before.
function leave() {
  if (mode.action === 'edit') text.value = kept;
  mode = { action: null, message: null };
  by('mode').hidden = true;
  grow();
}

function grow() {
  text.rows = Math.min(Math.max(text.value.split('\n').length, 1), 8);
}

function send() {
  if (!text.value.trim()) return;
  const more = { text: text.value, action: mode.action ?? undefined, message: mode.message ?? undefined };
  // Without a connection to the program, or if the text is too long, the text stays in the composer.
  if (!requestInChat('send', more)) return;
  unconfirmed = text.value;
  if (mode.action !== 'edit') {
    sticks = goesToEnd = true;
    text.value = '';
  }
  leave();
}

function keepDraft() {
  clearTimeout(draftTimer);
  if (mode.action !== 'edit') requestInChat('draft', { text: text.value });
}

by('composer').addEventListener('submit', event => { event.preventDefault(); send(); });
text.addEventListener('input', () => {
  grow();
  if (text.value) requestInChat('typing');
  clearTimeout(draftTimer);
  draftTimer = setTimeout(keepDraft, 600);
});
text.addEventListener('keydown', event => {
  if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) { event.preventDefault(); send(); }
  if (event.key === 'Escape') leave();
  if (event.key === 'ArrowUp' && !text.value) {
    const own = [...lists.messages.querySelectorAll('.own[data-id]')].at(-1);
    if (own) { event.preventDefault(); own.focus(); }
  }
});
lists.messages.addEventListener('keydown', event => {
  const row = event.target.closest('#messages > li');
  if (!row || event.target !== row) { if (event.key === 'Escape') row?.focus(); return; }
  const next = { ArrowUp: row.previousElementSibling, ArrowDown: row.nextElementSibling }[event.key];
  if (event.key === 'Escape' || (event.key === 'ArrowDown' && !next)) { event.preventDefault(); return text.focus(); }
  if (next) { event.preventDefault(); next.focus(); }
  if (event.key === 'Enter') row.querySelector('.tools button, button')?.focus();
});
by('leave').addEventListener('click', () => { leave(); text.focus(); });
by('newest').addEventListener('click', () => { sticks = goesToEnd = true; requestInChat('newest'); scroll.scrollTop = scroll.scrollHeight; });
by('back').addEventListener('click', () => {
  keepDraft();
  document.body.classList.remove('open');
  lists.conversations.querySelector('[aria-current=true]')?.focus();
});
by('begin').addEventListener('submit', event => {
  event.preventDefault();
  const field = event.target.elements.text;
  if (field.value.trim()) request('new', { text: field.value });
  field.value = '';
});
let searchTimer = null;
by('search').addEventListener('input', event => {
  clearTimeout(searchTimer);
  searchTimer = setTimeout(() => request('search', { text: event.target.value }), 150);
});
by('date').querySelector('input').addEventListener('change', event => {
  const [year, month, day] = event.target.value.split('-').map(Number);
  // A year is typed digit by digit: years before 1970 are ignored as incomplete.
  if (year >= 1970) requestInChat('jump', { time: new Date(year, month - 1, day).getTime() });
});

// Files: chosen, dropped or pasted.

function upload(files) {
  if (chat === null) return;
  const target = chat;
  for (const file of files) {
    const line = document.createElement('span');
    const transfer = new XMLHttpRequest();
    const say = words => { line.textContent = `${file.name}: ${words} `; };
    transfer.open('POST', `upload?chat=${target}&name=${encodeURIComponent(file.name)}`);
    transfer.upload.onprogress = event => say(`${Math.floor(100 * event.loaded / Math.max(event.total, 1))} %`);
    transfer.onload = () => { if (transfer.status === 204) { line.remove(); if (chat === target) requestInChat('newest'); } else failed(transfer.responseText); };
    transfer.onerror = () => failed('could not be transferred.');
    const failed = words => { say(words); setTimeout(() => line.remove(), 8000); };
    say('0 %');
    by('uploads').append(line);
    sticks = goesToEnd = true;
    transfer.send(file);
  }
}

by('attach').addEventListener('click', () => by('file').click());
by('file').addEventListener('change', event => { upload(event.target.files); event.target.value = ''; });
text.addEventListener('paste', event => {
  if (event.clipboardData.files.length) { event.preventDefault(); upload(event.clipboardData.files); }
});
// A file dropped beside the chat must not replace the page.
for (const event of ['dragover', 'drop']) document.addEventListener(event, event => {
  if (event.dataTransfer.types.includes('Files')) event.preventDefault();
});
by('chat').addEventListener('dragover', event => {
  if (event.dataTransfer.types.includes('Files')) by('chat').classList.add('drop');
});
by('chat').addEventListener('dragleave', () => by('chat').classList.remove('drop'));
by('chat').addEventListener('drop', event => {
  by('chat').classList.remove('drop');
  upload(event.dataTransfer.files);
});

// Recordings play while their card says so.

function play() {
  for (const audio of document.querySelectorAll('audio[data-plays]')) {
    if (!audio.paused || audio.dataset.began) continue;
    audio.dataset.began = 'true';
    const message = Number(audio.closest('li').dataset.id);
    audio.onended = () => requestInChat('card', { message, component: audio.dataset.component, action: audio.dataset.ended });
    audio.play().catch(() => audio.setAttribute('controls', ''));
  }
}

connect();
