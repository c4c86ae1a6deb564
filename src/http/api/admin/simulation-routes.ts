import { z } from 'zod'
import type { Account } from '../../../domain/account/account.ts'
import { formatLocal } from '../../../domain/calendar/zone.ts'
import type { Option } from '../../../domain/quoting/decision.ts'
import {
  listBrokenPromises,
  type SimulatedDelivery,
  summariseSimulation,
} from '../../../domain/quoting/simulation.ts'
import type { Window } from '../../../domain/values.ts'
import { accountIssues } from '../../../operations/accounts/apply-account.ts'
import { simulateAccount } from '../../../operations/quoting/simulate-account.ts'
import { ACCOUNT_BODY } from '../../contract/body-limit.ts'
import { type Endpoint, json, openEndpoint } from '../../contract/endpoint.ts'
import { windowTime } from '../fields/text.ts'
import { AccountDocumentBody } from './admin-schema.ts'

const MAX_LISTED = 50

const SimulatedWindow = z.strictObject({ from: windowTime, to: windowTime }).meta({ id: 'SimulatedWindow' })
const SimulatedChoice = z
  .strictObject({
    provider: z.string(),
    carrier: z.string(),
    service: z.string(),
    cost_cents: z.int().meta({ description: 'The carrier’s charge, incl. GST.' }),
    window: SimulatedWindow,
  })
  .meta({ id: 'SimulatedChoice' })
const SimulatedDeliveryAnswer = z
  .strictObject({
    id: z.string(),
    reference: z.string(),
    store_name: z.string(),
    promised: SimulatedWindow.nullable(),
    before: SimulatedChoice,
    after: SimulatedChoice.nullable().meta({
      description: '`null`: no service can take the delivery, or only a carrier in `unknown_carriers` might.',
    }),
    reason: z.string().nullable().meta({ description: 'The reason why `after` is `null`.' }),
    unknown_carriers: z.array(z.string()).meta({
      description:
        'If `after` is `null`: the carriers that might take the delivery, but whose live prices Drover does not know.',
    }),
  })
  .meta({ id: 'SimulatedDelivery' })
const listed = z.array(SimulatedDeliveryAnswer)

const SimulationAnswer = z
  .strictObject({
    data: z.strictObject({
      unbooked: z
        .strictObject({
          deliveries: z.int().min(0).meta({ description: 'The number of simulated deliveries.' }),
          is_complete: z
            .boolean()
            .meta({ description: 'False: only the newest 500 deliveries were simulated.' }),
          changed_deliveries: z.int().min(0),
          changed: listed.meta({
            description: `Deliveries whose \`after\` has a different time or is \`null\`. At most ${MAX_LISTED}.`,
          }),
        })
        .meta({
          description:
            'Deliveries that have no carrier yet. A new document does not change them: they keep their delivery window and their settings.',
        }),
      last_week: z
        .strictObject({
          deliveries: z.int().min(0).meta({
            description:
              'The number of deliveries that a carrier can take both under the current settings and under this document. The costs cover only these deliveries.',
          }),
          is_complete: z
            .boolean()
            .meta({ description: 'False: only the newest 1,000 deliveries were simulated.' }),
          cost_cents_before: z.int(),
          cost_cents_after: z.int(),
          services: z.array(
            z
              .strictObject({
                provider: z.string(),
                carrier: z.string(),
                service: z.string(),
                deliveries_before: z.int().min(0),
                deliveries_after: z.int().min(0),
                cost_cents_before: z.int(),
                cost_cents_after: z.int(),
              })
              .meta({ id: 'SimulatedService' }),
          ),
          changed_deliveries: z.int().min(0),
          changed: listed.meta({
            description: `Deliveries that would go to another carrier or service. At most ${MAX_LISTED}.`,
          }),
          unavailable_deliveries: z.int().min(0),
          unavailable: listed.meta({
            description: `Deliveries that no service could take. At most ${MAX_LISTED}.`,
          }),
          unknown_deliveries: z.int().min(0),
          unknown: listed.meta({
            description: `Deliveries that might go with a carrier whose live prices Drover does not know. At most ${MAX_LISTED}.`,
          }),
        })
        .optional()
        .meta({ description: 'Present with `last_week=true`.' }),
    }),
  })
  .meta({ id: 'SimulationAnswer' })

