import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCarrierReady } from './is-carrier-ready.ts'

type Catalogue = Parameters<typeof isCarrierReady>[1]

const services = [{ service: 'Parcel Post', carrier_code: 'T28', delivery_type: 'standard' }]
const post = { provider: 'auspost', name: 'Australia Post', services }
const needs = (name: string, required: boolean) => ({ name, label: name, secret: true, required })
const catalogue = [
  { id: 'auspost', adapter: 'auspost', credentials: [needs('api_key', true), needs('hook', false)] },
  { id: 'swiftly', adapter: 'swiftly', credentials: [] },
] as unknown as Catalogue

test('a carrier is ready once it has a service and every login that it needs is stored', () => {
  const withKey = { ...post, credentials: { api_key: { secret: 'post-key' } } }
  const stored = new Set(['post-key'])
  assert.equal(isCarrierReady(withKey, catalogue, stored), true)
  assert.equal(isCarrierReady(withKey, catalogue, new Set()), false)
  assert.equal(isCarrierReady(post, catalogue, stored), false)
  assert.equal(isCarrierReady({ ...withKey, services: [] }, catalogue, stored), false)
  assert.equal(isCarrierReady({ ...post, provider: 'swiftly' }, catalogue, new Set()), true)
})
