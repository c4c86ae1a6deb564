/** How we call a booking: their number of it, and the labels that it is followed by. */
export function refOf(conId: number, labels: readonly string[]): string {
  return `${conId}/${labels.join('+')}`
}

/** Null for what cannot be theirs. */
export function partsOf(ref: string): { conId: string; labels: readonly string[] } | null {
  const [, conId, labels] = /^(\d+)\/([A-Z0-9]+(?:\+[A-Z0-9]+)*)$/.exec(ref) ?? []
  return conId && labels ? { conId, labels: labels.split('+') } : null
}

/** What a booking is followed by; one that a person settled is known by the label that he told. */
export function labelsOf(ref: string): readonly string[] {
  return partsOf(ref)?.labels ?? (/^[A-Z0-9]{1,30}$/.test(ref) ? [ref] : [])
}