/** What a change of the account document would do, before it is applied. */
export const SIMULATION_ENDPOINTS: readonly Endpoint[] = [
  openEndpoint({
    method: 'POST',
    url: '/admin/accounts/:tenant_id/simulate',
    operationId: 'simulateAccount',
    access: 'operator',
    alsoAdmin: true,
    tag: 'Accounts',
    summary: 'Simulate an account document',
    description:
      'Chooses the service and time of recent deliveries again, under the current settings and under this document. Drover decides each delivery as at the time of its creation. Drover asks no carrier. It knows the live price of the service that was chosen at that time, and leaves out all other live prices. Deliveries by the store’s own couriers are left out. The simulation changes nothing.',
    query: z.strictObject({
      last_week: z
        .boolean()
        .optional()
        .meta({ description: 'Also simulates the deliveries of the last seven days.' }),
    }),
    body: AccountDocumentBody,
    bodyLimit: ACCOUNT_BODY,
    moreIssues: ({ body }) => accountIssues(body),
    exampleCall: { query: 'last_week=true', bodyFile: '$ACCOUNT_FILE' },
    idempotency: 'none',
    unaudited: 'Changes nothing.',
    answers: { 200: { description: 'The deliveries that would change.', schema: SimulationAnswer } },
    refusals: ['not_found'],
    async handle({ deps, params, body, query }) {
      const accountId = params.tenant_id as string
      const { unbooked, lastWeek } = await simulateAccount(deps, accountId, body, {
        lastWeek: query.last_week ?? false,
      })
      const account = (await deps.accounts.find(accountId))!.account
      const list = (deliveries: readonly SimulatedDelivery[]) =>
        deliveries.slice(0, MAX_LISTED).flatMap((one) => fromSimulated(account, one))
      const changed = listBrokenPromises(unbooked.deliveries)
      const week = lastWeek && summariseSimulation(lastWeek.deliveries)
      return json(200, {
        data: {
          unbooked: {
            deliveries: unbooked.deliveries.length,
            is_complete: unbooked.isComplete,
            changed_deliveries: changed.length,
            changed: list(changed),
          },
          ...(week && {
            last_week: {
              deliveries: week.compared,
              is_complete: lastWeek.isComplete,
              cost_cents_before: week.costCentsBefore,
              cost_cents_after: week.costCentsAfter,
              services: week.services.map((one) => ({
                provider: one.provider,
                carrier: one.carrier,
                service: one.service,
                deliveries_before: one.deliveriesBefore,
                deliveries_after: one.deliveriesAfter,
                cost_cents_before: one.costCentsBefore,
                cost_cents_after: one.costCentsAfter,
              })),
              changed_deliveries: week.changed.length,
              changed: list(week.changed),
              unavailable_deliveries: week.unavailable.length,
              unavailable: list(week.unavailable),
              unknown_deliveries: week.unknown.length,
              unknown: list(week.unknown),
            },
          }),
        },
      })
    },
  }),
]

function fromSimulated(account: Account, { before, after, ...one }: SimulatedDelivery) {
  const store = account.storeById.get(one.storeId)
  if (!store || !before) return []
  const toWindow = ({ fromMs, toMs }: Window) => ({
    from: formatLocal(store.zone, fromMs),
    to: formatLocal(store.zone, toMs),
  })
  const toChoice = ({ service, carrierCents, window }: Option) => ({
    provider: service.provider,
    carrier: service.carrierName,
    service: service.service,
    cost_cents: carrierCents,
    window: toWindow(window),
  })
  return [
    {
      id: one.deliveryId,
      reference: one.reference,
      store_name: store.name,
      promised: one.promised && toWindow(one.promised),
      before: toChoice(before),
      after: after && toChoice(after),
      reason: one.reason,
      unknown_carriers: [...one.unknownCarriers],
    },
  ]
}
