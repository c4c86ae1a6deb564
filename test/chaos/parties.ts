import type { CleanUps } from '../harness/clean-ups.ts'
import { type Sms, type SmsFate, smsGateway } from '../sms-gateway.ts'
import { isGenuine, type Receiver, webhookReceiver } from '../webhook-receiver.ts'

/** A webhook as received, and whether the Standard Webhooks library verified it at that moment. */
export type Hook = {
  id: string
  deliveryId: string
  sequence: number
  genuine: boolean
  /** Whether the receiver accepted it: a sender whose connection was cut cannot know. */
  accepted: boolean
}

/** From now on it accepts every request. */
type Calmable = { url: string; calm(): void }
export type HookParty = Calmable & { hooks: Hook[]; secret: string }
export type TextParty = Calmable & { messages: readonly Sms[] }

/** Of ten requests: how many get a 500, and how many are cut off before or after they are stored. */
export type Troubles = { refused: number; cut: number; acceptedAndCut: number }

/** A merchant's receiver. It asks `chance` for each request. */
export async function startHookParty(
  cleanUps: CleanUps,
  troubles: Troubles,
  chance: () => number,
): Promise<HookParty> {
  const hooks: Hook[] = []
  const receiver: Receiver = await webhookReceiver(cleanUps, (received, { request }) => {
    const { id, event } = received
    const genuine = isGenuine(party.secret, received)
    const fate = fateOf(troubles, chance())
    const accepted = fate === 'take' || fate === 'take-and-hang-up'
    hooks.push({ id, deliveryId: event.data.delivery_id ?? '', sequence: event.sequence, genuine, accepted })
    if (fate === 'take') return 204
    if (typeof fate === 'number') return fate
    request.socket.destroy()
    return null
  })
  const party: HookParty = { hooks, url: receiver.url, secret: '', calm: () => calm(troubles) }
  return party
}

/** An SMS gateway that accepts an id only once. */
export async function startTextParty(
  cleanUps: CleanUps,
  troubles: Troubles,
  chance: () => number,
): Promise<TextParty> {
  const { url, received: messages } = await smsGateway(cleanUps, () => fateOf(troubles, chance()))
  return { url, messages, calm: () => calm(troubles) }
}

function fateOf({ refused, cut, acceptedAndCut }: Troubles, dice: number): SmsFate {
  const of10 = dice * 10
  if (of10 < refused) return 500
  if (of10 < refused + cut) return 'hang-up'
  return of10 < refused + cut + acceptedAndCut ? 'take-and-hang-up' : 'take'
}

function calm(troubles: Troubles): void {
  Object.assign(troubles, { refused: 0, cut: 0, acceptedAndCut: 0 })
}
