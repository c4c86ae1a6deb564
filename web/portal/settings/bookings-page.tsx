import { Select } from '@mantine/core'
import { ActionButton } from '../../shared/action-button.tsx'
import { useTitle } from '../use-title.ts'
import { BookingOrder } from './carriers/booking-order.tsx'
import { askPartner, useCarriers } from './carriers/carrier-queries.ts'
import { valueAt } from './edits.ts'
import { NumberInput } from './number-input.tsx'
import { useSettings } from './settings.ts'

/** When Drover books, which carrier it tries first, what customers pay, and how long data is kept. */
export function BookingsPage() {
  useTitle('Settings: bookings')
  const { document, set } = useSettings()
  const carriers = useCarriers()
  const order = valueAt(document, ['booking', 'order']) ?? 'cheapest'
  const preferred = (order as { preferred?: readonly string[] }).preferred
  return (
    <>
      <div className="head">
        <h1>Bookings</h1>
      </div>
      <div className="settings-columns">
        <section className="sheet pad fields" aria-labelledby="booking">
          <h2 id="booking">Booking carriers</h2>
          <Select
            label="Carrier to try first"
            allowDeselect={false}
            data={[
              { value: 'cheapest', label: 'The cheapest' },
              { value: 'fastest', label: 'The fastest' },
              ...(carriers.length > 0 ? [{ value: 'own', label: 'The first on your list' }] : []),
            ]}
            value={preferred ? 'own' : String(order)}
            onChange={(value) => {
              const providers = carriers.map(({ provider }) => provider)
              if (value === 'own') set(['booking', 'order'], { preferred: preferred ?? providers })
              else if (value) set(['booking', 'order'], value)
            }}
          />
          {preferred && <BookingOrder order={preferred} />}
          <NumberInput
            label="Book a carrier this many minutes before the order is ready"
            description="You can amend a delivery until a carrier is booked. Default: 60."
            place={['booking', 'lead_minutes']}
          />
          <NumberInput
            label="Put a delivery on hold if no carrier accepts it within this many minutes"
            description="Counted from the time the order is ready. Default: 240."
            place={['booking', 'give_up_minutes']}
          />
        </section>
        <section className="sheet pad fields" aria-labelledby="prices">
          <h2 id="prices">Prices</h2>
          <NumberInput
            label="Markup on every price, %"
            description="A negative number is a discount. Default: 0."
            place={['pricing', 'markup_percent']}
          />
          <NumberInput
            label="Minutes until a quote expires"
            description="While a quote is valid, its price and delivery window don’t change. Default: 30."
            place={['quotes', 'hold_minutes']}
          />
        </section>
        <BookingLinks />
        <section className="sheet pad fields" aria-labelledby="kept">
          <h2 id="kept">How long we keep data</h2>
          <NumberInput
            label="Days until we erase a delivery’s personal data"
            description="Counted from the day the delivery is created. Default: 400."
            place={['retention', 'delivery_days']}
          />
          <NumberInput
            label="Days until we erase an audit log entry"
            description="Default: 2,557 (seven years)."
            place={['retention', 'audit_days']}
          />
        </section>
      </div>
    </>
  )
}

/** Whether customers may choose their own time by a link. The partner grants it. */
function BookingLinks() {
  const { document, inUse, set, may } = useSettings()
  const place = ['capabilities', 'click_and_deliver']
  const isOn = valueAt(document, place) === true
  return (
    <section className="sheet pad fields" aria-labelledby="booking-links">
      <h2 id="booking-links">Booking links</h2>
      <p>
        With a booking link, a customer chooses their own delivery time. Booking links are{' '}
        {isOn ? 'on' : 'off'}.
      </p>
      <div className="row-of-buttons tight">
        <ActionButton
          type="button"
          className="b s"
          disabledReason={!may('account', 'capabilities') && askPartner('turn booking links on or off')}
          onClick={() => set(place, isOn ? (valueAt(inUse, place) === undefined ? undefined : false) : true)}
        >
          {isOn ? 'Turn off booking links' : 'Turn on booking links'}
        </ActionButton>
      </div>
    </section>
  )
}
