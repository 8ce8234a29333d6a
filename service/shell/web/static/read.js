// Reads a record somebody chose or dropped, replays it, and keeps it in the ledger only when asked to.
// @ts-check
import { ask, askText } from './api.js';
import { carried, carry, onDrop } from './records.js';
import { complain, one, scrub } from './scrub.js';
import { keep } from './tokens.js';
import { tell } from './view.js';

const [form, input, place] = ['.bring', '.bring input', '.uploaded'].map((what) => one(what, document));
const fail = complain(one('.problem', form));
/** @type {ReturnType<typeof scrub>|undefined} */ let player;

/** Show a match of a record; what was shown before stays where this one does not read. @param {string} text */
async function read(text, number = 1, at = '') {
  fail();
  form.setAttribute('aria-busy', 'true');
  const wanted = `?${new URLSearchParams({ match: String(number), ...(at && { at }) })}`;
  try {
    const html = await askText(`/records/replay.html${wanted}`, { body: text });
    player?.end();
    place.innerHTML = html;
    form.classList.add('done');
    history.replaceState(history.state, '', wanted);
    tell(one('.verdict strong', place).textContent);
    const choice = one('[data-match]', place);
    choice?.addEventListener('change', () => read(text, Number(choice.value)));
    if (!one('.place', place)) return;
    const grumble = complain(one('.controls .problem', place));
    player = scrub(place, (event) => askText(`/records/view.html?match=${number}&at=${event}`, { body: text }), grumble);
    one('[data-keep]', place).addEventListener('click', () => keepIt(text, number).catch(grumble));
  } catch (error) {
    fail(error);
  } finally {
    form.removeAttribute('aria-busy');
  }
}

/** @param {string} text @param {number} number */
async function keepIt(text, number) {
  /** @type {{outcome: string, match: string, token?: string, problem?: {detail: string}}[]} */
  const outcomes = await ask('/imports', { body: text });
  for (const { match, token } of outcomes) if (token) keep(match, { host: token });
  const mine = outcomes[number - 1];
  if (mine.problem) throw new Error(mine.problem.detail);
  location.assign(`/matches/${mine.match}/replay?at=${player?.place() ?? 1}`);
}

/** @param {File} file */
async function take(file) {
  const most = Number(form.dataset.most);
  if (file.size > most) {
    fail(`${file.name} has ${file.size.toLocaleString('en')} bytes; a record of at most ${most.toLocaleString('en')} is read here.`);
    return;
  }
  await carry(file);
  await read(await file.text());
}

onDrop(take);
input.addEventListener('change', () => input.files?.[0] && take(input.files[0]));
const asked = new URLSearchParams(location.search);
const before = asked.has('match') && carried(); // the page was loaded again, or a file was dropped on another one
if (before) read(before, Number(asked.get('match')), asked.get('at') || '');
