import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { DELIVERY_TYPES } from '../../../../src/domain/values.ts'
import { ActionButton } from '../../../shared/action-button.tsx'
import { Dialog, WITHIN_DIALOG } from '../../../shared/dialog.tsx'
import { DialogButtons } from '../../dialog-buttons.tsx'
import { sentByButton } from '../../on-submit.ts'
import { type Place, valueAt, withValue } from '../edits.ts'
import { useSettings } from '../settings.ts'
import { TimingFields, type TimingJson } from '../timing/timing-fields.tsx'
import { useTexts } from '../use-texts.ts'
import type { CarrierJson, ServiceJson } from './carrier-queries.ts'

type CarrierServicesProps = { carrier: CarrierJson; usual: readonly ServiceJson[]; place: Place }

/**
 * The carrier's services that are offered. Each edit sets the whole list, because a service has no key that people
 * cannot change.
 */
export function CarrierServices({ carrier, usual, place }: CarrierServicesProps) {
  const { set, may, inUse } = useSettings()
  const before = (valueAt(inUse, [...place, 'services']) as readonly ServiceJson[] | undefined) ?? []
  const [adding, setAdding] = useState(false)
  const { services } = carrier
  const setServices = (next: readonly ServiceJson[]) => set([...place, 'services'], next)
  const others = usual.filter((one) => !services.some((known) => known.carrier_code === one.carrier_code))
  const add = (service: ServiceJson) => setServices([...services, withPrice(service, carrier)])
  return (
    <section className="sheet pad">
      <fieldset className="bare fields" disabled={!may('carrier', 'services')}>
        <legend>Services</legend>
        {services.map((service, index) => (
          <Service
            // biome-ignore lint/suspicious/noArrayIndexKey: the name and the code change while they are typed.
            key={index}
            service={service}
            inUse={before.find((one) => one.carrier_code === service.carrier_code)?.timing}
            isLast={services.length === 1}
            change={(next) => setServices(services.with(index, next))}
            remove={() => setServices(services.toSpliced(index, 1))}
          />
        ))}
        <div className="row-of-buttons">
          {others.map((one) => (
            <button key={one.carrier_code} type="button" className="b s" onClick={() => add(one)}>
              Offer {one.service}
            </button>
          ))}
          <button type="button" className="b s" onClick={() => setAdding(true)}>
            Add another service
          </button>
        </div>
      </fieldset>
      {adding && <AddService services={services} add={add} onClose={() => setAdding(false)} />}
    </section>
  )
}

/** Without live prices a service needs a price: it starts with that of the first one. */
function withPrice(service: ServiceJson, { live_prices, services: [first] }: CarrierJson): ServiceJson {
  if (live_prices || service.price || service.rate_card) return service
  const { price, rate_card }: Partial<ServiceJson> = first ?? {}
  return { ...service, ...(price !== undefined && { price }), ...(rate_card !== undefined && { rate_card }) }
}

const TYPES = DELIVERY_TYPES.map((type) => ({
  value: type,
  label: type.charAt(0).toUpperCase() + type.slice(1),
}))

type ServiceProps = {
  service: ServiceJson
  inUse: TimingJson | undefined
  isLast: boolean
  change(next: ServiceJson): void
  remove(): void
}

function Service({ service, inUse, isLast, change, remove }: ServiceProps) {
  const { timing } = service
  const name = service.service.trim() || 'this service'
  return (
    <fieldset className="bare fields carrier-service" aria-label={name}>
      <div className="fields-row">
        <TextInput
          label="Name"
          maxLength={60}
          value={service.service}
          onChange={({ currentTarget }) => change({ ...service, service: currentTarget.value })}
        />
        <TextInput
          label="The carrier’s code for this service"
          maxLength={60}
          value={service.carrier_code}
          onChange={({ currentTarget }) => change({ ...service, carrier_code: currentTarget.value })}
        />
      </div>
      <div className="fields-row">
        <Select
          label="Delivery type"
          allowDeselect={false}
          data={TYPES}
          value={service.delivery_type}
          onChange={(type) => type && change({ ...service, delivery_type: type })}
        />
        <ActionButton
          className="b s no"
          disabledReason={isLast && 'A carrier needs at least one service.'}
          onClick={remove}
        >
          Stop offering {name}
        </ActionButton>
      </div>
      {timing && (
        <details>
          <summary>Delivery times for {name}</summary>
          <div className="fields">
            <TimingFields
              timing={timing}
              inUse={inUse}
              set={(path, value) =>
                change({ ...service, timing: withValue(timing, path, value) as TimingJson })
              }
            />
          </div>
        </details>
      )}
    </fieldset>
  )
}

type AddServiceProps = {
  services: readonly ServiceJson[]
  add(service: ServiceJson): void
  onClose(): void
}

/** A service of the merchant's own contract. It starts with the times, limits and prices of a similar one. */
function AddService({ services, add, onClose }: AddServiceProps) {
  const { texts, set, text } = useTexts({ service: '', carrier_code: '', delivery_type: 'standard' })
  const isTaken = (name: 'service' | 'carrier_code') =>
    services.some((one) => one[name] === texts[name].trim())
  const model = services.find((one) => one.delivery_type === texts.delivery_type) ?? services[0]
  const send = () => {
    if (isTaken('service') || isTaken('carrier_code')) return
    const { service, carrier_code, delivery_type } = texts
    add({ ...model, service: service.trim(), carrier_code: carrier_code.trim(), delivery_type })
    onClose()
  }
  return (
    <Dialog title="Add a service" onClose={onClose}>
      <form {...sentByButton(send)} className="fields narrow">
        <TextInput
          label="Name"
          required
          maxLength={60}
          error={
            isTaken('service') && 'This carrier already has a service with that name. Choose another name.'
          }
          {...text('service')}
        />
        <TextInput
          label="The carrier’s code for this service"
          description="The product code in your contract with the carrier."
          required
          maxLength={60}
          error={
            isTaken('carrier_code') &&
            'This carrier already has a service with that code. Enter another code.'
          }
          {...text('carrier_code')}
        />
        <Select
          label="Delivery type"
          allowDeselect={false}
          comboboxProps={WITHIN_DIALOG}
          data={TYPES}
          value={texts.delivery_type}
          onChange={(type) => type && set('delivery_type', type)}
        />
        {model && <p className="dim">We’ll copy the times, limits and prices from {model.service}.</p>}
        <DialogButtons submitLabel="Add" onClose={onClose} />
      </form>
    </Dialog>
  )
}
