import { useState } from 'react'
import { ID_KINDS, ID_NAMES, type IdKind } from '../../src/domain/own-network/job.ts'
import type { DriverJob } from '../shared/api.generated.ts'
import { Icon } from '../shared/icons.tsx'
import { doStep, doStepAndWait, UNDO_MS, useOutbox } from './outbox.ts'
import { type Photo, PhotoTaker, UNREADABLE } from './photo-taker.tsx'
import { PinField } from './pin-field.tsx'
import { streetOf } from './places.ts'
import { go, hashOf, routeOf } from './route.ts'
import { SignaturePad, type Strokes } from './signature-pad.tsx'
import { Top } from './top.tsx'
import { hereNow } from './use-whereabouts.ts'

type Kind = 'photo' | 'signature' | 'pin'
type Place = 'at_door' | 'with_person'

/** The proof of delivery: a photo, a signature or the PIN, as the goods require. */
export function Proof({ job, round }: { job: DriverJob; round: readonly DriverJob[] }) {
  const { requirements } = job
  const { lost } = useOutbox()
  const [place, setPlace] = useState<Place>(requirements.authority_to_leave ? 'at_door' : 'with_person')
  const [kind, setKind] = useState<Kind>(requirements.signature_required ? 'signature' : 'photo')
  const [photo, setPhoto] = useState<Photo | null>(null)
  const [strokes, setStrokes] = useState<Strokes>([])
  const [signedBy, setSignedBy] = useState('')
  const [pin, setPin] = useState('')
  const [idKind, setIdKind] = useState<IdKind | null>(null)
  const [adult, setAdult] = useState(false)
  const [message, setSaid] = useState<string | null>(null)
  const [asking, setAsking] = useState(false)

  const missing = missingOf({ kind, photo: photo !== null, strokes, pin, idKind, adult, requirements })
  const showPhoto = (made: Photo | null) => {
    if (made) setPhoto(made)
    setSaid(made ? null : UNREADABLE)
  }
  const asked = async (step: Parameters<typeof doStepAndWait>[0]) => {
    setAsking(true)
    const isDone = await doStepAndWait(step)
    setAsking(false)
    setPin('')
    return isDone
  }
  const deliver = async () => {
    if (asking) return
    if (missing) return setSaid(missing)
    setSaid(null)
    const at = (kind === 'photo' && photo?.at) || new Date().toISOString()
    const own = {
      photo: { image: photo?.base64 },
      signature: { strokes, ...(signedBy.trim() && { signed_by: signedBy.trim() }) },
      pin: { pin },
    }[kind]
    const id = `proof-${crypto.randomUUID()}`
    const proof = {
      id,
      kind,
      place,
      at,
      ...own,
      ...hereNow(),
      ...(requirements.id_check_required && { id_checked: true, id_kind: idKind }),
    }
    const photoDoes = !requirements.signature_required
    const step = {
      jobId: job.id,
      verb: 'deliver',
      body: { proof },
      about: streetOf(job.to),
      photoDoes,
    } as const
    if (kind !== 'pin') await doStep(step, UNDO_MS)
    // Only the server knows whether a PIN is right: with signal, the driver waits for its response.
    else if (lost !== null) await doStep(step)
    else if (!(await asked(step)) || hasGoneOn(job.id)) return
    const next = round.find((one) => one.id !== job.id)
    go(next ? { page: 'job', job: next.id } : { page: 'home' })
  }
  return (
    <>
      <Top title={streetOf(job.to)} back={{ page: 'job', job: job.id }} right={job.reference} />
      <main className="proof">
        {requirements.id_check_required && (
          <IdCheck kind={idKind} onKind={setIdKind} checked={adult} onChange={setAdult} />
        )}
        <h1 className="q" id="where">
          Where is it now?
        </h1>
        <fieldset className="pick" aria-labelledby="where">
          <Choice
            name="place"
            on={place === 'at_door'}
            disabled={!requirements.authority_to_leave}
            onPick={() => setPlace('at_door')}
          >
            <Icon name="door" size={22} /> At the door
          </Choice>
          <Choice name="place" on={place === 'with_person'} onPick={() => setPlace('with_person')}>
            <Icon name="person" size={22} /> With a person
          </Choice>
        </fieldset>
        {!requirements.authority_to_leave && (
          <p className="because">Don’t leave it unattended: hand it to someone.</p>
        )}
        {kind === 'photo' && <PhotoTaker photo={photo} onTaken={showPhoto} />}
        {kind === 'signature' && (
          <>
            <SignaturePad strokes={strokes} onChange={setStrokes} />
            <label className="field">
              Name of who signs
              <input
                value={signedBy}
                maxLength={200}
                autoComplete="off"
                onChange={(event) => setSignedBy(event.target.value)}
              />
            </label>
          </>
        )}
        {kind === 'pin' && <PinField value={pin} onChange={setPin} />}
        <fieldset className="alt" aria-label="Or with">
          <span aria-hidden="true">Or with</span>
          {ALTERNATIVES.map(([name, icon, words]) =>
            name === kind ||
            (name === 'photo' && requirements.signature_required) ||
            (name === 'pin' && lost !== null) ? null : (
              <button type="button" key={name} onClick={() => setKind(name)}>
                <Icon name={icon} size={20} /> {words}
              </button>
            ),
          )}
        </fieldset>
        {message && (
          <p role="alert" className="wrong">
            {message}
          </p>
        )}
      </main>
      <nav className="thumb one" aria-label="Finish">
        <button type="button" className="big" aria-disabled={asking || missing !== null} onClick={deliver}>
          {asking ? (
            'Checking the PIN'
          ) : (
            <>
              <Icon name="tick" /> Delivered
            </>
          )}
        </button>
        <a className="cant" href={hashOf({ page: 'cannot', job: job.id })}>
          I cannot deliver it
        </a>
      </nav>
    </>
  )
}

