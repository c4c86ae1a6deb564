import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { ActionButton } from '../shared/action-button.tsx'
import { FieldError } from './field-error.tsx'

type EndButtonProps = {
  word: string
  /** What ends, for people who hear the button without its row. */
  of: string
  end(): Promise<unknown>
  /** Queries to load again afterwards, whatever the result. */
  stale: QueryKey
}

/** Ends one of the user's own logins or an assistant's access, at once: the user can log in or connect it again. */
export function EndButton({ word, of, end, stale }: EndButtonProps) {
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: end,
    onSettled: () => queries.invalidateQueries({ queryKey: stale }),
  })
  return (
    <>
      <ActionButton
        type="button"
        className="b s"
        busy={isPending}
        aria-label={`${word}: ${of}`}
        onClick={() => mutate()}
      >
        {word}
      </ActionButton>
      <FieldError error={error} />
    </>
  )
}
