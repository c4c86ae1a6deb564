import { isFinal } from '../../../src/domain/delivery/status.ts'
import { formatDollars } from '../../../src/domain/text/format-dollars.ts'
import type { Delivery } from '../../shared/api.generated.ts'
import { localAddress } from '../../shared/api.ts'
import { Icon } from '../../shared/icon.tsx'
import { unitsOf } from '../format-parcels.ts'
import { DoorPhoto } from './door-photo.tsx'

/** The contents and their documents. */
export function ParcelsCard({ delivery }: { delivery: Delivery }) {
  const { parcels, line_items: items, consignment_number: consignment } = delivery
  return (
    <section className="sheet parc" aria-label="Parcels and documents">
      <div>
        <h2>{unitsOf(parcels) === 1 ? 'Parcel' : 'Parcels'}</h2>
        <ul>
          {parcels.map((parcel) => (
            <li key={parcel.reference}>
              <p>
                {parcel.quantity > 1 && `${parcel.quantity} × `}
                <b className="strong">{parcel.description ?? parcel.reference}</b>,{' '}
                {(parcel.type ?? 'carton').replaceAll('_', ' ')}, {parcel.length_cm} × {parcel.width_cm} ×{' '}
                {parcel.height_cm} cm, {parcel.weight_kg} kg{parcel.quantity > 1 && ' each'}
              </p>
              {(parcel.article_ids?.length ?? 0) > 0 && (
                <p className="dim">
                  {parcel.article_ids?.length === 1 ? 'Article number' : 'Article numbers'}{' '}
                  <span className="mono">{parcel.article_ids?.join(', ')}</span>
                </p>
              )}
              {parcel.contains_dangerous_goods && (
                <p className="dim">
                  {parcel.dangerous_goods
                    ? `Dangerous goods: ${parcel.dangerous_goods.dangerous_goods_definition.replaceAll('_', ' ')}`
                    : 'Contains dangerous goods'}
                </p>
              )}
            </li>
          ))}
        </ul>
        {items.length > 0 && (
          <>
            <h3>Items</h3>
            <ul>
              {items.map(({ code, name, quantity, price_cents, packing_instructions: packing }) => (
                <li key={code}>
                  {quantity} × {name}{' '}
                  <span className="dim">
                    {formatDollars(price_cents)}
                    {quantity > 1 && ' each'}
                  </span>
                  {packing && <p className="pack">{packing}</p>}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      <div>
        <h2>Documents</h2>
        <ul className="docs">
          <Paper url={delivery.label_url} word="Label" />
          <Paper url={delivery.dangerous_goods_form_url} word="Dangerous goods declaration" />
          <Paper url={delivery.proof_url} word="Proof of delivery" />
        </ul>
        <DoorPhoto delivery={delivery} />
        {!delivery.label_url && !isFinal(delivery.status) && (
          <p className="dim">You can print the label once the delivery is booked.</p>
        )}
        {consignment && (
          <p className="dim">
            Consignment <span className="mono">{consignment}</span>
          </p>
        )}
        {delivery.tracking_url && (
          <p>
            <a href={localAddress(delivery.tracking_url)} target="_blank" rel="noreferrer">
              The customer’s tracking page
            </a>
          </p>
        )}
      </div>
    </section>
  )
}

function Paper({ url, word }: { url: string | undefined; word: string }) {
  if (!url) return null
  return (
    <li>
      <Icon name="page" />
      <a href={localAddress(url)} target="_blank" rel="noreferrer">
        {word}
      </a>
    </li>
  )
}
