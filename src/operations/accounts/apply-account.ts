import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { SETTINGS_SCHEMAS } from '../../carriers/settings-schemas.ts'
import { isSameInSteps } from '../../domain/account/differences.ts'
import type { AccountDocument, AccountDocumentInput } from '../../domain/account/document/document.ts'
import { findNewlyNamedSecret, findSecretsToDelete } from '../../domain/account/openid-secret.ts'
import { listForbiddenChanges, OTHER_SECRET } from '../../domain/account/owner-access.ts'
import { type PlanLine, planInSteps } from '../../domain/account/plan.ts'
import { compileAccountInSteps } from '../../domain/account/snapshot/compile.ts'
import { type AccountWarning, accountWarnings } from '../../domain/account/validation/account-warnings.ts'
import { type AccountMistake, pathText, toIssue } from '../../domain/account/validation/mistake.ts'
import { readAccountInSteps } from '../../domain/account/validation/validate.ts'
import { type Issue, MAX_ISSUES, Refusal } from '../../domain/errors.ts'
import {
  type AccountHead,
  announceAccount,
  findAccountHead,
  findAccountText,
  insertAccountVersion,
  insertBrands,
  listAccountIds,
  lockAccount,
  replaceStores,
} from '../../store/accounts/accounts.ts'
import { deleteSecretRows, isStoredByOthers } from '../../store/accounts/secrets.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { shiftPauses } from '../../store/housekeeping/clock-set-back.ts'
import { seedStaffCouriers } from '../../store/own-couriers/staff-couriers.ts'
import { noAudit, type WriteAudit } from '../audit/audit.ts'
import { inTurns } from '../concurrency/in-turns.ts'
import type { Deps } from '../deps.ts'
import type { AccountDirectory } from '../directory/account-directory.ts'
import { findAccountDocument } from '../directory/account-document.ts'
import { labelMistakes } from './label-mistakes.ts'
import { logoMistakes } from './logos.ts'
import { listSizeMistakes, toJsonInSteps } from './size-mistakes.ts'

export type ApplyDeps = Pick<Deps, 'db' | 'newId'> & {
  /** Refreshed with the new version before `applyAccount` returns. */
  accounts?: Pick<AccountDirectory, 'refresh'>
}

export type Applied = {
  /** The version in use afterwards; with `dryRun`, the version that would be. */
  version: number
  /** False if the document equals the one in use: the version stays. */
  changed: boolean
  plan: PlanLine[]
  /** What is accepted and is probably not meant. */
  warnings: AccountWarning[]
}

/** Ids for the stores of a large chain may take longer than the usual statement timeout. */
const STATEMENT_MS = 120_000

/**
 * Applies a document, whole or not at all: one transaction, the old version kept, ids of stores and brands assigned
 * once. Concurrent applications to one account wait for each other; its deliveries do not wait. Throws a Refusal
 * `invalid_request` with every issue, `version_conflict` if `expectVersion` is no longer in use, or `not_granted`.
 */
export async function applyAccount(
  deps: ApplyDeps,
  given: unknown,
  {
    by,
    dryRun = false,
    expectVersion = null,
    record = noAudit,
    byOwner = false,
  }: {
    by: string
    dryRun?: boolean
    expectVersion?: number | null
    record?: WriteAudit
    /** An admin of the merchant makes the change: only what `owner-access.ts` lets them change is accepted. */
    byOwner?: boolean
  },
): Promise<Applied> {
  const { document, json } = await requireGood(given)
  const written = given as AccountDocumentInput
  const work = async (db: PoolClient) => {
    await lockAccount(db, document.tenant_id)
    const head = await findAccountHead(db, document.tenant_id)
    if (expectVersion !== null && expectVersion !== (head?.version ?? 0)) {
      throw new Refusal('version_conflict', `Version ${head?.version ?? 0} is in use, not ${expectVersion}.`)
    }
    const before =
      head && ((await findAccountDocument(db, document.tenant_id, head.version)) as AccountDocumentInput)
    if (byOwner) await requireGranted(db, before, written)
    const warnings = accountWarnings(document)
    await nextTurn()
    const isUnchanged = head !== null && (await inTurns(isSameInSteps(before, written)))
    if (isUnchanged) return { version: head.version, changed: false, plan: [], warnings }

    const version = (head?.version ?? 0) + 1
    if (!dryRun) {
      await keepPauses(db, head, document)
      await store(deps, db, { document, json, version, by })
      const named = byOwner && before ? findSecretsToDelete(before, written) : []
      const deleted = await deleteSecretRows(db, document.tenant_id, named)
      await record(db, {
        accountId: document.tenant_id,
        object: document.tenant_id,
        before: head && { version: head.version },
        after: { version, ...(deleted.length > 0 && { deleted_secret: deleted.join(', ') }) },
      })
    }
    return { version, changed: true, plan: await inTurns(planInSteps(before, written)), warnings }
  }
  const applied = await withTransaction(deps.db, work, { statementMs: STATEMENT_MS })
  if (applied.changed && !dryRun) await deps.accounts?.refresh()
  return applied
}

