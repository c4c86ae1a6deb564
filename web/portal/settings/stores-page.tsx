import { Select, TextInput } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { HoursByKey } from '../../../src/domain/account/hours-by-day.ts'
import { STATES } from '../../../src/domain/values.ts'
import { Dialog, WITHIN_DIALOG } from '../../shared/dialog.tsx'
import { DialogButtons } from '../dialog-buttons.tsx'
import { sentByButton } from '../on-submit.ts'
import { useTitle } from '../use-title.ts'
import type { Json } from './edits.ts'
import { useSettings } from './settings.ts'
import { toReference, toStoreReference } from './to-reference.ts'
import { useTexts } from './use-texts.ts'

export type StoreJson = Json & {
  reference: string
  name?: string
  brand?: string
  address: { address: string; city: string; state: string; post_code: string }
  hours: HoursByKey
  pickup_hours?: HoursByKey
  pickup_ends_before_closing_minutes?: number
}

export function useStores(): readonly StoreJson[] {
  return useSettings().document.stores as readonly StoreJson[]
}

/** All stores; each has a page of its own. */
export function StoresPage() {
  useTitle('Settings: stores')
  const stores = useStores()
  const { may } = useSettings()
  const [adding, setAdding] = useState(false)
  return (
    <>
      <div className="head">
        <h1>Stores</h1>
        <span className="right">
          {may('store', null) && (
            <button type="button" className="b" onClick={() => setAdding(true)}>
              Add a store
            </button>
          )}
        </span>
      </div>
      {stores.length === 0 && (
        <div className="state">
          <h2>No stores yet.</h2>
          <p>Add the shop or warehouse that your parcels leave from.</p>
        </div>
      )}
      <ul className="sheet settings-list" hidden={stores.length === 0}>
        {stores.map(({ reference, name, address: { address, city, state, post_code } }) => (
          <li key={reference}>
            <Link to="/settings/stores/$reference" params={{ reference }}>
              <b>{name ?? reference}</b>
              <span className="dim">
                {address}, {city} {state} {post_code}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {adding && <AddStore onClose={() => setAdding(false)} />}
    </>
  )
}

/** A new store begins with the hours of another one. The first store comes with a brand that has the account's name. */
function AddStore({ onClose }: { onClose(): void }) {
  const stores = useStores()
  const { set, document } = useSettings()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const {
    texts: fields,
    set: setField,
    text,
  } = useTexts({ address: '', city: '', state: toState(document.time_zone), post_code: '', phone: '' })
  const [like, setLike] = useState(stores[0]?.reference ?? '')
  const taken = stores.map((one) => one.reference)
  const reference = toStoreReference(name, taken)
  const isTaken = taken.includes(reference)
  const add = () => {
    if (reference === '' || isTaken) return
    const { phone, ...address } = fields
    const model = stores.find((one) => one.reference === like)
    const { hours, pickup_hours, pickup_ends_before_closing_minutes, brand }: Partial<StoreJson> = model ?? {}
    const store = {
      reference,
      name: name.trim(),
      ...(brand && { brand }),
      address,
      ...(phone.trim() && { phone: phone.trim() }),
      hours: hours ?? { 'mon-fri': '09:00-17:00' },
      ...(pickup_hours && { pickup_hours }),
      ...(pickup_ends_before_closing_minutes !== undefined && { pickup_ends_before_closing_minutes }),
    }
    const { brands, name: shop } = document as { brands: readonly unknown[]; name: string }
    if (brands.length === 0) {
      const first = toReference(shop) || 'shop'
      set(['brands', { key: 'reference', is: first }], { reference: first, name: shop })
    }
    set(['stores', { key: 'reference', is: reference }], store)
    onClose()
    void navigate({ to: '/settings/stores/$reference', params: { reference } })
  }
  return (
    <Dialog title="Add a store" onClose={onClose}>
      <form {...sentByButton(add)} className="fields narrow">
        <TextInput
          label="Name"
          required
          maxLength={60}
          value={name}
          error={
            (isTaken && 'You already have a store with that name. Choose another name.') ||
            (name !== '' && reference === '' && 'Enter a name.')
          }
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <TextInput label="Street address" required {...text('address')} />
        <TextInput label="Suburb" required {...text('city')} />
        <Select
          label="State"
          data={[...STATES]}
          allowDeselect={false}
          comboboxProps={WITHIN_DIALOG}
          value={fields.state}
          onChange={(state) => state && setField('state', state)}
        />
        <TextInput
          label="Postcode"
          required
          inputMode="numeric"
          pattern="\d{4}"
          maxLength={4}
          {...text('post_code')}
        />
        <TextInput label="Phone" type="tel" {...text('phone')} />
        {stores.length > 0 && (
          <Select
            label="Copy opening hours from"
            data={stores.map((one) => ({ value: one.reference, label: one.name ?? one.reference }))}
            allowDeselect={false}
            comboboxProps={WITHIN_DIALOG}
            searchable
            value={like}
            onChange={(value) => value && setLike(value)}
          />
        )}
        <DialogButtons submitLabel="Add" onClose={onClose} />
      </form>
    </Dialog>
  )
}

const STATES_OF_ZONES: Readonly<Record<string, string>> = {
  'Australia/Sydney': 'NSW',
  'Australia/Brisbane': 'QLD',
  'Australia/Adelaide': 'SA',
  'Australia/Perth': 'WA',
  'Australia/Hobart': 'TAS',
  'Australia/Darwin': 'NT',
}

/** The state that the form suggests, by the account's time zone. */
function toState(zone: unknown): string {
  return STATES_OF_ZONES[String(zone)] ?? 'VIC'
}
