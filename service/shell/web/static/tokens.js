// The tokens this browser was given, by match. A link brings one behind its #, where no server and no log sees it.
// @ts-check

const SHELF = 'matchledger.tokens';

/**
 * @typedef {{host?: string, arbiter?: string, spectator?: string, seats: Record<string, string>, away?: string[], at?: number}} Tokens
 * `away` are the seats whose token is kept for somebody else, who was sent a link or plays elsewhere.
 */

/** @returns {Record<string, Partial<Tokens>>} */
function all() {
  try {
    return JSON.parse(localStorage.getItem(SHELF) || '{}');
  } catch {
    return {};
  }
}

/** What this browser may do in a match. @param {string} match @returns {Tokens} */
export const tokensOf = (match) => ({ seats: {}, ...all()[match] });

/** The matches this browser has a token of, the one used last first. */
export const mine = () => Object.entries(all()).sort(([, a], [, b]) => (b.at || 0) - (a.at || 0)).map(([match]) => match);

/** Keep tokens beside those already there. @param {string} match @param {Partial<Tokens>} given */
export function keep(match, given) {
  const kept = all();
  const before = { seats: {}, ...kept[match] };
  const fresh = Object.fromEntries(Object.entries(given).filter(([, token]) => token));
  kept[match] = { ...before, ...fresh, seats: { ...before.seats, ...given.seats }, at: Date.now() };
  localStorage.setItem(SHELF, JSON.stringify(kept));
}

/** Forget a match. @param {string} match */
export function forget(match) {
  const { [match]: _, ...rest } = all();
  localStorage.setItem(SHELF, JSON.stringify(rest));
}

/** The tokens of the seats that are played in this browser. @param {string} match @returns {Record<string, string>} */
export function seatsOf(match) {
  const { seats, away = [] } = tokensOf(match);
  return Object.fromEntries(Object.entries(seats).filter(([seat]) => !away.includes(seat)));
}

/** Any token that lets one look at a match; a seat's comes last, as whoever takes a free seat replaces it. @param {string} match */
export function lookingToken(match) {
  const { host, arbiter, spectator, seats } = tokensOf(match);
  return spectator || host || arbiter || Object.values(seatsOf(match))[0] || Object.values(seats)[0];
}

/** The link that hands a role to somebody. @param {string} match @param {string} role @param {string} token @param {string|number} [seat] */
export const linkFor = (match, role, token, seat = '') => `${location.origin}/matches/${match}#${new URLSearchParams({ role, seat: String(seat), token })}`;

/** Keep what a link brought, and take it out of the address. @param {string} match */
export function keepFromAddress(match) {
  const brought = new URLSearchParams(location.hash.slice(1));
  const role = brought.get('role');
  const token = brought.get('token');
  if (!role || !token) return;
  keep(match, role === 'seat' ? { seats: { [brought.get('seat') || '']: token } } : { [role]: token });
  history.replaceState(history.state, '', location.pathname + location.search);
}
