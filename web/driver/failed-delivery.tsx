import { useState } from 'react'
import { type FailReason, failReasonsFor, type GoodsOfReason } from '../../src/domain/own-network/job.ts'
import type { DriverJob } from '../shared/api.generated.ts'
import { doStep } from './outbox.ts'
import { type Photo, PhotoTaker, UNREADABLE } from './photo-taker.tsx'
import { streetOf } from './places.ts'
import { go } from './route.ts'
import { Top } from './top.tsx'
import { hereNow } from './use-whereabouts.ts'
import { goesBack } from './waiting.ts'

const TEXTS: Readonly<Record<FailReason, string>> = {
  under_18: 'Under 18',
  no_id: 'No ID',
  intoxicated: 'Intoxicated',
  leaking: 'Damaged or leaking',
  not_safe_to_carry: 'Not safe to carry on',
  nobody_home: 'Nobody home',
  wrong_address: 'Wrong address',
  refused: 'They refuse it',
  damaged: 'It is damaged',
  cannot_get_in: 'Cannot get in',
  other: 'Something else',
}

function reasonsOf({ requirements }: DriverJob): FailReason[] {
  const goods = new Set<GoodsOfReason>()
  if (requirements.id_check_required) goods.add('adult_goods')
  if (requirements.dangerous_goods) goods.add('dangerous_goods')
  return failReasonsFor(goods)
}

/** Where a photo helps the store: what the photo should show. It is optional. */
const SHOWS: Readonly<Partial<Record<FailReason, string>>> = {
  leaking: 'Photo of the damage',
  nobody_home: 'Photo of the door',
  wrong_address: 'Photo of the place',
  damaged: 'Photo of the damage',
  cannot_get_in: 'Photo of the way in',
  other: 'Photo',
}

/** The reason in one press; then what happens with the parcel, before the step is sent. */
export function FailedDelivery({ job }: { job: DriverJob }) {
  const [reason, setReason] = useState<FailReason | null>(null)
  const [note, setNote] = useState('')
  const [photo, setPhoto] = useState<Photo | null>(null)
  const [unreadable, setUnreadable] = useState(false)
  const send = async () => {
    if (!reason) return
    const body = {
      id: `fail-${crypto.randomUUID()}`,
      reason,
      at: new Date().toISOString(),
      ...hereNow(),
      ...(note.trim() && { note: note.trim() }),
      ...(photo && { image: photo.base64 }),
    }
    await doStep({ jobId: job.id, verb: 'fail', body, about: streetOf(job.to) })
    go({ page: 'home' })
  }
  return (
    <>
      <Top title={streetOf(job.to)} back={{ page: 'job', job: job.id }} right={job.reference} />
      <main className="cannot">
        <h1 className="q" id="why">
          Why not?
        </h1>
        <fieldset className="pick six" aria-labelledby="why">
          {reasonsOf(job).map((name) => (
            <label key={name} className={reason === name ? 'on' : ''}>
              <input type="radio" name="reason" checked={reason === name} onChange={() => setReason(name)} />
              {TEXTS[name]}
            </label>
          ))}
        </fieldset>
        <label className="field">
          More, for the store
          <textarea rows={2} maxLength={300} value={note} onChange={(event) => setNote(event.target.value)} />
        </label>
        {reason && SHOWS[reason] && (
          <PhotoTaker
            photo={photo}
            words={SHOWS[reason]}
            onTaken={(made) => {
              if (made) setPhoto(made)
              setUnreadable(made === null)
            }}
          />
        )}
        {unreadable && (
          <p role="alert" className="wrong">
            {UNREADABLE}
          </p>
        )}
        <p className="because" role="status">
          {reason &&
            (goesBack(reason)
              ? `Bring it back to ${job.store}. We’ll let the store know.`
              : `Try again today, or bring it back to ${job.store}. We’ll let the store know.`)}
        </p>
      </main>
      <nav className="thumb one" aria-label="Finish">
        <button type="button" className="big" aria-disabled={reason === null} onClick={send}>
          {reason && goesBack(reason) ? 'Bring it back' : 'Not delivered'}
        </button>
      </nav>
    </>
  )
}
