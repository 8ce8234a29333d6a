// Goes through a match that is on the page: slider, keys, moves, chart, score sheet, and playing by itself.
// @ts-check
import { mark, show, tell } from './view.js';

const AHEAD = 6; // steps fetched before anybody asks for them, in the direction one goes
const BEHIND = 2;
const KEPT = 600; // views in memory
const TEN = 10; // steps to a page in a game without rounds
const PATIENCE = 400; // milliseconds between two changes of the address: browsers refuse to be hurried

/** What is surely there. @param {string} what @param {ParentNode} root @returns {any} */
export const one = (what, root) => root.querySelector(what);

/** The last event of a step. @param {HTMLElement} frame */
const endOf = (frame) => Number(frame.dataset.at);

/** Lets a line say what went wrong, until something goes right. @param {HTMLElement} line */
export const complain = (line) => (/** @type {unknown} */ error = '') => {
  line.hidden = !error;
  line.textContent = error instanceof Error ? error.message : String(error);
};

/**
 * Bring a replay to life. `load` fetches the view at an event.
 * @param {HTMLElement} root @param {(at: number) => Promise<string>} load @param {(error?: unknown) => void} fail
 */
export function scrub(root, load, fail) {
  const [place, slider, list, stage] = ['.place', '[type=range]', '.moves', '.stage'].map((what) => one(what, root));
  const [button, speed, undone] = ['[data-play]', '[data-speed]', '[data-undone]'].map((what) => one(what, root));
  /** @type {HTMLElement[]} */ const all = [...list.children];
  const hasRounds = all.some((frame) => frame.matches('.round'));
  /** @type {Map<number, Promise<string>>} */ const views = new Map();
  let frames = all;
  let now = endOf(one('[aria-current]', list)); // the event that is asked for
  let shown = now;
  let heading = 1;
  /** @type {string[]} */ let parts = []; // those that made points, if that is what is asked for
  let [timer, writing, isBusy] = [0, 0, false];

  /** The step an event belongs to. @param {number} at */
  const frameOf = (at) => all.find((frame) => endOf(frame) >= at) || all[all.length - 1];

  /** @param {number} at */
  function view(at) {
    let found = views.get(at);
    if (!found) {
      found = load(at);
      found.catch(() => views.delete(at)); // to be asked for again
      views.set(at, found);
      if (views.size > KEPT) views.delete(views.keys().next().value ?? 0);
    }
    return found;
  }

  /** Where a button or key leads. @param {string} where */
  function target(where) {
    const [way, what] = where.split('-').reverse();
    const ends = frames.filter((frame, index) => (what === 'round' && !hasRounds ? index % TEN === 0 : !what || frame.matches(`.${what}`))).map(endOf);
    if (way === 'back' || way === 'last') ends.reverse();
    return (way === 'on' ? ends.find((end) => end > now) : way === 'back' ? ends.find((end) => end < now) : ends[0]) ?? now;
  }

  /** Look at an event; at the parts that made points, if there are any. @param {number} at @param {string[]} [made] */
  function go(at, made = []) {
    heading = at < now ? -1 : 1;
    now = at;
    parts = made;
    point();
    settle();
  }

  /** Show what was asked for last; what was asked for meanwhile and is no longer wanted is never fetched. */
  async function settle() {
    if (isBusy) return;
    isBusy = true;
    try {
      while (shown !== now || parts.length) {
        const [at, made] = [now, parts];
        const html = await view(at);
        if (at !== now) continue;
        show(place, html, { isMarked: !made.length });
        mark(place, made, 'scored');
        shown = at;
        fail();
        if (parts === made) parts = [];
        if (!timer || speed.value <= 1) tell(Array.from(place.querySelectorAll('.told li'), (line) => line.textContent).join(' '));
        writing ||= window.setTimeout(write, PATIENCE);
      }
      prefetch();
    } catch (error) {
      pause();
      now = shown;
      parts = [];
      point();
      fail(error);
    } finally {
      isBusy = false;
    }
  }

  function prefetch() {
    const here = frames.indexOf(frameOf(now));
    for (let far = -BEHIND; far <= AHEAD; far += 1) {
      const next = frames[here + far * heading];
      if (next) view(endOf(next)).catch(() => {}); // whoever goes there is told
    }
  }

  /** Let everything around the table point to where one is. */
  function point() {
    const frame = frameOf(now);
    const { step } = frame.dataset;
    const where = `Step ${step} of ${all[all.length - 1].dataset.step} · event ${now}${frame.matches('.undone') ? ' · undone later' : ''}`;
    slider.max = frames.length - 1;
    slider.value = frames.findIndex((known) => endOf(known) >= now);
    slider.setAttribute('aria-valuetext', `${where}: ${frame.textContent}`);
    one('output', root).textContent = where;
    for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (root.querySelectorAll('[data-go]'))) {
      const to = target(link.dataset.go || '');
      link.href = `?at=${to}`;
      link.dataset.at = String(to);
      link.ariaDisabled = String(to === now);
    }
    one('[aria-current]', list).removeAttribute('aria-current');
    for (const old of root.querySelectorAll('.side .now')) old.classList.remove('now');
    for (const found of root.querySelectorAll(`.side [data-step="${step}"]`)) found.classList.add('now');
    const line = one(`[data-at="${now}"]`, frame);
    line.setAttribute('aria-current', 'step');
    list.scrollTop = line.offsetTop - list.clientHeight / 2;
  }

  /** Let the address say where one is, for a link, a reload and the way back. */
  function write() {
    clearTimeout(writing);
    writing = 0;
    const address = new URL(location.href);
    address.searchParams.set('at', String(shown));
    history.replaceState(history.state, '', address);
  }

  function pause() {
    clearTimeout(timer);
    timer = 0;
    button.textContent = 'Play';
  }

  function play() {
    if (now === target('last')) go(target('first'));
    button.textContent = 'Pause';
    const next = () => {
      if (!isBusy) go(target('on')); // a slow connection plays slowly, without gaps
      if (now === target('last')) pause();
      else wait();
    };
    const wait = () => { timer = window.setTimeout(next, 1000 / speed.value); };
    wait();
  }

  /** @type {Record<string, string>} */
  const keys = { ArrowLeft: 'back', ArrowRight: 'on', Home: 'first', End: 'last', PageUp: 'round-back', PageDown: 'round-on', '[': 'scored-back', ']': 'scored-on' };
  const done = new AbortController();
  const { signal } = done;
  slider.addEventListener('input', () => { pause(); go(endOf(frames[slider.value])); }, { signal });
  button.addEventListener('click', () => (timer ? pause() : play()), { signal });
  undone?.addEventListener('change', () => {
    frames = undone.checked ? all : all.filter((frame) => !frame.matches('.aside'));
    root.classList.toggle('hides-undone', !undone.checked);
    if (frames.includes(frameOf(now))) point();
    else go(target('back'));
  }, { signal });
  root.addEventListener('click', (click) => {
    const link = /** @type {Element} */ (click.target).closest('[data-at]:not(li)');
    if (!link || click.button || click.ctrlKey || click.metaKey || click.shiftKey || click.altKey) return; // another tab
    click.preventDefault();
    pause();
    go(Number(link.getAttribute('data-at')), (link.getAttribute('data-parts') || '').split(' ').filter(Boolean));
    if (!stage.contains(link) && stage.getBoundingClientRect().bottom < innerHeight / 3) stage.scrollIntoView();
  }, { signal });
  document.addEventListener('keydown', (press) => {
    const on = /** @type {Element} */ (press.target);
    if (press.ctrlKey || press.metaKey || press.altKey || (on !== slider && on.matches('select, textarea, input:not([type=checkbox])'))) return;
    if (press.key === ' ' && !on.closest('button, summary, [type=checkbox]')) button.click();
    else if (keys[press.key]) { pause(); go(target(keys[press.key])); } else return;
    press.preventDefault();
  }, { signal });
  window.addEventListener('pagehide', write, { signal });
  signal.addEventListener('abort', () => { pause(); clearTimeout(writing); });
  point();
  prefetch();
  return { step: () => Number(frameOf(now).dataset.step), place: () => now, end: () => done.abort() };
}
