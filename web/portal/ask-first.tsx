import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Dialog } from '../shared/dialog.tsx'
import { FieldError } from './field-error.tsx'

type AskFirstProps = {
  title: string
  children: ReactNode
  /** What the button makes true. */
  yes: string
  work(): Promise<unknown>
  /** What is to be read anew afterwards, whatever came of it. */
  stale?: QueryKey
  onClose(): void
}

/** For what cannot be undone: says what happens, then does it. */
export function AskFirst({ title, children, yes, work, stale, onClose }: AskFirstProps) {
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: work,
    onSuccess: onClose,
    onSettled: () => stale && queries.invalidateQueries({ queryKey: stale }),
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="dim">{children}</div>
      <FieldError error={error} />
      <div className="row-of-buttons">
        <button type="button" className="b no" disabled={isPending} onClick={() => mutate()}>
          {yes}
        </button>
        <button type="button" className="b" onClick={onClose}>
          Leave it
        </button>
      </div>
    </Dialog>
  )
}
