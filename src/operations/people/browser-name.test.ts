import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserName } from './browser-name.ts'

test('a browser is named by its family and operating system', async () => {
  const named: [userAgent: string | null, name: string | null][] = [
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      'Chrome on Windows',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
      'Microsoft Edge on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    ['curl/8.5.0', null],
    ['', null],
    [null, null],
  ]
  for (const [userAgent, name] of named) assert.equal(await browserName(userAgent), name, String(userAgent))
})

test('any User-Agent is shortened and never fails', async () => {
  for (const text of ['x', '(', ';', 'Mozilla/5.0 (', 'Android 4.0 ', 'Version/', '\u0000é'].map((one) =>
    one.repeat(9_000),
  )) {
    assert.ok(((await browserName(text)) ?? '').length <= 80)
  }
})
