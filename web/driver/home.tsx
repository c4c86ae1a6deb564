import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { DriverJob } from '../shared/api.generated.ts'
import { Loading } from '../shared/loading.tsx'
import { MapCard } from '../shared/map/map-card.tsx'
import { doneToday } from './done-today.ts'
import { Offer } from './offer.tsx'
import { useOutbox } from './outbox.ts'
import { phoneClock } from './phone-clock.ts'
import { clearPhoneStore } from './phone-store.ts'
import { formatParcels, nextEnd, streetOf, underStreet, unitsOf, windowOfJob } from './places.ts'
import { post } from './post.ts'
import { roundMap } from './round-map.ts'
import { hashOf } from './route.ts'
import { clearNumber } from './stored-number.ts'
import { Beads, Top } from './top.tsx'
import { UndoBar } from './undo-bar.tsx'
import type { Jobs } from './use-jobs.ts'
import { useHere } from './use-whereabouts.ts'
import { logoutBlockers, mayDeleteWaiting, updates } from './waiting.ts'

/** Offers first, because they expire; then the round in its order. */
export function Home({ jobs, isMissing }: { jobs: Jobs; isMissing: boolean }) {
  const { offers, round } = jobs
  const here = useHere()
  const [next] = round
  const [offerMessage, setOfferMessage] = useState<string | null>(null)
  const title =
    round.length === 0 ? 'Your round' : `${round.length} ${round.length === 1 ? 'stop' : 'stops'} to go`
  return (
    <>
      <Top title={title} beads={next && <Beads done={doneToday()} round={round} current={next.id} />} />
      <main className="home">
        <h1 className="vh">Your jobs</h1>
        <UndoBar />
        <AgeOfList jobs={jobs} />
        {isMissing && (
          <section aria-label="Job not found">
            <p role="status" className="because">
              We can’t find the job from your SMS. Either it’s over, or it’s from a business that you haven’t
              logged in to yet.
            </p>
            <a className="cant" href={hashOf({ page: 'codes' })}>
              Enter its code
            </a>
          </section>
        )}
        {offerMessage && (
          <p role="alert" className="wrong">
            {offerMessage}
          </p>
        )}
        {offers.map((offer) => (
          <Offer key={offer.id} job={offer} onMessage={setOfferMessage} />
        ))}
        {round.length > 0 && (
          <ol className="round" aria-label="Your round">
            {round.map((job, index) => (
              <RoundStop key={job.id} job={job} number={doneToday() + index + 1} first={index === 0} />
            ))}
          </ol>
        )}
        {round.length > 0 && <MapCard content={roundMap(round, here)} />}
        {jobs.readMs !== null && offers.length + round.length === 0 && (
          <p className="empty">
            <b>Nothing to do.</b> You get an SMS when a store has a job for you.
          </p>
        )}
        <LogOut />
      </main>
    </>
  )
}

/** Whether the list is current; if not, its age. */
function AgeOfList({ jobs: { readMs, isReported } }: { jobs: Jobs }) {
  const { lost } = useOutbox()
  if (readMs !== null) {
    return isReported && !lost ? null : <p className="because">Your list is as of {phoneClock(readMs)}.</p>
  }
  if (!lost) return <Loading />
  return (
    <p className="empty">
      <b>We can’t load your list right now.</b> It loads as soon as the server responds.
    </p>
  )
}

function RoundStop({ job, number, first }: { job: DriverJob; number: number; first: boolean }) {
  const { end, to } = nextEnd(job)
  const window = windowOfJob(job)
  const verb = job.status === 'pending_return' ? 'Bring back' : to === 'pickup' ? 'Collect' : 'Deliver'
  return (
    <li>
      <a href={hashOf({ page: 'job', job: job.id })} className={first ? 'next' : ''}>
        <i aria-hidden="true">{number}</i>
        <span>
          <b>{streetOf(end)}</b>
          <small>{underStreet(end)}</small>
          <small>
            {verb} {formatParcels(unitsOf(job))}
            {window && `, ${window}`}
            {job.sub_status === 'attempted' && '. Tried once'}
          </small>
        </span>
      </a>
    </li>
  )
}

function LogOut() {
  const { waiting, stuck, refused } = useOutbox()
  const client = useQueryClient()
  const heldTexts = logoutBlockers(waiting, refused)
  const held = heldTexts.length > 0
  const [failed, setFailed] = useState(false)
  const logOut = async () => {
    const response = await post('/driver/logout', {})
    const isLoggedOut = response !== null && hasEnded(response)
    setFailed(!isLoggedOut)
    if (!isLoggedOut) return
    await clearPhoneStore()
    clearNumber()
    client.clear()
    location.reload()
  }
  return (
    <p className="log-out">
      <a className="cant" href={hashOf({ page: 'codes' })}>
        Add a business
      </a>
      <button
        type="button"
        className="cant"
        aria-disabled={held}
        aria-describedby={held ? 'held' : undefined}
        onClick={() => (held ? undefined : logOut())}
      >
        Log out
      </button>
      {failed && (
        <small role="alert">We couldn’t log you out. Check that you have signal, then try again.</small>
      )}
      {held && <small id="held">{heldTexts.join(' ')}</small>}
      {refused.length === 0 && mayDeleteWaiting(waiting, stuck) && (
        <DeleteAndLogOut count={waiting.length} logOut={logOut} />
      )}
    </p>
  )
}

/**
 * Only Drover can end the session: the login page of a Wi-Fi network answers 200 or 401 in its place. Its own 401 means
 * that the session has already ended.
 */
function hasEnded({ status, headers }: Response): boolean {
  const isProblem = headers.get('content-type')?.startsWith('application/problem+json') ?? false
  return status === 204 || (status === 401 && isProblem)
}

/** The way out for a driver whose updates never get through, such as a photo that a network always rejects. */
function DeleteAndLogOut({ count, logOut }: { count: number; logOut: () => Promise<void> }) {
  const [sure, setSure] = useState(false)
  const them = count === 1 ? 'it' : 'them'
  if (!sure)
    return (
      <>
        <small>This network doesn’t let {them} through. Try mobile data or another Wi-Fi network.</small>
        <button type="button" className="cant" onClick={() => setSure(true)}>
          Log out without sending {them}
        </button>
      </>
    )
  return (
    <>
      <small role="alert">This deletes {updates(count)} from the phone. Tell the store what happened.</small>
      <button type="button" className="cant" onClick={logOut}>
        Delete {them} and log out
      </button>
      <button type="button" className="cant" onClick={() => setSure(false)}>
        Stay logged in
      </button>
    </>
  )
}
