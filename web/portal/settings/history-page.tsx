import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { planAccount } from '../../../src/domain/account/plan.ts'
import { toPlanSentences } from '../../../src/domain/account/plan-sentences.ts'
import { ActionButton } from '../../shared/action-button.tsx'
import { api } from '../../shared/api.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { toProblem } from '../../shared/problem.ts'
import { History } from '../account/document/history.tsx'
import '../account/document/document.css'
import { FieldError } from '../field-error.tsx'
import { isRejection } from '../idempotency-key.ts'
import { usePortal } from '../portal.ts'
import { useTitle } from '../use-title.ts'
import { MistakeList, Warnings } from './save-bar.tsx'
import { useSettings } from './settings.ts'

type Document = Parameters<typeof planAccount>[1]
/** What a version changed, or the version to go back to. */
type Shown = { title: string } & (
  | { sentences: readonly string[]; document: null }
  | { sentences: null; document: Document }
)

type Opening = { number: number; goesBack: boolean }

const ACCOUNT = '/admin/accounts/{tenant_id}'
const VERSION = '/admin/accounts/{tenant_id}/versions/{version}'

/** Every version of the settings: what it changed, and a way to go back to it. */
export function HistoryPage() {
  useTitle('Settings: history')
  const { tenantId } = usePortal()
  const { inUse, edits, version } = useSettings()
  const queries = useQueryClient()
  const read = async (number: number): Promise<Document | null> => {
    if (number < 1) return null
    const params = { path: { tenant_id: tenantId, version: String(number) } }
    return (await api.GET(VERSION, { params })) as Document
  }
  // One mutation for both buttons: of two quick presses, only the last one opens its dialog.
  const open = useMutation({
    mutationFn: async ({ number, goesBack }: Opening): Promise<Shown | null> => {
      const [before, document] = await Promise.all([goesBack ? null : read(number - 1), read(number)])
      if (!document) return null
      if (goesBack) return { title: `Go back to version ${number}?`, sentences: null, document }
      const sentences = before ? toSentences(before, document) : ['The account was created.']
      return { title: `Version ${number}`, sentences, document: null }
    },
  })
  const shown = open.data ?? null
  const target = shown?.document ?? null
  const check = useQuery({
    queryKey: ['go-back-check', tenantId, version, open.variables?.number],
    queryFn: async () => {
      const params = { path: { tenant_id: tenantId }, query: { dry_run: true } }
      return (await api.PUT(ACCOUNT, { params, body: target as Document })).data
    },
    enabled: target !== null,
    // Runs once each time the dialog opens: a refetch in the background could only add an error.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const apply = useMutation({
    mutationFn: async (body: Document) => {
      const params = { path: { tenant_id: tenantId }, query: { expect_version: version } }
      try {
        return await api.PUT(ACCOUNT, { params, body })
      } catch (error) {
        if (isConflict(error)) await readNewer()
        throw error
      }
    },
    onSuccess: () => {
      open.reset()
      return queries.invalidateQueries()
    },
  })
  /** Throws if it cannot read the newer version: the next attempt would conflict again. */
  const readNewer = async () => {
    void queries.invalidateQueries({ queryKey: ['account-versions', tenantId] })
    await queries.invalidateQueries({ queryKey: ['account-document', tenantId] }, { throwOnError: true })
  }
  const sentences = target ? toSentences(inUse as Document, target) : (shown?.sentences ?? [])
  // A check without a response is not reported: it changed nothing, and Go back checks again.
  const refusal = apply.error ?? (isRejection(check.error) ? check.error : null)
  return (
    <>
      <div className="head">
        <h1>History</h1>
        <span className="dim">
          Every version of your settings. When you go back to an old version, we save it as a new version.
        </span>
      </div>
      <FieldError error={open.error} />
      <div className="settings-columns">
        <History
          current={version}
          show={({ version: number }) => {
            apply.reset()
            open.mutate({ number, goesBack: false })
          }}
          goBack={(number) => {
            apply.reset()
            open.mutate({ number, goesBack: true })
          }}
        />
      </div>
      {shown && (
        <Dialog title={shown.title} onClose={apply.isPending ? undefined : open.reset}>
          {sentences.length === 0 && (
            <p>
              {target
                ? 'This version has the same effect as your current settings.'
                : 'This version changed nothing.'}
            </p>
          )}
          <ul className="plan-sentences">
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          <Warnings document={target} warnings={check.data?.warnings ?? []} />
          {isConflict(apply.error) ? (
            <p role="alert" className="field-error">
              Someone else has changed the settings. The list above shows what would change now. If you still
              want this, choose Go back once more.
            </p>
          ) : (
            refusal && <CannotGoBack error={refusal} document={target} />
          )}
          <div className="row-of-buttons">
            {target && (
              <ActionButton
                type="button"
                className="b ink"
                busy={apply.isPending}
                disabledReason={edits.length > 0 && 'Apply or undo your other changes first.'}
                onClick={() => apply.mutate(target)}
              >
                Go back
              </ActionButton>
            )}
            <ActionButton className="b" busy={apply.isPending} onClick={open.reset}>
              Close
            </ActionButton>
          </div>
        </Dialog>
      )}
    </>
  )
}

function CannotGoBack({ error, document }: { error: unknown; document: unknown }) {
  const { errors, message } = toProblem(error)
  return (
    <div role="alert">
      <p className="field-error">{errors.length > 0 ? 'We can’t go back to this version:' : message}</p>
      <MistakeList document={document} errors={errors} />
    </div>
  )
}

function isConflict(error: unknown): boolean {
  return error !== null && toProblem(error).code === 'version_conflict'
}

function toSentences(before: Document, after: Document): string[] {
  return toPlanSentences(planAccount(before, after), before, after)
}
