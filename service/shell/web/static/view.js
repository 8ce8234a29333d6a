// Puts a new drawing of a table in the place of an old one, and marks the parts that changed.
// @ts-check

/** The innermost parts of a drawing and what they look like. @param {ParentNode} root */
function looks(root) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const part of root.querySelectorAll('svg [data-part]')) {
    if (!part.querySelector('[data-part]')) found.set(part.getAttribute('data-part') || '', part.innerHTML);
  }
  return found;
}

/** The element of a part; panels are parts too. @param {ParentNode} root @param {string} name @returns {Element|null} */
export const partOf = (root, name) => root.querySelector(`[data-part="${CSS.escape(name)}"]`);

/**
 * Show the `view.html` of a table in a place; gives the names of the parts that changed.
 * @param {Element} place @param {string} html @param {{isMarked?: boolean}} [wish]
 */
export function show(place, html, { isMarked = true } = {}) {
  const before = looks(place);
  const fresh = document.createElement('template');
  fresh.innerHTML = html;
  const focused = document.activeElement?.closest('[data-part]')?.getAttribute('data-part');
  const changed = [];
  if (before.size) {
    const after = looks(fresh.content);
    for (const [name, look] of after) if (before.get(name) !== look) changed.push(name);
    if (isMarked) for (const name of changed) partOf(fresh.content, name)?.classList.add('changed');
  }
  place.replaceChildren(fresh.content);
  if (focused && document.activeElement === document.body) {
    /** @type {HTMLElement|null} */ (partOf(place, focused))?.focus({ preventScroll: true });
  }
  return changed;
}

/** Mark parts, such as those that made some points; what was marked before is no longer. @param {Element} place @param {string[]} names @param {string} mark */
export function mark(place, names, mark) {
  for (const old of place.querySelectorAll(`.${mark}`)) old.classList.remove(mark);
  for (const name of names) partOf(place, name)?.classList.add(mark);
}

/** Say something to those who listen to the page. @param {string} words */
export function tell(words) {
  const place = document.getElementById('tell');
  if (place) place.textContent = words;
}
