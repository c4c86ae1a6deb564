/** A worker process of the product with bugs planted round it: `PLANTS=no_intent node planted-worker.ts`. */
import { loadConfig } from '../../src/config.ts'
import { openWorkerDoor } from '../../src/http/worker-door.ts'
import { makeLog } from '../../src/log.ts'
import { makeParts } from '../../src/parts.ts'
import { type PlantName, plantInWorker } from './plants.ts'

const config = loadConfig()
const parts = makeParts({
  config,
  databaseUrl: config.databaseUrl ?? '',
  name: 'planted worker',
  log: makeLog(config.logLevel),
})
plantInWorker(parts, (process.env.PLANTS ?? '').split(',') as PlantName[])
await parts.start({ work: true })
await openWorkerDoor(
  { registry: parts.registry, notReady: () => null },
  { host: config.host, port: config.workerPort ?? 0 },
)
