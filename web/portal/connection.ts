import { useSyncExternalStore } from 'react'
import { type ConnectionFailure, writesDisabledReason } from './connection-failure.ts'

/** Null while the server responds. */
let failure: ConnectionFailure | null = null
const listeners = new Set<() => void>()

/** Set by the live updates, which poll all the time. */
export function setConnectionFailure(now: ConnectionFailure | null): void {
  if (isSame(now, failure)) return
  failure = now
  for (const listener of listeners) listener()
}

export function useConnectionFailure(): ConnectionFailure | null {
  return useSyncExternalStore(listen, () => failure)
}

/** Why actions that write are disabled: a request would probably fail now. Null while they are enabled. */
export function useWritesDisabledReason(): string | null {
  return writesDisabledReason(useConnectionFailure())
}

export function areWritesDisabled(): boolean {
  return writesDisabledReason(failure) !== null
}

function isSame(one: ConnectionFailure | null, other: ConnectionFailure | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function listen(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}
