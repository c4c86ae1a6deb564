import type { AccountDocumentInput } from './document/document.ts'

/**
 * The stored secret of the account's OpenID Connect client, as the merchant's admins name it. Drover sends it to the
 * issuer that the document names, so an admin must not make it send another secret, or send it to another issuer.
 */
export const OPENID_SECRET = 'openid-client-secret'

type Document = Pick<AccountDocumentInput, 'sign_in' | 'carriers'>

/** Whether an admin's document makes Drover send the provider a secret that was not stored for it. */
export function sendsOtherSecret(before: Document, after: Document): boolean {
  const name = secretOf(after)
  if (name === undefined) return false
  // Nor does a carrier begin to use the provider's secret: it would not be deleted with the provider.
  if (isSameProvider(before, after)) return isOfCarrier(after, name) && !isOfCarrier(before, name)
  if (isOfCarrier(before, name) || isOfCarrier(after, name)) return true
  return name !== OPENID_SECRET && name !== secretOf(before)
}

/**
 * The secrets to delete because the account's admin has changed the provider or its secret: the one that the document
 * named and names no longer for this issuer, and with another issuer also one that was stored and not yet named.
 */
export function findSecretsToDelete(before: Document, after: Document): string[] {
  const issuer = issuerOf(before)
  if (issuer === undefined || isSameProvider(before, after)) return []
  const names = new Set([secretOf(before), issuer === issuerOf(after) ? undefined : OPENID_SECRET])
  return [...names].filter((name) => name !== undefined).filter((name) => !isOfCarrier(before, name))
}

/** The secret that an admin's document names for the provider and the one before it did not; null: none. */
export function findNewlyNamedSecret(before: Document, after: Document): string | null {
  const name = secretOf(after)
  return name === undefined || name === secretOf(before) ? null : name
}

function isSameProvider(before: Document, after: Document): boolean {
  return issuerOf(before) === issuerOf(after) && secretOf(before) === secretOf(after)
}

function issuerOf({ sign_in }: Document): string | undefined {
  return sign_in?.openid_connect?.issuer
}

function secretOf({ sign_in }: Document): string | undefined {
  return sign_in?.openid_connect?.client_secret?.secret
}

function isOfCarrier({ carriers }: Document, name: string): boolean {
  return (carriers ?? []).some(({ credentials }) =>
    Object.values(credentials ?? {}).some(({ secret }) => secret === name),
  )
}
