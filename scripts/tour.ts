/**
 * Walks through the whole product against a running service, a chapter at a time: from a quote to the delivery, with
 * amendments, links, manifests and own couriers.
 *
 *   npm run tour                        the service of `npm start`
 *   npm run tour -- http://host:port    another one with the demo accounts
 */
import { writeApiClient } from './api-client.ts'

const base = (process.argv[2] ?? `http://127.0.0.1:${process.env.PORT ?? 8080}`).replace(/\/+$/, '')

// The chapters use `@drover/client`, part of which is generated and not in git.
writeApiClient()
const { playTour } = await import('./tour/play-tour.ts')

try {
  await playTour(base, process.env.DROVER_OPERATOR_TOKEN ?? 'demo-operator')
} catch (error) {
  const unreachable = error instanceof TypeError && error.message === 'fetch failed'
  process.stderr.write(
    unreachable
      ? `Nothing answers at ${base}. Start the service first, in another terminal: npm start\n`
      : `\n${error instanceof Error ? error.message : error}\n`,
  )
  process.exitCode = 1
}
