import { OPENID_SECRET } from '../../../domain/account/openid-secret.ts'
import { Refusal } from '../../../domain/errors.ts'
import { deleteSecret, listSecrets, setSecret } from '../../../operations/accounts/secrets.ts'
import { SECRET_BODY } from '../../contract/body-limit.ts'
import { type Endpoint, openEndpoint, type RequestContext, wholeList } from '../../contract/endpoint.ts'
import { recordTime } from '../deliveries/delivery-wire.ts'
import { SecretBody, SecretsAnswer } from './admin-schema.ts'
import { requireGrant } from './require-grant.ts'

const ALL = '/admin/accounts/:tenant_id/secrets'
const NOT_GRANTED =
  'Ask your implementation partner to change this credential, or to let you set up carriers yourself.'

export const SECRET_ENDPOINTS: readonly Endpoint[] = [
  openEndpoint({
    method: 'GET',
    url: ALL,
    operationId: 'listSecrets',
    access: 'operator',
    alsoAdmin: true,
    tag: 'Accounts',
    summary: 'List the stored carrier credentials',
    answers: {
      200: {
        description:
          'The name of each credential, the time of its last change, and the person or API client that made the change. The secrets are never returned.',
        schema: SecretsAnswer,
      },
    },
    refusals: ['not_found'],
    async handle(ask) {
      const secrets = await listSecrets(ask.deps, knownAccount(ask))
      return wholeList(
        secrets.map(({ name, updatedAtMs, storedBy }) => ({
          name,
          updated_at: recordTime(updatedAtMs),
          stored_by: storedBy ?? undefined,
        })),
      )
    },
  }),
  openEndpoint({
    method: 'PUT',
    url: `${ALL}/:secret_name`,
    operationId: 'setSecret',
    access: 'operator',
    alsoAdmin: true,
    tag: 'Accounts',
    summary: 'Store or replace a carrier credential',
    body: SecretBody,
    bodyLimit: SECRET_BODY,
    example: { secret: 'what the carrier gave' },
    answers: { 204: { description: 'The credential is stored.' } },
    refusals: ['not_found', 'not_granted'],
    async handle(ask) {
      const { deps, params, body, audit } = ask
      if (!(await isForSignIn(ask))) await requireGrant(ask, 'carriers', NOT_GRANTED)
      const named = { name: params.secret_name as string, secret: body.secret }
      await setSecret(deps, knownAccount(ask), named, audit.record)
      return { status: 204, body: '' }
    },
  }),
  openEndpoint({
    method: 'DELETE',
    url: `${ALL}/:secret_name`,
    operationId: 'deleteSecret',
    access: 'operator',
    alsoAdmin: true,
    tag: 'Accounts',
    summary: 'Delete a carrier credential',
    description:
      'Drover cannot book, track or cancel with a carrier that needs the credential until the credential is stored again. The account document still names the credential. To stop a carrier for a while, switch it off instead.',
    answers: { 204: { description: 'The credential is deleted.' } },
    refusals: ['not_found', 'not_granted'],
    async handle(ask) {
      if (!(await isForSignIn(ask))) await requireGrant(ask, 'carriers', NOT_GRANTED)
      await deleteSecret(ask.deps, knownAccount(ask), ask.params.secret_name as string, ask.audit.record)
      return { status: 204, body: '' }
    },
  }),
]

/** With the grant `sign_in`: the secret of the account's OpenID Connect client, unless a carrier uses it too. */
async function isForSignIn({ deps, params }: RequestContext): Promise<boolean> {
  const account = (await deps.accounts.find(params.tenant_id as string))?.account
  const name = params.secret_name as string
  if (!account?.ownerGrants.includes('sign_in')) return false
  if (name !== OPENID_SECRET && name !== account.openIdConnect?.clientSecret) return false
  return !account.carriers.some(({ credentials }) => Object.values(credentials).includes(name))
}

function knownAccount({ deps, params }: RequestContext): string {
  const accountId = params.tenant_id as string
  if (!deps.accounts.head(accountId)) throw new Refusal('not_found', `There is no account ${accountId}.`)
  return accountId
}
