import { z } from 'zod'
import { SCOPES } from '../../../domain/people/scopes.ts'
import { ACCOUNT_ROLES, ROLES, USER_STATUSES } from '../../../domain/people/user.ts'
import { LINK_PURPOSES } from '../../../domain/people/user-link-message.ts'
import { PARCEL_TYPES } from '../../../domain/values.ts'
import { textFields } from '../../input/text-fields.ts'
import { makeListSchema } from '../fields/pagination.ts'
import { codeText, emailText, lineText, recordTime, referenceText } from '../fields/text.ts'

/** Login accepts any text as a password; a new password must meet further rules. */
const password = z.string().min(1).max(1_000)
const factorCode = codeText(40)

/** What a logged-in person types again before they give lasting access. */
export const ownCredentials = {
  password: password.optional().meta({
    description: 'The caller’s own password. Required with a session; ignored with a bearer token.',
  }),
  code: factorCode.optional().meta({
    description:
      'A code from the caller’s authenticator app, or a recovery code. Required with a session if the caller has a second factor.',
  }),
}
export const OwnCredentialsBody = z.strictObject(ownCredentials).meta({ id: 'OwnCredentials' })

const linkToken = z.string().max(200).meta({ description: 'The token after the # in the link’s URL.' })

export const LogInBody = z
  .strictObject({
    email: emailText,
    password,
    code: z.string().max(40).register(textFields, { textClass: 'code' }).optional().meta({
      description:
        'A code from the authenticator app, or a recovery code. Needed after `second_factor_required`.',
    }),
    tenant_id: z
      .string()
      .max(63)
      .register(textFields, { textClass: 'code' })
      .optional()
      .meta({ description: 'The account, if the user belongs to several: an id from `account_required`.' }),
  })
  .meta({ id: 'LogInRequest' })

/** Failed logins: `since` completes the sentence of their description. */
const failedLogins = (since: string) =>
  z
    .strictObject({
      count: z.int(),
      last_at: recordTime
        .nullable()
        .meta({ description: 'The time of the last one; null if there is none.' }),
    })
    .meta({ description: `Logins with a wrong password or a wrong code ${since}` })

export const SessionInfoAnswer = z
  .strictObject({
    data: z.strictObject({
      user: z.strictObject({
        id: z.string(),
        email: z.string(),
        name: z.string().nullable(),
        role: z.enum(ROLES),
        store_references: z.array(z.string()).nullable().meta({ description: 'Null: every store.' }),
      }),
      tenant_id: z.string().nullable().meta({
        description:
          'The id of the account. Null for operators, who have access to every account: see GET /admin/accounts.',
      }),
      account_name: z.string().nullable(),
      usual_boxes: z
        .array(
          z
            .strictObject({
              name: z.string(),
              type: z.enum(PARCEL_TYPES),
              length_cm: z.number(),
              width_cm: z.number(),
              height_cm: z.number(),
              weight_kg: z.number().optional(),
            })
            .meta({ id: 'UsualBox' }),
        )
        .meta({ description: 'The boxes of the account document, to choose from.' }),
      scopes: z.array(z.enum(SCOPES)),
      second_factor: z.strictObject({
        active: z.boolean().meta({ description: '`true` if each login by password needs a code.' }),
        required: z.boolean().meta({
          description: 'The account document requires it, or the user is an operator in live mode.',
        }),
        must_set_up: z.boolean().meta({
          description: '`true`: Drover rejects other requests until the user sets up a second factor.',
        }),
        recovery_codes_left: z.int(),
      }),
      passkeys: z.int().meta({ description: 'How many passkeys the user has.' }),
      openid: z.strictObject({ name: z.string(), linked: z.boolean() }).nullable().meta({
        description:
          'The account’s OpenID Connect provider, and whether the user can log in with it. Null: the account has no provider.',
      }),
      failed_logins: failedLogins('between this login and the user’s login before it.'),
    }),
  })
  .meta({ id: 'SessionInfoAnswer' })

export const BeginFactorBody = z.strictObject({ password }).meta({ id: 'SecondFactorRequest' })
export const BeginFactorAnswer = z
  .strictObject({
    data: z.strictObject({
      secret: z
        .string()
        .meta({ description: 'The key in base 32, to type if the app cannot scan the QR code.' }),
      otpauth_url: z.string().meta({ description: 'The content of the QR code, for the authenticator app.' }),
    }),
  })
  .meta({ id: 'SecondFactorAnswer' })
