import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { planAccount } from '../../../src/domain/account/plan.ts'
import { toPlanSentences } from '../../../src/domain/account/plan-sentences.ts'
import { request, versionOf } from '../../shared/api.ts'
import { Loading } from '../../shared/loading.tsx'
import { ProblemView } from '../../shared/problem-view.tsx'
import { usePortal } from '../portal.ts'
import { addEdit, type Edit, type Json, rebaseEdits, withEdits } from './edits.ts'
import { SaveBar } from './save-bar.tsx'
import { mayChange, SettingsContext } from './settings.ts'
import './settings.css'

type Saved = { document: Json; version: number }
type Document = Parameters<typeof planAccount>[1]

type SettingsFormsProps = {
  /** The pages on which changes that are not applied yet are kept: leaving them asks first. */
  within: string
  children: ReactNode
}

/** Forms that edit the account document, and the bar that reviews and applies their changes. */
export function SettingsForms(props: SettingsFormsProps) {
  const { tenantId } = usePortal()
  const { data, error, refetch } = useQuery({
    queryKey: ['account-document', tenantId, 'settings'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => fetchDocument(tenantId),
  })
  if (error && !data) return <ProblemView error={error} retry={refetch} />
  if (!data) return <Loading lines={[30, 80, 70, 76]} />
  return <Forms saved={data} {...props} />
}

async function fetchDocument(tenantId: string): Promise<Saved> {
  const params = { path: { tenant_id: tenantId } }
  const answer = await request('get', '/admin/accounts/{tenant_id}', { params })
  return { document: answer.data, version: versionOf(answer) }
}

function Forms({ saved, within, children }: SettingsFormsProps & { saved: Saved }) {
  const { tenantId, session } = usePortal()
  const queries = useQueryClient()
  const [edits, setEdits] = useState<readonly Edit[]>([])
  /** What somebody else has changed since the person began. */
  const [theirs, setTheirs] = useState<TheirChanges | null>(null)
  const { document: inUse, version } = saved
  const document = useMemo(() => withEdits(inUse, edits), [inUse, edits])
  useBlocker({
    shouldBlockFn: ({ next }) =>
      edits.length > 0 &&
      !next.pathname.includes(within) &&
      !window.confirm('Leave without applying your changes? You’ll lose them.'),
    enableBeforeUnload: () => edits.length > 0,
  })

  /** Someone else applied first: their version is the new base, and this person’s changes stay on top of it. */
  const rebase = async () => {
    const newer = await fetchDocument(tenantId)
    const sentences = toSentences(inUse, newer.document)
    const { edits: kept, dropped, clashes } = rebaseEdits(inUse, newer.document, edits)
    setTheirs({ version: newer.version, sentences, clashes, dropped, kept: kept.length })
    setEdits(kept)
    queries.setQueryData(['account-document', tenantId, 'settings'], newer)
  }

  return (
    <SettingsContext
      value={{
        inUse,
        version,
        document,
        edits,
        set: (place, value) => setEdits((known) => addEdit(inUse, known, { place, value })),
        may: (kind, field) => mayChange(session.user.role, inUse, kind, field),
      }}
    >
      {theirs && <Theirs key={theirs.version} {...theirs} close={() => setTheirs(null)} />}
      {children}
      <SaveBar
        sentences={toSentences(inUse, document)}
        undo={() => setEdits([])}
        rebase={rebase}
        applied={async () => {
          setEdits([])
          setTheirs(null)
          await queries.invalidateQueries()
        }}
      />
    </SettingsContext>
  )
}

function toSentences(before: Json, after: Json): string[] {
  return toPlanSentences(
    planAccount(before as Document, after as Document),
    before as Document,
    after as Document,
  )
}

/** `dropped`: how many of the person's changes are to entries that the other person has removed; `kept`: the others. */
type TheirChanges = { version: number; sentences: string[]; clashes: number; dropped: number; kept: number }

function Theirs({ sentences, clashes, dropped, kept, close }: TheirChanges & { close(): void }) {
  const notice = useRef<HTMLDivElement>(null)
  // The notice is at the top of a long form, and the person is at the bottom.
  useLayoutEffect(() => notice.current?.focus(), [])
  // When the response to their own Apply is lost, the other version is their own.
  const isSaved = kept === 0 && dropped === 0
  return (
    <div ref={notice} tabIndex={-1} className="sheet pad settings-theirs" role="status">
      <h2>{isSaved ? 'The settings already have your changes' : 'Someone else has changed the settings'}</h2>
      <ul className="plan-sentences">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <p>
        {dropped > 0 &&
          `They removed something that you were changing, so we dropped ${dropped} of your changes. `}
        {kept > 0 && `Your ${dropped > 0 ? 'other' : 'own'} changes are still here. `}
        {clashes > 0 &&
          'You both changed some of the same settings. If you apply your changes, they’ll replace the other person’s.'}
      </p>
      <button type="button" className="b s" onClick={close}>
        Got it
      </button>
    </div>
  )
}
