// The replay of a match of the ledger; and of any record that is dropped on it, which is read elsewhere.
// @ts-check
import { ask, askText, once } from './api.js';
import { ready } from './page.js';
import { carry, onDrop } from './records.js';
import { complain, one, scrub } from './scrub.js';
import { keep, lookingToken } from './tokens.js';

const isPrivate = 'missing' in one('#page', document).dataset;
const { page, match, isThere } = await ready();
const token = lookingToken(match);
onDrop((file) => carry(file).then(() => location.assign('/read?match=1')));

if (isThere) {
  const fail = complain(one('.controls .problem', page));
  const player = scrub(page, (at) => askText(`/matches/${match}/view.html?at=${at}`, { token }), fail);
  /** @type {Map<number, Record<string, string>>} */ const asked = new Map(); // a fork that is asked for twice is one
  one('[data-fork]', page).addEventListener('click', async () => {
    const step = player.step();
    asked.set(step, asked.get(step) || once());
    try {
      const opened = await ask(`/matches/${match}/fork`, { body: { step, private: isPrivate }, token, headers: asked.get(step) });
      keep(opened.match.match, opened.tokens);
      location.assign(`/matches/${opened.match.match}`);
    } catch (error) {
      fail(error);
    }
  });
  if (isPrivate) { // a link sends no token
    const link = one('[data-record]', page);
    link.addEventListener('click', async (/** @type {Event} */ click) => {
      if (link.href.startsWith('blob:')) return;
      click.preventDefault();
      try {
        link.href = URL.createObjectURL(new Blob([await askText(`/matches/${match}/record`, { token })]));
        link.download = `${match}.mlr`;
        link.click();
      } catch (error) {
        fail(error);
      }
    });
  }
}
