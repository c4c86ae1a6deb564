import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { isGenuine } from '../webhook-receiver.ts'

/** A webhook as it came, and whether the library of Standard Webhooks took it for genuine at that moment. */
export type Hook = {
  id: string
  deliveryId: string
  sequence: number
  genuine: boolean
  /** Whether it was answered with 2xx. */
  taken: boolean
}

/** `to` and `text` under the key it came with. */
export type Text = { key: string; to: string; text: string }

export type Party = { url: string; stop(): Promise<void> }
/** From now on it takes whatever comes. */
type Calmable = { calm(): void }
export type HookParty = Party & Calmable & { hooks: Hook[]; secret: string }
export type TextParty = Party & Calmable & { asked: Text[] }

/** Of ten requests: how many are answered 500, and how many are cut off before they are taken, or after. */
type Troubles = { refused: number; cut: number; takenAndCut: number }

const CALM: Troubles = { refused: 0, cut: 0, takenAndCut: 0 }

/** A merchant's receiver. `troubles` is asked for each request, by chance from outside. */
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
        taken: false,
      }
      hooks.push(hook)
      hook.taken = trouble(request, response, now, chance(), 204)
    })),
  }
  return party
}

/** An SMS gateway that keeps what it was asked, and takes an id only once. */
export async function startTextParty(troubles: Troubles, chance: () => number): Promise<TextParty> {
  const asked: Text[] = []
  let now = troubles
  return {
    asked,
    calm() {
      now = CALM
    },
    ...(await serve(async (request, response) => {
      const { to, text } = JSON.parse((await buffer(request)).toString())
      const sms = { key: String(request.headers['idempotency-key']), to, text }
      if (trouble(request, response, now, chance(), 202)) asked.push(sms)
    })),
  }
}

/** Answers as the dice say; true when it took what came. */
function trouble(
  request: IncomingMessage,
  response: ServerResponse,
  { refused, cut, takenAndCut }: Troubles,
  dice: number,
  good: number,
): boolean {
  const of10 = dice * 10
  if (of10 < refused) {
    response.writeHead(500).end()
    return false
  }
  if (of10 < refused + cut + takenAndCut) {
    request.socket.destroy()
    // Whoever hung up may have kept it: to the sender both look the same.
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
