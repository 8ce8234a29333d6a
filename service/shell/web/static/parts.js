// Moves by touch: a move is a path of parts, and touching them one after the other leaves fewer and fewer moves.
// No game is known here: which parts there are, and what they are called, stands in the drawing.
// @ts-check
import { mark, partOf } from './view.js';

/** @typedef {{seat: number, move: string, words: string, points: number, path: string[], doubt: string}} Move */

/** Moves above which one may look for some by words, and moves that are listed at once. */
const [MANY, MOST] = [12, 60];

/** @param {number} points */
const signed = (points) => (points < 0 ? `−${-points}` : `+${points}`);

/** What moves would score now: `+3`, `−2 to +1`. @param {Move[]} moves */
function worth(moves) {
  const points = moves.map((move) => move.points);
  const [least, most] = [Math.min(...points), Math.max(...points)];
  if (!least && !most) return 'no points now';
  return least === most ? signed(least) : `${signed(least)} to ${signed(most)}`;
}

/** @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {Record<string, any>} [values] @param {(Node|string)[]} children @returns {HTMLElementTagNameMap[T]} */
export function make(tag, values = {}, ...children) {
  const made = Object.assign(document.createElement(tag), values);
  made.append(...children);
  return made;
}

/** @param {string} words @param {() => void} onclick @param {string} [className] */
export const button = (words, onclick, className = '') => make('button', { type: 'button', onclick, className }, words);

/**
 * Moves in words, each a button; with a field to look for some when there are many.
 * @param {HTMLElement} box @param {(move: Move) => void} choose @param {(moves: Move[]|null) => void} look
 */
function moveList(box, choose, look) {
  const words = 'Look for a move';
  const field = make('input', { type: 'search', placeholder: words, ariaLabel: words, oninput: () => fill() });
  const list = make('ul', { className: 'list' });
  const rest = make('p', { className: 'quiet' });
  box.append(field, list, rest);
  box.addEventListener('keydown', (event) => goAlong(event, list, 'button'));
  /** @type {Move[]} */
  let all = [];
  function fill() {
    const wanted = field.value.toLowerCase().split(/\s+/);
    const found = all.filter((move) => wanted.every((word) => `${move.move} ${move.words}`.toLowerCase().includes(word)));
    const hadFocus = list.contains(document.activeElement);
    list.replaceChildren(...found.slice(0, MOST).map((move) => {
      const [on, off] = [() => look([move]), () => look(null)];
      const points = make('span', { className: move.points < 0 ? 'points bad' : 'points' }, move.points ? signed(move.points) : '');
      const item = Object.assign(button('', () => choose(move)), { onfocus: on, onblur: off, onpointerenter: on, onpointerleave: off });
      item.append(make('span', {}, move.words), points);
      item.dataset.move = move.move;
      return make('li', {}, item);
    }));
    if (hadFocus) (list.querySelector('button') || box.querySelector('summary'))?.focus();
    rest.textContent = found.length > MOST ? `and ${found.length - MOST} more: look for them by their words` : all.length && !found.length ? 'No move has all of these words.' : '';
  }
  return (/** @type {Move[]} */ moves) => {
    all = moves;
    field.hidden = moves.length <= MANY;
    if (field.hidden) field.value = '';
    fill();
  };
}

/** Ask something; gives what was answered, or undefined. @param {string} words @param {(box: HTMLElement, answer: (value: any) => void) => void} fill */
async function question(words, fill) {
  const dialog = make('dialog', { ariaLabel: words }, make('p', {}, words));
  /** @type {any} */
  let given;
  fill(dialog, (value) => {
    given = value;
    dialog.close();
  });
  dialog.append(button('Back', () => dialog.close()));
  document.body.append(dialog);
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener('close', resolve));
  dialog.remove();
  return given;
}

/** Ask whether to go on. @param {string} words @param {string} yes */
export const confirmed = (words, yes) => question(words, (box, answer) => box.append(button(yes, () => answer(true), 'main')));

/** Go from one of several elements to the next with the arrow keys. @param {KeyboardEvent} event @param {ParentNode} root @param {string} which */
function goAlong(event, root, which) {
  const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
  const all = [...root.querySelectorAll(which)];
  const here = all.indexOf(/** @type {Element} */ (event.target));
  if (!by || here < 0) return;
  event.preventDefault();
  /** @type {HTMLElement} */ (all[(here + by + all.length) % all.length]).focus();
}

/**
 * Let moves be made in a drawing and from a list beside it. `choose` tells whether a move was really wanted.
 * @param {HTMLElement} place @param {HTMLElement} box @param {(move: Move) => Promise<boolean>} choose @param {(words: string) => void} hint
 */
