import { isDeepStrictEqual } from 'node:util'
import { type Issue, Refusal } from '../../domain/errors.ts'
import { refuse } from '../../domain/refuse.ts'
import { webhookUrlMistake } from '../../notify/webhook-url.ts'
import type { Db } from '../../store/db/db.ts'
import { withTransaction } from '../../store/db/pool.ts'
import {
  deleteWebhookEndpoint as deleteRow,
  findWebhookEndpoint,
  insertWebhookEndpoint,
  listWebhookEndpoints as listRows,
  replaceWebhookSecret,
  updateWebhookEndpoint,
  type WebhookEndpoint,
} from '../../store/webhooks/webhook-endpoints.ts'
import { noAudit, type WriteAudit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { type Caller, visibleStoreIds } from '../directory/caller.ts'
import { publishCommitted } from '../events/publish-committed.ts'
import { newWebhookSecret } from './webhook-secret.ts'

export type { WebhookEndpoint } from '../../store/webhooks/webhook-endpoints.ts'

const MAX_ENDPOINTS = 50
/** The old and the new secret both sign for a day after a rotation; wall time. */
const ROTATION_GRACE_MS = 24 * 60 * 60 * 1000
const PAUSED_BY_OWNER = 'A person or an API client paused the endpoint.'

export type WithSecret = { endpoint: WebhookEndpoint; secret: string }

/** Written in the same transaction: the response under its key, and the audit row. */
type Alongside = (db: Db, made: WithSecret) => Promise<void>
const nothingElse: Alongside = async () => {}

/** Creates an endpoint for all events from now on, or for the given types; its secret is shown only once. */
export async function createWebhookEndpoint(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  { url, eventTypes }: { url: string; eventTypes: string[] | null },
  alongside: Alongside = nothingElse,
): Promise<WithSecret> {
  refuseIfAny(webhookUrlIssues(deps, url))
  const accountId = entry.account.id
  const id = deps.newId('whk')
  const { secret, sealed } = newWebhookSecret(deps.sealer, { accountId, endpointId: id })
  const storeIds = visibleStoreIds(entry.account, caller)
  const made = { accountId, id, url, eventTypes, storeIds, secret: sealed, nowMs: entry.nowMs() }
  // Events up to now are not for this endpoint, but they may be for others.
  if ((await publishCommitted(deps, [accountId])) > 0) deps.wake()
  const endpoint = await withTransaction(deps.db, async (db) => {
    const inserted = await insertWebhookEndpoint(db, made, MAX_ENDPOINTS)
    if (inserted) await alongside(db, { endpoint: inserted, secret })
    return inserted
  })
  if (endpoint) return { endpoint, secret }
  throw new Refusal(
    'invalid_request',
    `An account has at most ${MAX_ENDPOINTS} webhook endpoints: delete one that is no longer needed.`,
  )
}

/** Endpoints that the caller may see: a client limited to some stores sees only endpoints with the same limit. */
export async function listWebhookEndpoints(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
): Promise<WebhookEndpoint[]> {
  const endpoints = await listRows(deps.db, entry.account.id)
  return endpoints.filter((endpoint) => inSight(entry, caller, endpoint))
}

export async function getWebhookEndpoint(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  endpointId: string,
): Promise<WebhookEndpoint> {
  const endpoint = await findWebhookEndpoint(deps.db, entry.account.id, endpointId)
  if (endpoint && inSight(entry, caller, endpoint)) return endpoint
  throw noSuchEndpoint(endpointId)
}

export function noSuchEndpoint(endpointId: string): Refusal {
  return new Refusal('not_found', `There is no webhook endpoint ${endpointId}.`)
}

export type WebhookEndpointChange = {
  url?: string
  /** Null: every type. */
  eventTypes?: string[] | null
  active?: boolean
}

/** Changes the given fields that differ. A reactivated endpoint gets its missed events at once. */
export async function changeWebhookEndpoint(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  endpointId: string,
  { url, eventTypes, active }: WebhookEndpointChange,
  record: WriteAudit = noAudit,
): Promise<WebhookEndpoint> {
  const endpoint = await getWebhookEndpoint(deps, entry, caller, endpointId)
  if (url !== undefined) refuseIfAny(webhookUrlIssues(deps, url))
  const patch = {
    ...(url === undefined || url === endpoint.url ? {} : { url }),
    ...(eventTypes === undefined || isDeepStrictEqual(eventTypes, endpoint.eventTypes) ? {} : { eventTypes }),
    ...(active === undefined || active === (endpoint.pausedAtMs === null)
      ? {}
      : { pausedReason: active ? null : PAUSED_BY_OWNER }),
  }
  if (Object.keys(patch).length === 0) {
    await record(deps.db, null)
    return endpoint
  }
  const accountId = entry.account.id
  const changed = await withTransaction(deps.db, async (db) => {
    const after = await updateWebhookEndpoint(db, accountId, endpointId, patch, entry.nowMs())
    if (!after) throw noSuchEndpoint(endpointId)
    await record(db, { accountId, object: endpointId })
    return after
  })
  deps.wake()
  return changed
}

/** Deletes an endpoint: it gets no more events, and its history is deleted too. */
export async function deleteWebhookEndpoint(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  endpointId: string,
  record: WriteAudit = noAudit,
): Promise<void> {
  await getWebhookEndpoint(deps, entry, caller, endpointId)
  const accountId = entry.account.id
  await withTransaction(deps.db, async (db) => {
    await deleteRow(db, accountId, endpointId)
    await record(db, { accountId, object: endpointId })
  })
}

/** Creates a new secret, shown only once. The old one signs as well for 24 hours. */
export async function rotateWebhookSecret(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  endpointId: string,
  alongside: Alongside = nothingElse,
): Promise<WithSecret> {
  const endpoint = await getWebhookEndpoint(deps, entry, caller, endpointId)
  const accountId = entry.account.id
  const { secret, sealed } = newWebhookSecret(deps.sealer, { accountId, endpointId })
  const times = { nowMs: entry.nowMs(), graceMs: ROTATION_GRACE_MS }
  await withTransaction(deps.db, async (db) => {
    await replaceWebhookSecret(db, accountId, endpointId, sealed, times)
    await alongside(db, { endpoint, secret })
  })
  return { endpoint, secret }
}

function inSight({ account }: AccountEntry, caller: Caller, { storeIds }: WebhookEndpoint): boolean {
  const visible = visibleStoreIds(account, caller)
  return visible === null || (storeIds?.every((id) => visible.includes(id)) ?? false)
}

/** The issues of a webhook URL. */
export function webhookUrlIssues(deps: Pick<Deps, 'allowPrivateWebhooks'>, url: string): Issue[] {
  const message = webhookUrlMistake(url, { allowPrivate: deps.allowPrivateWebhooks })
  return message === null ? [] : [{ field: 'url', issue: 'invalid_value', message }]
}

function refuseIfAny(issues: readonly Issue[]): void {
  if (issues.length > 0) refuse(issues)
}
