import { changeUser } from '../../../operations/people/change-user.ts'
import { unlinkOpenIdOfUser } from '../../../operations/people/openid-links.ts'
import { resetSecondFactor } from '../../../operations/people/second-factor.ts'
import { rawAccessIssues } from '../../../operations/people/user-access.ts'
import {
  getUser,
  type Invited,
  inviteAgain,
  inviteUser,
  listUsers,
  resetPassword,
} from '../../../operations/people/users.ts'
import { confirmPerson, requirePersonOrOperator } from '../../admission/confirm-person.ts'
import { REFERENCES_BODY } from '../../contract/body-limit.ts'
import {
  type Endpoint,
  json,
  type TenantRequest,
  tenantEndpoint,
  wholeList,
} from '../../contract/endpoint.ts'
import { answerOnceEncrypted } from '../../idempotency/idempotency.ts'
import { EmptyBody } from '../deliveries/lists-schema.ts'
import {
  InvitedAnswer,
  OwnCredentialsBody,
  UserAnswer,
  UserBody,
  UserPatchBody,
  UsersAnswer,
} from './people-schema.ts'
import { fromInvited, fromUser } from './user-wire.ts'

const ALL = '/:tenant_id/users'
const ONE = `${ALL}/:user_id`
const shared = { access: 'account', tag: 'People' } as const

/** Who may change access, and what a person may get when they type their password and code again. */
const CONFIRMING = [
  'person_required',
  'invalid_credentials',
  'second_factor_required',
  'invalid_second_factor',
  'rate_limited',
] as const

