import { formatBareDollars, formatDollars } from '../../../src/domain/text/format-dollars.ts'
import { ZONES } from '../../../src/domain/values.ts'
import { vars } from '../../shared/vars.ts'
import { ZONE_NAMES } from '../settings/zone-names.ts'
import { type Eligible, LINE_TEXTS } from './decision-texts.ts'

/** A price as a bar to the scale of the dearest one shown, with its lines as text beneath. */
export function PriceBar({ lines, scaleCents }: { lines: Eligible['lines']; scaleCents: number }) {
  return (
    <>
      <span className="stack" aria-hidden="true">
        {lines.map(({ name, cents }) => (
          <i
            key={name}
            className={LINE_TEXTS[name]?.look ?? 's3'}
            style={vars({ w: Math.max(0, (cents / scaleCents) * 100) })}
          />
        ))}
      </span>
      <span className="lines">
        {lines.map(({ name, cents, detail }) => (
          <span key={name} className={LINE_TEXTS[name]?.look ?? 's3'} title={formatDetail(detail)}>
            <i aria-hidden="true" />
            {LINE_TEXTS[name]?.word ?? name} <b>{formatBareDollars(cents)}</b>
          </span>
        ))}
      </span>
    </>
  )
}

/** The zones of our own price lists have names of ours; a courier's price list names its own. */
function formatDetail<T extends string | null | undefined>(detail: T): T | string {
  const zone = ZONES.find((one) => one === detail)
  return zone ? ZONE_NAMES[zone] : detail
}

/** The exact price, line by line, with the basis of each charge. */
export function PriceTable({ option }: { option: Eligible }) {
  return (
    <table className="price-table">
      <caption>
        {option.service}, {formatDollars(option.price_cents)}
      </caption>
      <tbody>
        {option.lines.map(({ name, cents, detail }) => (
          <tr key={name}>
            <th scope="row">{LINE_TEXTS[name]?.word ?? name}</th>
            <td className="dim">{formatDetail(detail)}</td>
            <td className="num">{formatBareDollars(cents)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
