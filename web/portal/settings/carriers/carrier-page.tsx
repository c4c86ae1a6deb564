import { TextInput } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { Dialog } from '../../../shared/dialog.tsx'
import { useTitle } from '../../use-title.ts'
import { type Place, valueAt } from '../edits.ts'
import { textField, useSettings } from '../settings.ts'
import { CarrierLogin } from './carrier-login.tsx'
import { type CarrierJson, type CatalogueCarrier, useCarriers, useCatalogue } from './carrier-queries.ts'
import { CarrierServices } from './carrier-services.tsx'
import { CarrierStores } from './carrier-stores.tsx'
import { CarrierSwitch } from './carrier-switch.tsx'
import { findInCatalogue } from './find-in-catalogue.ts'

/** One carrier: its login, services and stores, and where its prices come from. */
export function CarrierPage() {
  const { provider } = useParams({ strict: false }) as { provider: string }
  const carrier = useCarriers().find((one) => one.provider === provider)
  useTitle(`Settings: ${carrier?.name ?? provider}`)
  if (!carrier) {
    return (
      <div className="state">
        <h1>We can’t find this carrier.</h1>
        <p>
          <Link to="/settings/carriers">All carriers</Link>
        </p>
      </div>
    )
  }
  return <CarrierForm key={provider} carrier={carrier} />
}

function CarrierForm({ carrier }: { carrier: CarrierJson }) {
  const { inUse, may } = useSettings()
  const { data: catalogue = [] } = useCatalogue()
  const known = findInCatalogue(catalogue, carrier)
  const place: Place = ['carriers', { key: 'provider', is: carrier.provider }]
  const isInUse = valueAt(inUse, place) !== undefined
  return (
    <>
      <div className="head">
        <h1>{carrier.name}</h1>
        {known && <span className="dim">{known.area}</span>}
        <span className="right">
          {may('carrier', null) && <RemoveCarrier carrier={carrier} place={place} isInUse={isInUse} />}
        </span>
      </div>
      {!may('carrier', 'services') && (
        <p className="dim">
          On this page, you can only change the carrier’s name and switch the carrier on or off. For other
          changes, ask your implementation partner.
        </p>
      )}
      <div className="settings-columns">
        <General carrier={carrier} known={known} place={place} isInUse={isInUse} />
        {known && known.credentials.length > 0 && (
          <CarrierLogin carrier={carrier} needed={known.credentials} place={place} />
        )}
        <CarrierStores carrier={carrier} place={place} />
        <CarrierServices carrier={carrier} usual={known?.services ?? []} place={place} />
      </div>
    </>
  )
}

type GeneralProps = {
  carrier: CarrierJson
  known: CatalogueCarrier | undefined
  place: Place
  isInUse: boolean
}

function General({ carrier, known, place, isInUse }: GeneralProps) {
  const settings = useSettings()
  const { set, may, document } = settings
  const isTest = (carrier.environment ?? (document.mode === 'live' ? 'production' : 'sandbox')) === 'sandbox'
  return (
    <section className="sheet pad fields" aria-labelledby="carrier-general">
      <h2 id="carrier-general">Name and prices</h2>
      <TextInput label="Name" maxLength={60} {...textField(settings, [...place, 'name'])} />
      <fieldset className="bare fields" disabled={!may('carrier', 'settings')}>
        {known?.settings.map(({ name, label, hint }) => (
          <TextInput
            key={name}
            label={label}
            description={hint}
            {...textField(settings, [...place, 'settings', ...name.split('.')])}
          />
        ))}
        {(known?.live_prices || carrier.live_prices) && (
          <label className="week-name">
            <input
              type="checkbox"
              checked={carrier.live_prices === true}
              onChange={({ currentTarget: { checked } }) =>
                set([...place, 'live_prices'], checked ? true : undefined)
              }
            />{' '}
            Ask {carrier.name} for live prices
          </label>
        )}
      </fieldset>
      <p className="dim">
        {carrier.live_prices
          ? 'We ask the carrier for a live price for each delivery. If the carrier doesn’t answer, we use the prices you’ve entered.'
          : 'We use the prices you’ve entered.'}{' '}
        Enter the carrier’s prices under <Link to="/settings/prices">Prices</Link>, and your markup under{' '}
        <Link to="/settings/bookings">Bookings</Link>.
      </p>
      {known && !known.practice && known.credentials.length > 0 && isTest && (
        <p className="warn">Bookings go to {carrier.name}’s test system. Nobody will collect the parcels.</p>
      )}
      {isInUse && <CarrierSwitch provider={carrier.provider} />}
    </section>
  )
}

type RemoveCarrierProps = { carrier: CarrierJson; place: Place; isInUse: boolean }

function RemoveCarrier({ carrier, place, isInUse }: RemoveCarrierProps) {
  const { set, document } = useSettings()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const remove = () => {
    const preferred = valueAt(document, ['booking', 'order', 'preferred'])
    if (Array.isArray(preferred) && preferred.includes(carrier.provider)) {
      const rest = preferred.filter((one) => one !== carrier.provider)
      set(['booking', 'order'], rest.length > 0 ? { preferred: rest } : 'cheapest')
    }
    set(place, undefined)
    void navigate({ to: '/settings/carriers' })
  }
  return (
    <>
      <button type="button" className="b no" onClick={() => setAsking(true)}>
        Remove the carrier
      </button>
      {asking && (
        <Dialog title={`Remove ${carrier.name}?`} onClose={() => setAsking(false)}>
          <p>
            {isInUse
              ? `Once you apply this change, we’ll stop offering and booking ${carrier.name}. We’ll keep tracking the deliveries that ${carrier.name} already has. If you only want to pause the carrier, switch it off instead.`
              : 'This carrier isn’t in use yet, so removing it won’t affect any deliveries.'}
          </p>
          <div className="row-of-buttons">
            <button type="button" className="b no" onClick={remove}>
              Remove it
            </button>
            <button type="button" className="b" onClick={() => setAsking(false)}>
              Keep it
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}
