import assert from 'node:assert/strict'
import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import Provider, { type Context } from 'oidc-provider'

/** Who logs in at the provider, and how (RFC 8176); `cancelled`: the person chooses not to. */
export type LogInThere = { sub: string; amr?: string[]; email?: string } | 'cancelled'

export const CLIENT = { id: 'drover', secret: 'the-canary-secret-of-the-client' }

export type OpenIdServer = {
  issuer: string
  /** A browser opens this page of the provider, and the person logs in; the path to which it is sent back. */
  visit(url: string, who: LogInThere): Promise<string>
  /** Who logs in the next time that a real browser opens the provider's page. */
  expect(who: LogInThere): void
  close(): Promise<void>
}

/**
 * A real OpenID Connect provider on this machine: node-oidc-provider. `publicUrl`: Drover's address; `accountIds`: the
 * accounts whose redirect URLs are registered.
 */
export async function openIdServer(
  t: TestContext,
  publicUrl = 'http://drover.test',
  accountIds: readonly string[] = ['demo'],
): Promise<OpenIdServer> {
  const callback = `${publicUrl}/session/openid/callback/`
  const redirect_uris = accountIds.map((id) => `${callback}${id}`)
  const server = createServer()
  const issuer = await listening(t, server)
  let who: LogInThere = 'cancelled'
  const { privateKey } = newKey()
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris,
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
      {
        client_id: 'public',
        token_endpoint_auth_method: 'none',
        redirect_uris,
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'test' }] },
    cookies: { keys: ['a key of a test'] },
    claims: { openid: ['sub', 'amr', 'email'] },
    ttl: {
      Interaction: 600,
      Grant: 600,
      Session: 600,
      AccessToken: 600,
      IdToken: 600,
      AuthorizationCode: 60,
    },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, ...(typeof who === 'object' && who.email ? { email: who.email } : {}) }),
    }),
    async loadExistingGrant({ oidc }: Context) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      })
      grant.addOIDCScope('openid')
      await grant.save()
      return grant
    },
  })
  const handle = provider.callback()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!request.url?.startsWith('/interaction/')) return handle(request, response)
    const result =
      who === 'cancelled'
        ? { error: 'access_denied', error_description: 'The person chose not to.' }
        : { login: { accountId: who.sub, ...(who.amr ? { amr: who.amr } : {}) } }
    void provider.interactionFinished(request, response, result)
  })
  return {
    issuer,
    async visit(url, visitor) {
      who = visitor
      return follow(url, callback)
    },
    expect(visitor) {
      who = visitor
    },
    close: () => closed(server),
  }
}

/** Follows redirects with the provider's cookies until one leads back to Drover. */
async function follow(url: string, callback: string): Promise<string> {
  const cookies = new Map<string, string>()
  let at = url
  for (let steps = 0; steps < 10; steps++) {
    if (at.startsWith(callback)) return at.slice(new URL(callback).origin.length)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(at, { redirect: 'manual', headers: { cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';', 1)
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const to = response.headers.get('location')
    assert.ok(to, `${response.status} ${at} ${await response.text()}`)
    at = new URL(to, at).href
  }
  throw new Error('The provider redirects without end.')
}

/** A provider that issues whatever a test wants: `forge` changes the claims of a valid ID token. */
export async function forgingServer(
  t: TestContext,
  forge: (claims: Record<string, unknown>) => Record<string, unknown>,
  { signedByOther = false }: { signedByOther?: boolean } = {},
): Promise<{ issuer: string; answerTo(url: string): string; asked: string[] }> {
  const server = createServer()
  const issuer = await listening(t, server)
  const [key, other] = [newKey(), newKey()]
  const asked: string[] = []
  let nonce = ''
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', issuer)
    asked.push(pathname)
    const json = (body: object) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(body))
    }
    if (pathname === '/.well-known/openid-configuration') {
      return json({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        authorization_response_iss_parameter_supported: true,
      })
    }
    if (pathname === '/jwks') {
      return json({
        keys: [{ ...key.publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'k' }],
      })
    }
    const nowS = Math.floor(Date.now() / 1_000)
    const claims = { iss: issuer, aud: CLIENT.id, sub: 'forged', nonce, iat: nowS, exp: nowS + 300 }
    const signer = signedByOther ? other : key
    json({
      access_token: randomUUID(),
      token_type: 'Bearer',
      id_token: toJwt(forge(claims), signer.privateKey),
    })
  })
  return {
    issuer,
    asked,
    answerTo(url) {
      const { searchParams } = new URL(url)
      const { pathname } = new URL(searchParams.get('redirect_uri') ?? '')
      nonce = searchParams.get('nonce') ?? ''
      const answer = new URLSearchParams({ code: 'any', state: searchParams.get('state') ?? '', iss: issuer })
      return `${pathname}?${answer}`
    },
  }
}

function newKey() {
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
}

function toJwt(claims: object, key: ReturnType<typeof newKey>['privateKey']): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'RS256', kid: 'k' })}.${part(claims)}`
  return `${signed}.${createSign('sha256').update(signed).sign(key, 'base64url')}`
}

async function listening(t: TestContext, server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => closed(server))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise<void>((done) => server.close(() => done()))
}
