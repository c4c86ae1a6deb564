import { createHash } from 'node:crypto'
import type { AccountHead } from '../../store/accounts/accounts.ts'

/** The first four bytes of a tracking or link token lead to its account, so that a lookup tries no other account. */
export const TAG_BYTES = 4

const tags = new Map<string, Buffer>()

/** The account's tag in a token: the start of a hash of its id, so two accounts may, rarely, share a tag. */
export function accountTag(accountId: string): Buffer {
  const known = tags.get(accountId)
  if (known) return known
  const tag = createHash('sha256').update(accountId).digest().subarray(0, TAG_BYTES)
  tags.set(accountId, tag)
  return tag
}

type Heads = readonly Pick<AccountHead, 'accountId'>[]

const indexes = new WeakMap<Heads, Map<string, string[]>>()

/** The accounts that a token may belong to: usually one, rarely two. Usually none for a text that is not a token. */
export function findTokenAccounts(heads: Heads, token: string): readonly string[] {
  let index = indexes.get(heads)
  if (!index) {
    index = new Map()
    for (const { accountId } of heads) {
      const tag = accountTag(accountId).toString('hex')
      index.set(tag, [...(index.get(tag) ?? []), accountId])
    }
    indexes.set(heads, index)
  }
  return index.get(Buffer.from(token, 'base64url').subarray(0, TAG_BYTES).toString('hex')) ?? []
}
