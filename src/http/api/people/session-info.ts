import { INSTALLATION, ROLE_SCOPES, type User } from '../../../domain/people/user.ts'
import { isLinked } from '../../../operations/people/openid-links.ts'
import { findOpenIdName } from '../../../operations/people/openid-log-in.ts'
import type { FactorState } from '../../../operations/people/second-factor.ts'
import type { Person } from '../../../operations/tokens/user-token.ts'
import type { HttpDeps } from '../../contract/deps.ts'
import { toFailedLogins } from './user-wire.ts'

/** The answer to who is logged in. */
export function toSessionInfo(deps: HttpDeps, user: Omit<Person, 'sessionId'>, factor: FactorState) {
  return {
    user: {
      id: user.userId,
      email: user.email,
      name: user.name,
      role: user.role,
      store_references: user.storeReferences,
    },
    tenant_id: user.accountId === INSTALLATION ? null : user.accountId,
    account_name: findAccountName(deps, user),
    usual_boxes: listBoxes(deps, user),
    scopes: ROLE_SCOPES[user.role],
    second_factor: {
      active: factor.isActive,
      required: factor.isRequired,
      must_set_up: factor.isRequired && !user.bySecondFactor,
      recovery_codes_left: factor.recoveryCodesLeft,
    },
    passkeys: user.passkeys,
    openid: toOpenId(deps, user),
    failed_logins: toFailedLogins(user.failedBefore),
  }
}

function toOpenId(deps: HttpDeps, user: Omit<Person, 'sessionId'>) {
  const name = findOpenIdName(deps, user.accountId)
  return name === null ? null : { name, linked: isLinked(deps, user) }
}

export function findAccountName({ accounts }: HttpDeps, { accountId }: User): string | null {
  return accounts.find(accountId)?.account.name ?? null
}

function listBoxes({ accounts }: HttpDeps, { accountId }: Pick<User, 'accountId'>) {
  const boxes = accounts.find(accountId)?.account.usualBoxes ?? []
  return boxes.map(({ name, type, lengthCm, widthCm, heightCm, weightKg }) => ({
    name,
    type,
    length_cm: lengthCm,
    width_cm: widthCm,
    height_cm: heightCm,
    weight_kg: weightKg ?? undefined,
  }))
}