export function touching(place, box, choose, hint) {
  /** @type {Move[]} */
  let moves = [];
  /** The parts that were touched. @type {string[]} */
  let taken = [];
  const list = moveList(box, choose, look);
  /** The moves whose path goes on from what was touched, and those that end there. */
  const left = () => moves.filter((move) => taken.every((part, index) => move.path[index] === part));
  const ending = () => left().filter((move) => move.path.length === taken.length);

  /** Those of some moves by the part that comes at a place of their path. @param {Move[]} some @param {number} index */
  function by(some, index) {
    /** @type {Map<string, Move[]>} */
    const found = new Map();
    for (const move of some) {
      const part = move.path[index];
      if (part) found.get(part)?.push(move) || found.set(part, [move]);
    }
    return found;
  }

  /** The nearest part around an element that is one of some. @param {any} element @param {(name: string) => boolean} isOne @returns {string} */
  function around(element, isOne) {
    const part = element?.closest('[data-part]');
    return !part || isOne(part.dataset.part) ? part?.dataset.part || '' : around(part.parentElement, isOne);
  }

  /** Show what moves would score and the parts they go over. @param {Move[]|null} some */
  function look(some) {
    mark(place, (some || []).flatMap((move) => move.path.slice(0, some?.length === 1 ? undefined : taken.length + 2)), 'lit');
    if (some) return hint(`${some.length > 1 ? label(some[0].path[taken.length]) : some[0].words} · ${worth(some)}`);
    const stop = ending().length ? ', or touch the last one again to stop here' : '';
    hint(!moves.length ? '' : taken.length ? `Go on with a marked part${stop}; Escape goes back.` : 'Your turn: touch a marked part, or choose a move from the list.');
  }

  /** What a part is called. @param {string} name */
  function label(name) {
    const part = partOf(place, name);
    return (part?.querySelector(':scope > title') || part?.querySelector('.who, .what'))?.textContent || name;
  }

  /** A part was touched: one that comes next, one that was touched before, or one that begins another move. @param {Event} event */
  async function touch(event) {
    const [next, first] = [by(left(), taken.length), by(moves, 0)];
    const name = around(event.target, (part) => next.has(part));
    const again = !name && around(event.target, (part) => taken.includes(part));
    const other = !name && around(event.target, (part) => first.has(part));
    if (!name && !again && !other) return;
    event.preventDefault();
    // Where one could go on, the last part touched twice says that one does not.
    if (again) return again === taken.at(-1) && ending().length ? end() : back(taken.indexOf(again));
    taken = other ? [other] : [...taken, name];
    draw();
    if (ending().length === left().length) await end();
    else if (event.type === 'keydown') /** @type {HTMLElement|null} */ (place.querySelector('.next'))?.focus();
  }

  /** Make the move that was touched, or ask which of several. */
  async function end() {
    const some = ending();
    const move = some.length === 1 ? some[0] : await question('Which one?', (dialog, answer) => moveList(dialog, answer, () => {})(some));
    if (!move || !(await choose(move))) back(taken.length - 1);
  }

  /** Go back to where so many parts were touched. @param {number} length */
  function back(length) {
    const name = taken[length];
    const hasFocus = place.contains(document.activeElement);
    taken = taken.slice(0, Math.max(0, length));
    draw();
    if (hasFocus && name) /** @type {HTMLElement|null} */ (partOf(place, name))?.focus({ preventScroll: true });
  }

  /** Mark what was touched and what can come next, and let nothing else be reached. */
  function draw() {
    const next = by(left(), taken.length);
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll('[data-part][tabindex]'))) {
      for (const name of ['tabindex', 'aria-label', 'aria-pressed']) part.removeAttribute(name);
      part.setAttribute('role', part.dataset.role || 'group');
    }
    mark(place, taken, 'taken');
    mark(place, [...next.keys()], 'next');
    for (const name of new Set([...taken, ...next.keys()])) {
      const part = /** @type {HTMLElement|null} */ (partOf(place, name));
      if (!part) continue;
      const isButton = !part.querySelector('.next, .taken'); // no button within a button
      part.dataset.role ??= part.getAttribute('role') || '';
      part.setAttribute('tabindex', '0');
      part.setAttribute('role', isButton ? 'button' : 'group');
      part.setAttribute('aria-label', `${label(name)}, ${worth(next.get(name) || left())}`);
      if (!next.has(name) && isButton) part.setAttribute('aria-pressed', 'true');
    }
    list(left());
    look(null);
  }

  place.addEventListener('click', touch);
  place.addEventListener('keydown', (event) => (event.key === 'Enter' || event.key === ' ' ? touch(event) : goAlong(event, place, '.next, .taken')));
  addEventListener('keydown', (event) => event.key === 'Escape' && taken.length && !document.querySelector('dialog') && back(taken.length - 1));
  for (const kind of ['pointerover', 'focusin']) {
    place.addEventListener(kind, ({ target }) => {
      const next = by(left(), taken.length);
      look(next.get(around(target, (part) => next.has(part))) || null);
    });
  }
  place.addEventListener('pointerleave', () => look(null));

  return {
    /** Forget what was touched. */
    reset: () => back(0),
    /** Offer these moves; what was touched stays so while it leads anywhere. @param {Move[]} some */
    offer(some) {
      moves = some;
      if (!left().length) taken = [];
      draw();
    },
  };
}
