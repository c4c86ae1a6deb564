import { Select } from '@mantine/core'
import { ZONES } from '../../../../src/domain/values.ts'
import { lowerFirst } from '../../../shared/lower-first.ts'
import { type Json, valueAt } from '../edits.ts'
import { NumberField } from '../number-input.tsx'
import { HoursRange } from '../week-grid.tsx'
import { isByZone, toEachZone, toOneNumber } from '../zone-days.ts'
import { ZONE_NAMES } from '../zone-names.ts'

/** When a delivery type or a carrier's service could deliver; the document has exactly one of the two. */
export type TimingJson = { after_pickup?: Json; on_day?: Json }

type TimingFieldsProps = {
  timing: TimingJson
  /** The timing in use is restored when its kind is chosen again. */
  inUse: TimingJson | undefined
  set(path: readonly string[], value: unknown): void
}

const KINDS = [
  { value: 'on_day', label: 'A set number of business days after pickup' },
  { value: 'after_pickup', label: 'A set number of minutes after pickup' },
]
/** What a kind of timing starts with. */
const USUAL_TIMING: Readonly<Record<string, TimingJson>> = {
  on_day: { on_day: { cut_off: '14:00', days: 1, from: '09:00', to: '17:00' } },
  after_pickup: { after_pickup: { lead_minutes: 30, window_minutes: 120 } },
}

export function TimingFields({ timing, inUse, set }: TimingFieldsProps) {
  const kind = timing.after_pickup ? 'after_pickup' : 'on_day'
  return (
    <>
      <Select
        label="When deliveries arrive"
        allowDeselect={false}
        data={KINDS}
        value={kind}
        onChange={(chosen) => {
          if (chosen && chosen !== kind) set([], inUse && chosen in inUse ? inUse : USUAL_TIMING[chosen])
        }}
      />
      {timing.on_day && (
        <OnDay
          timing={timing.on_day}
          inUse={inUse?.on_day}
          set={(path, value) => set(['on_day', ...path], value)}
        />
      )}
      {timing.after_pickup && (
        <AfterPickup
          timing={timing.after_pickup}
          inUse={inUse?.after_pickup}
          set={(path, value) => set(['after_pickup', ...path], value)}
        />
      )}
    </>
  )
}

type KindProps = { timing: Json; inUse: Json | undefined; set(path: readonly string[], value: unknown): void }

function OnDay({ timing, inUse, set }: KindProps) {
  const { days } = timing
  const setDays = (next: unknown, isOther: (before: unknown) => boolean) => {
    const before = inUse?.days
    set(['days'], before === undefined || isOther(before) ? next : before)
  }
  return (
    <>
      <TimeField label="Last pickup of the day" value={timing.cut_off} set={(to) => set(['cut_off'], to)} />
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
            <NumberField
              key={zone}
              label={`Business days, ${lowerFirst(ZONE_NAMES[zone])}`}
              value={valueAt(days, [zone])}
              set={(to) => set(['days', zone], to)}
            />
          ))}
        </div>
      ) : (
        <NumberField
          label="Business days"
          description="0 means the same day."
          value={days}
          set={(to) => set(['days'], to)}
        />
      )}
      <div className="fields-row">
        <TimeField label="Earliest delivery" value={timing.from} set={(to) => set(['from'], to)} />
        <TimeField label="Latest delivery" value={timing.to} set={(to) => set(['to'], to)} />
      </div>
    </>
  )
}

const USUAL_HOURS = '08:00-18:00'

function AfterPickup({ timing, inUse, set }: KindProps) {
  const { hours } = timing
  return (
    <>
      <NumberField
        label="Minutes from pickup to the start of the delivery window"
        value={timing.lead_minutes}
        set={(to) => set(['lead_minutes'], to)}
      />
      <NumberField
        label="Extra minutes for each kilometre"
        value={timing.minutes_per_km}
        set={(to) => set(['minutes_per_km'], to)}
      />
      <NumberField
        label="Length of the delivery window in minutes"
        value={timing.window_minutes}
        set={(to) => set(['window_minutes'], to)}
      />
      <TimeField
        label="Last pickup of the day"
        value={timing.last_pickup}
        set={(to) => set(['last_pickup'], to)}
      />
      <label className="week-name">
        <input
          type="checkbox"
          checked={typeof hours === 'string'}
          onChange={({ currentTarget: { checked } }) =>
            set(['hours'], checked ? (inUse?.hours ?? USUAL_HOURS) : undefined)
          }
        />{' '}
        Couriers collect only during set hours
      </label>
      {typeof hours === 'string' && (
        <HoursRange
          name="Couriers"
          verbs={['start', 'finish']}
          range={hours}
          onChange={(range) => set(['hours'], range)}
          onRemove={null}
        />
      )}
    </>
  )
}

type TimeFieldProps = { label: string; value: unknown; set(value: string | undefined): void }

/** A time of day; an empty field removes it. */
function TimeField({ label, value, set }: TimeFieldProps) {
  return (
    <label className="stacked">
      {label}
      <input
        type="time"
        className="time-input"
        value={typeof value === 'string' ? value : ''}
        onChange={({ currentTarget }) => set(currentTarget.value === '' ? undefined : currentTarget.value)}
      />
    </label>
  )
}
