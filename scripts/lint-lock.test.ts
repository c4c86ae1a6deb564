import assert from 'node:assert/strict'
import test from 'node:test'
import { type Lock, lintLock } from './lint-lock.ts'

const manifest = { dependencies: { pg: '8.23.1' }, devDependencies: { esbuild: '1.0.0-beta.2' } }
const integrity = 'sha512-abc='
const lock: Lock = {
  lockfileVersion: 3,
  packages: {
    '': { version: '0.1.0' },
    'node_modules/pg': { version: '8.23.1', integrity },
    'node_modules/esbuild': { version: '1.0.0-beta.2', integrity },
    'node_modules/pg/node_modules/pgpass': { version: '1.0.5', integrity },
  },
}

test('exact versions with an integrity hash pass', () => {
  assert.deepEqual(lintLock(manifest, lock), [])
})

test('each rule reports its violation', () => {
  const pgpass = 'node_modules/pg/node_modules/pgpass'
  const planted = (over: object): Lock => ({
    ...lock,
    packages: { ...lock.packages, [pgpass]: { version: '1.0.5', integrity, ...over } },
  })
  const cases: [typeof manifest, Lock, RegExp][] = [
    [{ ...manifest, dependencies: { pg: '^8.23.1' } }, lock, /not an exact version/],
    [{ ...manifest, dependencies: { pg: '8.23.2' } }, lock, /8\.23\.1 is locked/],
    [manifest, { ...lock, lockfileVersion: 2 }, /version 2/],
    [manifest, planted({ integrity: 'sha1-abc=' }), /no sha512/],
    [manifest, planted({ resolved: 'http://elsewhere.example/pgpass.tgz' }), /names a host/],
    [manifest, planted({ link: true }), /link/],
    [manifest, planted({ hasInstallScript: true }), /script/],
  ]
  for (const [asked, locked, why] of cases) {
    const [message, ...more] = lintLock(asked, locked)
    assert.match(message ?? '', why)
    assert.deepEqual(more, [])
  }
  const allowed = { ...manifest, allowScripts: { pgpass: true } }
  assert.deepEqual(lintLock(allowed, planted({ hasInstallScript: true })), [])
})
