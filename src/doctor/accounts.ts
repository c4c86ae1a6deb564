import type { Pool } from 'pg'
import { ADAPTERS } from '../carriers/registry.ts'
import { settingsSentences } from '../carriers/settings-schemas.ts'
import type { Finding } from '../cli/deps.ts'
import type { Config } from '../config.ts'
import type { Account, CarrierAccount } from '../domain/account/account.ts'
import { pathText } from '../domain/account/validation/mistake.ts'
import { labelMistakes } from '../operations/accounts/label-mistakes.ts'
import { channelFaults } from '../operations/carriers/check-carrier.ts'
import { findAccountDocument } from '../operations/directory/account-document.ts'
import { loadAccount } from '../operations/directory/load-account.ts'
import { type AccountHead, listAccountHeads } from '../store/accounts/accounts.ts'
import { listSecretRows } from '../store/accounts/secrets.ts'
import { good, note, wrong } from './finding.ts'

/** Checks every account: whether this code can read its document, and whether its carriers can be called. */
export async function checkAccounts(db: Pool, config: Channels): Promise<Finding[]> {
  const heads = await listAccountHeads(db)
  if (heads.length === 0)
    return [note('accounts', 'There is no account yet.', 'drover account apply my-account.yaml')]
  const found: Finding[] = []
  for (const head of heads) found.push(...(await checkAccount(db, config, head)))
  return found
}

type Channels = Pick<Config, 'smtpUrl' | 'smsUrl'>

async function checkAccount(
  db: Pool,
  config: Channels,
  { accountId, version }: AccountHead,
): Promise<Finding[]> {
  const check = `account ${accountId}`
  let account: Account
  try {
    account = (await loadAccount(db, accountId, version)).account
  } catch (error) {
    const message = `Version ${version} cannot be used: ${error instanceof Error ? error.message : error}`
    return [
      wrong(check, message, `drover account export ${accountId} > a.yaml && drover account validate a.yaml`),
    ]
  }
  const stored = new Set((await listSecretRows(db, accountId)).map(({ name }) => name))
  const wrongs = [
    ...providerFaults(account, stored),
    ...account.carriers.flatMap((carrier) => carrierFaults(account, carrier, stored)),
    ...channelFaults(account, { hasSmtp: config.smtpUrl !== null, hasSms: config.smsUrl !== null }).map(
      ({ message, remedy }) => wrong(check, message, remedy),
    ),
  ]
  const tooLong = await labelNotes(db, { accountId, version })
  const stores = `${account.stores.length} ${account.stores.length === 1 ? 'store' : 'stores'}`
  if (wrongs.length > 0) return [...wrongs, ...tooLong]
  return [
    good(check, `Version ${version}: ${stores}, ${account.carriers.length} carriers, ${account.mode}.`),
    ...tooLong,
  ]
}

/** A document applied before Drover rejected names that are too long for a label is still in use. */
async function labelNotes(
  db: Pool,
  { accountId, version }: Pick<AccountHead, 'accountId' | 'version'>,
): Promise<Finding[]> {
  const mistakes = await labelMistakes(await findAccountDocument(db, accountId, version))
  return mistakes.map(({ path, wrong, remedy }) =>
    note(`account ${accountId}`, `${pathText(path)} ${wrong}.`, `${remedy}, and apply the document`),
  )
}

/** Users of the account cannot log in with its OpenID Connect provider. */
function providerFaults({ id, openIdConnect }: Account, stored: ReadonlySet<string>): Finding[] {
  const secret = openIdConnect?.clientSecret
  if (!secret || stored.has(secret)) return []
  return [
    wrong(
      `account ${id}`,
      `The secret ${secret} of the OpenID Connect client is not stored.`,
      `drover secret set ${secret} --account ${id} < file`,
    ),
  ]
}

function carrierFaults(
  { id, mode }: Account,
  carrier: CarrierAccount,
  stored: ReadonlySet<string>,
): Finding[] {
  const check = `account ${id}`
  const { provider, adapter, credentials } = carrier
  const known = ADAPTERS.get(adapter)
  if (!known) {
    return [
      wrong(
        check,
        `Carrier ${provider} uses the adapter ${adapter}, which does not exist.`,
        `Adapters: ${[...ADAPTERS.keys()].join(', ')}.`,
      ),
    ]
  }
  const { live, usesMail } = known
  const real = live ?? usesMail
  if (mode === 'sandbox' && !real) return []
  const missing = Object.values(credentials).filter((name) => !stored.has(name))
  return [
    ...(real
      ? []
      : [
          wrong(
            check,
            `Carrier ${provider} is simulated: on a live account its services book nothing.`,
            'mode: sandbox',
          ),
        ]),
    ...settingsSentences(adapter, carrier.settings).map((message) =>
      wrong(check, `Carrier ${provider}: ${message}`, `drover carrier check ${provider} --account ${id}`),
    ),
    ...(live?.credentials ?? []).flatMap((name) =>
      Object.hasOwn(credentials, name)
        ? []
        : wrong(
            check,
            `Carrier ${provider}: the account names no credential ${name}.`,
            `Add it to the carrier in the account document: credentials: { ${name}: { secret: … } }`,
          ),
    ),
    ...missing.map((name) =>
      wrong(
        check,
        `Carrier ${provider} signs in with the secret ${name}, which is not stored.`,
        `drover secret set ${name} --account ${id} < file`,
      ),
    ),
  ]
}
