import { DELIVERY_TYPES } from '../../../src/domain/values.ts'
import { ActionButton } from '../../shared/action-button.tsx'
import { useTitle } from '../use-title.ts'
import { askPartner } from './carriers/carrier-queries.ts'
import { type Place, valueAt } from './edits.ts'
import { useSettings } from './settings.ts'
import { TimingFields, type TimingJson } from './timing/timing-fields.tsx'

type TypeJson = { enabled?: boolean; timing: TimingJson }

/** The delivery types that the account offers, with the windows that customers can choose. */
export function DeliveryTypesPage() {
  useTitle('Settings: delivery types')
  const { document } = useSettings()
  const types = document.delivery_types as Readonly<Record<string, TypeJson | undefined>>
  return (
    <>
      <div className="head">
        <h1>Delivery types</h1>
        <span className="dim">
          The delivery types that customers can choose, and the delivery windows for each.
        </span>
      </div>
      {Object.keys(types).length === 0 && (
        <div className="state">
          <h2>No delivery types yet.</h2>
          <p>
            Add a carrier first. Your customers can then choose the delivery types that the carrier offers.
          </p>
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
  const { set, may, inUse } = useSettings()
  const place: Place = ['delivery_types', type]
  const timingAt = [...place, 'timing']
  const isOffered = value.enabled !== false
  const name = type.charAt(0).toUpperCase() + type.slice(1)
  return (
    <section className="sheet pad fields" aria-label={name}>
      <h2>{name}</h2>
      <p className="dim">
        {isOffered
          ? 'Customers can choose this delivery type.'
          : 'Customers can’t choose this delivery type.'}
      </p>
      <div className="row-of-buttons tight">
        <ActionButton
          type="button"
          className="b s"
          disabledReason={
            !may('delivery_type', 'enabled') && askPartner('start or stop offering a delivery type')
          }
          onClick={() => set([...place, 'enabled'], isOffered ? false : undefined)}
        >
          {isOffered ? `Stop offering ${name}` : `Start offering ${name}`}
        </ActionButton>
      </div>
      <TimingFields
        timing={value.timing}
        inUse={valueAt(inUse, timingAt) as TimingJson | undefined}
        set={(path, next) => set([...timingAt, ...path], next)}
      />
    </section>
  )
}
