import { Select } from '@mantine/core'
import { DELIVERY_TYPES, ZONES } from '../../../src/domain/values.ts'
import { ActionButton } from '../../shared/action-button.tsx'
import { useTitle } from '../use-title.ts'
import { type Place, valueAt } from './edits.ts'
import { NumberInput } from './number-input.tsx'
import { textField, useSettings } from './settings.ts'
import { isByZone, toEachZone, toOneNumber } from './zone-days.ts'
import { ZONE_NAMES } from './zone-names.ts'

const PARTNER = 'Your implementation partner sets this.'

type TypeJson = { enabled?: boolean; timing: { after_pickup?: object; on_day?: { days: unknown } } }

/** The delivery types that the account offers, with the windows that customers can choose. */
export function DeliveryTypesPage() {
  useTitle('Settings: delivery types')
  const { document } = useSettings()
  const types = document.delivery_types as Readonly<Record<string, TypeJson | undefined>>
  return (
    <>
      <div className="head">
        <h1>Delivery types</h1>
        <span className="dim">What customers can choose, and the windows offered for each.</span>
      </div>
      {Object.keys(types).length === 0 && (
        <div className="state">
          <h2>No delivery types yet.</h2>
          <p>They come with your first carrier: what it offers is what your customers can choose.</p>
        </div>
      )}
      <div className="settings-columns">
        {DELIVERY_TYPES.map((type) => {
          const value = types[type]
          return value && <DeliveryType key={type} type={type} value={value} />
        })}
      </div>
    </>
  )
}

function DeliveryType({ type, value }: { type: string; value: TypeJson }) {
  const { set, may } = useSettings()
  const place: Place = ['delivery_types', type]
  const isOffered = value.enabled !== false
  return (
    <section className="sheet pad fields" aria-label={type}>
      <h2>{type.charAt(0).toUpperCase() + type.slice(1)}</h2>
      <div className="row-of-buttons tight">
        <ActionButton
          type="button"
          className="b s"
          aria-pressed={isOffered}
          closed={!may('delivery_type', 'enabled') && PARTNER}
          onClick={() => set([...place, 'enabled'], isOffered ? false : undefined)}
        >
          {isOffered ? 'Offered. Stop offering it' : 'Not offered. Offer it'}
        </ActionButton>
      </div>
      {value.timing.on_day && <OnDay place={[...place, 'timing', 'on_day']} />}
      {value.timing.after_pickup && <AfterPickup place={[...place, 'timing', 'after_pickup']} />}
    </section>
  )
}

function OnDay({ place }: { place: Place }) {
  const settings = useSettings()
  const days = valueAt(settings.document, [...place, 'days'])
  const time = (name: string) => textField(settings, [...place, name])
  /** What is in use comes back whole when its kind is chosen again. */
  const setDays = (next: unknown, isOther: (before: unknown) => boolean) => {
    const before = valueAt(settings.inUse, [...place, 'days'])
    settings.set([...place, 'days'], before === undefined || isOther(before) ? next : before)
  }
  return (
    <>
      <label className="stacked">
        Last pickup of the day
        <input type="time" className="time-input" {...time('cut_off')} />
      </label>
      <Select
        label="Business days until delivery"
        allowDeselect={false}
        data={[
          { value: 'same', label: 'The same everywhere' },
          { value: 'zones', label: 'By distance' },
        ]}
        value={isByZone(days) ? 'zones' : 'same'}
        onChange={(chosen) => {
          if (chosen === 'same' && isByZone(days)) setDays(toOneNumber(days), isByZone)
          if (chosen === 'zones' && !isByZone(days)) setDays(toEachZone(days), (before) => !isByZone(before))
        }}
      />
      {isByZone(days) ? (
        <div className="fields-row">
          {ZONES.map((zone) => (
            <NumberInput key={zone} label={ZONE_NAMES[zone]} place={[...place, 'days', zone]} />
          ))}
        </div>
      ) : (
        <NumberInput label="Business days" description="0 means the same day." place={[...place, 'days']} />
      )}
      <div className="fields-row">
        <label className="stacked">
          Earliest delivery
          <input type="time" className="time-input" {...time('from')} />
        </label>
        <label className="stacked">
          Latest delivery
          <input type="time" className="time-input" {...time('to')} />
        </label>
      </div>
    </>
  )
}

function AfterPickup({ place }: { place: Place }) {
  const settings = useSettings()
  return (
    <>
      <NumberInput
        label="Minutes from pickup to the start of the window"
        place={[...place, 'lead_minutes']}
      />
      <NumberInput label="Length of the window in minutes" place={[...place, 'window_minutes']} />
      <label className="stacked">
        Last pickup of the day
        <input type="time" className="time-input" {...textField(settings, [...place, 'last_pickup'])} />
      </label>
    </>
  )
}
