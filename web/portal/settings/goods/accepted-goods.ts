import { isSame } from '../../../../src/domain/account/differences.ts'

/** Where a carrier accepts one kind of restricted goods. */
export type Accepted = 'nowhere' | 'all' | readonly string[]

/** `value`: a list of kinds, or the states by kind; absent: the carrier accepts no restricted goods. */
export function acceptedAt(value: unknown, kind: string): Accepted {
  if (Array.isArray(value)) return value.includes(kind) ? 'all' : 'nowhere'
  const states = (value as Readonly<Record<string, Accepted>> | undefined)?.[kind]
  return states ?? 'nowhere'
}

/**
 * The value with one kind changed. A list stays a list unless a kind gets states of its own; what means the same as what is
 * in use is written as in use.
 */
export function withAccepted(value: unknown, kind: string, accepted: Accepted, inUse: unknown): unknown {
  const next = changed(value, kind, accepted)
  return isSame(byKind(next), byKind(inUse)) ? inUse : next
}

function changed(value: unknown, kind: string, accepted: Accepted): unknown {
  if (Array.isArray(value) || value === undefined) {
    const others = ((value as readonly string[] | undefined) ?? []).filter((one) => one !== kind)
    if (accepted === 'nowhere') return others
    if (accepted === 'all') return [...others, kind]
  }
  const { [kind]: _, ...others } = byKind(value)
  return accepted === 'nowhere' ? others : { ...others, [kind]: accepted }
}

function byKind(value: unknown): Readonly<Record<string, Accepted>> {
  if (Array.isArray(value)) return Object.fromEntries(value.map((kind) => [kind, 'all']))
  return (value as Readonly<Record<string, Accepted>> | undefined) ?? {}
}
