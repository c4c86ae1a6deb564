import { useSyncExternalStore } from 'react'
import { readSetting, saveSetting } from '../../shared/local-storage.ts'

/** Whether "Getting started" is over for an account in this browser: hidden by its admin, or every step is done. */
const listeners = new Set<() => void>()

const settingOf = (tenantId: string) => `started-${tenantId}`

export function endStart(tenantId: string): void {
  saveSetting(settingOf(tenantId), 'yes')
  for (const listener of listeners) listener()
}

export function useStartOver(tenantId: string): boolean {
  return useSyncExternalStore(subscribe, () => readSetting(settingOf(tenantId)) === 'yes')
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