/** Whether the driver has gone on to another job. The page of a finished job leads home by itself. */
function hasGoneOn(jobId: string): boolean {
  const route = routeOf(location.hash)
  return 'job' in route && route.job !== jobId
}

const ALTERNATIVES = [
  ['photo', 'camera', 'Photo'],
  ['signature', 'note', 'Signature'],
  ['pin', 'pin', 'PIN'],
] as const

/** Why the stop cannot be finished yet, as a sentence; null if it can. */
function missingOf(has: {
  kind: Kind
  photo: boolean
  strokes: Strokes
  pin: string
  idKind: IdKind | null
  adult: boolean
  requirements: DriverJob['requirements']
}): string | null {
  if (has.requirements.id_check_required && !has.idKind)
    return 'Which ID did you see? These goods go to adults only.'
  if (has.requirements.id_check_required && !has.adult)
    return 'Check the date of birth: these goods go to adults only.'
  if (has.kind === 'photo' && !has.photo) return 'Take a photo of where it is.'
  if (has.kind === 'signature' && has.strokes.length === 0) return 'Let them sign in the box.'
  if (has.kind === 'pin' && !/^\d{4}$/.test(has.pin)) return 'Ask for the four digits.'
  return null
}

function Choice(props: {
  name: string
  on: boolean
  disabled?: boolean
  onPick(): void
  children: React.ReactNode
}) {
  const { name, on, disabled = false, onPick, children } = props
  return (
    <label className={on ? 'on' : disabled ? 'disabled' : ''}>
      <input type="radio" name={name} checked={on} disabled={disabled} onChange={onPick} />
      {children}
    </label>
  )
}

type IdCheckProps = {
  kind: IdKind | null
  onKind(kind: IdKind): void
  checked: boolean
  onChange(checked: boolean): void
}

/** Two presses: the kind of ID, and that the date of birth was checked. The date itself is never recorded. */
function IdCheck({ kind, onKind, checked, onChange }: IdCheckProps) {
  return (
    <section className="id-check">
      <h2>Check ID before you hand it over</h2>
      <p>A photo ID, 18 or older, not intoxicated. If nobody there may take it, bring it back.</p>
      <fieldset className="pick six" aria-label="Which ID did you see?">
        {ID_KINDS.map((one) => (
          <Choice key={one} name="id-kind" on={kind === one} onPick={() => onKind(one)}>
            {ID_NAMES[one]}
          </Choice>
        ))}
      </fieldset>
      <label className={checked ? 'on' : ''}>
        <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
        Date of birth checked: 18 or older
      </label>
    </section>
  )
}
