import type { Place } from '../edits.ts'
import { limitToStores } from '../form-edits.ts'
import { useSettings } from '../settings.ts'
import { useStores } from '../stores-page.tsx'
import type { CarrierJson } from './carrier-queries.ts'

/** Which stores the carrier collects from. */
export function CarrierStores({ carrier, place }: { carrier: CarrierJson; place: Place }) {
  const { set, may } = useSettings()
  const stores = useStores()
  const chosen = carrier.limits?.stores
  const choose = (references: readonly string[] | undefined) => {
    const edit = limitToStores(place, carrier.limits, references)
    set(edit.place, edit.value)
  }
  return (
    <section className="sheet pad">
      <fieldset className="bare" disabled={!may('carrier', 'limits')}>
        <legend>Stores this carrier collects from</legend>
        <label className="week-name">
          <input
            type="radio"
            name="which-stores"
            checked={chosen === undefined}
            onChange={() => choose(undefined)}
          />{' '}
          Every store
        </label>
        <label className="week-name">
          <input
            type="radio"
            name="which-stores"
            checked={chosen !== undefined}
            onChange={() => choose(stores.map(({ reference }) => reference))}
          />{' '}
          Only these stores
        </label>
        {chosen && (
          <div className="carrier-stores">
            {stores.map(({ reference, name }) => (
              <label key={reference} className="week-name">
                <input
                  type="checkbox"
                  checked={chosen.includes(reference)}
                  onChange={({ currentTarget: { checked } }) =>
                    choose(
                      stores
                        .map((one) => one.reference)
                        .filter((one) => (one === reference ? checked : chosen.includes(one))),
                    )
                  }
                />{' '}
                {name ?? reference}
              </label>
            ))}
          </div>
        )}
      </fieldset>
    </section>
  )
}
