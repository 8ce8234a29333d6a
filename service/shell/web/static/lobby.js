// One's own matches on top of the lobby, those where it is one's turn first; and my pads on their page.
// @ts-check
import { Problem, askText } from './api.js';
import './new_match.js';
import { forget, lookingToken, mine, seatsOf } from './tokens.js';

const MOST = 40; // matches that are asked about: the ones used last
const place = document.getElementById('mine');
const list = /** @type {HTMLElement} */ (place?.querySelector('ul'));
/** The lines as they were shown last. @type {Map<string, HTMLElement>} */
const lines = new Map();

/** The line of a match, marked where it is my turn; null for one that belongs on the other page. @param {string} match */
async function line(match) {
  const fresh = document.createElement('template');
  try {
    fresh.innerHTML = await askText(`/matches/${match}/line.html`, { token: lookingToken(match) });
  } catch (error) {
    return missing(match, error instanceof Problem && [401, 404].includes(error.status));
  }
  const item = /** @type {HTMLElement} */ (fresh.content.firstElementChild);
  if (('pad' in item.dataset) !== ('pads' in /** @type {HTMLElement} */ (place).dataset)) return null;
  const go = item.querySelector('.go');
  const isMyTurn = (item.dataset.turn || '').split(',').some((seat) => seatsOf(match)[seat]);
  if (go && item.dataset.status !== 'closed') go.textContent = 'Go on';
  if (isMyTurn && !('pad' in item.dataset)) {
    item.classList.add('my-turn');
    if (go) go.textContent = 'Your turn';
  }
  return item;
}

/** A line for a match that cannot be shown. @param {string} match @param {boolean} isGone */
function missing(match, isGone) {
  const known = lines.get(match);
  if (!isGone && known) return known;
  const item = document.createElement('li');
  item.className = 'match gone';
  item.dataset.match = match;
  item.textContent = isGone ? `Match ${match} is gone, or its link was renewed. ` : `Match ${match}: the service does not answer. `;
  if (isGone) {
    const button = Object.assign(document.createElement('button'), { textContent: 'Forget it', ariaLabel: `Forget match ${match}` });
    button.onclick = () => {
      forget(match);
      refresh();
    };
    item.append(button);
  }
  return item;
}

/** Ask how they stand, and show them; nothing is taken away before the answer is there. */
async function refresh() {
  const matches = mine().slice(0, MOST);
  const found = (await Promise.all(matches.map(line))).filter((item) => item !== null);
  for (const item of found) lines.set(item.dataset.match || '', item);
  found.sort((a, b) => Number(b.classList.contains('my-turn')) - Number(a.classList.contains('my-turn')));
  const focused = document.activeElement?.closest('#mine [data-match]')?.getAttribute('data-match');
  list.replaceChildren(...found);
  if (focused) /** @type {HTMLElement|null} */ (list.querySelector(`[data-match="${CSS.escape(focused)}"] :is(a, button)`))?.focus();
  /** @type {HTMLElement} */ (place).hidden = !found.length;
  const turns = found.filter((item) => item.classList.contains('my-turn')).length;
  document.title = document.title.replace(/^(\(\d+\) )?/, turns ? `(${turns}) ` : '');
}

if (place) {
  refresh();
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && refresh());
  addEventListener('storage', refresh);
}
