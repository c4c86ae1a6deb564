import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { testDatabase } from '../../../test/database.ts'
import { superuserAt } from './server-role.ts'

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url))

test('live mode does not start as a superuser', async (t) => {
  const { url, pool } = await testDatabase(t)
  const { rows } = await pool.query('select rolsuper as super from pg_roles where rolname = current_user')
  const asSuper = new URL(url)
  // The embedded server's superuser has its owner's password; on another server we use the role we were given.
  if (!rows[0].super) {
    assert.equal(await superuserAt(url), null)
    asSuper.username = 'postgres'
  }
  assert.equal(await superuserAt(asSuper.href), decodeURIComponent(asSuper.username))

  const env = {
    ...process.env,
    ...{ DATABASE_URL: asSuper.href, DROVER_LIVE: '1', PUBLIC_URL: 'https://drover.example', PORT: '0' },
    ...{
      DROVER_OPERATOR_TOKEN: 'f3c9a71be5d20846',
      DROVER_SECRET_KEY: 'N8sP2vXq4LzYw7RtK1mHc9JdE5gBf0Ua3oTiVx6nQy',
    },
  }
  const { code, message } = await new Promise<{ code: unknown; message: string }>((resolve) => {
    execFile(process.execPath, [MAIN, 'api'], { env, timeout: 60_000 }, (error, out, err) =>
      resolve({ code: error?.code, message: out + err }),
    )
  })
  assert.equal(code, 2, message)
  assert.match(message, /a superuser: in live mode use the plain owner/)
})
