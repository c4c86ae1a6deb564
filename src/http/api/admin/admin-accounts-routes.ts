import { parseTimestamp, toInstantMs } from '../../../domain/calendar/timestamp.ts'
import { Refusal } from '../../../domain/errors.ts'
import { refuse } from '../../../domain/refuse.ts'
import { getAccountClock, setAccountClock } from '../../../operations/accounts/account-clock.ts'
import { getAccountVersion, listAccountVersions } from '../../../operations/accounts/account-versions.ts'
import { accountIssues, applyAccount, exportAccountText } from '../../../operations/accounts/apply-account.ts'
import { listAccounts } from '../../../operations/accounts/list-accounts.ts'
import { findFirstLabel } from '../../../operations/paperwork/first-label.ts'
import { ACCOUNT_BODY } from '../../contract/body-limit.ts'
import { type Endpoint, json, openEndpoint, type RequestContext, wholeList } from '../../contract/endpoint.ts'
import { recordTime } from '../deliveries/delivery-wire.ts'
import {
  AccountDocumentBody,
  AccountsAnswer,
  ApplyAnswer,
  ApplyQuery,
  ClockAnswer,
  ClockBody,
  FirstLabelAnswer,
  VersionsAnswer,
} from './admin-schema.ts'

const ONE = '/admin/accounts/:tenant_id'

