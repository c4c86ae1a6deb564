/** The number of names; the rest is counted. */
const MAX_NAMED = 3

/** `A`, `A and B`, `A, B and C`, `A, B and 4 more`. */
export function formatList(names: readonly string[]): string {
  const all = names.length <= MAX_NAMED
  const named = names.slice(0, MAX_NAMED - 1)
  const last = all ? names.slice(MAX_NAMED - 1) : [`${names.length - named.length} more`]
  const parts = [...named, ...last]
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
