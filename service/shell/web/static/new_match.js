// Opens matches: reads the form, keeps the tokens, and goes to the table or shows the links for those who are invited.
// @ts-check
import { Problem, ask, once } from './api.js';
import { keep, linkFor, tokensOf } from './tokens.js';
import { tell } from './view.js';

const NAME = 'matchledger.name';
/** Keys of openings that were not answered, so that sending one again opens nothing twice. @type {Map<string, Record<string, string>>} */
const unanswered = new Map();

/** @typedef {HTMLInputElement|HTMLSelectElement} Field */
/** @param {HTMLFormElement} form */
const fields = (form) => /** @type {Field[]} */ ([...form.elements].filter((field) => /** @type {Field} */ (field).name));

/** Open what a form says; gives the address to go to. @param {HTMLFormElement} form */
async function open(form) {
  const data = new FormData(form);
  const said = (/** @type {string} */ name) => String(data.get(name) || '').trim() || undefined;
  const seats = Number(said('seats'));
  const sitting = Array.from({ length: seats }, (_, index) => {
    const seat = index + 1;
    const kind = said(`seat${seat}`) || '';
    const name = said(`name${seat}`);
    const person = name || /** @type {HTMLInputElement|null} */ (form.elements.namedItem(`name${seat}`))?.placeholder || localStorage.getItem(NAME) || 'Player';
    return { seat, kind, word: kind === 'me' ? person : name ? `${name}=bot:${kind}` : `bot:${kind}` };
  });
  const away = sitting.filter(({ kind }) => kind === 'invite').map(({ seat }) => String(seat));
  // Players named at once take the first seats; whoever sits behind a free one joins afterwards.
  const first = away.length ? Number(away[0]) - 1 : seats;
  const body = {
    game: said('game'), seats, players: sitting.slice(0, first).map(({ word }) => word),
    options: Object.fromEntries([...data].filter(([name]) => name.startsWith('o.')).map(([name, value]) => [name.slice(2), String(value).trim()])),
    undo: said('undo'), chance: said('chance'), seed: said('seed') === undefined ? undefined : Number(said('seed')),
    private: data.has('private'), arbiters: data.has('house') ? ['house'] : [],
  };
  const key = JSON.stringify(body);
  if (!unanswered.has(key)) unanswered.set(key, once());
  const opened = await ask('/matches', { body, headers: unanswered.get(key) });
  unanswered.delete(key);
  const { match: { match }, tokens } = opened;
  keep(match, { ...tokens, away });
  const own = form.querySelector('[data-me]');
  if (own) localStorage.setItem(NAME, /** @type {HTMLInputElement} */ (own).value.trim());
  for (const { seat, kind, word } of sitting.slice(first).filter(({ kind }) => kind !== 'invite')) {
    const token = kind === 'me' ? tokens.seats[seat] : tokens.host;
    await ask(`/matches/${match}/join`, { body: { name: word, seat }, token, headers: once() });
  }
  return away.length ? `/new?opened=${match}` : `/matches/${match}`;
}

/** Say at the field what was refused, or on top of the form. @param {HTMLFormElement} form @param {Error} error */
function refuse(form, error) {
  const words = `${error instanceof Problem ? `${error.code} ${error.errors.map((/** @type {any} */ wrong) => wrong.field)}` : ''} ${error.message}`;
  const told = fields(form).filter((field) => field.type !== 'hidden').sort((a, b) => Number(b.name.startsWith('o.')) - Number(a.name.startsWith('o.')));
  const wrong = told.find((field) => new RegExp(`\\b${field.name.replace('o.', '')}\\b`).test(words)) || told.find((field) => field.type === 'text' && field.value && words.includes(field.value));
  const place = wrong?.closest('.field, fieldset');
  const note = Object.assign(document.createElement('p'), { className: 'problem', id: 'refused', textContent: error.message });
  note.setAttribute('role', 'alert');
  if (place && wrong) {
    place.append(note);
    wrong.setAttribute('aria-invalid', 'true');
    wrong.setAttribute('aria-describedby', 'refused');
    const folded = place.closest('details');
    if (folded) folded.open = true;
    wrong.focus();
  } else {
    form.append(note);
  }
}

document.addEventListener('submit', async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.matches('[data-opening]')) return;
  event.preventDefault();
  form.querySelector('#refused')?.remove();
  for (const field of form.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid');
  const button = /** @type {HTMLButtonElement} */ (form.querySelector('button'));
  button.disabled = true;
  tell('The match is being opened.');
  try {
    location.assign(await open(form));
  } catch (error) {
    refuse(form, /** @type {Error} */ (error));
    tell('');
  }
  button.disabled = false;
});

// What a form says stands in its address, and what depends on a choice is written anew by the service.
document.addEventListener('change', async (event) => {
  const field = /** @type {Field} */ (event.target);
  const form = field.form;
  if (!form?.matches('.opening')) return;
  const address = `${location.pathname}?${new URLSearchParams(/** @type {any} */ (new FormData(form)))}`;
  history.replaceState(history.state, '', address);
  if (!('anew' in field.dataset)) return;
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok || !form.isConnected) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('.opening');
  if (!fresh) return;
  const before = [...form.querySelectorAll('details')].map((folded) => folded.open);
  fresh.querySelectorAll('details').forEach((folded, index) => (folded.open ||= before[index]));
  form.replaceWith(fresh);
  const same = fields(/** @type {HTMLFormElement} */ (fresh)).filter(({ name }) => name === field.name);
  (same.find(({ value }) => value === field.value) || same[0])?.focus();
  callMe();
});

/** Fill in the name one went by the last time. */
function callMe() {
  const name = localStorage.getItem(NAME);
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('[data-me]'))) if (name && !field.value) field.value = name;
}

/** Show the links of a match that was opened here. @param {HTMLElement} place */
function invite(place) {
  const match = place.dataset.match || '';
  const { seats, away = [], spectator } = tokensOf(match);
  const links = away.map((seat) => [`Seat ${seat}`, linkFor(match, 'seat', seats[seat], seat)]);
  if (spectator) links.push(['To watch', linkFor(match, 'spectator', spectator)]);
  place.querySelector('.invitations')?.append(...links.map(([words, link]) => {
    const item = document.createElement('li');
    item.innerHTML = '<label><span></span> <input readonly></label> <button>Copy</button>';
    /** @type {Element} */ (item.querySelector('span')).textContent = words;
    const field = /** @type {HTMLInputElement} */ (item.querySelector('input'));
    field.value = link;
    const button = /** @type {HTMLButtonElement} */ (item.querySelector('button'));
    button.ariaLabel = `Copy the link: ${words}`;
    button.onclick = async () => {
      field.select();
      const isCopied = await (navigator.clipboard?.writeText(link).then(() => true, () => false) ?? false);
      button.textContent = isCopied ? 'Copied' : 'Press Ctrl+C';
      tell(button.textContent);
    };
    return item;
  }));
  if (!links.length) /** @type {Element} */ (place.querySelector('p')).textContent = 'This browser has no links of this match to hand on.';
}

callMe();
const place = document.getElementById('invitation');
if (place) invite(place);
