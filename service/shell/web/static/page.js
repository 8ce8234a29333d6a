// The page of a match made ready: what a link brought is kept, and what only a token shows is fetched with it.
// @ts-check
import { Problem, askText } from './api.js';
import { keepFromAddress, lookingToken } from './tokens.js';

/** The main part of this page and the match it is about; `isThere` is false where there is nothing to show. */
export async function ready() {
  const page = /** @type {HTMLElement} */ (document.getElementById('page'));
  const match = page.dataset.match || '';
  keepFromAddress(match);
  // A link that is followed from the page it leads to loads nothing by itself.
  addEventListener('hashchange', () => location.hash.includes('token=') && location.reload());
  const token = lookingToken(match);
  if ('missing' in page.dataset && token) {
    try {
      page.innerHTML = await askText(`/matches/${match}/${page.dataset.page}.html${location.search}`, { token });
      delete page.dataset.missing;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }
  return { page, match, isThere: !('missing' in page.dataset) };
}
