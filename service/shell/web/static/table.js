// The table: plays, watches and shows every step as it comes.
// @ts-check
import { Offline, Problem, ask, askText, once, send } from './api.js';
import { follow } from './live.js';
import { ready } from './page.js';
import { button, confirmed, make, touching } from './parts.js';
import { keep, linkFor, lookingToken, seatsOf, tokensOf } from './tokens.js';
import { mark, show, tell } from './view.js';

/** @typedef {{path: string, body?: any, token: string, headers: Record<string, string>}} Wish */

const { page, match, isThere } = await ready();
const place = find('#place');
/** What the page says of the match as it stands. @type {DOMStringMap} */
const now = find('.table')?.dataset;
/** The last event that is shown, and the last that is known to be there. */
let [seen, needed] = [0, 0];
/** @type {Promise<void>|null} */
let running = null;
/** What is sent again when the connection is back. @type {Wish|null} */
let kept = null;
/** Sentences of steps that are not shown yet. @type {string[]} */
let untold = [];
/** @type {ReturnType<typeof touching>} */
let parts;

/** @param {string} selector @param {ParentNode} [root] @returns {any} */
function find(selector, root = page) {
  return root.querySelector(selector);
}

const each = (/** @type {string} */ selector) => /** @type {NodeListOf<any>} */ (page.querySelectorAll(selector));
const listed = (/** @type {string|undefined} */ text) => (text || '').split(',').filter(Boolean);
const free = () => listed(now.free);
const token = () => lookingToken(match);
/** The seats played here that somebody sits on. */
const mine = () => Object.keys(seatsOf(match)).filter((seat) => !free().includes(seat));

function start() {
  parts = touching(place, find('#moves'), act, (words) => (find('#hint').textContent = words));
  find('#moves').open = matchMedia('(min-width: 56rem)').matches;
  page.addEventListener('click', (event) => pressed(event).catch(complain));
  page.addEventListener('submit', submitted);
  stand();
  follow(match, token(), seen, (step) => {
    untold.push(...step.told);
    refresh(step.last);
  }, (state) => {
    find('#connection').textContent = { live: '', offline: 'offline, trying again…', gone: 'no longer followed' }[state];
    if (state !== 'live') return;
    if (kept) carryOut(kept);
    else if (seen < needed) refresh(needed);
  });
}

/** Bring the page to where the match stands. @param {number} head */
function refresh(head) {
  needed = Math.max(needed, head);
  running ??= update().finally(() => (running = null));
  return running;
}

async function update() {
  try {
    for (let before = -1; seen < needed && seen !== before; ) {
      before = seen;
      const fresh = make('div', { innerHTML: await askText(`/matches/${match}/table.html`, { token: token() }) });
      const hadFocus = place.contains(document.activeElement);
      const wasOpen = free().length;
      Object.assign(now, find('.table', fresh).dataset);
      if (wasOpen && !free().length) find('#share').open = false;
      arrange(fresh);
      show(place, find('.view', fresh).outerHTML);
      for (const id of ['#about', '#rows']) find(id).replaceChildren(...find(id, fresh).childNodes);
      arrive();
      await offerMoves();
      if (hadFocus && !place.contains(document.activeElement)) place.focus({ preventScroll: true });
    }
    if (untold.length) tell(untold.join(' '));
    untold = [];
  } catch (error) {
    complain(error); // the next step, or the next connection, asks again
  }
}

/** One's own board comes right after what lies in the middle; of several, on a phone, the one that is to act. @param {Element} root */
function arrange(root) {
  const turn = listed(find('.view', root).dataset.turn);
  const several = mine();
  const [seat, ...others] = several.length > 1 && innerWidth < 600 ? several.filter((one) => turn.includes(one)) : several;
  const own = find(`.panel[data-seat="${seat}"]`, root);
  const first = find('.panel:not([data-seat="0"])', root);
  if (own && !others.length && own !== first) first.before(own);
}