export const ACCOUNT_ENDPOINTS: readonly Endpoint[] = [
  openEndpoint({
    method: 'GET',
    url: '/admin/accounts',
    operationId: 'listAccounts',
    access: 'operator',
    tag: 'Accounts',
    summary: 'List accounts',
    answers: { 200: { description: 'All accounts of the installation.', schema: AccountsAnswer } },
    refusals: [],
    async handle({ deps }) {
      const data = (await listAccounts(deps)).map(({ accountId, name, mode, version, stores, nowMs }) => ({
        tenant_id: accountId,
        name,
        mode,
        version,
        stores,
        now: recordTime(nowMs),
      }))
      return wholeList(data)
    },
  }),
  openEndpoint({
    method: 'GET',
    url: ONE,
    operationId: 'getAccount',
    access: 'operator',
    alsoAdmin: true,
    tag: 'Accounts',
    summary: 'Get the current account document',
    answers: {
      200: {
        description: 'The document, in the form that PUT accepts. `ETag` has its version.',
        schema: AccountDocumentBody,
      },
    },
    refusals: ['not_found'],
    async handle({ deps, params }) {
      const exported = await exportAccountText(deps, getTenant(params))
      return { ...json(200, null, { etag: `"${exported.version}"` }), body: exported.json }
    },
  }),
  openEndpoint({
    method: 'PUT',
    url: ONE,
    operationId: 'applyAccount',
    access: 'operator',
    alsoAdmin: true,
    tag: 'Accounts',
    summary: 'Apply an account document, completely or not at all',
    description:
      'A logged-in merchant admin may change the merchant’s own settings, and the settings that the partner has granted (`owner_grants`).',
    query: ApplyQuery,
    body: AccountDocumentBody,
    bodyLimit: ACCOUNT_BODY,
    moreIssues: ({ body }) => accountIssues(body),
    exampleCall: { query: 'dry_run=true', bodyFile: '$ACCOUNT_FILE' },
    answers: {
      200: {
        description: 'The changes that Drover made. With `dry_run`: the changes that it would make.',
        schema: ApplyAnswer,
      },
    },
    refusals: ['version_conflict', 'not_granted'],
    async handle({ deps, params, body, query, request, audit }) {
      const tenantId = getTenant(params)
      if (body.tenant_id !== tenantId) {
        const message = `The document’s tenant_id is ${body.tenant_id}, but the URL says ${tenantId}. Use the same id in both.`
        const others = (await accountIssues(body)).filter(({ field }) => field !== 'tenant_id')
        refuse([{ field: 'tenant_id', issue: 'conflict', message }, ...others])
      }
      const dryRun = query.dry_run ?? false
      const applied = await applyAccount(deps, body, {
        by: request.person?.email ?? `operator ${request.ip}`,
        dryRun,
        expectVersion: query.expect_version ?? null,
        record: audit.record,
        byOwner: request.person?.role === 'merchant_admin',
      })
      if (dryRun || !applied.changed) audit.nothing()
      const { version, changed, plan, warnings } = applied
      return json(200, { data: { version, changed, dry_run: dryRun, warnings, plan } })
    },
  }),
  openEndpoint({
    method: 'GET',
    url: `${ONE}/first-label`,
    operationId: 'getFirstLabel',
    access: 'operator',
    alsoAdmin: true,
    tag: 'Accounts',
    summary: 'Get the time at which the first label was fetched',
    description:
      'The portal’s *Getting started* page uses this time to show whether anybody has fetched a label.',
    answers: {
      200: {
        description: 'The time. `fetched_at` is absent if no label has been fetched yet.',
        schema: FirstLabelAnswer,
      },
    },
    refusals: ['not_found'],
    async handle({ deps, params }) {
      const accountId = getTenant(params)
      if (!deps.accounts.head(accountId)) throw new Refusal('not_found', `There is no account ${accountId}.`)
      const atMs = await findFirstLabel(deps, accountId)
      return json(200, { data: { fetched_at: atMs === null ? undefined : recordTime(atMs) } })
    },
  }),
  openEndpoint({
    method: 'GET',
    url: `${ONE}/versions`,
    operationId: 'listAccountVersions',
    access: 'operator',
    alsoAdmin: true,
    tag: 'Accounts',
    summary: 'List the versions of the account document, newest first',
    answers: {
      200: {
        description: 'Each version, with the person who applied it and the time of the change.',
        schema: VersionsAnswer,
      },
    },
    refusals: ['not_found'],
    async handle({ deps, params }) {
      const versions = await listAccountVersions(deps, getTenant(params))
      const data = versions.map(({ version, appliedAtMs, appliedBy }) => ({
        version,
        applied_at: recordTime(appliedAtMs),
        applied_by: appliedBy,
      }))
      return wholeList(data)
    },
  }),
  openEndpoint({
    method: 'GET',
    url: `${ONE}/versions/:version`,
    operationId: 'getAccountVersion',
    access: 'operator',
    alsoAdmin: true,
    tag: 'Accounts',
    summary: 'Get an earlier version of the account document',
    answers: { 200: { description: 'The document as it was applied.', schema: AccountDocumentBody } },
    refusals: ['not_found'],
    async handle({ deps, params }) {
      const body = await getAccountVersion(deps, getTenant(params), params.version as string)
      return { ...json(200, null), body }
    },
  }),
  openEndpoint({
    method: 'GET',
    url: `${ONE}/clock`,
    operationId: 'getAccountClock',
    access: 'operator',
    tag: 'Accounts',
    summary: 'Get the clock of a sandbox account',
    description: 'Without a test clock, `offset_ms` is 0.',
    answers: { 200: { description: 'The account’s time.', schema: ClockAnswer } },
    refusals: ['not_found', 'capability_disabled'],
    handle({ deps, params }) {
      const { nowMs, clockOffsetMs } = getAccountClock(deps, getTenant(params))
      return json(200, { data: { now: recordTime(nowMs), offset_ms: clockOffsetMs } })
    },
  }),
  openEndpoint({
    method: 'PUT',
    url: `${ONE}/clock`,
    operationId: 'setAccountClock',
    access: 'operator',
    tag: 'Accounts',
    summary: 'Set the test clock of a sandbox account',
    description:
      'The clock continues from `now` at normal speed and survives restarts. You can set the clock again at any time.',
    body: ClockBody,
    example: { now: null },
    answers: { 200: { description: 'The account’s time after the change.', schema: ClockAnswer } },
    refusals: ['not_found', 'capability_disabled'],
    async handle(ask) {
      const { nowMs, clockOffsetMs } = await setAccountClock(
        ask.deps,
        getTenant(ask.params),
        await parseClockMs(ask),
        ask.audit.record,
      )
      return json(200, { data: { now: recordTime(nowMs), offset_ms: clockOffsetMs } })
    },
  }),
]

function getTenant(params: Readonly<Record<string, string>>): string {
  return params.tenant_id as string
}

/** A time without an offset is the account's local time. */
async function parseClockMs({
  deps,
  params,
  body,
}: RequestContext<{ now: string | null }>): Promise<number | null> {
  if (body.now === null) return null
  const timestamp = parseTimestamp(body.now)
  const entry = await deps.accounts.find(getTenant(params))
  if (!timestamp || !entry) throw new Refusal('not_found', `There is no account ${getTenant(params)}.`)
  return toInstantMs(timestamp, entry.account.zone)
}
