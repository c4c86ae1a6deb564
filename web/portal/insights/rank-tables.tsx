import { dollars } from '../../shared/money.ts'
import { vars } from '../../shared/vars.ts'
import { RULE_WORDS } from '../delivery/why-words.ts'
import type { Insights } from './insights-page.tsx'
import { eachCents, shareWords } from './words.ts'

const SHOWN = 8

/** What kept services out, by how often. */
export function KeptOut({ keptOut }: { keptOut: Insights['kept_out'] }) {
  const most = Math.max(1, ...keptOut.map(({ deliveries }) => deliveries))
  return (
    <section className="sheet pad" aria-labelledby="kept-out">
      <h2 id="kept-out">What kept a service out?</h2>
      {keptOut.length === 0 && <p className="dim">Nothing: every service could have carried everything.</p>}
      {keptOut.length > 0 && (
        <table className="plain">
          <thead>
            <tr>
              <th scope="col">Rule</th>
              <th scope="col">Service</th>
              <th scope="col">Times</th>
            </tr>
          </thead>
          <tbody>
            {keptOut.slice(0, SHOWN).map(({ rule, provider, service, deliveries }) => (
              <tr key={rule + provider + service}>
                <th scope="row">{RULE_WORDS[rule].replace(/\.$/, '')}</th>
                <td>{service}</td>
                <td>
                  <Bar share={deliveries / most} dark /> {deliveries}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

/** The stores, the busiest first. */
export function Stores({ stores }: { stores: Insights['stores'] }) {
  const most = Math.max(1, ...stores.map(({ deliveries }) => deliveries))
  return (
    <section className="sheet pad" aria-labelledby="by-store">
      <h2 id="by-store">Stores</h2>
      <table className="plain">
        <thead>
          <tr>
            <th scope="col">Store</th>
            <th scope="col">Deliveries</th>
            <th scope="col" className="num">
              Each
            </th>
            <th scope="col" className="num">
              Inside
            </th>
          </tr>
        </thead>
        <tbody>
          {stores.map((store) => (
            <tr key={store.store_reference}>
              <th scope="row">{store.name}</th>
              <td>
                <Bar share={store.deliveries / most} /> {store.deliveries}
              </td>
              <td className="num">{dollars(eachCents(store))}</td>
              <td className="num">{shareWords(store.inside, store.timed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Bar({ share, dark = false }: { share: number; dark?: boolean }) {
  return (
    <i
      className={`bar${dark ? ' dark' : ''}`}
      style={vars({ w: Math.round(share * 100) })}
      aria-hidden="true"
    />
  )
}
