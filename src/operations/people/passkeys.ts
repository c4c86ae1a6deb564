import { createHash } from 'node:crypto'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { Refusal } from '../../domain/errors.ts'
import type { OwnPasskey } from '../../domain/people/user.ts'
import { withTransaction } from '../../store/db/pool.ts'
import type { FactorKey } from '../../store/people/user-factors.ts'
import {
  type Credential,
  deletePasskey,
  insertPasskey,
  listPasskeys,
  renamePasskey,
  usePasskeyChallenge,
} from '../../store/people/user-passkeys.ts'
import { endOtherSessions, holdsSession, markSecondFactor } from '../../store/people/user-sessions.ts'
import { lockUser } from '../../store/people/users.ts'
import type { WriteAudit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import { type Person, userTokenHash } from '../tokens/user-token.ts'
import { type Credentials, confirmIdentity } from './check-second-factor.ts'
import {
  CHALLENGE_LIFE_MS,
  type ChallengeUse,
  getRelyingParty,
  newChallenge,
  readChallenge,
} from './passkey-challenge.ts'
import { refuseWithoutPasskey } from './second-factor.ts'

const MAX_PASSKEYS = 10
/** EdDSA, ES256 and RS256 (COSE): every authenticator has one of them. */
const ALGORITHMS = [-8, -7, -257]

export type RegistrationOptions = Awaited<
  ReturnType<typeof import('@simplewebauthn/server').generateRegistrationOptions>
>

/** Loaded with the first passkey: it and its certificate parsers are 6 MB, which most processes never need. */
export const loadWebAuthn = () => import('@simplewebauthn/server')

/**
 * What the browser asks the authenticator for, after the person has typed their password and code. Refuses
 * `passkeys_unavailable`, `too_many_passkeys`, `passkey_required` and what `confirmIdentity` refuses.
 */
export async function beginPasskey(
  deps: Deps,
  person: Person,
  credentials: Credentials,
): Promise<RegistrationOptions> {
  const { id } = getRelyingParty(deps.publicUrl)
  await refuseWithoutPasskey(deps, person)
  await confirmIdentity(deps, person, credentials)
  const known = await listPasskeys(deps.db, person)
  refuseTooMany(known.length)
  const { generateRegistrationOptions } = await loadWebAuthn()
  return generateRegistrationOptions({
    rpID: id,
    rpName: 'Drover',
    userID: toUserHandle(person),
    userName: person.email,
    userDisplayName: person.name ?? person.email,
    challenge: new Uint8Array(newChallenge(deps.secretKey, person, Date.now())),
    timeout: CHALLENGE_LIFE_MS,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId.toString('base64url') })),
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

export type NewPasskey = {
  name: string
  credential: RegistrationResponseJSON
  /** Of the session, which from now on is one by a second factor. */
  token: string
}

/**
 * Stores the passkey that the authenticator made, and ends the person's other sessions: they began with less. Refuses
 * `unauthorized`, `invalid_passkey`, `duplicate_passkey` and `too_many_passkeys`.
 */
export async function addPasskey(
  deps: Deps,
  person: Person,
  { name, credential, token }: NewPasskey,
  record: WriteAudit,
): Promise<OwnPasskey> {
  const { made, used } = await verifyRegistration(deps, person, credential)
  const passkeyId = deps.newId('psk')
  return withTransaction(deps.db, async (db) => {
    await lockUser(db, person.accountId, person.userId)
    // It may have ended meanwhile, because somebody throws a thief out.
    if (!(await holdsSession(db, person, person.sessionId))) throw sessionEnded()
    refuseTooMany((await listPasskeys(db, person)).length)
    if (!(await usePasskeyChallenge(db, person.accountId, used))) throw wrongPasskey()
    if (!(await insertPasskey(db, person, { passkeyId, name }, made))) {
      throw new Refusal('duplicate_passkey', 'You have already added this passkey. Log in with it.')
    }
    await markSecondFactor(db, person, userTokenHash(token))
    const ended = await endOtherSessions(db, person, userTokenHash(token))
    await record(db, {
      accountId: person.accountId,
      object: person.userId,
      after: { passkey: name, ended_sessions: ended },
    })
    return { passkeyId, name, synced: made.synced, createdAtMs: Date.now(), lastUsedAtMs: null }
  })
}

/** Oldest first. */
export function listOwnPasskeys(deps: Pick<Deps, 'db'>, person: Person): Promise<OwnPasskey[]> {
  return listPasskeys(deps.db, person)
}

/** Refuses `not_found`. */
export async function renameOwnPasskey(
  deps: Pick<Deps, 'db'>,
  person: Person,
  change: Pick<OwnPasskey, 'passkeyId' | 'name'>,
  record: WriteAudit,
): Promise<OwnPasskey> {
  return withTransaction(deps.db, async (db) => {
    const renamed = await renamePasskey(db, person, change)
    if (!renamed) throw noPasskey()
    await record(db, {
      accountId: person.accountId,
      object: person.userId,
      after: { passkey: change.name },
    })
    return renamed
  })
}

/**
 * Removes a passkey and ends the person's other sessions: one of them may have begun with it. Refuses `not_found`,
 * `passkey_required` and what `confirmIdentity` refuses.
 */
export async function removeOwnPasskey(
  deps: Deps,
  person: Person,
  { passkeyId, token, ...credentials }: Credentials & { passkeyId: string; token: string },
  record: WriteAudit,
): Promise<void> {
  await refuseWithoutPasskey(deps, person)
  await confirmIdentity(deps, person, credentials)
  await withTransaction(deps.db, async (db) => {
    if (!(await deletePasskey(db, person, passkeyId))) throw noPasskey()
    const ended = await endOtherSessions(db, person, userTokenHash(token))
    await record(db, {
      accountId: person.accountId,
      object: person.userId,
      after: { removed_passkey: passkeyId, ended_sessions: ended },
    })
  })
}

async function verifyRegistration(
  deps: Pick<Deps, 'secretKey' | 'publicUrl'>,
  person: Person,
  credential: RegistrationResponseJSON,
): Promise<{ made: Credential; used: UsedChallenge }> {
  const { id, origin } = getRelyingParty(deps.publicUrl)
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  try {
    const used = await findUsedChallenge(deps, person, credential.response.clientDataJSON)
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(credential.response.attestationObject))
    // We ask for no attestation. A certificate in one would have the library fetch its revocation list from wherever
    // the certificate says.
    if (attestation.get('attStmt').get('x5c') !== undefined) throw wrongPasskey()
    const { registrationInfo: info } = await verifyRegistrationResponse({
      response: credential,
      expectedChallenge: used.challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    // The library does not compare them, and only the outer one has a limit.
    if (info?.credential.id !== credential.id) throw wrongPasskey()
    return {
      used,
      made: {
        credentialId: Buffer.from(info.credential.id, 'base64url'),
        publicKey: Buffer.from(info.credential.publicKey),
        signCount: info.credential.counter,
        transports: info.credential.transports ?? [],
        synced: info.credentialBackedUp,
      },
    }
  } catch (error) {
    // The library throws an Error for each mistake in what an authenticator sent.
    throw error instanceof Refusal ? error : wrongPasskey()
  }
}

export type UsedChallenge = { challenge: string; challengeHash: Buffer; expiresMs: number }

/** The challenge that the browser answered. Refuses `invalid_passkey` if we did not set it for this use. */
export async function findUsedChallenge(
  { secretKey }: Pick<Deps, 'secretKey'>,
  use: ChallengeUse,
  clientDataJSON: string,
): Promise<UsedChallenge> {
  const { decodeClientDataJSON } = await import('@simplewebauthn/server/helpers')
  const { challenge } = decodeClientDataJSON(clientDataJSON)
  const expiresMs = readChallenge(secretKey, use, challenge, Date.now())
  if (expiresMs === null) throw wrongPasskey()
  return { challenge, challengeHash: createHash('sha256').update(challenge).digest(), expiresMs }
}

/** The authenticator's key for the person. One for each person, or a new passkey would replace a colleague's. */
export function toUserHandle({ accountId, userId }: FactorKey): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(`${accountId}\n${userId}`).digest())
}

function refuseTooMany(count: number): void {
  if (count < MAX_PASSKEYS) return
  throw new Refusal(
    'too_many_passkeys',
    `You can have at most ${MAX_PASSKEYS} passkeys. Remove a passkey that you no longer use, then try again.`,
  )
}

function noPasskey(): Refusal {
  return new Refusal('not_found', 'You don’t have this passkey, or it has already been removed.')
}

/** The session ended while this request was handled: for example, the person reset a stolen password. */
export function sessionEnded(): Refusal {
  return new Refusal('unauthorized', 'Your session has ended. Log in again.')
}

export function wrongPasskey(): Refusal {
  return new Refusal(
    'invalid_passkey',
    'We don’t know this passkey, or you took longer than five minutes. Try again, or log in with your password.',
  )
}
