import type { IncomingHttpHeaders } from 'node:http'
import { answerWith, UNKNOWN_PATH } from './answer-with.ts'
import { type Clock, type ClockStart, startClock } from './clock.ts'
import { controlsOf } from './controls.ts'
import { type FaultDesk, faultDesk, type NewFault } from './faults.ts'
import { type Ledger, startLedger } from './ledger.ts'
import { listen } from './listen.ts'

/** One request as it came, its body unread: signatures and odd content types need the bytes. */
export type FakeRequest = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: Buffer
  /** Of the route's `:names`, decoded. */
  params: Readonly<Record<string, string>>
}

/** `body`: bytes and text go as they are, anything else as JSON; absent is an empty answer. */
export type FakeAnswer = { status: number; headers?: Readonly<Record<string, string>>; body?: unknown }

/** `path` has `:name` for a part; `name` is what faults and the ledger call the operation. */
export type FakeRoute = {
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  answer(request: FakeRequest): FakeAnswer | Promise<FakeAnswer>
  /** Of a list: its answer as it would be with nothing in it, for the fault `empty`. */
  emptied?(request: FakeRequest, answer: FakeAnswer): FakeAnswer
}

/** What a carrier's world is built with. */
export type FakeDesk = {
  clock: Clock
  ledger: Ledger /** Where the fake listens, without a path. */
  url(): string
}

/** A carrier as its references tell it: its operations and its own words for what goes wrong. */
export type FakeCarrier = {
  routes: readonly FakeRoute[]
  /** Whom it knows from the start, under the names that an account document has for it. */
  signIn: Readonly<Record<string, string>>
  /** Whose limits a request counts towards: a name for the ledger, never a secret. */
  callerOf?(request: FakeRequest): string | null
  /** Runs before every operation, unknown ones too: an answer refuses the caller. */
  admit?(request: FakeRequest): FakeAnswer | null
  unknownPath(request: FakeRequest): FakeAnswer
  /** The carrier's words for a status that a fault asks for: 429, 500, 503 … */
  failure(status: number): FakeAnswer
  /** The carrier's words for a time-out or a failure inside it, under any status. */
  internalFailure(status: number): FakeAnswer
  /** The clock was moved by hand, or may have gone on: do what fell due. */
  catchUp?(): void | Promise<void>
  /** After the clock was moved by hand: until the webhooks that this let loose have been answered. */
  settled?(): Promise<void>
  /** More under `/_fake/`, not admitted, logged or disturbed. */
  controls?: readonly FakeRoute[]
  close?(): void | Promise<void>
}

export type FakeOptions = ClockStart & {
  /** 0 or absent: any free one. */
  port?: number
  faults?: readonly NewFault[]
}

export type RunningFake = {
  /** `http://127.0.0.1:4010`, without a path. */
  url: string
  signIn: FakeCarrier['signIn']
  clock: Clock
  ledger: Ledger
  faults: FaultDesk
  /** Ends at once: what is being answered is cut off. */
  close(): Promise<void>
}

/** How `drover fake <name>` and the tests start one. */
export type StartFake = (options?: FakeOptions) => Promise<RunningFake>

/** Serves a carrier with its clock, ledger, faults and controls. Throws when the port is taken, or a fault is none. */
export async function startFake(
  make: (desk: FakeDesk) => FakeCarrier,
  { port = 0, faults: firstFaults = [], ...start }: FakeOptions = {},
): Promise<RunningFake> {
  const clock = startClock(start)
  const ledger = startLedger(clock)
  let url = ''
  const carrier = make({ clock, ledger, url: () => url })
  const faults = faultDesk([...carrier.routes.map(({ name }) => name), UNKNOWN_PATH])
  for (const fault of firstFaults) faults.add(fault)

  const server = await listen(
    port,
    answerWith({ carrier, clock, ledger, faults, controls: controlsOf({ carrier, clock, ledger, faults }) }),
  )
  url = server.url
  return {
    url,
    signIn: carrier.signIn,
    clock,
    ledger,
    faults,
    async close() {
      await carrier.close?.()
      await server.close()
    },
  }
}
