import type { Tracking } from '../shared/api.generated.ts'
import { Icon } from '../shared/icons.tsx'
import { clockOf, dayOf, formatUntil } from '../shared/page-times.ts'

/** The order's details, and the contact. `token` is the path of this page. */
export function Facts({ tracking, token }: { tracking: Tracking; token: string }) {
  const { delivered, help, parcels, parcels_later, status, delivery_mode } = tracking
  const comes = status !== 'cancelled' && status !== 'returned' && !delivered
  return (
    <ul className="facts">
      {delivered?.photo && (
        <li className="proof">
          <Icon name="camera" />
          <div>
            <b>Where it was left</b>
            <img src={`${token}/photo`} alt="Your delivery where it was left" />
          </div>
        </li>
      )}
      {comes && delivery_mode === undefined && (
        <li>
          <Icon name="door" />
          <div>
            <b>{tracking.authority_to_leave ? 'Left at your door if you are out' : 'Handed to a person'}</b>
            <p>
              {tracking.authority_to_leave
                ? 'You said so when you ordered.'
                : 'Someone needs to be there to receive it.'}
            </p>
          </div>
        </li>
      )}
      {tracking.note && comes && (
        <li>
          <Icon name="note" />
          <div>
            <b>
              “<bdi>{tracking.note}</bdi>”
            </b>
            <p>
              {tracking.courier
                ? `${tracking.courier.first_name} can read this.`
                : 'The courier can read this.'}
            </p>
          </div>
        </li>
      )}
      {parcels_later ? (
        <li>
          <Icon name="box" />
          <div>
            <b>{`${parcels} of ${parcels + parcels_later} parcels`}</b>
            <p>
              {parcels === 1 ? 'It comes now.' : 'They come now.'}{' '}
              {parcels_later === 1 ? 'The other one is' : 'The others are'} still at the store. The store will
              let you know when to expect {parcels_later === 1 ? 'it' : 'them'}.
            </p>
          </div>
        </li>
      ) : null}
      {parcels > 1 && !parcels_later && (
        <li>
          <Icon name="box" />
          <div>
            <b>{parcels} parcels</b>
            <p>They come together.</p>
          </div>
        </li>
      )}
      {tracking.history.length > 0 && (
        <li>
          <Icon name="clock" />
          <details>
            <summary>What happened so far</summary>
            <ol>
              {tracking.history.map(({ at, text: words }) => (
                <li key={at + words}>
                  <time dateTime={at}>
                    {dayOf(at, tracking.now) === 'today' ? '' : `${dayOf(at, tracking.now)}, `}
                    {clockOf(at)}
                  </time>{' '}
                  {words}
                </li>
              ))}
            </ol>
          </details>
        </li>
      )}
      <li>
        <Icon name="phone" />
        <div>
          <b>Something not right?</b>
          <p>
            {tracking.brand.name} {help.store}
            {formatUntil(help, tracking.time_zone, Date.parse(tracking.now))}
          </p>
        </div>
        {help.tel && (
          <a href={`tel:${help.tel}`} aria-label={`Call ${help.store}`}>
            Call
          </a>
        )}
      </li>
    </ul>
  )
}
