// The audit page of a match: asks and answers in place, and shows the forms of disputes to whoever has the token they need.
// @ts-check
import { Offline, Problem, ask, askText, once, send } from './api.js';
import { ready } from './page.js';
import { lookingToken, tokensOf } from './tokens.js';
import { tell } from './view.js';

const isPrivate = 'missing' in (document.getElementById('page')?.dataset || {});
const { page, match, isThere } = await ready();
/** What lets one look; a public match is looked at without, so that a token that was renewed is no hindrance. */
const token = isPrivate ? lookingToken(match) : undefined;
/** The rules that can be cited, by id. @type {Map<string, string>} */
const rules = new Map();

/** The token a form needs, of this browser. @param {string} needs such as `seat`, `seat-2` or `arbiter` @param {string} [seat] */
function allowed(needs, seat) {
  const { arbiter, seats } = tokensOf(match);
  return needs === 'arbiter' ? arbiter : seats[needs.split('-')[1] || seat || Object.keys(seats)[0]];
}

/** Bring fresh markup to life: what this browser's tokens allow is shown, and nothing else. */
function dress() {
  for (const part of page.querySelectorAll('.by-script')) part.removeAttribute('hidden');
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll('[data-needs]'))) {
    part.hidden = !allowed(part.dataset.needs || '');
  }
  const { arbiter, seats } = tokensOf(match);
  for (const choice of /** @type {NodeListOf<HTMLSelectElement>} */ (page.querySelectorAll('select.mine'))) {
    for (const option of [...choice.options]) if (!seats[option.value]) option.remove();
    const label = choice.closest('label');
    if (label) label.hidden = choice.options.length < 2;
    if (choice.value && !('typed' in (choice.form?.dataset || {}))) fill(choice, 'of', choice.value);
  }
  if (arbiter) offerRules().catch(complain);
}

