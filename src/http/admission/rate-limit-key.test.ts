import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rateLimitKey } from './rate-limit-key.ts'

test('tries are counted per IPv4 address and per IPv6 network', () => {
  const networks: [ip: string, network: string][] = [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['64:ff9b::203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:0002:0:0:0:1', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['nobody:at:all', 'nobody:at:all'],
    ['', ''],
  ]
  for (const [ip, network] of networks) assert.equal(rateLimitKey(ip), network, ip)
})
