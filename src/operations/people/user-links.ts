import type { Pool } from 'pg'
import { type Issue, Refusal } from '../../domain/errors.ts'
import { emailKey, INSTALLATION, type User } from '../../domain/people/user.ts'
import {
  formatUserLinkMessage,
  LINK_LIFE_MS,
  type LinkPurpose,
} from '../../domain/people/user-link-message.ts'
import { refuse } from '../../domain/refuse.ts'
import type { Db } from '../../store/db/db.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { queueMessages } from '../../store/messages/messages.ts'
import { findUserLink, replaceUserLink, takeUserLink } from '../../store/people/user-links.ts'
import { findUser, listUsersByEmail, updatePassword } from '../../store/people/users.ts'
import type { WriteAudit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import { accountOfToken, userLinkAddress, userLinkToken, userTokenHash } from '../tokens/user-token.ts'
import { countOrRefuse } from './log-in.ts'
import { toAttemptKey } from './login-attempt-keys.ts'
import { hashPassword, passwordIssues } from './password.ts'

export type LinkDeps = Pick<Deps, 'accounts' | 'newId' | 'secretKey' | 'publicUrl'> & { db: Pool }

/**
 * Capability URL: creates the link at which a user sets a password, and queues the email with it, in the transaction
 * of its cause. Operators belong to no account and so have no outbox: their link is only returned.
 */
export async function sendUserLink(
  deps: LinkDeps,
  db: Db,
  { accountId, userId, email }: Pick<User, 'accountId' | 'userId' | 'email'>,
  purpose: LinkPurpose,
): Promise<string> {
  const ulid = deps.newId('evt').slice('evt_'.length)
  const linkId = `msg_${ulid}_email`
  const lifeMs = LINK_LIFE_MS[purpose]
  const tokenHash = userTokenHash(userLinkToken(deps.secretKey, accountId, linkId))
  await replaceUserLink(db, { accountId, linkId, userId, purpose, tokenHash, lifeMs })
  const entry = await deps.accounts.find(accountId)
  if (entry) {
    const nowMs = entry.nowMs()
    await queueMessages(db, [
      {
        account_id: accountId,
        message_id: linkId,
        kind: 'email',
        recipient: email,
        template: purpose,
        store_id: null,
        link_id: null,
        ...formatUserLinkMessage(purpose, entry.account.name),
        created_at: nowMs,
        expires_at: nowMs + lifeMs,
      },
    ])
  }
  return userLinkAddress(deps, accountId, linkId)
}

/** The user of a link. Refuses `user_link_expired` for a link that is used, replaced, expired or unknown. */
export async function openUserLink(
  deps: Pick<Deps, 'db'>,
  token: string,
): Promise<{ user: User; purpose: LinkPurpose }> {
  const accountId = accountOfToken(token)
  const link = accountId && (await findUserLink(deps.db, accountId, userTokenHash(token)))
  const user = link && (await findUser(deps.db, accountId, link.userId))
  if (!user) throw over()
  return { user, purpose: link.purpose }
}

/**
 * Sets the password, and the name if one is given. Of concurrent attempts one succeeds, and every session of the user
 * ends. Refuses `user_link_expired` and `invalid_request`.
 */
export async function acceptUserLink(
  deps: Deps,
  token: string,
  { password, name }: { password: string; name: string | null },
  record: WriteAudit,
): Promise<User> {
  const { user, purpose } = await openUserLink(deps, token)
  const issues = [
    ...(user.name === null && name === null ? [NO_NAME] : []),
    ...passwordIssues(password, user.email),
  ]
  if (issues.length > 0) refuse(issues)
  const hash = await hashPassword(deps, user.email, password)
  await withTransaction(deps.db, async (db) => {
    if (!(await takeUserLink(db, { ...user, purpose }, userTokenHash(token)))) throw over()
    await updatePassword(db, user, { passwordHash: hash, name })
    await record(db, {
      accountId: user.accountId,
      object: user.userId,
      after: { by: purpose },
      by: { kind: 'user', actor: user.userId },
    })
  })
  return { ...user, name: name ?? user.name, status: 'active' }
}

/**
 * Sends a reset to every user of this email address, in any account. For an unknown address nothing is sent, and the
 * response is the same. Refuses `rate_limited`.
 */
export async function forgotPassword(deps: Deps, typed: string, network: string): Promise<void> {
  const email = emailKey(typed)
  await countOrRefuse(deps, [toAttemptKey('forgotten', email), toAttemptKey('address', network)])
  const known = deps.accounts.list().map(({ accountId }) => accountId)
  const users = await listUsersByEmail(deps.db, known, email)
  for (const user of users) {
    if (user.status !== 'active' || user.accountId === INSTALLATION) continue
    await withTransaction(deps.db, (db) => sendUserLink(deps, db, user, 'password_reset'))
  }
  if (users.length > 0) deps.wake()
}

const NO_NAME: Issue = { field: 'name', issue: 'required', message: 'Type your name.' }

function over(): Refusal {
  return new Refusal(
    'user_link_expired',
    'This link has been used or replaced, or it has expired. Ask for a new one.',
  )
}
