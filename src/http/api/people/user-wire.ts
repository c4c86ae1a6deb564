import type { FailedLogins, User } from '../../../domain/people/user.ts'
import { isLinked } from '../../../operations/people/openid-links.ts'
import type { Invited } from '../../../operations/people/users.ts'
import type { HttpDeps } from '../../contract/deps.ts'
import { recordTime } from '../deliveries/delivery-wire.ts'

export function fromUser(deps: Pick<HttpDeps, 'accounts'>, user: User) {
  return {
    id: user.userId,
    email: user.email,
    name: user.name,
    role: user.role,
    store_references: user.storeReferences,
    status: user.status,
    second_factor: user.hasFactor,
    passkeys: user.passkeys,
    openid_linked: isLinked(deps, user),
    created_at: recordTime(user.createdAtMs),
    last_login_at: user.lastLoginAtMs === null ? null : recordTime(user.lastLoginAtMs),
    failed_logins: toFailedLogins(user.failedLogins),
  }
}

export function fromInvited(deps: Pick<HttpDeps, 'accounts'>, { user, address }: Invited) {
  return { ...fromUser(deps, user), invitation_url: address }
}

export function toFailedLogins({ count, lastAtMs }: FailedLogins) {
  return { count, last_at: lastAtMs === null ? null : recordTime(lastAtMs) }
}
