/**
 * The maximum width of a delivery's text, of a note to the driver and of a code: if nothing is wider, all of them fit
 * on a label (tested). Texts and notes are measured in widths of a W; ordinary text has twice as many characters.
 * Codes are in monospaced type. The account's texts may take the space that remains (`fitsStore`, `fitsGoods`).
 */
export const ALWAYS_FIT = { text: 18, note: 60, code: 24 }