/** Take over what the page says now, and show what is for those who play here. */
function arrive() {
  const held = tokensOf(match);
  seen = Number.parseInt(now.etag || '', 10);
  // A free seat belongs to whoever sits down there, though its token lies here to be handed on.
  const away = free().filter((seat) => held.seats[seat] && !held.away?.includes(seat));
  if (away.length) keep(match, { away: [...(held.away || []), ...away] });
  const own = mine();
  const names = own.map((seat) => JSON.parse(now.names || '[]')[Number(seat) - 1]);
  find('h1').textContent = now.title;
  find('#me').textContent = own.length ? `You are ${names.join(' and ')}.` : held.host ? 'You are the host, and watching.' : 'You are watching.';
  for (const item of each('[data-seats]')) item.hidden = !holder(item.dataset.seats);
  for (const item of each('[data-open]')) item.hidden = false;
  const reserved = free().find((seat) => held.seats[seat]);
  find('.join').hidden = own.length > 0 || !free().length || find('.view').dataset.status === 'closed';
  find('.join p').textContent = reserved ? `Seat ${reserved} is kept for you.` : free().length === 1 ? 'One seat is free.' : `${free().length} seats are free.`;
  find('#share').hidden = !held.host;
  for (const row of each('.link-row')) {
    const { role, seat } = row.dataset;
    const given = seat ? held.seats[seat] : /** @type {any} */ (held)[role];
    row.hidden = !given && role !== 'spectator';
    find('input', row).value = given ? linkFor(match, role, given, seat) : `${location.origin}/matches/${match}`;
  }
  for (const box of each('[data-here]')) box.checked = own.includes(box.dataset.here);
  // On top stands what happened since one's own last move; here are the last steps.
  const log = find('.log');
  const lines = [...log.children];
  let from = lines.findLastIndex((line) => own.includes(line.dataset.actor)) + 1;
  if (own.length !== 1 || !from || from === lines.length) from = lines.findIndex((line) => line.dataset.step === lines.at(-1).dataset.step);
  const told = find('.told');
  told.replaceChildren(...lines.slice(from).map((line) => line.cloneNode(true)));
  told.tabIndex = 0;
  for (const list of [log, told]) list.scrollTop = list.scrollHeight;
}

/** Show the page as it is to whoever plays here now. */
function stand() {
  arrange(page);
  arrive();
  offerMoves().catch(complain);
}

/** Play for a seat in this browser, or leave it to somebody else. @param {string} seat @param {boolean} isHere */
function plays(seat, isHere) {
  const away = (tokensOf(match).away || []).filter((one) => one !== seat);
  keep(match, { away: isHere ? away : [...away, seat] });
  stand();
}

/** Fetch the moves of every seat of mine that may act, and offer them. */
async function offerMoves() {
  const { turn, status } = find('.view').dataset;
  const asked = seen;
  const own = status === 'playing' ? listed(turn).filter((seat) => mine().includes(seat)) : [];
  const answers = await Promise.all(own.map((seat) => ask(`/matches/${match}/legal?seat=${seat}`, { token: token() })));
  needed = Math.max(needed, ...answers.map((answer) => answer.head));
  if (asked !== seen) return; // a newer question is on its way
  const moves = answers.filter((answer) => answer.head === seen).flatMap((answer) => answer.moves.map((/** @type {object} */ move) => ({ ...move, seat: answer.seat })));
  moves.sort((one, other) => other.points - one.points); // what brings points first, costly passes last
  find('#moves').hidden = !mine().length || status !== 'playing';
  find('#moves summary').textContent = moves.length ? `Moves (${moves.length})` : 'Moves: none for you now';
  document.title = `${moves.length ? '● Your turn – ' : ''}${now.title} – matchledger`;
  parts.offer(moves);
  place.dataset.head = seen; // everything about this event is shown
}

/** The token of the first of these that is held here. @param {string} seats */
const holder = (seats) => listed(seats).map((seat) => (seat === 'host' ? tokensOf(match).host : mine().includes(seat) && seatsOf(match)[seat])).find(Boolean) || '';

/** Make a move; a costly one only after a second thought. @param {import('./parts.js').Move} move */
async function act(move) {
  if (move.doubt && !(await confirmed(move.doubt, 'Play it'))) return false;
  await carryOut(wish('actions', { move: move.move }, seatsOf(match)[move.seat]));
  return true;
}

/** @param {string} what @param {any} body @param {string} by @returns {Wish} */
const wish = (what, body, by) => ({ path: `/matches/${match}/${what}`, body, token: by, headers: { 'If-Match': `"${now.etag}"`, ...once() } });

