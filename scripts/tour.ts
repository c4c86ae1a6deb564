/**
 * Walks through the whole product against a running service, a chapter at a time: from a quote to the delivery, with
 * amendments, links, manifests and own couriers.
 *
 *   npm run tour                        the service of `npm start`
 *   npm run tour -- http://host:port    another one with the demo accounts
 */
import { allocation } from './tour/allocation.ts'
import { amend } from './tour/amend.ts'
import { customerPickup } from './tour/customer-pickup.ts'
import { delivery } from './tour/delivery.ts'
import { link } from './tour/link.ts'
import { manifest } from './tour/manifest.ts'
import { ownNetwork } from './tour/own-network.ts'
import { chapter, say, step } from './tour/print.ts'
import { openTourContext } from './tour/tour-context.ts'
import { untilDelivered } from './tour/until-delivered.ts'

const CHAPTERS = [
  ['Which store?', allocation],
  ['A delivery', delivery],
  ['The customer changes it', amend],
  ['The carrier’s manifest, with dangerous goods', manifest],
  ['The customer books by a link', link],
  ['The store’s own couriers', ownNetwork],
  ['From the customer to the store', customerPickup],
  ['Until it is delivered', untilDelivered],
] as const

const base = (process.argv[2] ?? `http://127.0.0.1:${process.env.PORT ?? 8080}`).replace(/\/+$/, '')

try {
  const context = await openTourContext(base, process.env.DROVER_OPERATOR_TOKEN ?? 'demo-operator')
  for (const [title, play] of CHAPTERS) {
    chapter(title)
    await play(context)
  }
  await context.setClock(null)
  step('The tour is complete.')
  say(`Labels and documents: ${context.papers}`)
  process.stdout.write('\n')
} catch (error) {
  const unreachable = error instanceof TypeError && error.message === 'fetch failed'
  process.stderr.write(
    unreachable
      ? `Nothing answers at ${base}. Start the service first, in another terminal: npm start\n`
      : `\n${error instanceof Error ? error.message : error}\n`,
  )
  process.exitCode = 1
}
