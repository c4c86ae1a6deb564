import { Select, TextInput } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { joinWithAnd } from '../../../src/domain/account/field-labels.ts'
import { STATES } from '../../../src/domain/values.ts'
import { ActionButton } from '../../shared/action-button.tsx'
import { Dialog } from '../../shared/dialog.tsx'
import { useTitle } from '../use-title.ts'
import { askPartner, useCarriers } from './carriers/carrier-queries.ts'
import { Closures } from './closures.tsx'
import { type Place, valueAt } from './edits.ts'
import { listLimitsToStore } from './form-edits.ts'
import { Holidays } from './holidays/holidays.tsx'
import { NumberInput } from './number-input.tsx'
import { textField, useSettings } from './settings.ts'
import { LabelFields } from './stores/label-fields.tsx'
import { Openings } from './stores/openings.tsx'
import { type StoreJson, useStores } from './stores-page.tsx'
import { WeekGrid } from './week-grid.tsx'

/** One store: its name and address, when it is open, when carriers collect, its labels, closed days and extra openings. */
export function StorePage() {
  const { reference } = useParams({ strict: false }) as { reference: string }
  const store = useStores().find((one) => one.reference === reference)
  useTitle(`Settings: ${store?.name ?? reference}`)
  if (!store) {
    return (
      <div className="state">
        <h1>We can’t find this store.</h1>
        <p>
          <Link to="/settings/stores">All stores</Link>
        </p>
      </div>
    )
  }
  return <StoreForm key={reference} store={store} />
}

function StoreForm({ store }: { store: StoreJson }) {
  const settings = useSettings()
  const { inUse, document, set } = settings
  const place: Place = ['stores', { key: 'reference', is: store.reference }]
  const at = (...rest: string[]): Place => [...place, ...rest]
  const brands = document.brands as { reference: string; name: string }[]
  const field = (...rest: string[]) => textField(settings, at(...rest))
  return (
    <>
      <div className="head">
        <h1>{store.name ?? store.reference}</h1>
        <span className="dim mono">{store.reference}</span>
        <span className="right">
          <RemoveStore store={store} place={place} />
        </span>
      </div>
      <div className="settings-columns">
        <section className="sheet pad">
          <WeekGrid
            title="Opening hours"
            hours={store.hours}
            inUse={valueAt(inUse, at('hours')) as StoreJson['hours'] | undefined}
            disabled={false}
            onChange={(hours) => set(at('hours'), hours)}
          />
        </section>
        <section className="sheet pad fields" aria-labelledby="store-name">
          <h2 id="store-name">Name and address</h2>
          <TextInput label="Name" maxLength={60} {...field('name')} />
          {brands.length > 1 && (
            <Select
              label="Brand"
              data={brands.map((brand) => ({ value: brand.reference, label: brand.name }))}
              allowDeselect={false}
              value={store.brand ?? brands[0]?.reference ?? null}
              onChange={(brand) => brand && set(at('brand'), brand)}
            />
          )}
          <TextInput label="Street address" {...field('address', 'address')} />
          <TextInput label="Unit, level or shop" {...field('address', 'address2')} />
          <TextInput label="Suburb" {...field('address', 'city')} />
          <div className="fields-row">
            <Select
              label="State"
              data={[...new Set([...STATES, store.address.state])]}
              allowDeselect={false}
              value={store.address.state}
              onChange={(state) => state && set(at('address', 'state'), state)}
            />
            <TextInput
              label="Postcode"
              inputMode="numeric"
              maxLength={4}
              {...field('address', 'post_code')}
            />
          </div>
          <TextInput label="Phone" type="tel" {...field('phone')} />
        </section>
        <section className="sheet pad fields" aria-labelledby="store-times">
          <h2 id="store-times">Getting orders ready</h2>
          <NumberInput
            label="Minutes to pick and pack an order"
            description="Default: the brand’s setting."
            place={at('processing_minutes')}
          />
          <NumberInput
            label="Minutes between an order being ready and the earliest pickup"
            description="Default: the brand’s setting."
            place={at('buffer_minutes')}
          />
        </section>
        <section className="sheet pad fields" aria-labelledby="store-labels">
          <h2 id="store-labels">Labels</h2>
          <LabelFields place={at('labels')} />
        </section>
        <section className="sheet pad">
          <PickupHours store={store} at={at} />
        </section>
        <section className="sheet pad fields">
          <Holidays store={store} place={at('open_on_holidays')} />
          <Closures place={at('closures')} />
        </section>
        <section className="sheet pad">
          <Openings place={at('openings')} />
        </section>
      </div>
    </>
  )
}

