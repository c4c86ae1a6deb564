import { useSyncExternalStore } from 'react'

/** On the account's clock; null while the server is heard. */
let silentSinceMs: number | null = null
const listeners = new Set<() => void>()

/** Told by the live news, which asks all the time. */
export function setSilentSince(atMs: number | null): void {
  if (atMs === silentSinceMs) return
  silentSinceMs = atMs
  for (const listener of listeners) listener()
}

/** Since when nothing is heard of the server, on the account's clock; null while it is heard. */
export function useSilentSince(): number | null {
  return useSyncExternalStore(listen, () => silentSinceMs)
}

/** Whether what is sent now would most likely get nowhere. */
export function useIsSilent(): boolean {
  return useSilentSince() !== null
}

export function isSilent(): boolean {
  return silentSinceMs !== null
}

function listen(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}
