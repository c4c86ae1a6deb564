import type { DriverJob } from '../shared/api.generated.ts'
import { Icon, type IconName } from '../shared/icons.tsx'
import { MapCard } from '../shared/map/map-card.tsx'
import { doneToday } from './done-today.ts'
import { doStep } from './outbox.ts'
import { type End, navigationTo, nextEnd, streetOf, underStreet, unitsOf, windowOfJob } from './places.ts'
import { roundMap } from './round-map.ts'
import { go } from './route.ts'
import { Beads, Top } from './top.tsx'
import { UndoBar } from './undo-bar.tsx'
import { useHere } from './use-whereabouts.ts'

/** One stop: the address, the instructions, the map, and the next step. */
export function Stop({ job, round }: { job: DriverJob; round: readonly DriverJob[] }) {
  const here = useHere()
  const { end, to } = nextEnd(job)
  const number = doneToday() + round.findIndex(({ id }) => id === job.id) + 1
  const who = end.name ?? end.company
  const window = windowOfJob(job)
  const note = to === 'drop' ? job.special_instructions : job.pickup_instructions
  return (
    <>
      <Top
        title={`Stop ${number} of ${doneToday() + round.length}`}
        back={{ page: 'home' }}
        beads={<Beads done={doneToday()} round={round} current={job.id} />}
      />
      <main className="stop">
        <UndoBar />
        <section className="adr">
          <p className="k">
            <b>{job.reference}</b>, <bdi>{who}</bdi>
            {window && (
              <>
                , <b>{window}</b>
              </>
            )}
          </p>
          <h1>{streetOf(end)}</h1>
          <p className="under">{underStreet(end)}</p>
        </section>
        <Musts job={job} />
        {note && (
          <p className="say">
            <small>From {to === 'drop' ? <bdi>{who ?? 'the customer'}</bdi> : 'the store'}</small>
            <span dir="auto">{note}</span>
          </p>
        )}
        <MapCard content={roundMap([job], here)} />
      </main>
      <nav className="thumb" aria-label="This stop">
        <a className="half" href={navigationTo(end)} target="_blank" rel="noreferrer">
          <Icon name="way" size={22} /> Take me there
        </a>
        <Call end={end} who={who} />
        <NextThing job={job} />
      </nav>
    </>
  )
}

function Call({ end, who }: { end: End; who: string | undefined }) {
  if (!end.phone) return null
  return (
    <a className="half" href={`tel:${end.phone}`}>
      <Icon name="phone" size={22} /> Call <bdi>{who ?? ''}</bdi>
    </a>
  )
}

type Must = { icon: IconName; strong: string; more: string; heavy: boolean }

/** The instructions, each a box; routine ones are paler. */
function Musts({ job }: { job: DriverJob }) {
  const { requirements, parcels } = job
  const kinds = [...new Set(parcels.map(({ type }) => type).filter(Boolean))].join(', ')
  const rows: (Must | false)[] = [
    requirements.authority_to_leave && { icon: 'door', strong: 'Leave it', more: 'at the door', heavy: true },
    requirements.signature_required && {
      icon: 'note',
      strong: 'Sign',
      more: 'signature or PIN',
      heavy: true,
    },
    requirements.id_check_required && {
      icon: 'id',
      strong: 'Check ID',
      more: 'only to an adult',
      heavy: true,
    },
    requirements.dangerous_goods && { icon: 'warning', strong: 'Dangerous', more: 'goods', heavy: true },
    {
      icon: 'box',
      strong: unitsOf(job) === 1 ? '1 parcel' : `${unitsOf(job)} parcels`,
      more: kinds || 'to carry',
      heavy: false,
    },
  ]
  return (
    <ul className="must" aria-label="What to do at this stop">
      {rows.map(
        (row) =>
          row && (
            <li key={row.icon} className={row.heavy ? '' : 'no'}>
              <Icon name={row.icon} size={26} />
              <p>
                <b>{row.strong}</b>
                <span>{row.more}</span>
              </p>
            </li>
          ),
      )}
    </ul>
  )
}

/** The button for the next step. */
function NextThing({ job }: { job: DriverJob }) {
  const step = (verb: 'approach' | 'bring-back' | 'return') => {
    const { end } = nextEnd(job)
    return doStep({ jobId: job.id, verb, body: { at: new Date().toISOString() }, about: streetOf(end) })
  }
  const arrive = async () => {
    if (job.status !== 'approaching') await step('approach')
    go({ page: 'collect', job: job.id })
  }
  const isBack = async () => {
    await step('return')
    go({ page: 'home' })
  }
  if (job.status === 'pending_return') return <Big onClick={isBack}>It is back</Big>
  if (job.status !== 'collected') return <Big onClick={arrive}>I am here</Big>
  return (
    <>
      {job.sub_status === 'attempted' && (
        <button type="button" className="half wide" onClick={() => step('bring-back')}>
          Bring it back to {job.store}
        </button>
      )}
      <Big onClick={() => go({ page: 'proof', job: job.id })}>I am here</Big>
    </>
  )
}

function Big({ onClick, children }: { onClick(): void; children: string }) {
  return (
    <button type="button" className="big" onClick={onClick}>
      {children}
    </button>
  )
}
