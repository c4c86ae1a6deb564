/** What one comes from: its address, and where in the browser's history it lies behind; null where it does not. */
export type Place = { href: string; index: number | null }
type Shown = { href: string; pathname: string; index: number }

/** Pages of one delivery, or of one to be made: one goes back from them, not to them. */
const OF_ONE = /\/(deliveries\/.+|new)$/

/** The place that one comes from once this page is shown. */
export function placeAfter(before: Place | null, { href, pathname, index }: Shown): Place | null {
  if (!OF_ONE.test(pathname)) return { href, index }
  // Whoever goes back beyond a list has it ahead, and what is opened next takes its place.
  const isBehind = before?.index != null && before.index < index
  return before && (isBehind ? before : { ...before, index: null })
}