async function requireGranted(
  db: PoolClient,
  before: AccountDocumentInput | null,
  written: AccountDocumentInput,
): Promise<void> {
  if (before === null) throw new Refusal('insufficient_scope', 'Only operators can create accounts.')
  const issues = listForbiddenChanges(before, written)
  const secret = findNewlyNamedSecret(before, written)
  if (secret !== null && (await isStoredByOthers(db, written.tenant_id, secret))) issues.push(OTHER_SECRET)
  if (issues.length === 0) return
  throw new Refusal(
    'not_granted',
    'Some of these settings can only be changed by your implementation partner.',
    {
      issues: issues.slice(0, MAX_MISTAKES),
    },
  )
}

/** Going live removes the test clock, and the times of waiting retries are shifted back with it. */
async function keepPauses(
  db: PoolClient,
  head: AccountHead | null,
  document: AccountDocument,
): Promise<void> {
  if (!head || document.mode !== 'live' || head.clockOffsetMs <= 0) return
  await shiftPauses(db, head.accountId, head.clockOffsetMs)
}

/** The document in use, exactly as it was applied. Throws a Refusal `not_found`. */
export async function exportAccount(
  { db }: { db: Pool },
  accountId: string,
): Promise<{ version: number; document: AccountDocumentInput }> {
  const head = await findAccountHead(db, accountId)
  if (!head) throw new Refusal('not_found', `There is no account ${accountId}.`)
  const document = await findAccountDocument(db, accountId, head.version)
  return { version: head.version, document: document as AccountDocumentInput }
}

/** The same as JSON text. */
export async function exportAccountText(
  { db }: { db: Pool },
  accountId: string,
): Promise<{ version: number; json: string }> {
  const head = await findAccountHead(db, accountId)
  const json = head && (await findAccountText(db, accountId, head.version))
  if (!head || json === null) throw new Refusal('not_found', `There is no account ${accountId}.`)
  return { version: head.version, json }
}

/** Every issue for which `applyAccount` would reject the document. */
export async function listAccountMistakes(given: unknown): Promise<AccountMistake[]> {
  return (await readGiven(given)).mistakes
}

/** The same as issues of an API response, at most `MAX_MISTAKES`. Other requests have their turn in between. */
export async function accountIssues(given: unknown): Promise<Issue[]> {
  return toIssues((await readGiven(given)).mistakes)
}

/** Half a million wrong values would be 100 MB of issues. */
const MAX_MISTAKES = 10 * MAX_ISSUES

function toIssues(mistakes: readonly AccountMistake[]): Issue[] {
  return mistakes.slice(0, MAX_MISTAKES).map(toIssue)
}

async function requireGood(given: unknown): Promise<{ document: AccountDocument; json: Buffer }> {
  const { document, json, mistakes } = await readGiven(given)
  if (document && json && mistakes.length === 0) return { document, json }
  const count = mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`
  throw new Refusal('invalid_request', `The account document has ${count}.`, {
    issues: toIssues(mistakes),
  })
}

/**
 * The document as it is read, and its JSON; or its mistakes: those of its size alone, or all others at once. Other
 * requests have their turn in between.
 */
async function readGiven(
  given: unknown,
): Promise<{ document: AccountDocument | null; json: Buffer | null; mistakes: AccountMistake[] }> {
  const written = await inTurns(toJsonInSteps(given))
  const tooLarge = listSizeMistakes(written)
  const json = written?.json ?? null
  if (tooLarge.length > 0) return { document: null, json, mistakes: tooLarge }
  const { document, mistakes } = await inTurns(readAccountInSteps(given, { adapters: SETTINGS_SCHEMAS }))
  const reported = new Set(mistakes.map(({ path }) => pathText(path)))
  const printed = [...(await labelMistakes(given)), ...(await logoMistakes(given))]
  const ofTexts = printed.filter(({ path }) => !reported.has(pathText(path)))
  return { document, json, mistakes: [...mistakes, ...ofTexts] }
}

async function store(
  deps: ApplyDeps,
  db: PoolClient,
  { document, json, version, by }: { document: AccountDocument; json: Buffer; version: number; by: string },
): Promise<void> {
  const accountId = document.tenant_id
  await insertAccountVersion(db, {
    accountId,
    version,
    mode: document.mode,
    document: json.toString('utf8'),
    appliedBy: by,
  })
  const known = await listAccountIds(db, accountId)
  const brands = newOnes(document.brands, known.brandIds, () => deps.newId('brd'))
  const stores = newOnes(document.stores, known.storeIds, () => deps.newId('sto'))
  await insertBrands(db, accountId, brands)
  await replaceStores(db, accountId, {
    added: stores,
    references: document.stores.map(({ reference }) => reference),
  })
  // A document that does not compile must not be in use: the exception rolls the transaction back.
  const ids = { version, ...(await listAccountIds(db, accountId)) }
  const account = await inTurns(compileAccountInSteps(document, ids))
  const couriers = account.stores.flatMap(({ id, staffCouriers }) =>
    staffCouriers.map((courier) => ({ ...courier, courierId: deps.newId('cou'), storeId: id })),
  )
  await seedStaffCouriers(db, accountId, couriers)
  await announceAccount(db, accountId)
}

function newOnes(
  entries: readonly { reference: string }[],
  known: ReadonlyMap<string, string>,
  newId: () => string,
): { id: string; reference: string }[] {
  return entries
    .filter(({ reference }) => !known.has(reference))
    .map(({ reference }) => ({ id: newId(), reference }))
}
