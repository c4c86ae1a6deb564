import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { ActionButton } from '../shared/action-button.tsx'
import { withTimeLimit } from '../shared/api.ts'
import { Dialog } from '../shared/dialog.tsx'
import { FieldError } from './field-error.tsx'
import { WriteButton, WritesDisabledReason } from './write-button.tsx'

type ConfirmActionProps = {
  title: string
  children: ReactNode
  /** The label of the button that confirms. */
  confirmLabel: string
  work(): Promise<unknown>
  /** Queries to load again afterwards, whatever the result. */
  stale?: QueryKey
  onClose(): void
}

/** For actions that cannot be undone: a dialog says what happens before it does. */
export function ConfirmAction({ title, children, confirmLabel, work, stale, onClose }: ConfirmActionProps) {
  const queries = useQueryClient()
  const reasonId = useId()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => withTimeLimit(work()),
    onSuccess: onClose,
    // Not awaited: an error shows at once, and the dialog can be closed.
    onSettled: () => {
      if (stale) void queries.invalidateQueries({ queryKey: stale })
    },
  })
  return (
    <Dialog title={title} onClose={isPending ? undefined : onClose}>
      <div className="dim">{children}</div>
      <FieldError error={error} />
      <WritesDisabledReason id={reasonId} />
      <div className="row-of-buttons">
        <WriteButton describedBy={reasonId} className="b no" busy={isPending} onClick={() => mutate()}>
          {confirmLabel}
        </WriteButton>
        <ActionButton className="b" busy={isPending} onClick={onClose}>
          Cancel
        </ActionButton>
      </div>
    </Dialog>
  )
}
