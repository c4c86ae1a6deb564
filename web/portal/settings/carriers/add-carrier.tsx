import { Select, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Dialog, WITHIN_DIALOG } from '../../../shared/dialog.tsx'
import { Loading } from '../../../shared/loading.tsx'
import { lowerFirst } from '../../../shared/lower-first.ts'
import { ProblemView } from '../../../shared/problem-view.tsx'
import { DialogButtons } from '../../dialog-buttons.tsx'
import { sentByButton } from '../../on-submit.ts'
import { type Json, withValue } from '../edits.ts'
import { toCents } from '../form-edits.ts'
import { useSettings } from '../settings.ts'
import { type CatalogueCarrier, type ServiceJson, useCarriers, useCatalogue } from './carrier-queries.ts'

/** Chooses a carrier that Drover supports. Its login is on the next page. */
export function AddCarrier({ onClose }: { onClose(): void }) {
  const { data, error, refetch } = useCatalogue()
  const [id, setId] = useState<string | null>(null)
  const chosen = data?.find((one) => one.id === id)
  return (
    <Dialog title="Add a carrier" onClose={onClose}>
      {error && !data && <ProblemView error={error} retry={refetch} />}
      {!data && !error && <Loading lines={[60]} />}
      {data && (
        <Select
          label="Carrier"
          placeholder="Choose a carrier"
          searchable
          allowDeselect={false}
          comboboxProps={WITHIN_DIALOG}
          data={data.map((one) => ({ value: one.id, label: one.name }))}
          value={id}
          onChange={setId}
        />
      )}
      {chosen ? (
        <NewCarrier key={chosen.id} chosen={chosen} onClose={onClose} />
      ) : (
        <div className="row-of-buttons">
          <button type="button" className="b" onClick={onClose}>
            Cancel
          </button>
        </div>
      )}
    </Dialog>
  )
}

function NewCarrier({ chosen, onClose }: { chosen: CatalogueCarrier; onClose(): void }) {
  const carriers = useCarriers()
  const { set, document, may } = useSettings()
  const navigate = useNavigate()
  const [name, setName] = useState(chosen.name)
  const [settings, setSettings] = useState<Readonly<Record<string, string>>>({})
  const [dollars, setDollars] = useState('')
  const isTaken = carriers.some((one) => one.name === name.trim())
  const cents = toCents(dollars.trim())
  const isWrongPrice = !chosen.live_prices && (dollars.trim() === '' || !Number.isInteger(cents) || cents < 0)
  const add = () => {
    if (isTaken || isWrongPrice || name.trim() === '') return
    const provider = toProvider(
      chosen.id,
      carriers.map((one) => one.provider),
    )
    const { adapter, live_prices, services } = chosen
    // A service is offered only if the account offers its delivery type.
    const offered = (document.delivery_types as Json | undefined) ?? {}
    const usual: readonly ServiceJson[] = services
    for (const { delivery_type: type, timing } of usual.toReversed()) {
      if (!offered[type] && may('delivery_type', null)) set(['delivery_types', type], { timing })
    }
    const given = Object.entries(settings).filter(([, value]) => value.trim() !== '')
    set(['carriers', { key: 'provider', is: provider }], {
      provider,
      ...(provider !== adapter && { adapter }),
      name: name.trim(),
      ...(given.length > 0 && {
        settings: given.reduce<unknown>(
          (at, [path, value]) => withValue(at, path.split('.'), value.trim()),
          {},
        ),
      }),
      ...(live_prices && { live_prices: true }),
      services: services.map((one) => (live_prices ? one : { ...one, price: { base_cents: cents } })),
    })
    onClose()
    void navigate({ to: '/settings/carriers/$provider', params: { provider } })
  }
  return (
    <form {...sentByButton(add)} className="fields narrow">
      <p className="dim">
        {chosen.about} Area: {lowerFirst(chosen.area)}.{' '}
        {chosen.live_prices && `${chosen.name} can give live prices.`}
      </p>
      <TextInput
        label="Name"
        required
        maxLength={60}
        value={name}
        error={isTaken && 'You already have a carrier with that name. Choose another name.'}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      {chosen.settings.map(({ name: path, label, hint, required }) => (
        <TextInput
          key={path}
          label={label}
          description={hint}
          required={required}
          value={settings[path] ?? ''}
          onChange={({ currentTarget: { value } }) => setSettings((known) => ({ ...known, [path]: value }))}
        />
      ))}
      {!chosen.live_prices && (
        <TextInput
          label="Price per delivery, incl. GST"
          description="You can upload the carrier’s price list later, under Prices."
          leftSection="$"
          inputMode="decimal"
          required
          value={dollars}
          error={
            dollars !== '' && isWrongPrice && 'Enter an amount in dollars and whole cents, such as 12.50.'
          }
          onChange={({ currentTarget }) => setDollars(currentTarget.value)}
        />
      )}
      {chosen.credentials.length > 0 && (
        <p className="dim">You’ll enter your login for {chosen.name} on the next page.</p>
      )}
      <DialogButtons submitLabel="Add" onClose={onClose} />
    </form>
  )
}

/** `auspost`, and `auspost_2` for a second contract. */
function toProvider(id: string, taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const provider = number === 1 ? id : `${id}_${number}`
    if (!taken.includes(provider)) return provider
  }
}
