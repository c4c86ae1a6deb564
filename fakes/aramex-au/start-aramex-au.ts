import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { controlRoute } from '../control-route.ts'
import { emptied } from '../emptied.ts'
import {
  type FakeAnswer,
  type FakeCarrier,
  type FakeRequest,
  type FakeRoute,
  type FakeServer,
  type StartFake,
  startFake,
} from '../fake.ts'
import { startSchedule } from '../schedule.ts'
import {
  createConsignment,
  deleteConsignment,
  deletedReasons,
  getConsignment,
  listConsignments,
  quote,
} from './consignments.ts'
import { failure, generalError, UNAUTHORIZED } from './errors.ts'
import { labelsPdf } from './labels.ts'
import { scanControl, track } from './scans.ts'
import type { AramexState } from './state.ts'

type AramexClient = { clientId: string; clientSecret: string }

const TOKEN_PATH = '/connect/token'
/** Of Australia; New Zealand has its own. */
const SCOPE = 'ac-api-au'
/** "A default lifetime of 60 mins." */
const LIFE_SECONDS = 3_600

/** OAuth 2.0 client credentials as its identity server issues them, and the check of each request's token. */
function tokenOffice({ clock, ledger }: FakeServer, client: AramexClient) {
  const endsMs = new Map<string, number>()

  function issue({ body }: FakeRequest): FakeAnswer {
    const form = new URLSearchParams(body.toString('utf8'))
    if (form.get('client_id') !== client.clientId || form.get('client_secret') !== client.clientSecret) {
      return { status: 400, body: { error: 'invalid_client' } }
    }
    if (form.get('grant_type') !== 'client_credentials') {
      return { status: 400, body: { error: 'unsupported_grant_type' } }
    }
    if (form.get('scope') !== SCOPE) return { status: 400, body: { error: 'invalid_scope' } }
    const token = randomBytes(32).toString('base64url')
    endsMs.set(token, clock.nowMs() + LIFE_SECONDS * 1_000)
    ledger.write('token_issued', { scope: SCOPE })
    return { status: 200, body: { access_token: token, expires_in: LIFE_SECONDS, token_type: 'Bearer' } }
  }

  /** Null: the request is authorised. */
  function admit({ path, headers }: FakeRequest): FakeAnswer | null {
    if (path === TOKEN_PATH) return null
    const token = /^bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
    return (endsMs.get(token) ?? 0) > clock.nowMs() ? null : UNAUTHORIZED
  }

  return { issue, admit }
}

/** The only client that it accepts. */
export const ARAMEX_CLIENT: AramexClient = {
  clientId: 'fake-client-id',
  clientSecret: 'fake-client-secret',
}

/** Fake of Aramex Australia (myFastway), from its references: see readme.md. Throws when the port is in use. */
export const startAramexAu: StartFake = (options) => startFake(aramexAu, options)

function aramexAu(server: FakeServer): FakeCarrier {
  const schedule = startSchedule(server.clock)
  const state: AramexState = {
    server,
    schedule,
    consignments: new Map(),
    labels: new Map(),
    availableCents: null,
  }
  const office = tokenOffice(server, ARAMEX_CLIENT)
  const all = '/api/consignments'
  const route = (name: string, method: FakeRoute['method'], path: string, answer: FakeRoute['answer']) => ({
    ...{ name, method, path, answer },
  })
  return {
    routes: [
      route('token', 'POST', TOKEN_PATH, office.issue),
      route('quote', 'POST', `${all}/quote`, quote),
      route('deleted_reasons', 'GET', `${all}/deleted-reasons`, deletedReasons),
      route('create_consignment', 'POST', all, (request) => createConsignment(state, request)),
      {
        ...route('list_consignments', 'GET', all, (request) => listConsignments(state, request)),
        emptied: emptied('data'),
      },
      route('get_consignment', 'GET', `${all}/:id`, (request) => getConsignment(state, request)),
      route('delete_consignment', 'DELETE', `${all}/:id/reason/:reason`, (request) =>
        deleteConsignment(state, request),
      ),
      route('labels', 'GET', `${all}/:id/labels`, (request) => labelsPdf(state, request)),
      route('one_label', 'GET', `${all}/:id/labels/:label`, (request) => labelsPdf(state, request)),
      route('track', 'GET', '/api/track/label/:label', (request) => track(state, request)),
    ],
    signIn: { client_id: ARAMEX_CLIENT.clientId, client_secret: ARAMEX_CLIENT.clientSecret },
    admit: office.admit,
    unknownPath: () => failure(404),
    failure,
    internalFailure: generalError,
    catchUp: schedule.catchUp,
    controls: [scanControl(state), balanceControl(state)],
    close: schedule.close,
  }
}

const BALANCE = z.strictObject({ available_cents: z.int().nonnegative().nullable() })

/** `POST /_fake/balance`: sets the account's balance; null: it pays by invoice. */
function balanceControl(state: AramexState): FakeRoute {
  return controlRoute('/_fake/balance', BALANCE, ({ available_cents }) => {
    state.availableCents = available_cents
  })
}
