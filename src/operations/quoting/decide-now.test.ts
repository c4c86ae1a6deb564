import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleAccount } from '../../../test/demo-account.ts'
import { jobAt, TUESDAY_TEN } from '../../../test/jobs.ts'
import { decide } from '../../domain/quoting/decide.ts'
import type { BookingIntent } from '../../store/deliveries/booking-intents.ts'
import { withoutRefused } from './decide-now.ts'

const demo = exampleAccount('demo-account')
const decision = decide(demo, jobAt(demo), TUESDAY_TEN)
const [first, ...rest] = decision.options.map(({ service }) => service)
const row = { refusals_valid_from_attempt: 1, content_version: 3 }
const refusal = {
  ...{ provider: first?.provider, service: first?.service, message: 'full' },
  ...{ attempt: 2, contentVersion: 3, state: 'rejected' },
} as BookingIntent

test('a service that refused a delivery is not an option until the refusal expires', () => {
  for (const [name, changed, holds] of [
    ['as it is offered now', {}, true],
    ['before a person had it tried again', { attempt: 1 }, false],
    ['as it was before an amend', { contentVersion: 2 }, false],
    ['was given up, not refused', { state: 'void' }, false],
  ] as const) {
    const { options, exclusions } = withoutRefused(decision, row, [{ ...refusal, ...changed }])
    const left = holds ? rest : [first, ...rest]
    assert.deepEqual(
      options.map(({ service }) => service),
      left,
      name,
    )
    const refusedServices = exclusions.filter(({ rule }) => rule === 'refused')
    const { carrierName } = first!
    const wanted = holds
      ? [{ service: first, rule: 'refused', detail: `${carrierName} refused it: full` }]
      : []
    assert.deepEqual(refusedServices, wanted, name)
  }
})
