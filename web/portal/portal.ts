import { createContext, useContext } from 'react'
import type { SessionInfoAnswer, Store } from '../shared/api.generated.ts'

export type Session = SessionInfoAnswer['data']
export type Scope = Session['scopes'][number]

/** The user, their account and their store. */
export type Portal = {
  session: Session
  tenantId: string
  stores: readonly Store[]
  store: Store
  chooseStore(reference: string): void
  /** The account's clock, in epoch milliseconds: a sandbox account may have set it. */
  nowMs(): number
  may(scope: Scope): boolean
}

/** The store of a resource; the selected one if the user cannot see that store. */
export function storeOf({ stores, store }: Pick<Portal, 'stores' | 'store'>, storeId: string): Store {
  return stores.find(({ id }) => id === storeId) ?? store
}

export const PortalContext = createContext<Portal | null>(null)

export function usePortal(): Portal {
  const portal = useContext(PortalContext)
  if (!portal) throw new Error('usePortal was called outside the portal.')
  return portal
}
