// A record file on its way to the page that reads it. It stays in this tab, so that a reload finds it again.
// @ts-check

const SHELF = 'matchledger.record';

/** Keep the text of a file for this tab, unless it is too large for that. @param {File} file */
export async function carry(file) {
  sessionStorage.removeItem(SHELF);
  await file.text().then((text) => sessionStorage.setItem(SHELF, text)).catch(() => {});
}

/** The record of this tab, if there is one. */
export const carried = () => sessionStorage.getItem(SHELF);

/** Take files that are dropped anywhere on the page. @param {(file: File) => void} take */
export function onDrop(take) {
  const hover = (/** @type {DragEvent} */ drag) => {
    if (!drag.dataTransfer?.types.includes('Files')) return;
    drag.preventDefault();
    document.body.classList.toggle('drop-here', drag.type === 'dragover');
    if (drag.type === 'drop' && drag.dataTransfer.files[0]) take(drag.dataTransfer.files[0]);
  };
  for (const name of /** @type {const} */ (['dragover', 'dragleave', 'drop'])) document.addEventListener(name, hover);
}
