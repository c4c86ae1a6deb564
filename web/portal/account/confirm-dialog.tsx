import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { withTimeLimit } from '../../shared/api.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { DialogButtons } from '../dialog-buttons.tsx'
import { FieldError } from '../field-error.tsx'
import { onSubmit } from '../on-submit.ts'
import { useOwnCredentials } from './own-credentials.tsx'

type ConfirmDialogProps = {
  title: string
  children: ReactNode
  confirmLabel: string
  work(typed: { password: string; code?: string }): Promise<unknown>
  /** The list that has changed. */
  stale: QueryKey
  onClose(): void
}

/** Asks for the user's password and code before they give lasting access. */
export function ConfirmDialog({ title, children, confirmLabel, work, stale, onClose }: ConfirmDialogProps) {
  const queries = useQueryClient()
  const own = useOwnCredentials()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => withTimeLimit(work(own.typed)),
    onSuccess: () => {
      onClose()
      return queries.invalidateQueries({ queryKey: stale })
    },
  })
  return (
    <Dialog title={title} onClose={isPending ? undefined : onClose}>
      <div className="dim">{children}</div>
      <form onSubmit={onSubmit(() => mutate())} className="fields narrow">
        {own.fields}
        <FieldError error={error} />
        <DialogButtons submitLabel={confirmLabel} busy={isPending} onClose={onClose} />
      </form>
    </Dialog>
  )
}
