import { type Issue, Refusal } from '../../domain/errors.ts'
import { withTransaction } from '../../store/db/pool.ts'
import {
  type Assistant,
  deleteAssistant,
  findAssistant,
  insertAssistant,
  listAssistants,
  updateAssistant,
} from '../../store/people/assistants.ts'
import type { WriteAudit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import { refuseMistakes } from '../people/user-access.ts'
import { findRedirectUrlMistake } from './redirect-url.ts'

export const MAX_ASSISTANTS = 50

/** What an admin enters for an assistant. */
export type AssistantForm = Pick<Assistant, 'name' | 'redirectUrls'>

export type RegisteredAssistant = Assistant

/** Oldest first. */
export async function listAssistantsOfAccount(
  deps: Pick<Deps, 'db'>,
  accountId: string,
): Promise<Assistant[]> {
  return listAssistants(deps.db, accountId)
}

/** Registers an assistant. Refuses `invalid_request` for a redirect URL that breaks a rule, and for the 51st. */
export async function createAssistant(
  deps: Pick<Deps, 'db' | 'newId'>,
  accountId: string,
  { name, redirectUrls }: AssistantForm,
  record: WriteAudit,
): Promise<Assistant> {
  refuseMistakes(listRedirectUrlIssues(redirectUrls))
  const asked = { accountId, assistantId: deps.newId('ast'), name, redirectUrls: [...new Set(redirectUrls)] }
  return withTransaction(deps.db, async (db) => {
    const made = await insertAssistant(db, asked, MAX_ASSISTANTS)
    if (!made) throw new Refusal('invalid_request', TOO_MANY.message, { issues: [TOO_MANY] })
    await record(db, { accountId, object: made.assistantId, after: toForm(made) })
    return made
  })
}

/** Refuses `not_found` and `invalid_request`. A code that was issued for an earlier redirect URL stays bound to it. */
export async function changeAssistant(
  deps: Pick<Deps, 'db'>,
  { accountId, assistantId }: Pick<Assistant, 'accountId' | 'assistantId'>,
  change: Partial<AssistantForm>,
  record: WriteAudit,
): Promise<Assistant> {
  refuseMistakes(listRedirectUrlIssues(change.redirectUrls))
  return withTransaction(deps.db, async (db) => {
    const before = await findAssistant(db, accountId, assistantId)
    if (!before) throw noAssistant()
    const changed = await updateAssistant(db, {
      ...before,
      name: change.name ?? before.name,
      redirectUrls: change.redirectUrls ? [...new Set(change.redirectUrls)] : before.redirectUrls,
    })
    if (!changed) throw noAssistant()
    await record(db, { accountId, object: assistantId, before: toForm(before), after: toForm(changed) })
    return changed
  })
}

/** Removes an assistant, and ends its access to the account at once. Refuses `not_found`. */
export async function removeAssistant(
  deps: Pick<Deps, 'db'>,
  { accountId, assistantId }: Pick<Assistant, 'accountId' | 'assistantId'>,
  record: WriteAudit,
): Promise<void> {
  await withTransaction(deps.db, async (db) => {
    if (!(await deleteAssistant(db, accountId, assistantId))) throw noAssistant()
    await record(db, { accountId, object: assistantId })
  })
}

/** The issues of redirect URLs, in a body of any shape. */
export function listRedirectUrlIssues(redirectUrls: unknown): Issue[] {
  if (!Array.isArray(redirectUrls)) return []
  return redirectUrls.flatMap((text, index): Issue[] => {
    const message = typeof text === 'string' ? findRedirectUrlMistake(text) : null
    return message === null ? [] : [{ field: `redirect_urls[${index}]`, issue: 'invalid_value', message }]
  })
}

function toForm({ name, redirectUrls }: Assistant): object {
  return { name, redirect_urls: redirectUrls }
}

function noAssistant(): Refusal {
  return new Refusal('not_found', 'There is no such assistant in this account.')
}

const TOO_MANY: Issue = {
  field: 'name',
  issue: 'too_many',
  message: `An account can have at most ${MAX_ASSISTANTS} assistants. Remove one that nobody uses.`,
}