/** Fill the list that completes the id of a rule, or finds it by its words. */
async function offerRules() {
  const list = /** @type {HTMLElement|null} */ (page.querySelector('#rules'));
  if (!rules.size) {
    const games = list?.dataset.games?.split(' ') || [];
    for (const book of await Promise.all(games.map((game) => ask(`/games/${game}/rules`)))) {
      for (const rule of book) rules.set(rule.id, rule.text.split('\n\n')[0].replace(/[`*\n]+/g, ' '));
    }
  }
  list?.replaceChildren(...[...rules].map(([id, text]) => Object.assign(document.createElement('option'), { value: id, label: `${id} ${text}`.slice(0, 160) })));
}

/** Fill a field in the form that another stands in. @param {Element} beside @param {string} name @param {string} value */
function fill(beside, name, value) {
  const field = beside.closest('form')?.elements.namedItem(name);
  if (field && 'value' in field) field.value = value;
}

/** Take the rule that was typed to those a ruling cites. @param {HTMLFormElement} form */
function cite(form) {
  const input = /** @type {HTMLInputElement|null} */ (form.querySelector('input.rule'));
  const id = (input?.value || '').trim().toUpperCase();
  if (!input || !id) return;
  input.value = '';
  if (new FormData(form).getAll('rules').includes(id)) return;
  const line = document.createElement('li');
  const kept = Object.assign(document.createElement('input'), { type: 'hidden', name: 'rules', value: id });
  const words = Object.assign(document.createElement('span'), { textContent: `${id} ${rules.get(id) || ''}` });
  const away = Object.assign(document.createElement('button'), { type: 'button', className: 'drop', textContent: 'Remove', ariaLabel: `Remove ${id}` });
  line.append(kept, words, away);
  form.querySelector('.rules')?.append(line);
}

/**
 * Show the main part anew. What is open stays open, and forms in which somebody has typed stay as they are.
 * @param {string} [done] the form that has done its work @param {string} [lasting] the forms that may stay
 */
async function refresh(done, lasting = 'form') {
  const html = await askText(`/matches/${match}/case.html${location.search}`, { token });
  const forms = [.../** @type {NodeListOf<HTMLFormElement>} */ (page.querySelectorAll(lasting))];
  const open = [...page.querySelectorAll('details[open]')].filter((part) => !part.querySelector(`form[data-form="${done}"][data-send]`));
  page.innerHTML = html;
  for (const { id } of open) document.getElementById(id)?.setAttribute('open', '');
  for (const form of forms) {
    const key = form.dataset.form;
    if ('typed' in form.dataset && key !== done) page.querySelector(`form[data-form="${key}"]`)?.replaceWith(form);
  }
  dress();
}

/** The body of a request made of the fields of a form. @param {HTMLFormElement} form */
function bodyOf(form) {
  const data = new FormData(form);
  const body = /** @type {Record<string, any>} */ ({});
  for (const [name, value] of data) {
    const words = String(value).trim().replace(/\s+/g, ' ');
    if (/^(words|reason|arbiter)$/.test(name)) body[name] = words;
    else if (/^(event|of|claim)$/.test(name) && words) body[name] = Number(words);
    else if (name === 'upheld') body.upheld = words === 'yes';
  }
  if (form.querySelector('.rules')) {
    body.rules = data.getAll('rules');
    const given = [...data].filter(([name, points]) => name.startsWith('points-') && Number(points));
    body.adjustments = body.upheld ? [] : given.map(([name, points]) => ({ seat: Number(name.slice(7)), points: Number(points) }));
  }
  return Object.keys(body).length ? body : '';
}

/** What was refused, in the service's words. @param {unknown} error */
function refusal(error) {
  if (error instanceof Offline) return `${error.message} Nothing is lost: try again.`;
  if (!(error instanceof Problem)) throw error;
  return [error.message, error.hint, ...error.errors.map((/** @type {any} */ one) => `${one.field}: ${one.message}`)].filter(Boolean).join(' ');
}

const complain = (/** @type {unknown} */ error) => tell(refusal(error));

/** Say something in a dispute; whatever is refused stays as it was typed. @param {HTMLFormElement} form */
async function say(form) {
  cite(form);
  const button = /** @type {HTMLButtonElement} */ (form.querySelector('button.main'));
  const answer = /** @type {HTMLElement} */ (form.querySelector('.answer'));
  answer.textContent = '';
  button.disabled = true;
  // The same words sent again, because no answer came, are said once.
  const sent = JSON.stringify(bodyOf(form));
  if (form.dataset.sent !== sent) Object.assign(form.dataset, { sent, key: once()['Idempotency-Key'] });
  try {
    const done = await ask(`/matches/${match}/${form.dataset.send}`, {
      method: 'POST',
      body: bodyOf(form),
      token: allowed(form.dataset.needs || '', String(new FormData(form).get('seat') || '')),
      headers: { 'Idempotency-Key': form.dataset.key || '' },
    });
    await refresh(form.dataset.form);
    tell(done.told.join(' '));
    const place = form.dataset.send?.split('/')[1];
    const heading = /** @type {HTMLElement} */ ([...page.querySelectorAll(place ? `#dispute-${place}` : '.disputes > h2, [id^="dispute-"]')].pop());
    heading.tabIndex = -1;
    heading.focus();
  } catch (error) {
    answer.textContent = refusal(error);
    button.disabled = false;
  }
}

/** Hold what somebody claims against the ledger; the question stands in the address. @param {HTMLFormElement} form */
async function compare(form) {
  const asked = new URLSearchParams([...new FormData(form)].flatMap(([name, value]) => (typeof value === 'string' && value ? [[name, value]] : [])));
  history.pushState(null, '', `?${asked}`);
  await refresh(form.dataset.form);
  const answer = page.querySelector('.asking .problem, .asked');
  answer?.scrollIntoView({ block: 'nearest' });
  tell([...(answer?.querySelectorAll('p') || [])].map((line) => line.textContent).join(' ') || answer?.textContent || '');
}

/** Save what only a token gives as a file. @param {HTMLAnchorElement} link @param {Event} click */
async function save(link, click) {
  click.preventDefault();
  const answer = await send(link.pathname.replace('/api/v1', '') + link.search, { token });
  const address = URL.createObjectURL(await answer.blob());
  Object.assign(document.createElement('a'), { href: address, download: link.download }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

page.addEventListener('submit', (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  (form.dataset.send ? say(form) : compare(form)).catch(complain);
});
page.addEventListener('input', (event) => /** @type {HTMLElement} */ (event.target).closest('form')?.setAttribute('data-typed', ''));
page.addEventListener('click', (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.matches('.add')) cite(/** @type {HTMLFormElement} */ (target.closest('form')));
  if (target.matches('.drop')) target.closest('li')?.remove();
  if (target.matches('.print')) print();
  if (target.matches('.pick')) pick(target);
  if (token && target instanceof HTMLAnchorElement && target.download) save(target, event).catch(complain);
});
page.addEventListener('keydown', (event) => {
  const form = /** @type {HTMLElement} */ (event.target).closest('input.rule')?.closest('form');
  if (event.key !== 'Enter' || !form) return;
  event.preventDefault();
  cite(form);
});
page.addEventListener('change', async (event) => {
  const field = /** @type {HTMLElement} */ (event.target);
  const of = field instanceof HTMLSelectElement && field.name === 'event' ? field.selectedOptions[0].dataset.of : '';
  if (of) fill(field, 'of', of);
  if (field instanceof HTMLInputElement && field.files?.[0]) fill(field, 'sheet', await field.files[0].text());
});

/** Take a line of the score sheet to the form that disputes it. @param {HTMLElement} button */
function pick(button) {
  const place = /** @type {HTMLDetailsElement|null} */ (page.querySelector('#act-dispute'));
  const words = place?.querySelector('textarea');
  if (!place || !words) return;
  place.open = true;
  for (const name of ['event', 'of']) fill(words, name, button.dataset[name] || '');
  words.focus();
}

addEventListener('popstate', () => refresh('', 'form[data-send]').catch(complain));
if (isThere) dress();
