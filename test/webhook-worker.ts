import { composeApp } from '../src/bootstrap/composition-root.ts'
import { makeLog } from '../src/log.ts'
import { WORLD_SECRET_KEY } from './fixture.ts'

/** A separate process that does the due work of a fixture, until it is killed. */
const databaseUrl = process.argv[2]
if (!databaseUrl) throw new Error('Usage: node webhook-worker.ts <database URL>')
const parts = composeApp({
  config: { secretKey: WORLD_SECRET_KEY, publicUrl: 'http://drover.test', allowPrivateWebhooks: true },
  databaseUrl,
  name: 'webhook worker',
  log: makeLog('silent'),
})
await parts.start({ work: true })
