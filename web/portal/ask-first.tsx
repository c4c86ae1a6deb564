import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { Dialog } from '../shared/dialog.tsx'
import { FieldError } from './field-error.tsx'
import { WhyClosed, WriteButton } from './write-button.tsx'

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
  const closed = useId()
  const { mutate, error, isPending } = useMutation({
    mutationFn: work,
    onSuccess: onClose,
    onSettled: () => stale && queries.invalidateQueries({ queryKey: stale }),
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="dim">{children}</div>
      <FieldError error={error} />
      <WhyClosed id={closed} />
      <div className="row-of-buttons">
        <WriteButton why={closed} className="b no" busy={isPending} onClick={() => mutate()}>
          {yes}
        </WriteButton>
        <button type="button" className="b" onClick={onClose}>
          Leave it
        </button>
      </div>
    </Dialog>
  )
}
