import { useQuery } from '@tanstack/react-query'
import type { CarrierCatalogueAnswer } from '../../../shared/api.generated.ts'
import { api } from '../../../shared/api.ts'
import { usePortal } from '../../portal.ts'
import { type Json, valueAt } from '../edits.ts'
import { useSettings } from '../settings.ts'
import type { TimingJson } from '../timing/timing-fields.tsx'

/** Why a person cannot make a change that needs the partner's grant. `action`: `change this login`. */
export function askPartner(action: string): string {
  return `Only your implementation partner can ${action}. Ask them to make the change, or to give you permission.`
}

export type ServiceJson = Json & {
  service: string
  carrier_code: string
  delivery_type: string
  timing?: TimingJson
}
export type CarrierJson = Json & {
  provider: string
  adapter?: string
  name: string
  credentials?: Readonly<Record<string, { secret: string } | undefined>>
  live_prices?: boolean
  limits?: Json & { stores?: readonly string[] }
  services: readonly ServiceJson[]
}
export type CatalogueCarrier = CarrierCatalogueAnswer['data'][number]

/** A carrier whose name was deleted while it is edited keeps the name in use, so that sentences about it stay whole. */
export function useCarriers(): readonly CarrierJson[] {
  const { document, inUse } = useSettings()
  const carriers = (document.carriers as readonly CarrierJson[] | undefined) ?? []
  return carriers.map((carrier) => {
    if ((carrier.name as string | undefined) !== undefined) return carrier
    const name = valueAt(inUse, ['carriers', { key: 'provider', is: carrier.provider }, 'name'])
    return { ...carrier, name: String(name ?? carrier.provider) }
  })
}

/** The carriers that this account can add. */
export function useCatalogue() {
  const { tenantId } = usePortal()
  return useQuery({
    queryKey: ['carrier-catalogue', tenantId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const params = { path: { tenant_id: tenantId } }
      return (await api.GET('/admin/accounts/{tenant_id}/carrier-catalogue', { params })).data
    },
  })
}

export type StoredSecret = { updated_at: string; stored_by?: string }

export const secretsKey = (tenantId: string) => ['secrets', tenantId] as const

/** When each stored credential was last changed and by whom, by its name. Nobody can read the credentials themselves. */
export function useStoredSecrets() {
  const { tenantId } = usePortal()
  return useQuery({
    queryKey: secretsKey(tenantId),
    queryFn: async () => {
      const params = { path: { tenant_id: tenantId } }
      const { data } = await api.GET('/admin/accounts/{tenant_id}/secrets', { params })
      return new Map(data.map(({ name, ...stored }) => [name, stored]))
    },
  })
}
