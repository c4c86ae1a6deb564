import type { Account } from '../../../domain/account/account.ts'
import { INSTALLATION, ROLE_SCOPES, type User } from '../../../domain/people/user.ts'
import { isLinked } from '../../../operations/people/openid-links.ts'
import type { FactorState } from '../../../operations/people/second-factor.ts'
import type { Person } from '../../../operations/tokens/user-token.ts'
import type { HttpDeps } from '../../contract/deps.ts'
import { toFailedLogins } from './user-wire.ts'

/** The answer to who is logged in. */
export async function toSessionInfo(deps: HttpDeps, user: Omit<Person, 'sessionId'>, factor: FactorState) {
  const account = (await deps.accounts.find(user.accountId))?.account ?? null
  return {
    user: {
      id: user.userId,
      email: user.email,
      name: user.name,
      role: user.role,
      store_references: user.storeReferences,
    },
    tenant_id: user.accountId === INSTALLATION ? null : user.accountId,
    account_name: account?.name ?? null,
    usual_boxes: listBoxes(account),
    scopes: ROLE_SCOPES[user.role],
    second_factor: {
      active: factor.isActive,
      required: factor.isRequired,
      must_set_up: factor.isRequired && !user.bySecondFactor,
      recovery_codes_left: factor.recoveryCodesLeft,
    },
    passkeys: user.passkeys,
    openid: toOpenId(account, user),
    failed_logins: toFailedLogins(user.failedBefore),
  }
}

function toOpenId(account: Account | null, user: User) {
  const provider = account?.openIdConnect
  return provider ? { name: provider.name, linked: isLinked(account, user) } : null
}

function listBoxes(account: Account | null) {
  return (account?.usualBoxes ?? []).map(({ name, type, lengthCm, widthCm, heightCm, weightKg }) => ({
    name,
    type,
    length_cm: lengthCm,
    width_cm: widthCm,
    height_cm: heightCm,
    weight_kg: weightKg ?? undefined,
  }))
}
