import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { planAccount } from '../../../src/domain/account/plan.ts'
import { toPlanSentences } from '../../../src/domain/account/plan-sentences.ts'
import { ActionButton } from '../../shared/action-button.tsx'
import { api } from '../../shared/api.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { toProblem } from '../../shared/problem.ts'
import { History } from '../account/document/history.tsx'
import '../account/document/document.css'
import { FieldError } from '../field-error.tsx'
import { usePortal } from '../portal.ts'
import { useTitle } from '../use-title.ts'
import { useSettings } from './settings.ts'

type Document = Parameters<typeof planAccount>[1]
/** What a version changed, or the version to go back to. */
type Shown = { title: string } & (
  | { sentences: readonly string[]; document: null }
  | { sentences: null; document: Document }
)

const VERSION = '/admin/accounts/{tenant_id}/versions/{version}'

/** Every version of the settings: what it changed, and a way to go back to it. */
export function HistoryPage() {
  useTitle('Settings: history')
  const { tenantId } = usePortal()
  const { inUse, edits, version } = useSettings()
  const queries = useQueryClient()
  const [shown, setShown] = useState<Shown | null>(null)
  const read = async (number: number): Promise<Document | null> => {
    if (number < 1) return null
    const params = { path: { tenant_id: tenantId, version: String(number) } }
    return (await api.GET(VERSION, { params })) as Document
  }
  const show = useMutation({
    mutationFn: async (number: number) => {
      const [before, after] = await Promise.all([read(number - 1), read(number)])
      if (!after) return
      const sentences = before ? toSentences(before, after) : ['The account was created.']
      setShown({ title: `Version ${number}`, sentences, document: null })
    },
  })
  const goBack = useMutation({
    mutationFn: async (number: number) => {
      const target = await read(number)
      if (target) setShown({ title: `Go back to version ${number}?`, sentences: null, document: target })
    },
  })
  const apply = useMutation({
    mutationFn: async (body: Document) => {
      const params = { path: { tenant_id: tenantId }, query: { expect_version: version } }
      try {
        return await api.PUT('/admin/accounts/{tenant_id}', { params, body })
      } catch (error) {
        if (isConflict(error)) await readNewer()
        throw error
      }
    },
    onSuccess: () => {
      setShown(null)
      return queries.invalidateQueries()
    },
  })
  /** Throws if it cannot read the newer version: the next attempt would conflict again. */
  const readNewer = async () => {
    void queries.invalidateQueries({ queryKey: ['account-versions', tenantId] })
    await queries.invalidateQueries({ queryKey: ['account-document', tenantId] }, { throwOnError: true })
  }
  const sentences = shown?.document
    ? toSentences(inUse as Document, shown.document)
    : (shown?.sentences ?? [])
  return (
    <>
      <div className="head">
        <h1>History</h1>
        <span className="dim">
          Every version of your settings. When you go back to an old version, we save it as a new version.
        </span>
      </div>
      <FieldError error={show.error ?? goBack.error} />
      <div className="settings-columns">
        <History
          current={version}
          show={({ version: number }) => {
            apply.reset()
            show.mutate(number)
          }}
          goBack={(number) => {
            apply.reset()
            goBack.mutate(number)
          }}
        />
      </div>
      {shown && (
        <Dialog title={shown.title} onClose={() => setShown(null)}>
          {sentences.length === 0 && (
            <p>
              {shown.document
                ? 'This version has the same effect as your current settings.'
                : 'This version changed nothing.'}
            </p>
          )}
          <ul className="plan-sentences">
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          {isConflict(apply.error) ? (
            <p role="alert" className="field-error">
              Someone else has changed the settings. The list above shows what would change now. If you still
              want this, choose Go back once more.
            </p>
          ) : (
            <FieldError error={apply.error} />
          )}
          <div className="row-of-buttons">
            {shown.document && (
              <ActionButton
                type="button"
                className="b ink"
                busy={apply.isPending}
                disabledReason={edits.length > 0 && 'Apply or undo your other changes first.'}
                onClick={() => shown.document && apply.mutate(shown.document)}
              >
                Go back
              </ActionButton>
            )}
            <button type="button" className="b" onClick={() => setShown(null)}>
              Close
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}

function isConflict(error: unknown): boolean {
  return error !== null && toProblem(error).code === 'version_conflict'
}

function toSentences(before: Document, after: Document): string[] {
  return toPlanSentences(planAccount(before, after), before, after)
}
