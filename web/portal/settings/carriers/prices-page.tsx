import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ZONES } from '../../../../src/domain/values.ts'
import type { RateCardAnswer } from '../../../shared/api.generated.ts'
import { api } from '../../../shared/api.ts'
import { count } from '../../../shared/count.ts'
import { lowerFirst } from '../../../shared/lower-first.ts'
import { toProblem } from '../../../shared/problem.ts'
import { usePortal } from '../../portal.ts'
import { useTitle } from '../../use-title.ts'
import { Wide } from '../../wide.tsx'
import { DollarInput } from '../dollar-input.tsx'
import { type Place, valueAt } from '../edits.ts'
import { FileButton } from '../file-button.tsx'
import { hasOnePricePerKg, toDollars } from '../form-edits.ts'
import { NumberInput } from '../number-input.tsx'
import { useSettings } from '../settings.ts'
import { isByZone } from '../zone-days.ts'
import { ZONE_NAMES } from '../zone-names.ts'
import { useCarriers } from './carrier-queries.ts'

type Carrier = { provider: string; name: string; live_prices?: boolean; services: readonly Service[] }
type Service = {
  service: string
  delivery_type: string
  price?: { base_cents: unknown }
  rate_card?: { rates: readonly unknown[] }
}

/** What each service of each carrier costs: in fields, or from the owner's own price list. */
export function PricesPage() {
  useTitle('Settings: prices')
  const carriers = useCarriers() as readonly Carrier[]
  return (
    <>
      <div className="head">
        <h1>Prices</h1>
        <span className="dim">
          The prices that carriers charge you, incl. GST. Set your markup under Bookings.
        </span>
      </div>
      {carriers.length === 0 && (
        <div className="state">
          <h2>No carriers yet.</h2>
          <p>
            <Link to="/settings/carriers">Add a carrier</Link> first.
          </p>
        </div>
      )}
      {carriers.map(({ provider, name, live_prices, services }) => (
        <section key={provider} aria-label={name}>
          <h2 className="settings-carrier">{name}</h2>
          <div className="settings-columns">
            {services.map((service) => (
              <ServicePrices
                key={service.service}
                provider={provider}
                service={service}
                isLive={live_prices === true}
                name={`${name} ${service.service}`}
              />
            ))}
          </div>
        </section>
      ))}
    </>
  )
}

type ServicePricesProps = { provider: string; service: Service; isLive: boolean; name: string }

function ServicePrices({ provider, service, isLive, name }: ServicePricesProps) {
  const place: Place = [
    'carriers',
    { key: 'provider', is: provider },
    'services',
    { key: 'service', is: service.service },
  ]
  return (
    <section className="sheet pad fields" aria-label={name}>
      <h3>
        {service.service} <span className="dim">({service.delivery_type})</span>
      </h3>
      {service.price && <PriceFields name={name} place={[...place, 'price']} />}
      {!service.price && !service.rate_card && (
        <NoPrice name={name} isLive={isLive} place={[...place, 'price']} />
      )}
      {service.rate_card && <p>We use your price list ({count(service.rate_card.rates.length, 'rate')}).</p>}
      <PriceList provider={provider} service={service.service} name={name} place={place} />
    </section>
  )
}

/** A service needs no price of its own if its carrier quotes live prices. */
function NoPrice({ name, isLive, place }: { name: string; isLive: boolean; place: Place }) {
  const { set } = useSettings()
  return (
    <>
      <p className="dim">
        {isLive
          ? 'We ask the carrier for a live price for each delivery. If the carrier doesn’t answer, we won’t offer this service unless you set a price here.'
          : 'This service has no price yet.'}
      </p>
      <div className="row-of-buttons">
        <button
          type="button"
          className="b s"
          aria-label={`Set a price for ${name}`}
          onClick={() => set(place, {})}
        >
          Set a price
        </button>
      </div>
    </>
  )
}