export const ConfirmFactorBody = z.strictObject({ code: factorCode }).meta({ id: 'SecondFactorConfirmation' })
export const RecoveryCodesAnswer = z
  .strictObject({
    data: z.strictObject({
      recovery_codes: z.array(z.string()).meta({
        description: 'Each code is valid for one login without the app. The codes are returned only here.',
      }),
    }),
  })
  .meta({ id: 'RecoveryCodesAnswer' })
export const DisableFactorBody = z
  .strictObject({ password, code: factorCode })
  .meta({ id: 'SecondFactorRemoval' })

/** Bytes as WebAuthn writes them in JSON. */
const bytes = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/)
    .meta({ 'x-rule': 'must be base64url without padding' })
    .register(textFields, { textClass: 'code' })
/** A credential id has 1,023 bytes at most (WebAuthn, 5.8.3). */
const credentialId = bytes(1_364)
const credential = {
  id: credentialId,
  rawId: credentialId.optional(),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).nullish(),
  clientExtensionResults: z.looseObject({}).optional(),
}
const clientDataJSON = bytes(2_000)

export const PasskeyOptionsBody = z
  .strictObject({ password, code: ownCredentials.code })
  .meta({ id: 'PasskeyOptionsRequest' })
export const PasskeyOptionsAnswer = z
  .strictObject({
    data: z.looseObject({ challenge: z.string(), rp: z.looseObject({}), user: z.looseObject({}) }).meta({
      description:
        'For `navigator.credentials.create`: WebAuthn’s PublicKeyCredentialCreationOptionsJSON. Valid for five minutes.',
    }),
  })
  .meta({ id: 'PasskeyOptionsAnswer' })
export const PasskeyBody = z
  .strictObject({
    name: lineText(60).meta({ description: 'What the user calls it: `Ada’s phone`.' }),
    credential: z
      .strictObject({
        ...credential,
        response: z.strictObject({
          clientDataJSON,
          // We ask for no attestation: the largest credential with an RSA key of 4,096 bits has 2,200 characters.
          attestationObject: bytes(5_000),
          authenticatorData: bytes(3_000).optional(),
          transports: z.array(codeText(20)).max(10).optional(),
          publicKey: bytes(2_000).optional(),
          publicKeyAlgorithm: z.int().optional(),
        }),
      })
      .meta({ description: 'What the browser returned, as `toJSON` writes it.' }),
  })
  .meta({ id: 'PasskeyRequest' })
export const PasskeyNameBody = z.strictObject({ name: lineText(60) }).meta({ id: 'PasskeyChange' })
export const PasskeyRemovalBody = z
  .strictObject({ password, code: ownCredentials.code })
  .meta({ id: 'PasskeyRemoval' })
const Passkey = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    synced: z.boolean().meta({
      description: '`true`: a password manager keeps it on several devices. `false`: it is on one device.',
    }),
    created_at: recordTime,
    last_used_at: recordTime.nullable(),
  })
  .meta({ id: 'Passkey' })
export const PasskeyAnswer = z.strictObject({ data: Passkey }).meta({ id: 'PasskeyAnswer' })
export const PasskeysAnswer = makeListSchema(Passkey).meta({ id: 'PasskeysAnswer' })

export const PasskeyLogInOptionsAnswer = z
  .strictObject({
    data: z
      .strictObject({
        challenge: z.string(),
        rpId: z.string(),
        timeout: z.int(),
        userVerification: z.literal('required'),
        allowCredentials: z.array(z.never()),
      })
      .meta({
        description:
          'For `navigator.credentials.get`: WebAuthn’s PublicKeyCredentialRequestOptionsJSON. Valid for five minutes.',
      }),
  })
  .meta({ id: 'PasskeyLogInOptionsAnswer' })
export const PasskeyLogInBody = z
  .strictObject({
    credential: z
      .strictObject({
        ...credential,
        response: z.strictObject({
          clientDataJSON,
          authenticatorData: bytes(4_000),
          signature: bytes(2_000),
          userHandle: bytes(100).nullish(),
        }),
      })
      .meta({ description: 'What the browser returned, as `toJSON` writes it.' }),
  })
  .meta({ id: 'PasskeyLogInRequest' })

