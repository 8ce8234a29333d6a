// The review of a match: comes back by itself until it is there.
// @ts-check
import { askText, send } from './api.js';
import { ready } from './page.js';
import { complain, one } from './scrub.js';
import { lookingToken } from './tokens.js';
import { tell } from './view.js';

const { page, match, isThere } = await ready();
const token = lookingToken(match);
const waiting = isThere && one('.under-way', page);

/** Ask until the review is there, and show it. @param {string} level */
async function follow(level) {
  for (;;) {
    const answer = await send(`/matches/${match}/review?level=${level}`, { token });
    if (answer.status === 200) break;
    one('progress', page).value = (await answer.json()).done;
    await new Promise((goOn) => setTimeout(goOn, 1000 * Number(answer.headers.get('Retry-After'))));
  }
  page.innerHTML = await askText(`/matches/${match}/review.html?level=${level}`, { token });
  tell(one('.course', page).textContent);
}

if (waiting) {
  const fail = complain(one('.problem', waiting));
  follow(waiting.dataset.level).catch(fail);
}
