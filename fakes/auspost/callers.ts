import { timingSafeEqual } from 'node:crypto'
import type { FakeAnswer, FakeRequest } from '../fake.ts'
import type { Account } from './accounts.ts'
import { refused } from './error-answers.ts'
import { apiError } from './errors.ts'
import { textOf } from './fields.ts'
import type { State } from './state.ts'

export type Answering = (account: Account, request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>

/** The account is in the header; `GET /accounts/{n}` does without. An expired contract is read-only. */
export function asAccount(
  state: State,
  request: FakeRequest,
  answering: Answering,
): FakeAnswer | Promise<FakeAnswer> {
  const looks = /\/accounts\/(\d+)$/.exec(request.path)?.[1]
  const number = textOf(request.headers['account-number']) ?? looks ?? ''
  const account = state.accounts.get(number)
  const caller = callerOf(state, request.headers)
  if (!account || account.apiKey !== caller) {
    const message = `Customer information for the submitted customer identifier ${number} could not be found. For further assistance please contact your Account Manager or call Australia Post on 13 21 31.`
    return refused(400, apiError('41001', { message }))
  }
  if (account.expired && looks === undefined) return refused(400, apiError('41003'))
  return answering(account, request)
}

/** The API key of a valid pair; null for any other. */
export function callerOf({ accounts }: State, headers: FakeRequest['headers']): string | null {
  const given = Buffer.from(headers.authorization ?? '')
  for (const { apiKey, apiPassword } of accounts.values()) {
    const right = Buffer.from(`Basic ${Buffer.from(`${apiKey}:${apiPassword}`).toString('base64')}`)
    if (given.length === right.length && timingSafeEqual(given, right)) return apiKey
  }
  return null
}
