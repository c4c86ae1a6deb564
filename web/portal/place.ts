/** The list that the user came from: its address and its index in the browser's history; null if it is not behind. */
export type Place = { href: string; index: number | null }
type Shown = { href: string; pathname: string; index: number }

/** Pages of one delivery, or of a new one: Back leaves them and never leads to them. */
const OF_ONE = /\/(deliveries\/.+|new)$/

/** The list to go back to once this page is shown. */
export function placeAfter(before: Place | null, { href, pathname, index }: Shown): Place | null {
  if (!OF_ONE.test(pathname)) return { href, index }
  // A user who went back past a list has it ahead, and the next page takes its index.
  const isBehind = before?.index != null && before.index < index
  return before && (isBehind ? before : { ...before, index: null })
}
