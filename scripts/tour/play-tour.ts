import { allocation } from './allocation.ts'
import { amend } from './amend.ts'
import { customerPickup } from './customer-pickup.ts'
import { delivery } from './delivery.ts'
import { link } from './link.ts'
import { manifest } from './manifest.ts'
import { ownNetwork } from './own-network.ts'
import { chapter, say, step } from './print.ts'
import { openTourContext } from './tour-context.ts'
import { untilDelivered } from './until-delivered.ts'

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

/** Every chapter, in order, against the service at `base`; then the demo account's clock is reset. */
export async function playTour(base: string, operatorToken: string): Promise<void> {
  const context = await openTourContext(base, operatorToken)
  for (const [title, play] of CHAPTERS) {
    chapter(title)
    await play(context)
  }
  await context.setClock(null)
  step('The tour is complete.')
  say(`Labels and documents: ${context.papers}`)
  process.stdout.write('\n')
}
