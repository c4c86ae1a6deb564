import { Select } from '@mantine/core'
import { MANIFEST_STATUSES } from '../../../src/domain/delivery/delivery.ts'
import { STATUSES } from '../../../src/domain/delivery/status.ts'
import { MANIFEST_WORDS, STATUS_WORDS } from '../../../src/domain/delivery/status-labels.ts'
import { usePortal } from '../portal.ts'
import type { DeliveriesSearch } from '../routes.tsx'
import { EVERYWHERE } from './use-deliveries.ts'

const ANY = ''

type FiltersProps = { search: DeliveriesSearch; change(search: DeliveriesSearch): void }

/** Store, status, and whether it is on a manifest. */
export function Filters({ search, change }: FiltersProps) {
  const { store, stores } = usePortal()
  const choose = (name: keyof DeliveriesSearch, value: string | null) => {
    const { [name]: _, ...rest } = search
    change(value ? { ...rest, [name]: value } : rest)
  }
  return (
    <div className="filters">
      <Select
        label="Store"
        value={search.store ?? store.reference}
        onChange={(value) => choose('store', value)}
        data={[
          { value: EVERYWHERE, label: 'All stores' },
          ...stores.map(({ reference, name }) => ({ value: reference, label: name })),
        ]}
      />
      <Select
        label="Status"
        value={search.status ?? ANY}
        onChange={(value) => choose('status', value)}
        data={[
          { value: ANY, label: 'All statuses' },
          ...STATUSES.map((one) => ({ value: one, label: STATUS_WORDS[one].clerk })),
        ]}
      />
      <Select
        label="Manifest"
        value={search.manifest ?? ANY}
        onChange={(value) => choose('manifest', value)}
        data={[
          { value: ANY, label: 'All deliveries' },
          ...MANIFEST_STATUSES.map((one) => ({ value: one, label: MANIFEST_WORDS[one] })),
        ]}
      />
    </div>
  )
}
