import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRedirectUrlMistake } from './redirect-url.ts'

const RIGHT = [
  'https://assistant.example.com/callback',
  'https://assistant.example.com',
  'https://assistant.example.com:8443/oauth/callback?tenant=7',
  'http://127.0.0.1:33418/callback',
  'http://localhost:6274/oauth/callback',
  'http://[::1]:8765/callback',
]

const WRONG: readonly (readonly [string, RegExp])[] = [
  ['', /not a URL/],
  ['assistant.example.com/callback', /not a URL/],
  ['http://assistant.example.com/callback', /begin with https/],
  ['http://localhost.example.com/callback', /begin with https/],
  ['http://127.0.0.1.example.com/callback', /begin with https/],
  ['cursor://oauth/callback', /begin with https/],
  ['javascript:alert(1)', /begin with https/],
  ['data:text/html,hello', /begin with https/],
  ['https://drover.example@evil.example/callback', /user name/],
  ['https://:secret@evil.example/callback', /user name/],
  ['https://assistant.example.com/callback#part', /#/],
  ['https://assistant.example.com/callback#', /#/],
  ['https://*.example.com/callback', /\*/],
  ['https://assistant.example.com/callback?code=1', /adds code/],
  ['https://assistant.example.com/callback?iss=a', /adds code/],
  ['https://Assistant.example.com/callback', /normal form/],
  ['https://assistant.example.com/a/../callback', /normal form/],
  ['https://assistant.example.com:443/callback', /normal form/],
  ['https:assistant.example.com/callback', /normal form/],
  ['https://assistant.example.com\\callback', /normal form/],
  [' https://assistant.example.com/callback', /normal form/],
  [`https://assistant.example.com/${'a'.repeat(500)}`, /500/],
]

test('a redirect URL is exact, and https or on this machine', () => {
  for (const text of RIGHT) assert.equal(findRedirectUrlMistake(text), null, text)
  for (const [text, mistake] of WRONG) assert.match(findRedirectUrlMistake(text) ?? 'accepted', mistake, text)
})