export const USER_ENDPOINTS: readonly Endpoint[] = [
  tenantEndpoint({
    ...shared,
    method: 'GET',
    url: ALL,
    operationId: 'listUsers',
    summary: 'List the users of the account',
    answers: { 200: { description: 'All users, oldest first.', schema: UsersAnswer } },
    refusals: [],
    async handle({ deps, entry }) {
      return wholeList((await listUsers(deps, entry.account.id)).map((user) => fromUser(entry, user)))
    },
  }),
  tenantEndpoint({
    ...shared,
    method: 'POST',
    url: ALL,
    operationId: 'inviteUser',
    summary: 'Invite a user',
    description:
      'Sends an email with a link, with which the user sets their name and password. A logged-in person who invites an admin also sends their own password, and their code if they have a second factor.',
    body: UserBody,
    bodyLimit: REFERENCES_BODY,
    moreIssues: ({ entry, body }) => rawAccessIssues(entry.account, body, { isNew: true }),
    example: { email: '$RUN@example.com', role: 'store_clerk', store_references: ['fitzroy'] },
    answers: { 201: { description: 'The invited user.', schema: InvitedAnswer } },
    refusals: ['duplicate_user', ...CONFIRMING],
    idempotency: 'own',
    handle(ask) {
      const { deps, entry, body, audit } = ask
      requirePersonOrOperator(ask)
      return answerOnceEncrypted(ask, async (keep) => {
        if (body.role !== 'store_clerk') await confirmPerson(ask, body)
        const newUser = { email: body.email, role: body.role, storeReferences: body.store_references ?? null }
        const toResponse = (invited: Invited) => json(201, { data: fromInvited(entry, invited) })
        const invited = await inviteUser(deps, entry.account.id, newUser, audit.record, (db, invited) =>
          keep(db, toResponse(invited)),
        )
        deps.wake()
        return toResponse(invited)
      })
    },
  }),
  tenantEndpoint({
    ...shared,
    method: 'PATCH',
    url: ONE,
    operationId: 'changeUser',
    summary: 'Change or disable a user',
    description:
      'The change takes effect with the user’s next request, in every process. The API clients of a user who is disabled or becomes a clerk end. A logged-in person who makes somebody an admin, or enables one, also sends their own password, and their code if they have a second factor.',
    body: UserPatchBody,
    bodyLimit: REFERENCES_BODY,
    moreIssues: ({ entry, body }) => rawAccessIssues(entry.account, body, { isNew: false }),
    example: { name: 'Cleo Clerk' },
    answers: { 200: { description: 'The user after the change.', schema: UserAnswer } },
    refusals: ['own_access_change', ...CONFIRMING],
    async handle(ask) {
      const { deps, entry, caller, params, body, audit } = ask
      requirePersonOrOperator(ask)
      const { store_references: storeReferences, name, role, disabled } = body
      const change = {
        ...(name === undefined ? {} : { name }),
        ...(role === undefined ? {} : { role }),
        ...(storeReferences === undefined ? {} : { storeReferences }),
        ...(disabled === undefined ? {} : { disabled }),
      }
      const by = caller.clientId
      if (await givesAdminAccess(ask)) await confirmPerson(ask, body)
      const user = await changeUser(
        deps,
        entry.account.id,
        params.user_id as string,
        { change, by },
        audit.record,
      )
      return json(200, { data: fromUser(entry, user) })
    },
  }),
  tenantEndpoint({
    ...shared,
    method: 'POST',
    url: `${ONE}/invite`,
    operationId: 'inviteUserAgain',
    summary: 'Send a new invitation',
    description:
      'The previous invitation link stops working. For the invitation of an admin, a logged-in person also sends their own password, and their code if they have a second factor.',
    body: OwnCredentialsBody,
    bodyOptional: true,
    exampleCall: { path: { user_id: '$INVITED_USER_ID' } },
    answers: { 200: { description: 'The user, with the new invitation link.', schema: InvitedAnswer } },
    refusals: ['user_active', ...CONFIRMING],
    idempotency: 'own',
    handle(ask) {
      const { deps, entry, params, body, audit } = ask
      requirePersonOrOperator(ask)
      return answerOnceEncrypted(ask, async (keep) => {
        const toResponse = (invited: Invited) => json(200, { data: fromInvited(entry, invited) })
        const userId = params.user_id as string
        const { role } = await getUser(deps, entry.account.id, userId)
        if (role !== 'store_clerk') await confirmPerson(ask, body)
        const invited = await inviteAgain(deps, entry.account.id, userId, audit.record, (db, invited) =>
          keep(db, toResponse(invited)),
        )
        deps.wake()
        return toResponse(invited)
      })
    },
  }),
  tenantEndpoint({
    ...shared,
    method: 'POST',
    url: `${ONE}/reset-password`,
    operationId: 'resetUserPassword',
    summary: 'Send a user a password reset link',
    description:
      'Only the user receives the link. Their current password stays valid until they use the link.',
    body: EmptyBody,
    bodyOptional: true,
    answers: { 202: { description: 'The user. The email is queued for sending.', schema: UserAnswer } },
    refusals: ['user_not_active', 'person_required'],
    async handle(ask) {
      const { deps, entry, params, audit } = ask
      requirePersonOrOperator(ask)
      const { user } = await resetPassword(deps, entry.account.id, params.user_id as string, audit.record)
      deps.wake()
      return json(202, { data: fromUser(entry, user) })
    },
  }),
  tenantEndpoint({
    ...shared,
    method: 'POST',
    url: `${ONE}/reset-second-factor`,
    operationId: 'resetUserSecondFactor',
    summary: 'Reset a user’s second factor',
    description:
      'Removes the second factor of a user who has lost it. Their sessions end, and they log in with the password alone until they set up another second factor. Users cannot reset their own. A logged-in person also sends their own password, and their code if they have a second factor.',
    body: OwnCredentialsBody,
    bodyOptional: true,
    answers: { 200: { description: 'The user after the change.', schema: UserAnswer } },
    refusals: ['own_access_change', ...CONFIRMING],
    async handle(ask) {
      const { deps, entry, caller, params, body, audit } = ask
      requirePersonOrOperator(ask)
      if (params.user_id !== caller.clientId) {
        await getUser(deps, entry.account.id, params.user_id as string)
        await confirmPerson(ask, body)
      }
      const key = { accountId: entry.account.id, userId: params.user_id as string }
      const user = await resetSecondFactor(deps, key, caller.clientId, audit.record)
      return json(200, { data: fromUser(entry, user) })
    },
  }),
  tenantEndpoint({
    ...shared,
    method: 'POST',
    url: `${ONE}/unlink-openid`,
    operationId: 'unlinkUserOpenId',
    summary: 'Unlink a user’s identity at the OpenID Connect provider',
    description:
      'Their sessions end, and they log in with their password until they link an identity again. Users unlink their own with POST /session/openid/unlink. A logged-in person also sends their own password, and their code if they have a second factor.',
    body: OwnCredentialsBody,
    bodyOptional: true,
    answers: { 200: { description: 'The user after the change.', schema: UserAnswer } },
    refusals: ['own_access_change', ...CONFIRMING],
    async handle(ask) {
      const { deps, entry, caller, params, body, audit } = ask
      requirePersonOrOperator(ask)
      const key = { accountId: entry.account.id, userId: params.user_id as string }
      if (key.userId !== caller.clientId) {
        await getUser(deps, key.accountId, key.userId)
        await confirmPerson(ask, body)
      }
      const user = await unlinkOpenIdOfUser(deps, key, caller.clientId, audit.record)
      return json(200, { data: fromUser(entry, user) })
    },
  }),
]

/** Whether the change makes a user an admin, or enables an admin again. */
async function givesAdminAccess({
  deps,
  entry,
  params,
  body,
}: Pick<
  TenantRequest<{ role?: string | undefined; disabled?: boolean | undefined }>,
  'deps' | 'entry' | 'params' | 'body'
>): Promise<boolean> {
  if (body.role !== undefined) return body.role !== 'store_clerk'
  if (body.disabled !== false) return false
  const { role, status } = await getUser(deps, entry.account.id, params.user_id as string)
  return role !== 'store_clerk' && status === 'disabled'
}
