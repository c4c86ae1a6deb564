import type { Endpoint } from '../contract/endpoint.ts'
import type { JsonSchema } from './components.ts'

/** What a response created, where its id is in the response, and which operations take the id as which parameter. */
type Creation = { status: number; id: string; parameter: string; operations: readonly string[] }

/** By operation. A 201 of these has a `Location` as well; resources without a URL of their own are not here. */
const CREATIONS: Readonly<Record<string, Creation>> = {
  createDelivery: {
    status: 201,
    id: '/data/id',
    parameter: 'delivery_id_or_reference',
    operations: ['getDelivery', 'amendDelivery', 'bookDelivery', 'requestCancel', 'getLabel'],
  },
  createStoreManifests: {
    status: 201,
    id: '/data/0/id',
    parameter: 'manifest_id',
    operations: ['getManifest', 'submitManifest', 'getOrderSummary'],
  },
  createManifests: {
    status: 201,
    id: '/data/0/id',
    parameter: 'manifest_id',
    operations: ['getManifest', 'getOrderSummary'],
  },
  createLink: {
    status: 201,
    id: '/data/id',
    parameter: 'link_id',
    operations: ['getLink', 'sendLink', 'revokeLink'],
  },
  createWebhookEndpoint: {
    status: 201,
    id: '/data/id',
    parameter: 'endpoint_id',
    operations: ['getWebhookEndpoint', 'changeWebhookEndpoint', 'deleteWebhookEndpoint'],
  },
  allocateStores: { status: 202, id: '/job_id', parameter: 'job_id', operations: ['getAllocation'] },
}

/** The `links` of a response: possible next calls with the resource that it created. */
export function toLinks({ operationId }: Endpoint, status: number): { links?: JsonSchema } {
  const created = CREATIONS[operationId]
  if (created?.status !== status) return {}
  const parameters = {
    tenant_id: '$request.path.tenant_id',
    [created.parameter]: `$response.body#${created.id}`,
  }
  return {
    links: Object.fromEntries(created.operations.map((next) => [next, { operationId: next, parameters }])),
  }
}
