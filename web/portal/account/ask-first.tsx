import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Dialog } from '../../shared/dialog.tsx'
import { problemOf } from '../../shared/problem.ts'

type AskFirstProps = {
  title: string
  children: ReactNode
  /** What the button makes true. */
  yes: string
  work(): Promise<unknown>
  onClose(): void
}

/** For what cannot be undone: says what happens, then does it. */
export function AskFirst({ title, children, yes, work, onClose }: AskFirstProps) {
  const { mutate, error, isPending } = useMutation({ mutationFn: work, onSuccess: onClose })
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="dim">{children}</p>
      {error && (
        <p role="alert" className="field-error">
          {problemOf(error).message}
        </p>
      )}
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
