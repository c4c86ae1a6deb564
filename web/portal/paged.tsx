import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ActionButton } from '../shared/action-button.tsx'
import { Loading } from '../shared/loading.tsx'
import { ProblemView } from '../shared/problem-view.tsx'

type Page<T> = { data: T[]; pagination: { next: string | null } }

type PagedProps<T> = {
  queryKey: QueryKey
  /** The page after this cursor; the first page for null. */
  read(after: string | null): Promise<Page<T>>
  /** The poll interval in milliseconds; without it, no polling. */
  everyMs?: number
  /** Shown for an empty list. */
  empty: ReactNode
  children(rows: readonly T[]): ReactNode
}

/** A list that is loaded page by page, older rows on demand, with its loading state and its errors. */
export function Paged<T>({ queryKey, read, everyMs, empty, children }: PagedProps<T>) {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError } =
    useInfiniteQuery({
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
      {error && (
        <ProblemView error={error} retry={() => (isFetchNextPageError ? fetchNextPage() : refetch())} />
      )}
      {hasNextPage && (
        <ActionButton
          type="button"
          className="b older"
          busy={isFetchingNextPage}
          onClick={() => fetchNextPage()}
        >
          Show older
        </ActionButton>
      )}
    </>
  )
}
