import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { Refusal } from '../../domain/errors.ts'
import { type FailedLogins, INSTALLATION, type User } from '../../domain/people/user.ts'
import { withTransaction } from '../../store/db/pool.ts'
import type { FactorKey } from '../../store/people/user-factors.ts'
import {
  listPasskeysByCredential,
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
import { countByNetwork, mayLogIn } from './log-in.ts'
import { CHALLENGE_LIFE_MS, getRelyingParty, newChallenge } from './passkey-challenge.ts'
import { findUsedChallenge, loadWebAuthn, toUserHandle, wrongPasskey } from './passkeys.ts'
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
  const { refund } = await countByNetwork(deps, network)
  const found = await findPasskey(deps, credential)
  const user = found && (await findUser(deps.db, found.accountId, found.userId))
  if (!found || !user || !mayLogIn(user)) throw wrongPasskey()
  const { used, ...seen } = await verifyAssertion(deps, found, credential)
  const token = newUserSessionToken(user.accountId)
  const browser = await browserName(userAgent)
  const failedBefore = await withTransaction(deps.db, async (db) => {
    const isFirst = await usePasskeyChallenge(db, user.accountId, used)
    if (!isFirst || !(await touchPasskey(db, user, { ...found, ...seen }))) throw wrongPasskey()
    const failed = await insertSession(db, user, {
      sessionId: deps.newId('ses'),
      tokenHash: userTokenHash(token),
      lifeMs: SESSION_LIFE_MS,
      bySecondFactor: true,
      browser,
      ip,
    })
    if (!failed) throw wrongPasskey()
    const { accountId, userId } = user
    await record(db, { accountId, object: userId, by: { kind: 'user', actor: userId } })
    return failed
  })
  await refund()
  return { token, proof: newDeviceProof(deps.secretKey, user), user, failedBefore }
}

/**
 * The passkey that answers. Somebody may have registered a copy of the credential's id in another account, so the user
 * handle of the answer decides.
 */
async function findPasskey(deps: Deps, { id, response }: AuthenticationResponseJSON) {
  const accountIds = [INSTALLATION, ...deps.accounts.list().map(({ accountId }) => accountId)]
  const found = await listPasskeysByCredential(deps.db, accountIds, Buffer.from(id, 'base64url'))
  const handle = response.userHandle
  const isTheirs = (one: FactorKey) => Buffer.from(toUserHandle(one)).toString('base64url') === handle
  return handle ? found.find(isTheirs) : found.length === 1 ? found[0] : undefined
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
