import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ActionButton } from '../shared/action-button.tsx'
import { Loading } from '../shared/loading.tsx'
import { ProblemView } from '../shared/problem-view.tsx'

type Page<T> = { data: T[]; pagination: { next: string | null } }

type PagedProps<T> = {
  queryKey: QueryKey
  /** The page after this place; from the start where it is null. */
  read(after: string | null): Promise<Page<T>>
  /** How often it is read anew by itself, in milliseconds; never unless said. */
  everyMs?: number
  /** What is so where there is nothing. */
  empty: ReactNode
  children(rows: readonly T[]): ReactNode
}

/** A list that is read page by page, older ones on demand: with what stands there while, and where it fails. */
export function Paged<T>({ queryKey, read, everyMs, empty, children }: PagedProps<T>) {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) => read(pageParam),
    getNextPageParam: ({ pagination }) => pagination.next,
    refetchInterval: everyMs ?? false,
  })
  if (!data) return error ? <ProblemView error={error} retry={refetch} /> : <Loading />
  const rows = data.pages.flatMap((page) => page.data)
  return (
    <>
      {rows.length === 0 ? <div className="state">{empty}</div> : children(rows)}
      {error && <ProblemView error={error} retry={() => fetchNextPage()} />}
      {hasNextPage && (
        <ActionButton
          type="button"
          className="b older"
          busy={isFetchingNextPage}
          onClick={() => fetchNextPage()}
        >
          Older ones
        </ActionButton>
      )}
    </>
  )
}