function PriceFields({ name, place }: { name: string; place: Place }) {
  const { document, inUse, set } = useSettings()
  const base = valueAt(document, [...place, 'base_cents'])
  return (
    <>
      <div className="fields-row">
        {isByZone(base) ? (
          // Every zone, because a zone whose price is cleared is not in the document until it is typed again.
          ZONES.map((zone) => (
            <DollarInput
              key={zone}
              label={`Base price, ${lowerFirst(ZONE_NAMES[zone])}`}
              place={[...place, 'base_cents', zone]}
            />
          ))
        ) : (
          <DollarInput label="Base price" place={[...place, 'base_cents']} />
        )}
      </div>
      <div className="fields-row">
        {hasOnePricePerKg([document, inUse], place) && (
          <DollarInput label="Price per extra kilogram" place={[...place, 'weight', 'cents_per_kg']} />
        )}
        <NumberInput label="Fuel surcharge, %" place={[...place, 'fuel_percent']} />
        <DollarInput label="Residential surcharge" place={[...place, 'residential_cents']} />
        <DollarInput label="Dangerous goods surcharge" place={[...place, 'dangerous_goods_cents']} />
      </div>
      <div className="row-of-buttons">
        <button
          type="button"
          className="b s quiet"
          aria-label={`Remove the price of ${name}`}
          onClick={() => set(place, undefined)}
        >
          Remove the price
        </button>
      </div>
    </>
  )
}

type Read = RateCardAnswer['data']
type PriceListProps = { provider: string; service: string; name: string; place: Place }

/** The owner's own price list, as a CSV or Excel file: read, compared on three consignments, then applied like any change. */
function PriceList({ provider, service, name, place }: PriceListProps) {
  const { tenantId } = usePortal()
  const { set, inUse } = useSettings()
  const isInUse = valueAt(inUse, place) !== undefined
  const [shown, setShown] = useState<SamplesProps | null>(null)
  const read = useMutation({
    mutationFn: async (file: File) => {
      const params = { path: { tenant_id: tenantId }, query: { provider, service } }
      const asked = api.POST('/admin/accounts/{tenant_id}/rate-card', {
        params,
        body: file,
        contentType: 'text/csv',
      })
      return (await asked).data
    },
    onSuccess: (data) => {
      setShown({
        name,
        samples: data.samples,
        hadList: valueAt(inUse, [...place, 'rate_card']) !== undefined,
      })
      set([...place, 'price'], undefined)
      set([...place, 'rate_card'], data.rate_card)
    },
  })
  const failure = read.error && toProblem(read.error)
  return (
    <>
      <div className="row-of-buttons">
        <FileButton
          label={`Price list for ${name}`}
          accept=".csv,.xlsx,text/csv"
          busy={read.isPending}
          disabledReason={!isInUse && 'Apply your changes first, then upload the price list.'}
          choose={read.mutate}
        >
          Upload a price list
        </FileButton>
      </div>
      {failure && (
        <div role="alert">
          <p className="field-error">
            {failure.errors.length > 0
              ? 'The price list has mistakes. Correct the file, then upload it again.'
              : failure.message}
          </p>
          <ul>
            {failure.errors.map(({ field: where, message }) => (
              <li key={where + message}>
                <b>{where}:</b> {message}
              </li>
            ))}
          </ul>
        </div>
      )}
      {shown && <Samples {...shown} />}
    </>
  )
}

type SamplesProps = {
  name: string
  samples: Read['samples']
  /** Whether the service had a price list before this one. */
  hadList: boolean
}

function Samples({ name, samples, hadList }: SamplesProps) {
  return (
    <Wide label={`What three consignments would cost with ${name}`}>
      <table className="list-table">
        <thead>
          <tr>
            <th scope="col">Consignment</th>
            <th scope="col" className="num">
              Price with the current list
            </th>
            <th scope="col" className="num">
              Price with the new list
            </th>
          </tr>
        </thead>
        <tbody>
          {samples.map(({ post_code, zone, weight_kg, before_cents, after_cents }) => (
            <tr key={`${post_code} ${weight_kg}`}>
              <td>
                {weight_kg} kg to {post_code} ({zone})
              </td>
              <td className="num">
                {before_cents !== null
                  ? `$${toDollars(before_cents)}`
                  : hadList
                    ? 'not covered'
                    : 'no list yet'}
              </td>
              <td className="num">{after_cents === null ? 'not covered' : `$${toDollars(after_cents)}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}
