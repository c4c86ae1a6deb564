/**
 * The width that a text of a delivery, a note to the driver and a code may have with all others as wide, and a label
 * still has space for them (tested). Texts and notes are measured in W; ordinary text has twice as many characters.
 * Codes are in type of one width. The account's texts may take the space that remains (`fitsStore`, `fitsGoods`).
 */
export const ALWAYS_FIT = { text: 18, note: 60, code: 24 }