const OwnSession = z
  .strictObject({
    id: z.string(),
    current: z.boolean().meta({ description: '`true`: the session of this request.' }),
    created_at: recordTime,
    last_used_at: recordTime.meta({ description: 'To the minute.' }),
    browser: z.string().nullable().meta({
      description:
        'The browser and the operating system, as far as Drover recognises them: `Firefox on Windows`.',
    }),
    ip_address: z.string().nullable().meta({
      description: 'The address from which the user logged in. It is kept as long as the session.',
    }),
  })
  .meta({ id: 'OwnSession' })
export const OwnSessionsAnswer = makeListSchema(OwnSession).meta({ id: 'OwnSessionsAnswer' })
export const EndedSessionsAnswer = z
  .strictObject({ data: z.strictObject({ ended: z.int() }) })
  .meta({ id: 'EndedSessionsAnswer' })

export const OwnUserBody = z.strictObject({ name: lineText(100) }).meta({ id: 'OwnUserChange' })

export const ChangePasswordBody = z
  .strictObject({
    password: password.meta({ description: 'The current password.' }),
    new_password: password.meta({ description: '10 to 200 characters.' }),
    code: factorCode.optional().meta({
      description:
        'A code from the authenticator app, or a recovery code. Required if the user has a second factor.',
    }),
  })
  .meta({ id: 'PasswordChange' })

export const ForgottenBody = z.strictObject({ email: emailText }).meta({ id: 'ForgottenPasswordRequest' })

export const ForgottenAnswer = z
  .strictObject({
    data: z.strictObject({
      expires_in: z.int().meta({ description: 'The lifetime of the reset link in seconds.' }),
    }),
  })
  .meta({ id: 'ForgottenPasswordAnswer' })

export const OpenLinkBody = z.strictObject({ token: linkToken }).meta({ id: 'OpenUserLinkRequest' })

export const OpenLinkAnswer = z
  .strictObject({
    data: z.strictObject({
      purpose: z.enum(LINK_PURPOSES),
      email: z.string(),
      name: z.string().nullable(),
      account_name: z.string().nullable(),
    }),
  })
  .meta({ id: 'OpenUserLinkAnswer' })

export const AcceptLinkBody = z
  .strictObject({
    token: linkToken,
    password: password.meta({ description: '10 to 200 characters.' }),
    name: lineText(100).optional().meta({ description: 'Required with an invitation.' }),
  })
  .meta({ id: 'SetPasswordRequest' })

const stores = z.array(referenceText()).min(1).max(1_000)

export const UserBody = z
  .strictObject({
    email: emailText,
    role: z.enum(ACCOUNT_ROLES),
    store_references: stores
      .optional()
      .meta({ description: 'The stores of a `store_clerk`. An admin has all stores.' }),
    ...ownCredentials,
  })
  .meta({ id: 'UserRequest' })

export const UserPatchBody = z
  .strictObject({
    name: lineText(100).optional(),
    role: z.enum(ACCOUNT_ROLES).optional(),
    store_references: stores.optional(),
    disabled: z.boolean().optional().meta({
      description: '`true` disables the user and ends all of their sessions and API clients at once.',
    }),
    ...ownCredentials,
  })
  .meta({ id: 'UserChange' })

const User = z
  .strictObject({
    id: z.string(),
    email: z.string(),
    name: z.string().nullable(),
    role: z.enum(ROLES),
    store_references: z.array(z.string()).nullable(),
    status: z.enum(USER_STATUSES),
    second_factor: z.boolean().meta({ description: '`true` if each login by password needs a code.' }),
    passkeys: z.int().meta({ description: 'How many passkeys the user has.' }),
    openid_linked: z.boolean().meta({
      description: '`true` if the user can log in with the account’s OpenID Connect provider.',
    }),
    created_at: recordTime,
    last_login_at: recordTime.nullable(),
    failed_logins: failedLogins('since the user’s last login.'),
  })
  .meta({ id: 'User' })

export const UserAnswer = z.strictObject({ data: User }).meta({ id: 'UserAnswer' })
export const UsersAnswer = makeListSchema(User).meta({ id: 'UsersAnswer' })

export const InvitedAnswer = z
  .strictObject({
    data: User.extend({
      invitation_url: z.string().meta({
        description:
          'The URL from the invitation email. It is returned only here, works once and is valid for 7 days.',
      }),
    }),
  })
  .meta({ id: 'InvitedUserAnswer' })
