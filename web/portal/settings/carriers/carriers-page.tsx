import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTitle } from '../../use-title.ts'
import { useSettings } from '../settings.ts'
import { AddCarrier } from './add-carrier.tsx'
import { askPartner, useCarriers } from './carrier-queries.ts'

/** The carriers that the shop books; each has a page of its own. */
export function CarriersPage() {
  useTitle('Settings: carriers')
  const carriers = useCarriers()
  const { may } = useSettings()
  const [adding, setAdding] = useState(false)
  const mayAdd = may('carrier', null)
  return (
    <>
      <div className="head">
        <h1>Carriers</h1>
        <span className="right">
          {mayAdd && (
            <button type="button" className="b" onClick={() => setAdding(true)}>
              Add a carrier
            </button>
          )}
        </span>
      </div>
      {!mayAdd && <p className="dim">{askPartner('add or remove carriers')}</p>}
      {carriers.length === 0 && (
        <div className="state">
          <h2>No carriers yet.</h2>
          <p>Add the carriers you have an account with. You don’t need to add your own couriers.</p>
        </div>
      )}
      {carriers.length > 0 && (
        <ul className="sheet settings-list">
          {carriers.map(({ provider, name, services, live_prices }) => (
            <li key={provider}>
              <Link to="/settings/carriers/$provider" params={{ provider }}>
                <b>{name}</b>
                <span className="dim">
                  {services.map(({ service }) => service).join(', ')}
                  {live_prices === true && ' · live prices'}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {adding && <AddCarrier onClose={() => setAdding(false)} />}
    </>
  )
}
