import type { Article, DeliveryContent } from '../../domain/delivery/delivery.ts'

type Sql = typeof import('kysely').sql

/** A text search reads all words of this many newest deliveries; of older ones the customer's name and whole numbers. */
const MAX_READ = 20_000
/** Older deliveries that are found by their customer's name. */
const MAX_BY_NAME = 2_000
/** Shorter beginnings of a name would find a good part of the history. */
const MIN_NAME_LENGTH = 3
/** Only 60 characters are indexed: an entry has at most 2,704 bytes, and articles' numbers can have more. */
const INDEXED = 'left(search_key, 60)'
/** A consignment may have 10,000 articles; a search finds the first few hundred by their number. */
const MAX_NUMBERS_LENGTH = 10_000

/**
 * What the SQL function `search_key` folds to the first line of a delivery's search key. The last name begins it, for
 * the index, and follows the first name once more, so that a search finds either order.
 */
export function toSearchText({ customer, address }: DeliveryContent, reference: string): string {
  const { firstName, lastName } = customer
  return `${lastName ?? ''}${firstName ?? ''}${lastName ?? ''}|${address.city}|${reference}`
}

type Searched = {
  content?: DeliveryContent
  reference?: string
  consignment_number?: string | null
  articles?: readonly Article[]
}

/**
 * The SQL of the search key after these changes; null if it stays as it is. Its second line is the carrier's numbers,
 * which each booking replaces. `search_key` leaves no line break in either. A delivery from before search keys gets
 * none: `SEARCH_KEY_NOW` makes it when it is read.
 */
export function changedSearchKey(patch: Searched, bind: (value: unknown) => string): string | null {
  const { content, reference, consignment_number: number, articles } = patch
  if (!content && number === undefined) return null
  const given = reference === undefined ? 'reference' : bind(reference)
  const first = content
    ? `search_key(${bind(toSearchText(content, ''))}::text || ${given})`
    : `split_part(search_key, E'\\n', 1)`
  const numbers = [number, ...(articles ?? []).flatMap(({ articleIds }) => articleIds)].join('|')
  const second =
    number === undefined
      ? `split_part(search_key, E'\\n', 2)`
      : `search_key(${bind(numbers.slice(0, MAX_NUMBERS_LENGTH))}::text)`
  return `${first} || E'\\n' || ${second}`
}

const SEARCH_KEY_NOW = `coalesce(search_key, search_key(concat_ws('|',
  concat(content->'customer'->>'lastName', content->'customer'->>'firstName', content->'customer'->>'lastName'),
  content->'address'->>'city', reference, consignment_number, articles::text)))`

/**
 * The ids of the deliveries with this text: as their whole reference or consignment number, at the beginning of their
 * customer's name, or anywhere in the newest ones. If `maxFound` of the newest have it, older ones are not searched by
 * name; if `maxFound` is null, they always are.
 */
export function withText(
  sql: Sql,
  accountId: string,
  text: string,
  { beforeId, maxFound }: { beforeId: string | null; maxFound: number | null },
) {
  const whole = [text, text.toUpperCase()]
  // Of nothing but blanks and apostrophes no key is left, and an empty one would find everything.
  const like = sql<string>`'%' || nullif(regexp_replace(search_key(${text}), '([\\\\%_])', '\\\\\\1', 'g'), '') || '%'`
  const isOlder = sql<boolean>`(${beforeId}::text is null or delivery_id < ${beforeId})`
  return sql<string>`(
    with newest as materialized (
      select delivery_id from (
        select delivery_id, search_key, reference, consignment_number, articles, content from deliveries
        where account_id = ${accountId} and erased_at is null and ${isOlder}
        order by delivery_id desc limit ${MAX_READ}) as read
      where ${sql.raw(SEARCH_KEY_NOW)} like ${like} limit ${maxFound}::int)
    select delivery_id from newest
    union all
    select delivery_id from deliveries where account_id = ${accountId} and reference = any(${whole})
    union all
    select delivery_id from deliveries where account_id = ${accountId} and consignment_number = any(${whole})
    union all
    select named.delivery_id
    from (select search_key(name) collate "C" as key from unnest(${namesIn(text)}::text[]) as name) as wanted
    cross join lateral (
      select delivery_id from deliveries
      where account_id = ${accountId} and search_key is not null and starts_with(search_key, wanted.key)
        and ${sql.raw(INDEXED)} >= left(wanted.key, 60) and ${sql.raw(INDEXED)} < left(wanted.key, 60) || chr(1114111)
        and ${isOlder} limit ${MAX_BY_NAME}) as named
    where char_length(wanted.key) >= ${MIN_NAME_LENGTH}
      and (${maxFound}::int is null or (select count(*) from newest) < ${maxFound}))`
}

/** As the merchant sorts names and as people say them: "nguyen ada" for "ada nguyen". */
function namesIn(text: string): string[] {
  const words = text.trim().split(/\s+/)
  return words.length === 1 ? [text] : [text, [...words.slice(-1), ...words.slice(0, -1)].join(' ')]
}
