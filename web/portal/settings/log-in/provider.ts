import type { Json, Place } from '../edits.ts'

/** The account's OpenID Connect provider in the document; fields are absent while a person types. */
export type ProviderJson = Json & {
  name?: string
  issuer?: string
  client_id?: string
  client_secret?: { secret: string }
}

export const PROVIDER: Place = ['sign_in', 'openid_connect']
