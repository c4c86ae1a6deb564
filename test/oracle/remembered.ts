/** Memoises a function: Temporal is slow, and millions of calls ask for few days. */
export function remembered<Asked extends (string | number)[], Answer>(answer: (...asked: Asked) => Answer) {
  const known = new Map<string, Answer>()
  return (...asked: Asked): Answer => {
    const key = asked.join(' ')
    const before = known.get(key)
    if (before !== undefined) return before
    const now = answer(...asked)
    known.set(key, now)
    return now
  }
}
