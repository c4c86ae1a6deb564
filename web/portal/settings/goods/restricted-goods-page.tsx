import { Select } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { PRODUCT_TYPES, STATES } from '../../../../src/domain/values.ts'
import { lowerFirst } from '../../../shared/lower-first.ts'
import { useTitle } from '../../use-title.ts'
import { askPartner, useCarriers } from '../carriers/carrier-queries.ts'
import { type Place, valueAt } from '../edits.ts'
import { changeGoods } from '../form-edits.ts'
import { useSettings } from '../settings.ts'
import { type Accepted, acceptedAt } from './accepted-goods.ts'

type Limited = { limits?: { product_types?: unknown } }
type Carrier = Limited & {
  provider: string
  name: string
  services: readonly (Limited & { service: string })[]
}

const KIND_NAMES: Readonly<Record<(typeof PRODUCT_TYPES)[number], string>> = {
  alcohol: 'Alcohol',
  tobacco: 'Tobacco',
  prescription_meds_s2: 'Pharmacy medicines (Schedule 2)',
  prescription_meds_s4: 'Prescription medicines (Schedule 4)',
  prescription_meds_s8: 'Controlled drugs (Schedule 8)',
  high_value: 'Valuable goods (over $5,000)',
}

/** Which restricted goods each service of each carrier accepts, and in which states. */
export function RestrictedGoodsPage() {
  useTitle('Settings: restricted goods')
  const { may } = useSettings()
  const carriers = useCarriers() as readonly Carrier[]
  const isDisabled = !may('service', 'limits')
  return (
    <>
      <div className="head">
        <h1>Restricted goods</h1>
        <span className="dim">We never book a service for goods it doesn’t accept.</span>
      </div>
      {isDisabled && <p className="warn">{askPartner('change which restricted goods a service accepts')}</p>}
      {carriers.length === 0 && (
        <div className="state">
          <h2>No carriers yet.</h2>
          <p>
            <Link to="/settings/carriers">Add a carrier</Link> first.
          </p>
        </div>
      )}
      {carriers.map(({ provider, name, limits, services }) => (
        <section key={provider} aria-label={name}>
          <h2 className="settings-carrier">{name}</h2>
          <div className="settings-columns">
            {services.map(({ service }) => (
              <ServiceGoods
                key={service}
                name={`${name} ${service}`}
                heading={service}
                inherited={limits?.product_types}
                place={[
                  'carriers',
                  { key: 'provider', is: provider },
                  'services',
                  { key: 'service', is: service },
                ]}
                disabled={isDisabled}
              />
            ))}
          </div>
        </section>
      ))}
    </>
  )
}

type ServiceGoodsProps = {
  name: string
  heading: string
  inherited: unknown
  place: Place
  disabled: boolean
}

function ServiceGoods({ name, heading, inherited, place, disabled }: ServiceGoodsProps) {
  const settings = useSettings()
  const value = valueAt(settings.document, [...place, 'limits', 'product_types']) ?? inherited
  return (
    <section className="sheet pad fields" aria-label={name}>
      <h3>{heading}</h3>
      {PRODUCT_TYPES.map((kind) => (
        <Goods
          key={kind}
          label={KIND_NAMES[kind]}
          accepted={acceptedAt(value, kind)}
          change={(accepted) => changeGoods(settings, { place, inherited }, kind, accepted)}
          disabled={disabled}
        />
      ))}
    </section>
  )
}

type GoodsProps = { label: string; accepted: Accepted; change(accepted: Accepted): void; disabled: boolean }

function Goods({ label, accepted, change, disabled }: GoodsProps) {
  const states = Array.isArray(accepted) ? (accepted as readonly string[]) : null
  return (
    <>
      <Select
        label={label}
        allowDeselect={false}
        disabled={disabled}
        data={[
          { value: 'nowhere', label: 'Not accepted' },
          { value: 'all', label: 'Accepted everywhere' },
          { value: 'some', label: 'Accepted in some states' },
        ]}
        value={states ? 'some' : String(accepted)}
        onChange={(chosen) => {
          if (chosen === 'some' && !states) change([...STATES])
          if (chosen === 'nowhere' || chosen === 'all') change(chosen)
        }}
      />
      {states && (
        <fieldset
          className="open-days states"
          disabled={disabled}
          aria-label={`States for ${lowerFirst(label)}`}
        >
          {[...new Set([...STATES, ...states])].map((state) => (
            <label key={state} className="week-name">
              <input
                type="checkbox"
                checked={states.includes(state)}
                onChange={({ currentTarget }) =>
                  change(currentTarget.checked ? [...states, state] : states.filter((one) => one !== state))
                }
              />{' '}
              {state}
            </label>
          ))}
        </fieldset>
      )}
    </>
  )
}
