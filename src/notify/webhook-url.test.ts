import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isPublicAddress } from '../outbound/public-address.ts'
import { isPublicHost } from '../outbound/public-host.ts'
import { webhookUrlMistake } from './webhook-url.ts'

const outside = { allowPrivate: false }

test('every spelling of a non-public address is rejected, and public addresses are accepted', () => {
  const text = readFileSync(new URL('./addresses.vectors.txt', import.meta.url), 'utf8')
  const counts = { refused: 0, accepted: 0 }
  let kind = ''
  for (const line of text.split('\n')) {
    if (line.startsWith('#')) kind = /^# (refused|accepted)/.exec(line)?.[1] ?? ''
    if (line === '' || line.startsWith('#') || (kind !== 'refused' && kind !== 'accepted')) continue
    const mistake = webhookUrlMistake(`https://${line}/hook`, outside)
    assert.equal(mistake === null, kind === 'accepted', `${line}: ${mistake}`)
    counts[kind] += 1
    if (!URL.canParse(`https://${line}/hook`)) continue
    const { hostname } = new URL(`https://${line}/hook`)
    assert.equal(isPublicHost(hostname), kind === 'accepted', `${line} at the moment of calling`)
  }
  assert.ok(counts.refused >= 200 && counts.accepted >= 10, JSON.stringify(counts))
})

test('a URL with a user, a fragment, another scheme or an unusual port is rejected', () => {
  const cases = [
    'http://hooks.example.com/',
    'ftp://hooks.example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'gopher://hooks.example.com/',
    'https://',
    'https:///x',
    'hooks.example.com',
    '//hooks.example.com',
    'https://user@hooks.example.com/',
    'https://user:word@hooks.example.com/',
    'https://8.8.8.8@127.0.0.1/',
    'https://hooks.example.com/#part',
    'https://hooks.example.com:22/',
    'https://hooks.example.com:80/',
    'https://hooks.example.com:6379/',
    'https://hooks.example.com:99999/',
    'https://[::1%25eth0]/',
    `https://hooks.example.com/${'x'.repeat(2_000)}`,
  ]
  for (const url of cases) assert.ok(webhookUrlMistake(url, outside), url)
  for (const url of ['https://hooks.example.com', 'https://hooks.example.com:8443/a?b=c']) {
    assert.equal(webhookUrlMistake(url, outside), null, url)
  }
})

test('an operator may allow private addresses, for tests', () => {
  const inside = { allowPrivate: true }
  assert.equal(webhookUrlMistake('http://127.0.0.1:4000/hook', inside), null)
  assert.equal(webhookUrlMistake('http://localhost:4000/hook', inside), null)
  assert.ok(webhookUrlMistake('ftp://127.0.0.1/', inside))
  assert.ok(webhookUrlMistake('http://user@127.0.0.1/', inside))
})

test('text that is not an address is not public', () => {
  for (const text of [
    '',
    'example.com',
    '1.2.3',
    'fe80::1%eth0',
    '::ffff:127.0.0.1%1',
    '999.1.1.1',
    'null',
  ]) {
    assert.equal(isPublicAddress(text), false, text)
  }
})
