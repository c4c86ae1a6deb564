import type { Deps } from '../deps.ts'

/** Whether a provider answers, as a sentence for the admin who sets it up. */
export type OpenIdCheck = { ok: boolean; message: string }

const MISTAKES: Readonly<Record<string, string>> = {
  not_public: 'This address isn’t on the public internet. We can only use a provider that is.',
  unreachable: 'Nothing answers at this address. Check it for typos, then try again.',
  timed_out: 'The provider didn’t answer within 5 seconds. Try again in a minute.',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED:
    'A provider answers here, but its issuer is written differently. Copy the issuer exactly as the provider shows it.',
  incomplete:
    'The provider answers, but it doesn’t offer what a login needs: a login page and signed tokens.',
}
const NO_PROVIDER =
  'There is no OpenID Connect provider at this address. Copy the issuer from the provider’s settings.'

/** Reads the provider's discovery document now, without the cache, and with the same guard as at a login. */
export async function checkOpenIdProvider(
  { openIdClient }: Pick<Deps, 'openIdClient'>,
  issuer: string,
): Promise<OpenIdCheck> {
  const result = await openIdClient.check(issuer)
  if (result.kind === 'failed') return { ok: false, message: MISTAKES[result.reason] ?? NO_PROVIDER }
  return {
    ok: true,
    message: 'Its issuer matches. To test the client ID and secret, link your own login under Your account.',
  }
}
