import { useMutation } from '@tanstack/react-query'
import { useLayoutEffect, useRef, useState } from 'react'
import { ActionButton } from '../../shared/action-button.tsx'
import type { ApplyAnswer } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { count } from '../../shared/count.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { type Problem, toProblem } from '../../shared/problem.ts'
import { useKeys } from '../keys/use-keys.ts'
import { usePortal } from '../portal.ts'
import { Consequences } from './consequences.tsx'
import { placeText } from './place-text.ts'
import { useSettings } from './settings.ts'

type SaveBarProps = {
  /** What the changes do. */
  sentences: readonly string[]
  undo(): void
  rebase(): Promise<void>
  applied(): Promise<void>
}

const ONE = '/admin/accounts/{tenant_id}'
type Document = { tenant_id: string; [name: string]: unknown }

/** The changes of all forms: their number, undo, and the review that applies them. */
export function SaveBar({ sentences, undo, rebase, applied }: SaveBarProps) {
  const { tenantId } = usePortal()
  const { document, edits, version } = useSettings()
  const [done, setDone] = useState<number | null>(null)
  const send = (isDryRun: boolean) => {
    const query = isDryRun ? { dry_run: true, expect_version: version } : { expect_version: version }
    const params = { path: { tenant_id: tenantId }, query }
    return api.PUT(ONE, { params, body: document as Document })
  }
  const rebasing = useMutation({ mutationFn: rebase })
  const onError = (error: unknown) => {
    if (toProblem(error).code === 'version_conflict') rebasing.mutate()
  }
  const review = useMutation({ mutationFn: () => send(true), onError })
  const apply = useMutation({
    mutationFn: () => send(false),
    onError: (error) => {
      review.reset()
      onError(error)
    },
    onSuccess: async ({ data }) => {
      review.reset()
      await applied()
      setDone(data.version)
    },
  })
  const failure = rebasing.error ?? review.error ?? apply.error
  const startReview = () => {
    if (edits.length === 0 || review.isPending) return
    apply.reset()
    rebasing.reset()
    review.mutate()
  }
  // A form is long: with the keyboard, the button at its end is far from most fields.
  useKeys({ 'mod+enter': startReview })
  if (edits.length === 0) {
    if (done === null && !apply.isPending) return null
    return <Applied version={apply.isPending ? null : done} close={() => setDone(null)} applied={applied} />
  }
  return (
    <section className="save-bar" aria-label="Your changes">
      <b>{count(edits.length, 'change')} not applied</b>
      <span className="row-of-buttons tight">
        <ActionButton type="button" className="b" onClick={undo}>
          Undo all
        </ActionButton>
        <ActionButton
          type="button"
          className="b next"
          aria-keyshortcuts="Control+Enter"
          busy={review.isPending}
          onClick={startReview}
        >
          Review{' '}
          <span aria-hidden="true">
            <kbd>Ctrl Enter</kbd>
          </span>
        </ActionButton>
      </span>
      {failure && <Mistakes problem={toProblem(failure)} />}
      {review.data && (
        <Review
          sentences={sentences}
          warnings={review.data.data.warnings}
          busy={apply.isPending}
          apply={() => apply.mutate()}
          close={() => review.reset()}
        />
      )}
    </section>
  )
}

function Mistakes({ problem }: { problem: Problem }) {
  const { document } = useSettings()
  if (problem.code === 'version_conflict') return null
  return (
    <div role="alert" className="save-mistakes">
      <p className="field-error">
        {problem.errors.length > 0
          ? `We can’t apply your changes until you correct ${formatMistakes(problem.errors.length)}:`
          : problem.message}
      </p>
      <MistakeList document={document} errors={problem.errors} />
    </div>
  )
}

/** `document`: the one that the server rejected. */
export function MistakeList({ document, errors }: { document: unknown; errors: Problem['errors'] }) {
  return (
    <ul>
      {errors.map(({ field, message }) => (
        <li key={field + message}>
          <b>{placeText(document, field)}</b> {omitUnit(message)}
        </li>
      ))}
    </ul>
  )
}

function formatMistakes(mistakes: number): string {
  return mistakes === 1 ? 'this mistake' : `these ${mistakes} mistakes`
}

/** Drops the rule after the first sentence: it is in cents, and the form is in dollars. */
function omitUnit(message: string): string {
  return /^Must be a (?:whole )?number, not the text ".*?"\./.exec(message)?.[0] ?? message
}

type ReviewProps = {
  sentences: readonly string[]
  warnings: ApplyAnswer['data']['warnings']
  busy: boolean
  apply(): void
  close(): void
}

function Review({ sentences, warnings, busy, apply, close }: ReviewProps) {
  const { document } = useSettings()
  return (
    <Dialog title="Review your changes" onClose={close}>
      {sentences.length === 0 && (
        <p>Nothing will change: the new settings have the same effect as the old ones.</p>
      )}
      <ul className="plan-sentences">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <Warnings document={document} warnings={warnings} />
      <Consequences />
      <p className="dim">
        Existing deliveries will keep the settings they were created with. New deliveries will use the new
        settings. You can go back to the old settings at any time.
      </p>
      <div className="row-of-buttons">
        <ActionButton type="button" className="b ink" busy={busy} onClick={apply}>
          Apply
        </ActionButton>
        <button type="button" className="b" onClick={close}>
          Keep editing
        </button>
      </div>
    </Dialog>
  )
}

type WarningsProps = { document: unknown; warnings: ApplyAnswer['data']['warnings'] }

export function Warnings({ document, warnings }: WarningsProps) {
  return warnings.map(({ field, message }) => (
    <p key={field + message} className="warn">
      <b>{placeText(document, field)}</b> {message}
    </p>
  ))
}

type AppliedProps = {
  /** Null until the pages show it. */
  version: number | null
  close(): void
  applied(): Promise<void>
}

function Applied({ version, close, applied }: AppliedProps) {
  const { tenantId } = usePortal()
  const status = useRef<HTMLElement>(null)
  // The button with the focus is gone: Undo is one Tab away.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) status.current?.focus({ preventScroll: true })
  }, [])
  const back = useMutation({
    mutationFn: async () => {
      if (version === null) return
      const path = { tenant_id: tenantId }
      const before = { path: { ...path, version: String(version - 1) } }
      const body = await api.GET('/admin/accounts/{tenant_id}/versions/{version}', { params: before })
      return api.PUT(ONE, { params: { path, query: { expect_version: version } }, body })
    },
    onSuccess: async () => {
      close()
      await applied()
    },
  })
  return (
    <section className="save-bar" aria-label="Your changes">
      <b ref={status} role="status" tabIndex={-1}>
        {version === null ? 'Applying…' : 'Applied.'}
      </b>
      {version !== null && (
        <span className="row-of-buttons tight">
          <ActionButton type="button" className="b" busy={back.isPending} onClick={() => back.mutate()}>
            Undo
          </ActionButton>
          <button type="button" className="b" onClick={close}>
            Close
          </button>
        </span>
      )}
      {back.error && <Mistakes problem={toProblem(back.error)} />}
      {back.error && toProblem(back.error).code === 'version_conflict' && (
        <p role="alert" className="field-error">
          Someone has applied other changes since. You can go back to any version in History.
        </p>
      )}
    </section>
  )
}
