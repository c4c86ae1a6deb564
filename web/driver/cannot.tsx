import { useState } from 'react'
import type { DriverJob } from '../shared/api.generated.ts'
import { doStep } from './outbox.ts'
import { type Photo, PhotoTaker, UNREADABLE } from './photo-taker.tsx'
import { streetOf } from './places.ts'
import { go } from './route.ts'
import { Top } from './top.tsx'
import { GOES_BACK } from './waiting.ts'

const REASONS = [
  ['nobody_home', 'Nobody home'],
  ['wrong_address', 'Wrong address'],
  ['refused', 'They refuse it'],
  ['damaged', 'It is damaged'],
  ['cannot_get_in', 'Cannot get in'],
  ['other', 'Something else'],
] as const
type Reason = (typeof REASONS)[number][0]

/** Where a photo helps the store: what it is to show. It may be left out. */
const SHOWS: Readonly<Partial<Record<Reason, string>>> = {
  nobody_home: 'Photo of the door',
  wrong_address: 'Photo of the place',
  damaged: 'Photo of the damage',
  cannot_get_in: 'Photo of the way in',
  other: 'Photo',
}

/** Why not, in one press; then what happens with the parcel, before it is sent. */
export function Cannot({ job }: { job: DriverJob }) {
  const [reason, setReason] = useState<Reason | null>(null)
  const [note, setNote] = useState('')
  const [photo, setPhoto] = useState<Photo | null>(null)
  const [unreadable, setUnreadable] = useState(false)
  const send = async () => {
    if (!reason) return
    const body = {
      id: `fail-${crypto.randomUUID()}`,
      reason,
      at: new Date().toISOString(),
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
          {REASONS.map(([name, words]) => (
            <label key={name} className={reason === name ? 'on' : ''}>
              <input type="radio" name="reason" checked={reason === name} onChange={() => setReason(name)} />
              {words}
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
            (GOES_BACK.includes(reason)
              ? `It goes back to ${job.store}. The store is told.`
              : 'You keep it and can try again today. The store is told.')}
        </p>
      </main>
      <nav className="thumb one" aria-label="Finish">
        <button type="button" className="big" aria-disabled={reason === null} onClick={send}>
          {reason && GOES_BACK.includes(reason) ? 'Bring it back' : 'Not delivered'}
        </button>
      </nav>
    </>
  )
}
