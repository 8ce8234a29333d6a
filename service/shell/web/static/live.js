// Follows the steps of a match as they happen, and comes back by itself when the connection was lost.
// @ts-check
import { Problem, send } from './api.js';

/** Milliseconds after which a silent stream is given up: the service says every 15 seconds that it is there. */
const SILENCE = 45_000;
/** Milliseconds between two attempts, at first and at most. */
const [SHORTEST, LONGEST] = [500, 20_000];

/** @typedef {{last: number, told: string[]}} Step */

/**
 * Follow a match. EventSource sends no token, so the stream is read here.
 * @param {string} match @param {string|undefined} token @param {number} after the last event that was seen
 * @param {(step: Step) => void} onStep @param {(state: 'live'|'offline'|'gone') => void} onState
 */
export async function follow(match, token, after, onStep, onState) {
  for (let pause = SHORTEST; ; pause = Math.min(pause * 2, LONGEST)) {
    const stop = new AbortController();
    addEventListener('offline', () => stop.abort(), { once: true });
    try {
      const answer = await send(`/matches/${match}/live`, { token, headers: { 'Last-Event-ID': String(after) }, signal: stop.signal });
      pause = SHORTEST;
      onState('live');
      for await (const step of steps(answer, stop)) {
        after = step.last;
        onStep(step);
      }
    } catch (error) {
      if (error instanceof Problem && error.status === 401 && token) {
        token = undefined; // it was renewed; whoever has the old one may still watch
        continue;
      }
      if (error instanceof Problem && error.status < 429) return onState('gone');
    }
    onState('offline');
    await new Promise((goOn) => {
      setTimeout(goOn, pause);
      addEventListener('online', goOn, { once: true });
      document.addEventListener('visibilitychange', goOn, { once: true });
    });
  }
}

/** The steps a stream tells of. @param {Response} answer @param {AbortController} stop @returns {AsyncGenerator<Step>} */
async function* steps(answer, stop) {
  const reader = /** @type {ReadableStream} */ (answer.body).pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ''; ; ) {
    const silence = setTimeout(() => stop.abort(), SILENCE);
    const { value, done } = await reader.read().finally(() => clearTimeout(silence));
    if (done) return;
    const blocks = (text + value).split('\n\n');
    text = blocks.pop() || '';
    for (const block of blocks) {
      const data = block.split('\n').find((line) => line.startsWith('data: '));
      if (data) yield JSON.parse(data.slice(6));
    }
  }
}
