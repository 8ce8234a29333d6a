// Requests to the service: with the token they need, and with problems told in the service's own words.
// @ts-check

/** What the service refused, in its own words. */
export class Problem extends Error {
  /** @param {number} status @param {any} body */
  constructor(status, body) {
    super(body?.detail || `The service answered ${status}.`);
    this.status = status;
    this.code = body?.code || '';
    this.rule = body?.rule || '';
    this.hint = body?.hint || '';
    this.errors = body?.errors || [];
  }
}

/** That no answer came: the service, or the way to it, is away. */
export class Offline extends Error {}

/**
 * The answer to a request; `body` is sent as JSON, or as it is where it is text.
 * @param {string} path below /api/v1, such as `/matches/abc/legal`
 * @param {{method?: string, body?: any, token?: string, headers?: Record<string, string>, signal?: AbortSignal}} [wish]
 */
export async function send(path, { method, body, token, headers = {}, signal } = {}) {
  /** @type {Record<string, string>} */
  const all = { ...headers };
  if (token) all.Authorization = `Bearer ${token}`;
  const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  let answer;
  try {
    answer = await fetch(`/api/v1${path}`, { method: method || (content === undefined ? 'GET' : 'POST'), body: content, headers: all, signal, cache: 'no-cache' });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Offline('The service cannot be reached.');
  }
  if (answer.ok) return answer;
  throw new Problem(answer.status, await answer.json().catch(() => null));
}

/** @param {string} path @param {Parameters<typeof send>[1]} [wish] @returns {Promise<any>} */
export const ask = async (path, wish) => (await send(path, wish)).json();

/** @param {string} path @param {Parameters<typeof send>[1]} [wish] */
export const askText = async (path, wish) => (await send(path, wish)).text();

/** A key that makes a request harmless to repeat. */
export const once = () => ({ 'Idempotency-Key': crypto.randomUUID ? crypto.randomUUID() : Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('') });
