import { useSearch } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { formatDollars } from '../../../src/domain/text/format-dollars.ts'
import { count } from '../../shared/count.ts'
import { formatList } from '../../shared/format-list.ts'
import { Loading } from '../../shared/loading.tsx'
import { ProblemView } from '../../shared/problem-view.tsx'
import { longDay } from '../../shared/times.ts'
import { areWritesDisabled } from '../connection.ts'
import { isToManifest } from '../delivery/actions.ts'
import { unitsOf } from '../format-parcels.ts'
import { useKeys } from '../keys/use-keys.ts'
import { usePortal } from '../portal.ts'
import { useMinute } from '../use-minute.ts'
import { useTitle } from '../use-title.ts'
import { WriteButton, WritesDisabledReason } from '../write-button.tsx'
import { ClosingStrip } from './closing-strip.tsx'
import { hasPaper } from './manifest-buttons.tsx'
import { ConflictNotice, ManifestResults } from './manifest-results.tsx'
import './manifest.css'
import { costOf, PaperSheet } from './paper.tsx'
import { heldBy, papersOf } from './papers.ts'
import { useManifests } from './use-manifests.ts'
import { namedIn, useSubmit } from './use-submit.ts'
import { useToManifest } from './use-to-manifest.ts'

/**
 * All booked deliveries without a manifest: choose, review the manifests, submit, print. Each store starts afresh.
 */
export function ManifestDay() {
  const { store } = usePortal()
  return <DayOfStore key={store.reference} />
}

function DayOfStore() {
  const { store } = usePortal()
  const nowMs = useMinute()
  const zone = store.time_zone
  const { only, carrier } = useSearch({ from: '/inside/manifest' })
  const { data, error, refetch } = useToManifest()
  const [changedIds, setChangedIds] = useState<ReadonlySet<string>>(new Set())
  const reasonId = useId()
  useTitle(`Manifest today’s deliveries, ${store.name}`)

  const submit = useSubmit()
  const known = useManifests([...new Set(submit.done.flatMap(namedIn))])
  const [last] = submit.done
  const created = known.filter(({ id }) => submit.done.some((one) => one.created.includes(id)))
  const next = created.find((one) => one.status === 'submitted' && hasPaper(one))
  const held = heldBy(known)
  const eligible = (data ?? []).filter((one) => isToManifest(one) && !held.has(one.id))
  const theirs = eligible.filter(({ carrier_provider }) => carrier_provider === carrier)
  const ofCarrier = carrier === undefined ? undefined : theirs.map(({ id }) => id)
  const preselected = only?.split(',') ?? ofCarrier
  const preselectedIds = preselected && new Set(preselected)
  const isChosen = (id: string) => (preselectedIds?.has(id) ?? true) !== changedIds.has(id)
  const choose = (id: string) => {
    setChangedIds((before) => {
      const after = new Set(before)
      if (!after.delete(id)) after.add(id)
      return after
    })
  }
  const papers = papersOf(eligible, store.services)
  const chosen = eligible.filter(({ id }) => isChosen(id))
  const sheets = papersOf(chosen, store.services).length
  const units = chosen.reduce((sum, one) => sum + unitsOf(one.parcels), 0)
  const waiting = (data ?? []).filter(
    ({ status, manifest_group }) => status === 'requested' && manifest_group,
  )

  const createManifests = (now: boolean) =>
    submit.mutate({ references: chosen.map(({ reference }) => reference), submit: now })
  useKeys({
    'mod+enter': () =>
      chosen.length > 0 && !submit.isPending && !areWritesDisabled() && createManifests(true),
  })

  return (
    <>
      <div className="head">
        <h1>Manifest today’s deliveries</h1>
        <span className="dim">
          {store.name}, {longDay(nowMs, zone)}.
          {papers.length > 0 && ' These deliveries are booked but not yet on a manifest.'}
        </span>
      </div>
      <ClosingStrip nowMs={nowMs} />
      {error && !data && <ProblemView error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {submit.error && <ProblemView error={submit.error} />}
      {last && last.conflicts.length > 0 && <ConflictNotice {...{ last, known }} />}
      {created.length > 0 && <ManifestResults {...{ created, next }} />}
      {data && papers.length === 0 && !last && (
        <div className="state">
          <h2>No deliveries are waiting for a manifest.</h2>
          <p>Once a delivery is booked with a carrier that uses manifests, it appears here automatically.</p>
        </div>
      )}
      <div className="cols">
        {papers.map((paper) => (
          <PaperSheet key={paper.key} {...{ paper, isChosen, choose, zone, nowMs }} />
        ))}
        <Remarks papers={papers.length} waiting={waiting.map(({ reference }) => reference)} />
      </div>
      {papers.length > 0 && (
        <div className="foot">
          <dl className="sum">
            <Sum word={sheets === 1 ? 'manifest' : 'manifests'} figure={String(sheets)} />
            <Sum word={chosen.length === 1 ? 'delivery' : 'deliveries'} figure={String(chosen.length)} />
            <Sum word={units === 1 ? 'parcel' : 'parcels'} figure={String(units)} />
            <Sum word="quoted, incl. GST" figure={formatDollars(costOf(chosen))} />
          </dl>
          <div className="r">
            <span className="dim">
              Once you submit a manifest, you can’t take it back: its deliveries go on the driver’s list.
            </span>
            <WritesDisabledReason id={reasonId} />
            <WriteButton
              describedBy={reasonId}
              className="b"
              busy={submit.isPending}
              disabledReason={chosen.length === 0 && 'Tick at least one delivery first.'}
              onClick={() => createManifests(false)}
            >
              Save as draft
            </WriteButton>
            <WriteButton
              describedBy={reasonId}
              className={next ? 'b' : 'b next'}
              busy={submit.isPending}
              disabledReason={chosen.length === 0 && 'Tick at least one delivery first.'}
              onClick={() => createManifests(true)}
            >
              {sheets === 0 ? 'Submit' : `Submit ${count(sheets, 'manifest')}`}
            </WriteButton>
          </div>
        </div>
      )}
    </>
  )
}

function Sum({ word, figure }: { word: string; figure: string }) {
  return (
    <div>
      <dd>{figure}</dd>
      <dt>{word}</dt>
    </div>
  )
}

function Remarks({ papers, waiting }: { papers: number; waiting: readonly string[] }) {
  return (
    <div className="col">
      {papers > 1 && (
        <p className="say">
          <b>Why are there {papers} manifests?</b> Each carrier has its own, and some carriers need a separate
          one for certain services or dangerous goods. The carrier’s driver signs each manifest.
        </p>
      )}
      {waiting.length > 0 && (
        <p className="say">
          <b>Not included: {formatList(waiting)}.</b> Deliveries that aren’t booked yet can go on a later
          manifest, so you don’t need to wait for them.
        </p>
      )}
    </div>
  )
}
