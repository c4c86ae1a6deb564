import { type Issue, Refusal } from '../../domain/errors.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { endUserLinks } from '../../store/people/user-links.ts'
import { endOtherSessions } from '../../store/people/user-sessions.ts'
import { endGrantsOfUser, findUser, replacePassword, updateName } from '../../store/people/users.ts'
import type { WriteAudit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import { type Person, userTokenHash } from '../tokens/user-token.ts'
import { confirmIdentity } from './check-second-factor.ts'
import { newDeviceProof } from './known-device.ts'
import { hashPassword, passwordIssues } from './password.ts'
import { refuseMistakes } from './user-access.ts'

/** Changes the person's own name. */
export async function changeOwnName(
  deps: Pick<Deps, 'db'>,
  person: Person,
  name: string,
  record: WriteAudit,
): Promise<Person> {
  await withTransaction(deps.db, async (db) => {
    const isChanged = await updateName(db, person, name)
    await record(db, isChanged ? { accountId: person.accountId, object: person.userId } : null)
  })
  return { ...person, name }
}

export type PasswordChange = {
  password: string
  newPassword: string
  code: string | undefined
  /** Of the session that stays. */
  token: string
}

/**
 * Replaces the person's own password. Their other sessions and their password reset links end: somebody else may have
 * them. `proof` is for the browser to store, because the new password makes its earlier proof invalid. Refuses
 * `invalid_request`, `second_factor_required`, `invalid_credentials`, `invalid_second_factor` and `rate_limited`.
 */
export async function changeOwnPassword(
  deps: Deps,
  person: Person,
  { password, newPassword, code, token }: PasswordChange,
  record: WriteAudit,
): Promise<{ proof: string }> {
  refuseMistakes([
    ...newPasswordIssues(newPassword, person.email),
    ...(newPassword === password ? [SAME] : []),
  ])
  const before = await findUser(deps.db, person.accountId, person.userId)
  await confirmIdentity(deps, person, { password, code })
  const passwordHash = await hashPassword(deps, person.email, newPassword)
  await withTransaction(deps.db, async (db) => {
    // A reset link may have replaced the password since it was compared.
    const isReplaced = await replacePassword(db, person, {
      from: before?.passwordHash ?? null,
      to: passwordHash,
    })
    if (!isReplaced) throw new Refusal('invalid_credentials', 'The password is wrong.')
    await endUserLinks(db, person)
    const ended = await endOtherSessions(db, person, userTokenHash(token))
    await endGrantsOfUser(db, person.accountId, person.userId)
    await record(db, {
      accountId: person.accountId,
      object: person.userId,
      after: { by: 'user', ended_sessions: ended },
    })
  })
  return { proof: newDeviceProof(deps.secretKey, { ...person, passwordHash }) }
}

/** The issues of `new_password`; `email` null: its user is not known yet. */
export function newPasswordIssues(newPassword: string, email: string | null): Issue[] {
  return passwordIssues(newPassword, email).map((issue) => ({ ...issue, field: 'new_password' }))
}

const SAME: Issue = {
  field: 'new_password',
  issue: 'conflict',
  message: 'The new password is the same as the old one. Choose another one.',
}
