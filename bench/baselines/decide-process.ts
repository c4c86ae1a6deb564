import { decide } from '../../src/domain/quoting/decide.ts'
import { exampleAccount } from '../../test/demo-account.ts'
import { jobAt, TUESDAY_TEN } from '../../test/jobs.ts'
import { answerParent } from '../environment/child.ts'

const CALLS = 30
const demo = exampleAccount('demo-account')

/** The median in microseconds of decisions for an account with this many services, with every rule evaluated. */
answerParent(async ({ services: count }: { services: number }) => {
  const services = Array.from({ length: count }, (_, index) => {
    const model = demo.services[index % demo.services.length]!
    return { ...model, service: `${model.service}-${index}` }
  })
  const account = { ...demo, services }
  const job = jobAt(account)
  for (let call = 0; call < CALLS; call++) decide(account, job, TUESDAY_TEN)
  const took = Array.from({ length: CALLS }, () => {
    const beganMs = performance.now()
    decide(account, job, TUESDAY_TEN)
    return (performance.now() - beganMs) * 1_000
  })
  return took.sort((a, b) => a - b)[CALLS >> 1]
})