function RemoveStore({ store, place }: { store: StoreJson; place: Place }) {
  const { set, may, inUse } = useSettings()
  const stores = useStores()
  const carriers = useCarriers()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  if (!may('store', null)) return null
  const name = store.name ?? store.reference
  const isNew = valueAt(inUse, place) === undefined
  const limits = listLimitsToStore(carriers, store.reference)
  const remove = () => {
    void navigate({ to: '/settings/stores' })
    for (const { place: at, others } of limits) set(at, others)
    set(place, undefined)
  }
  return (
    <>
      <ActionButton
        type="button"
        className="b no"
        disabledReason={stores.length === 1 && 'An account must have at least one store.'}
        onClick={() => setAsking(true)}
      >
        Remove
      </ActionButton>
      {asking && (
        <Dialog title={`Remove ${name}?`} onClose={() => setAsking(false)}>
          <p>
            {isNew
              ? 'This store isn’t in use yet, so removing it won’t affect any deliveries.'
              : 'Once you apply this change, the store will get no new deliveries. The store’s current deliveries will still go ahead, and we’ll keep its history.'}
          </p>
          <div className="row-of-buttons">
            <ActionButton
              type="button"
              className="b no"
              disabledReason={whyNotRemoved(limits, may('carrier', 'limits') && may('service', 'limits'))}
              onClick={remove}
            >
              Remove
            </ActionButton>
            <button type="button" className="b" onClick={() => setAsking(false)}>
              Cancel
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}

/** A carrier that collects from some stores only must be left with at least one. */
function whyNotRemoved(
  limits: ReturnType<typeof listLimitsToStore>,
  mayChangeLimits: boolean,
): string | null {
  const blocking = mayChangeLimits ? limits.filter(({ others }) => others.length === 0) : limits
  if (blocking.length === 0) return null
  const names = joinWithAnd([...new Set(blocking.map(({ carrier }) => carrier))])
  return mayChangeLimits
    ? `${names} can collect only from this store for some services. Before you remove it, go to Carriers and choose other stores for those services.`
    : `The settings for ${names} still list this store. ${askPartner('change which stores a carrier collects from')}`
}

function PickupHours({ store, at }: { store: StoreJson; at(...rest: string[]): Place }) {
  const settings = useSettings()
  const { inUse, set } = settings
  const { pickup_hours: own, pickup_ends_before_closing_minutes: minutes } = store
  // The document has no minutes while a person clears the field to type others.
  const [isBeforeClosing, setBeforeClosing] = useState(minutes !== undefined)
  const kind = own ? 'own' : isBeforeClosing || minutes !== undefined ? 'before' : 'trading'
  const choose = (next: string | null) => {
    if (next === null || next === kind) return
    setBeforeClosing(next === 'before')
    set(at('pickup_hours'), next === 'own' ? store.hours : undefined)
    set(at('pickup_ends_before_closing_minutes'), next === 'before' ? 30 : undefined)
  }
  return (
    <div className="fields">
      <Select
        label="When carriers may collect"
        allowDeselect={false}
        data={[
          { value: 'trading', label: 'During opening hours' },
          { value: 'before', label: 'During opening hours, except just before closing' },
          { value: 'own', label: 'During separate collection hours' },
        ]}
        value={kind}
        onChange={choose}
      />
      {kind === 'before' && (
        <NumberInput
          label="Collection ends this many minutes before closing"
          description="If you leave this empty, carriers may collect until closing."
          place={at('pickup_ends_before_closing_minutes')}
        />
      )}
      {own && (
        <WeekGrid
          title="Collection hours"
          isCollection
          hours={own}
          inUse={valueAt(inUse, at('pickup_hours')) as StoreJson['hours'] | undefined}
          disabled={false}
          onChange={(hours) => set(at('pickup_hours'), hours)}
        />
      )}
    </div>
  )
}
