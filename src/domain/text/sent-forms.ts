/**
 * The texts of a request that came in another form than normalisation form C, by path (`parcels[0].reference`). Drover
 * stores and compares form C, and echoes the text as it was sent.
 */
export type SentForms = Readonly<Record<string, string>>

/** The answer with each text in the form in which it was sent, if it is still that text. Changes the answer. */
export function withSentForms<T extends object>(answer: T, forms: SentForms | undefined): T {
  for (const [path, sent] of Object.entries(forms ?? {})) {
    const steps = path.split(/[.[\]]+/).filter(Boolean)
    const last = steps.pop() as string
    let parent: unknown = answer
    for (const step of steps) parent = (parent as Record<string, unknown> | undefined)?.[step]
    const fields = parent as Record<string, unknown> | undefined
    if (fields?.[last] === sent.normalize('NFC')) fields[last] = sent
  }
  return answer
}

/** The forms after an amend that replaced these fields. Undefined if there are none. */
export function amendedSentForms(
  before: SentForms | undefined,
  replaced: readonly string[],
  after: SentForms | undefined,
): SentForms | undefined {
  const kept = Object.entries(before ?? {}).filter(
    ([path]) => !replaced.includes(path.split(/[.[]/)[0] ?? ''),
  )
  const forms = { ...Object.fromEntries(kept), ...after }
  return Object.keys(forms).length > 0 ? forms : undefined
}
