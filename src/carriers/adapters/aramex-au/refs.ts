/** Our ref of a booking: their consignment id, and the labels that track it. */
export function refOf(conId: number, labels: readonly string[]): string {
  return `${conId}/${labels.join('+')}`
}

/** Null if the ref can't be theirs. */
export function partsOf(ref: string): { conId: string; labels: readonly string[] } | null {
  const [, conId, labels] = /^(\d+)\/([A-Z0-9]+(?:\+[A-Z0-9]+)*)$/.exec(ref) ?? []
  return conId && labels ? { conId, labels: labels.split('+') } : null
}

/** The labels that track a booking; a booking that a person resolved has the one label that they entered. */
export function labelsOf(ref: string): readonly string[] {
  return partsOf(ref)?.labels ?? (/^[A-Z0-9]{1,30}$/.test(ref) ? [ref] : [])
}
