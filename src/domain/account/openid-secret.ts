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
  if (name === undefined || isSameProvider(before, after)) return false
  if (isOfCarrier(before, name) || isOfCarrier(after, name)) return true
  return name !== OPENID_SECRET && name !== secretOf(before)
}

/** The secret to delete because the account's admin has named another issuer, or no provider; null if there is none. */
export function findSecretToDelete(before: Document, after: Document): string | null {
  const name = secretOf(before)
  if (name === undefined || isOfCarrier(before, name)) return null
  return before.sign_in?.openid_connect?.issuer === after.sign_in?.openid_connect?.issuer ? null : name
}

function isSameProvider(before: Document, after: Document): boolean {
  const [old, next] = [before, after].map(({ sign_in }) => sign_in?.openid_connect)
  return old?.issuer === next?.issuer && secretOf(before) === secretOf(after)
}

function secretOf({ sign_in }: Document): string | undefined {
  return sign_in?.openid_connect?.client_secret?.secret
}

function isOfCarrier({ carriers }: Document, name: string): boolean {
  return (carriers ?? []).some(({ credentials }) =>
    Object.values(credentials ?? {}).some(({ secret }) => secret === name),
  )
}
