import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { Refusal } from '../../domain/errors.ts'
import { type FailedLogins, INSTALLATION, type User } from '../../domain/people/user.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { refundAttempts } from '../../store/people/login-attempts.ts'
import {
  findPasskeyByCredential,
  type PasskeyRow,
  touchPasskey,
  usePasskeyChallenge,
} from '../../store/people/user-passkeys.ts'
import { insertSession } from '../../store/people/user-sessions.ts'
import { findUser } from '../../store/people/users.ts'
import type { WriteAudit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import { newUserSessionToken, userTokenHash } from '../tokens/user-token.ts'
import { browserName } from './browser-name.ts'
import { newDeviceProof } from './known-device.ts'
import { countOrRefuse, mayLogIn } from './log-in.ts'
import { toAttemptKey } from './login-attempt-keys.ts'
import { CHALLENGE_LIFE_MS, getRelyingParty, newChallenge } from './passkey-challenge.ts'
import { findUsedChallenge, loadWebAuthn, wrongPasskey } from './passkeys.ts'
import { SESSION_LIFE_MS } from './user-session.ts'

/** What the browser asks for: any passkey of this site. Refuses `passkeys_unavailable`. */
export function askForPasskey({ publicUrl, secretKey }: Pick<Deps, 'publicUrl' | 'secretKey'>) {
  const { id } = getRelyingParty(publicUrl)
  return {
    challenge: newChallenge(secretKey, 'log-in', Date.now()).toString('base64url'),
    rpId: id,
    timeout: CHALLENGE_LIFE_MS,
    userVerification: 'required',
    allowCredentials: [],
  } as const
}

export type PasskeyLogIn = {
  credential: AuthenticationResponseJSON
  /** The rate-limit key of the client's IP address. */
  network: string
  ip: string
  /** The browser's `User-Agent`; null if it sends none. */
  userAgent: string | null
}

/**
 * Opens a session with a new token. The authenticator has verified the person, by fingerprint, face or PIN, so a passkey
 * stands for password and code (a multi-factor authenticator in NIST SP 800-63B-4). Refuses `rate_limited` and `invalid_passkey`. `proof` is for
 * the browser to store.
 */
export async function logInWithPasskey(
  deps: Deps,
  { credential, network, ip, userAgent }: PasskeyLogIn,
  record: WriteAudit,
): Promise<{ token: string; proof: string; user: User; failedBefore: FailedLogins }> {
  const names = [toAttemptKey('passkey', network), toAttemptKey('address', network)] as const
  await countOrRefuse(deps, names)
  const accountIds = [INSTALLATION, ...deps.accounts.list().map(({ account }) => account.id)]
  const found = await findPasskeyByCredential(deps.db, accountIds, Buffer.from(credential.id, 'base64url'))
  const user = found && (await findUser(deps.db, found.accountId, found.userId))
  if (!found || !user || !mayLogIn(user)) throw wrongPasskey()
  const { used, ...seen } = await verifyAssertion(deps, found, credential)
  const token = newUserSessionToken(user.accountId)
  const failedBefore = await withTransaction(deps.db, async (db) => {
    const isFirst = await usePasskeyChallenge(db, user.accountId, used)
    if (!isFirst || !(await touchPasskey(db, user, { ...found, ...seen }))) throw wrongPasskey()
    const failed = await insertSession(db, user, {
      sessionId: deps.newId('ses'),
      tokenHash: userTokenHash(token),
      lifeMs: SESSION_LIFE_MS,
      bySecondFactor: true,
      browser: browserName(userAgent),
      ip,
    })
    if (!failed) throw wrongPasskey()
    const { accountId, userId } = user
    await record(db, { accountId, object: userId, by: { kind: 'user', actor: userId } })
    return failed
  })
  await refundAttempts(deps.db, names, 'all')
  return { token, proof: newDeviceProof(deps.secretKey, user), user, failedBefore }
}

async function verifyAssertion(
  deps: Pick<Deps, 'secretKey' | 'publicUrl'>,
  { credentialId, publicKey, signCount }: PasskeyRow,
  credential: AuthenticationResponseJSON,
) {
  const { id, origin } = getRelyingParty(deps.publicUrl)
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  try {
    const used = await findUsedChallenge(deps, 'log-in', credential.response.clientDataJSON)
    const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
      response: credential,
      expectedChallenge: used.challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      credential: {
        id: credentialId.toString('base64url'),
        publicKey: new Uint8Array(publicKey),
        counter: signCount,
      },
    })
    if (!verified) throw wrongPasskey()
    return { used, signCount: info.newCounter, synced: info.credentialBackedUp }
  } catch (error) {
    // The library throws an Error for each mistake in what an authenticator sent.
    throw error instanceof Refusal ? error : wrongPasskey()
  }
}
