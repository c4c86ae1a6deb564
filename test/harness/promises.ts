/** What a check found: how many cases it looked at, and a sentence for each violation. */
export type Finding = { counted: number; wrong: string[] }

/** Promises by name, each with its check of the evidence. A check that counts nothing returns its violations only. */
export type Promises<Name extends string, Evidence> = Readonly<
  Record<Name, (evidence: Evidence) => string[] | Finding>
>

export type Verdict<Name extends string = string> = { promise: Name; counted: number | null; wrong: string[] }

/** A violation, and the promise that it breaks. */
export type Breach<Name extends string = string> = { promise: Name; text: string }

/** Checks the evidence against each promise, in the order of the table. */
export function judge<Name extends string, Evidence>(
  promises: Promises<Name, Evidence>,
  evidence: Evidence,
): Verdict<Name>[] {
  return namesOf(promises).map((promise) => {
    const found = promises[promise](evidence)
    return { promise, ...(Array.isArray(found) ? { counted: null, wrong: found } : found) }
  })
}

/** The violations of all promises; an empty list is a run that kept them. */
export function findBreaches<Name extends string, Evidence>(
  promises: Promises<Name, Evidence>,
  evidence: Evidence,
): Breach<Name>[] {
  return toBreaches(judge(promises, evidence))
}

export function toBreaches<Name extends string>(verdicts: readonly Verdict<Name>[]): Breach<Name>[] {
  return verdicts.flatMap(({ promise, wrong }) => wrong.map((text) => ({ promise, text })))
}

export function namesOf<Name extends string>(promises: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(promises) as Name[]
}
