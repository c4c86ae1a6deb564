import type { FailedLogins, User } from '../../../domain/people/user.ts'
import type { AccountEntry } from '../../../operations/directory/account-directory.ts'
import { isLinked } from '../../../operations/people/openid-links.ts'
import type { Invited } from '../../../operations/people/users.ts'
import { recordTime } from '../deliveries/delivery-wire.ts'

export function fromUser({ account }: AccountEntry, user: User) {
  return {
    id: user.userId,
    email: user.email,
    name: user.name,
    role: user.role,
    store_references: user.storeReferences,
    status: user.status,
    second_factor: user.hasFactor,
    passkeys: user.passkeys,
    openid_linked: isLinked(account, user),
    created_at: recordTime(user.createdAtMs),
    last_login_at: user.lastLoginAtMs === null ? null : recordTime(user.lastLoginAtMs),
    failed_logins: toFailedLogins(user.failedLogins),
  }
}

export function fromInvited(entry: AccountEntry, { user, address }: Invited) {
  return { ...fromUser(entry, user), invitation_url: address }
}

export function toFailedLogins({ count, lastAtMs }: FailedLogins) {
  return { count, last_at: lastAtMs === null ? null : recordTime(lastAtMs) }
}
