import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { isGenuine } from '../webhook-receiver.ts'

/** A webhook as received, and whether the Standard Webhooks library verified it at that moment. */
export type Hook = {
  id: string
  deliveryId: string
  sequence: number
  genuine: boolean
  /** Whether the receiver returned 2xx. */
  accepted: boolean
}

/** `to` and `text`, by the idempotency key of the request. */
export type Text = { key: string; to: string; text: string }

export type Party = { url: string; stop(): Promise<void> }
/** From now on it accepts every request. */
type Calmable = { calm(): void }
export type HookParty = Party & Calmable & { hooks: Hook[]; secret: string }
export type TextParty = Party & Calmable & { messages: Text[] }

/** Of ten requests: how many get a 500, and how many are cut off before or after they are stored. */
type Troubles = { refused: number; cut: number; acceptedAndCut: number }

const CALM: Troubles = { refused: 0, cut: 0, acceptedAndCut: 0 }

/** A merchant's receiver. It asks `troubles` for each request. */
export async function startHookParty(troubles: Troubles, chance: () => number): Promise<HookParty> {
  const hooks: Hook[] = []
  let now = troubles
  const party: HookParty = {
    hooks,
    secret: '',
    calm() {
      now = CALM
    },
    ...(await serve(async (request, response) => {
      const body = (await buffer(request)).toString()
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      )
      const event = JSON.parse(body)
      const hook: Hook = {
        id: headers['webhook-id'] ?? '',
        deliveryId: event.data.delivery_id ?? '',
        sequence: event.sequence,
        genuine: isGenuine(party.secret, { id: '', headers, body, event, atMs: 0 }),
        accepted: false,
      }
      hooks.push(hook)
      hook.accepted = trouble(request, response, now, chance(), 204)
    })),
  }
  return party
}

/** An SMS gateway that records its requests, and accepts an id only once. */
export async function startTextParty(troubles: Troubles, chance: () => number): Promise<TextParty> {
  const messages: Text[] = []
  let now = troubles
  return {
    messages,
    calm() {
      now = CALM
    },
    ...(await serve(async (request, response) => {
      const { to, text } = JSON.parse((await buffer(request)).toString())
      const sms = { key: String(request.headers['idempotency-key']), to, text }
      if (trouble(request, response, now, chance(), 202)) messages.push(sms)
    })),
  }
}

/** Responds at random; true if the request was accepted. */
function trouble(
  request: IncomingMessage,
  response: ServerResponse,
  { refused, cut, acceptedAndCut }: Troubles,
  dice: number,
  good: number,
): boolean {
  const of10 = dice * 10
  if (of10 < refused) {
    response.writeHead(500).end()
    return false
  }
  if (of10 < refused + cut + acceptedAndCut) {
    request.socket.destroy()
    // A receiver that hangs up may have stored the request: the sender cannot know.
    return of10 >= refused + cut
  }
  response.writeHead(good).end()
  return true
}

async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<Party> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
