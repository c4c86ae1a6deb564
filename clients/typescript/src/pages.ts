export type Pagination = { next?: string | null; has_more?: boolean; page?: number; total_pages?: number }
export type Page<T> = { data: T[]; pagination: Pagination }
type Place = { after?: string; page?: number }

/** A list that the API sends in pages. Nothing is requested before it is read. */
export class Pages<T> implements AsyncIterable<T> {
  readonly #request: (place: Place) => Promise<Page<T>>

  constructor(request: (place: Place) => Promise<Page<T>>) {
    this.#request = request
  }

  /** The first page, or the one at the `after` of the query, with its `pagination`. */
  page(): Promise<Page<T>> {
    return this.#request({})
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    let place: Place | null = {}
    while (place) {
      const page: Page<T> = await this.#request(place)
      yield* page.data
      place = nextPlace(page)
    }
  }

  /** Every entry, at most `limit`. */
  async toArray({ limit = Number.POSITIVE_INFINITY }: { limit?: number } = {}): Promise<T[]> {
    const all: T[] = []
    if (limit <= 0) return all
    for await (const entry of this) if (all.push(entry) >= limit) break
    return all
  }
}

function nextPlace({ pagination: { next, has_more, page, total_pages } }: Page<unknown>): Place | null {
  if (has_more && next) return { after: next }
  return page && total_pages && page < total_pages ? { page: page + 1 } : null
}
