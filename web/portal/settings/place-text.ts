/** A field of the document as people call it: `stores[1].hours.mon` → `Fitzroy, hours, mon:`. */
export function placeText(document: unknown, field: string): string {
  const words: string[] = []
  let at: unknown = document
  for (const step of field.split(/[.[\]]+/).filter(Boolean)) {
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[step] : undefined
    if (!/^\d+$/.test(step)) words.push(step.replaceAll('_', ' '))
    else {
      const { name, reference, service } = (at ?? {}) as Record<string, unknown>
      words.splice(-1, 1, String(name ?? reference ?? service ?? `${words.at(-1)} ${Number(step) + 1}`))
    }
  }
  return words.length === 0 ? '' : `${words.join(', ')}:`
}
