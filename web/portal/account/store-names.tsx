import { usePortal } from '../portal.ts'

type StoreNamesProps = { of: readonly string[] | null }

/** The names of the stores; a store that was removed from the account is shown by its reference. */
export function StoreNames({ of: references }: StoreNamesProps) {
  const { stores } = usePortal()
  const nameOf = (reference: string) => stores.find((one) => one.reference === reference)?.name ?? reference
  return references?.map(nameOf).join(', ') ?? 'All'
}
