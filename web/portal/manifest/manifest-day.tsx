import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { answerOf, api } from '../../shared/api.ts'
import { count } from '../../shared/count.ts'
import { Loading } from '../../shared/loading.tsx'
import { dollars } from '../../shared/money.ts'
import { ProblemView } from '../../shared/problem-view.tsx'
import { longDay } from '../../shared/times.ts'
import { isClosed } from '../connection.ts'
import { freshKey } from '../fresh-key.ts'
import { useKeys } from '../keys/use-keys.ts'
import { unitsOf } from '../parcel-words.ts'
import { usePortal } from '../portal.ts'
import { isToManifest } from '../today/judge.ts'
import { useMinute } from '../use-minute.ts'
import { useTitle } from '../use-title.ts'
import { WhyClosed, WriteButton } from '../write-button.tsx'
import { ClosingStrip } from './closing-strip.tsx'
import { Made } from './made.tsx'
import './manifest.css'
import { costOf, PaperSheet } from './paper.tsx'
import { papersOf } from './papers.ts'
import { useToManifest } from './use-to-manifest.ts'

/** Everything booked and on no manifest: choose, look the papers over, submit, print. */
export function ManifestDay() {
  const { tenantId, store } = usePortal()
  const nowMs = useMinute()
  const zone = store.time_zone
  const { only } = useSearch({ from: '/inside/manifest' })
  const { data, error, refetch } = useToManifest()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [key, setKey] = useState(freshKey)
  const closed = useId()
  const queries = useQueryClient()
  useTitle(`Manifest the day, ${store.name}`)

  const wanted = only === undefined ? null : new Set(only.split(','))
  const eligible = (data ?? []).filter(isToManifest)
  const isChosen = (reference: string) => (wanted ? wanted.has(reference) : true) !== left.has(reference)
  const choose = (reference: string) => {
    setKey(freshKey())
    setLeft((before) => {
      const after = new Set(before)
      if (!after.delete(reference)) after.add(reference)
      return after
    })
  }
  const papers = papersOf(eligible, store.services)
  const chosen = eligible.filter(({ reference }) => isChosen(reference))
  const sheets = papersOf(chosen, store.services).length
  const waiting = (data ?? []).filter(
    ({ status, manifest_group }) => status === 'requested' && manifest_group,
  )

  const submit = useMutation({
    mutationFn: async (now: boolean) => {
      const body = {
        store_reference: store.reference,
        create_manifest_now: now,
        generate_order_summary: true,
        delivery_references: chosen.map(({ reference }) => reference),
      }
      const params = { path: { tenant_id: tenantId }, header: { 'Idempotency-Key': `${key}-${now}` } }
      return (await answerOf(api.POST('/{tenant_id}/store-manifests', { params, body }))).data
    },
    onSettled: async () => {
      setKey(freshKey())
      await queries.invalidateQueries({ queryKey: ['to-manifest', tenantId, store.reference] })
      await queries.invalidateQueries({ queryKey: ['day', tenantId, store.reference] })
      await queries.invalidateQueries({ queryKey: ['manifests', tenantId] })
    },
  })
  useKeys({
    'mod+enter': () => chosen.length > 0 && !submit.isPending && !isClosed() && submit.mutate(true),
  })

  return (
    <>
      <div className="head">
        <h1>Manifest the day</h1>
        <span className="dim">
          {store.name}, {longDay(nowMs, zone)}. Everything booked and not yet on a manifest.
        </span>
      </div>
      <ClosingStrip nowMs={nowMs} />
      {error && !data && <ProblemView error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {submit.error && <ProblemView error={submit.error} />}
      {submit.data && <Made manifests={submit.data} />}
      {data && papers.length === 0 && !submit.data && (
        <div className="state">
          <h2>Nothing waits for a manifest.</h2>
          <p>What is booked with a carrier that takes manifests comes here by itself.</p>
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
            <Sum word="manifests" figure={String(sheets)} />
            <Sum word="deliveries" figure={String(chosen.length)} />
            <Sum word="parcels" figure={String(chosen.reduce((sum, one) => sum + unitsOf(one.parcels), 0))} />
            <Sum word="quoted, GST in" figure={dollars(costOf(chosen))} />
          </dl>
          <div className="r">
            <span className="dim">Cannot be undone: they are on the driver’s list then.</span>
            <WhyClosed id={closed} />
            <WriteButton
              why={closed}
              className="b"
              disabled={chosen.length === 0 || submit.isPending}
              onClick={() => submit.mutate(false)}
            >
              Keep as draft
            </WriteButton>
            <WriteButton
              why={closed}
              className={submit.data ? 'b' : 'b next'}
              disabled={chosen.length === 0 || submit.isPending}
              onClick={() => submit.mutate(true)}
            >
              Submit {count(sheets, 'manifest')}
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
          <b>Why {papers} papers and not one.</b> Each carrier’s groups have papers of their own, and some
          take dangerous goods apart. The driver signs each of them.
        </p>
      )}
      {waiting.length > 0 && (
        <p className="say">
          <b>{waiting.join(', ')} left out.</b> Not booked yet. What is booked later joins a second manifest;
          nothing is lost by submitting now.
        </p>
      )}
    </div>
  )
}
