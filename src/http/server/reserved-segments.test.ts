import assert from 'node:assert/strict'
import test from 'node:test'
import { RESERVED_TENANT_IDS } from '../../domain/account/validation/reserved-ids.ts'
import { validateAccount } from '../../domain/account/validation/validate.ts'
import { allEndpoints } from '../api/endpoints.ts'
import { PAGE_ADDRESSES } from '../pages/serve-pages.ts'

test('no account may have the name of a first segment of our paths', () => {
  const firsts = [...allEndpoints(), ...PAGE_ADDRESSES].flatMap(({ url }) => {
    const [, first = ''] = url.split('/')
    // Ids of accounts have no full stop: `openapi.json` cannot be one.
    return first === '' || first.startsWith(':') || /[.*]/.test(first) ? [] : [first]
  })
  const missing = [...new Set(firsts)].filter((first) => !RESERVED_TENANT_IDS.includes(first))
  assert.deepEqual(missing, [])
  assert.ok(firsts.length > 20)
  for (const tenant_id of RESERVED_TENANT_IDS) {
    const [mistake] = validateAccount({ tenant_id }).filter(({ path }) => path[0] === 'tenant_id')
    assert.equal(mistake?.kind, 'conflict', tenant_id)
  }
})
