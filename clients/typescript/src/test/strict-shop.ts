/** A shop's program that uses the package's types, good calls and wrong ones. Each compiler must accept it. */
export const STRICT_SHOP = `import { Drover, DroverError } from '@drover/client'
import { verifyWebhook, type WebhookEvent } from '@drover/client/webhooks'

const drover = new Drover({ baseUrl: 'http://x', account: 'demo', clientId: 'c', clientSecret: 's' })
export async function ship(body: Parameters<typeof drover.deliveries.create>[0]): Promise<Uint8Array> {
  try {
    const { id } = await drover.deliveries.create(body, { idempotencyKey: 'order-1001' })
    return await drover.deliveries.label(id, { format: 'zpl' })
  } catch (error) {
    if (error instanceof DroverError && error.code === 'duplicate_reference') {
      return drover.deliveries.label(error.problem?.delivery_id ?? '')
    }
    throw error
  }
}
export async function pages(): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of drover.deliveries.list({ status: 'on_hold' })) ids.push(id)
  for await (const { type } of drover.events.follow({ pollMs: 1 })) ids.push(type)
  return ids
}
export const event = (body: string, headers: Headers): Promise<WebhookEvent> =>
  verifyWebhook({ body, headers, secret: 'whsec_' })
// @ts-expect-error: there is no such status.
drover.deliveries.list({ status: 'lost' })
// @ts-expect-error: a token or a secret, not both.
new Drover({ baseUrl: 'http://x', account: 'demo', clientId: 'c', clientSecret: 's', token: async () => '' })
`

/** The settings of its project, for Node and for a bundler. Libraries are checked: `skipLibCheck` is off. */
export const STRICT_SETTINGS = [
  { module: 'NodeNext', moduleResolution: 'NodeNext' },
  { module: 'ESNext', moduleResolution: 'Bundler' },
].map((modules) => ({
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  target: 'ES2022',
  types: [],
  noEmit: true,
  ...modules,
}))