/** Send what somebody wants; what the connection swallows is kept and sent again under the same key. @param {Wish} wanted */
async function carryOut(wanted) {
  kept = null;
  page.classList.add('sending');
  try {
    const done = await ask(wanted.path, { method: 'POST', ...wanted });
    complain(null);
    parts.reset();
    await refresh(done.head);
    if (!done.seat) return;
    keep(match, { seats: { [done.seat]: done.token || wanted.token } }); // somebody sat down
    plays(String(done.seat), true);
  } catch (error) {
    const isStale = error instanceof Problem && error.status === 412;
    if (error instanceof Offline) kept = wanted;
    else parts.reset();
    if (isStale) error.hint = 'Nothing was done. Look again: the table has changed.';
    complain(error);
    if (isStale) await refresh(seen + 1);
  } finally {
    page.classList.remove('sending');
  }
}

/** Say what was refused, in the service's own words; or, with null, nothing any more. @param {any} problem */
function complain(problem) {
  const isOffline = problem instanceof Offline;
  if (problem && !isOffline && !(problem instanceof Problem)) throw problem;
  const says = find('#says');
  says.hidden = !problem || (isOffline && !kept); // that nobody answers is told beside it
  const words = make('span', {}, `${problem?.message} `);
  if (isOffline) words.append('What you did is kept and sent as soon as the connection is back.');
  else if (problem?.rule) words.append(make('a', { href: `${now.rules}#${problem.rule}` }, problem.rule), ' ');
  words.append(problem?.hint || '');
  says.replaceChildren(words, button('Close', () => complain(null)));
}

/** Mark what a search would play, and say it; nothing is played. @param {HTMLButtonElement} item */
async function hint(item) {
  const words = find('#hinted');
  words.textContent = 'Thinking…';
  item.disabled = true;
  try {
    const { head, moves: [best] } = await ask(`/matches/${match}/hint`, { token: holder(item.dataset.seats || '') });
    if (head !== seen) return; // it is another's turn by now
    mark(place, best.path, 'hinted');
    words.textContent = `The best found: ${best.words}. Expected lead: ${best.expected.toFixed(1).replace('-', '−')}.`;
  } catch (error) {
    words.textContent = '';
    throw error;
  } finally {
    item.disabled = false;
  }
}

/** @param {Event} event */
async function pressed(event) {
  const item = /** @type {any} */ (event.target).closest('button, a[download], [data-here]');
  if (!item) return;
  const { do: what, seats = '', body, ask: words, open, here } = item.dataset;
  if (here) plays(here, item.checked);
  else if ('hint' in item.dataset) await hint(item);
  else if (item.download && token()) {
    event.preventDefault();
    const record = await send(`/matches/${match}/record`, { token: token() });
    make('a', { href: URL.createObjectURL(await record.blob()), download: item.download }).click();
  } else if ('copy' in item.dataset) {
    const field = find('input', item.parentElement);
    field.select();
    await navigator.clipboard?.writeText(field.value).then(() => (item.textContent = 'Copied'), () => (item.textContent = 'Press Ctrl+C'));
  } else if (open) await openAnother(open, JSON.parse(body));
  else if (what && (!words || (await confirmed(words, item.textContent)))) carryOut(wish(what, body && JSON.parse(body), holder(seats)));
}

/** @param {SubmitEvent} event */
function submitted(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const { do: what = '', seats = '' } = form.dataset;
  const body = Object.fromEntries(new FormData(form));
  if (what !== 'join') return carryOut(wish(what, body, holder(seats)));
  const held = tokensOf(match);
  const own = free().map((seat) => held.seats[seat]).find(Boolean);
  // One's own share in the draws: nobody else can know it before.
  const nonce = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('');
  const wanted = wish(what, { ...body, nonce }, own || token() || '');
  carryOut({ ...wanted, headers: once() }); // whoever else sat down meanwhile is welcome
}

/** Open a match that follows from this one, and go there. @param {string} path @param {any} body */
async function openAnother(path, body) {
  const isRematch = path === '/matches';
  const wanted = tokensOf(match).spectator ? { ...body, private: true } : body;
  const { match: opened, tokens } = await ask(path, { body: wanted, token: isRematch ? '' : token(), headers: once() });
  const others = Object.keys(tokens.seats).filter((seat) => mine().length && !mine().includes(seat));
  keep(opened.match, { ...tokens, away: isRematch ? others : [] });
  location.assign(`/matches/${opened.match}`);
}

if (isThere) start();
