import type { IncomingHttpHeaders } from 'node:http'
import { answerWith, UNKNOWN_PATH } from './answer-with.ts'
import { type Clock, type ClockStart, startClock } from './clock.ts'
import { controlsOf } from './controls.ts'
import { type FaultInjector, faultInjector, type NewFault } from './faults.ts'
import { type Ledger, startLedger } from './ledger.ts'
import { listen } from './listen.ts'

/** One request as received, with its body unparsed: signatures and odd content types need the bytes. */
export type FakeRequest = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: Buffer
  /** Of the route's `:names`, decoded. */
  params: Readonly<Record<string, string>>
}

/** `body`: bytes and text are sent unchanged, anything else as JSON; absent is an empty response. */
export type FakeAnswer = { status: number; headers?: Readonly<Record<string, string>>; body?: unknown }

/** `path` has `:name` for a segment; `name` is the operation's name for faults and the ledger. */
export type FakeRoute = {
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  answer(request: FakeRequest): FakeAnswer | Promise<FakeAnswer>
  /** For a list: its response as if it were empty, for the fault `empty`. */
  emptied?(request: FakeRequest, answer: FakeAnswer): FakeAnswer
}

/** The parts that a carrier's state is built with. */
export type FakeServer = {
  clock: Clock
  ledger: Ledger /** Where the fake listens, without a path. */
  url(): string
}

/** A carrier as its references describe it: its operations and its own error messages. */
export type FakeCarrier = {
  routes: readonly FakeRoute[]
  /** The credentials that it accepts from the start, under their names in an account document. */
  signIn: Readonly<Record<string, string>>
  /** The caller whose limits a request counts towards: a name for the ledger, never a secret. */
  callerOf?(request: FakeRequest): string | null
  /** Runs before every operation, unknown ones too: a response rejects the caller. */
  admit?(request: FakeRequest): FakeAnswer | null
  unknownPath(request: FakeRequest): FakeAnswer
  /** The carrier's response for a status that a fault asks for: 429, 500, 503 … */
  failure(status: number): FakeAnswer
  /** The carrier's response for a time-out or an internal failure, under any status. */
  internalFailure(status: number): FakeAnswer
  /** The clock was moved by hand, or may have moved on: do the work that fell due. */
  catchUp?(): void | Promise<void>
  /** After the clock was moved by hand: resolves when the resulting webhooks have been answered. */
  settled?(): Promise<void>
  /** More controls under `/_fake/`: no authentication, no ledger, no faults. */
  controls?: readonly FakeRoute[]
  close?(): void | Promise<void>
}

export type FakeOptions = ClockStart & {
  /** 0 or absent: any free port. */
  port?: number
  faults?: readonly NewFault[]
}

export type RunningFake = {
  /** `http://127.0.0.1:4010`, without a path. */
  url: string
  signIn: FakeCarrier['signIn']
  clock: Clock
  ledger: Ledger
  faults: FaultInjector
  /** Ends at once: open responses are cut off. */
  close(): Promise<void>
}

/** How `drover fake <name>` and the tests start one. */
export type StartFake = (options?: FakeOptions) => Promise<RunningFake>

/**
 * Serves a carrier with its clock, ledger, faults and controls. Throws when the port is in use, or a fault is
 * invalid.
 */
export async function startFake(
  make: (server: FakeServer) => FakeCarrier,
  { port = 0, faults: firstFaults = [], ...start }: FakeOptions = {},
): Promise<RunningFake> {
  const clock = startClock(start)
  const ledger = startLedger(clock)
  let url = ''
  const carrier = make({ clock, ledger, url: () => url })
  const faults = faultInjector([...carrier.routes.map(({ name }) => name), UNKNOWN_PATH])
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
