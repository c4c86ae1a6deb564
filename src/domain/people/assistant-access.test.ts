import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AssistantAccess, listAssistantScopes, toRequestedAccess } from './assistant-access.ts'
import type { Role } from './user.ts'

const SCOPES: readonly (readonly [Role, AssistantAccess, string])[] = [
  ['merchant_admin', 'read', 'deliveries:read quotes manifests account'],
  ['merchant_admin', 'write', 'deliveries:read deliveries:write quotes manifests account'],
  ['store_clerk', 'read', 'deliveries:read quotes manifests'],
  ['store_clerk', 'write', 'deliveries:read deliveries:write quotes manifests'],
]

test('an assistant gets the scopes that the person allowed and that their role has', () => {
  for (const [role, access, scopes] of SCOPES) {
    assert.equal(listAssistantScopes(role, access).join(' '), scopes, `${role} ${access}`)
  }
})

test('the page offers changes unless the assistant asks for read access only', () => {
  const asked: readonly (readonly [string | null, AssistantAccess])[] = [
    [null, 'write'],
    ['mcp:read mcp:write', 'write'],
    ['mcp:write', 'write'],
    ['mcp:read', 'read'],
    ['mcp:read offline_access', 'read'],
    ['mcp:writes', 'read'],
  ]
  for (const [scope, access] of asked) assert.equal(toRequestedAccess(scope), access, String(scope))
})
