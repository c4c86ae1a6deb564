import { z } from 'zod'
import { Refusal } from '../../../domain/errors.ts'
import { refuse } from '../../../domain/refuse.ts'
import {
  checkSpending,
  type Spending,
  spendWithinLimit,
} from '../../../operations/assistants/spending-limit.ts'
import type { Endpoint, TenantRequest } from '../../contract/endpoint.ts'
import { ERRORS } from '../../contract/errors.ts'
import { getAnswerSchema, PLANNED, type SpendingAnswer, toPlanAnswer } from './answer-schemas.ts'
import { changeEndpoint } from './change-endpoint.ts'
import { type Confirmed, MAX_CONFIRMATION, makeConfirmation, openConfirmation } from './confirmation.ts'
import type { Plan } from './plans.ts'
import { argumentChecker, refuseIssues, toAsk } from './read-endpoint.ts'
import { describe, type Ready, refusalOf } from './ready-tool.ts'
import { BRIEF, toInput } from './tools.ts'

/**
 * Two-step confirmation: the tools of one plan. The plan's confirmation is also the idempotency key of the commit, so
 * repeated commits change something only once.
 */
export function plannedTools(plan: Plan, endpoint: Endpoint): Ready[] {
  return [planTool(plan, endpoint), commitTool(plan, endpoint)]
}

function planTool(plan: Plan, endpoint: Endpoint): Ready {
  const { title, description, omit } = plan
  const input = toInput({ omit, hasCustomers: false }, endpoint)
  const check = argumentChecker(input, endpoint)
  const tool = {
    name: `plan_${plan.name}`,
    title: `Plan ${title}`,
    description: `${description} This tool only plans it and changes nothing. It returns what would happen, the price, and a confirmation for \`${toCommit(plan)}\`.`,
    hasCustomers: true,
    ours: ['effect', 'confirmation', 'next_tool'],
  }
  return {
    ...describe(tool, { input, answer: toPlanAnswer(PLANNED[plan.previewOf]) }, (caller) =>
      refusalOf(endpoint, caller),
    ),
    isOfChange: true,
    async answer(ask, args) {
      await refuseIssues(endpoint, toAsk(endpoint, ask, args), check(args))
      const { effect, data, args: confirmed, facts, cost } = await plan.preview(ask, args)
      const spending = cost && toWire(await checkSpending(ask.deps, ask.entry, ask.caller, cost))
      const made = makeConfirmation(ask, { tool: toCommit(plan), args: confirmed, facts, cost })
      return { data: { effect, ...data }, ...(spending && { spending }), ...made, next_tool: toCommit(plan) }
    },
  }
}

const CommitInput = z.strictObject({
  confirmation: z
    .string()
    .min(1)
    .max(MAX_CONFIRMATION)
    .meta({ description: 'The `confirmation` from the plan, exactly as the plan returned it.' }),
})

function commitTool(plan: Plan, endpoint: Endpoint): Ready {
  const check = argumentChecker(CommitInput, {})
  const tool = {
    name: toCommit(plan),
    title: `Commit ${plan.title}`,
    description: `Carries out a plan from \`plan_${plan.name}\`. Call it only after a person has agreed to the effect and the price. Calling it again with the same confirmation changes nothing more.`,
    hasCustomers: true,
    answerDetail: BRIEF,
  }
  const hints = { readOnlyHint: false, destructiveHint: plan.isDestructive }
  return {
    ...describe(
      tool,
      { input: CommitInput, answer: getAnswerSchema(endpoint) },
      (caller) => refusalOf(endpoint, caller),
      hints,
    ),
    isOfChange: true,
    async answer(ask, args) {
      const issues = check(args)
      if (issues.length > 0) refuse(issues)
      const confirmed = openConfirmation(ask, tool.name, String(args.confirmation))
      const change = () =>
        changeEndpoint(endpoint, ask, confirmed, () => refuseIfChanged(plan, ask, confirmed))
      const { cost, key } = confirmed
      if (!cost) return change()
      const { deps, entry, caller } = ask
      return spendWithinLimit(deps, { entry, caller, key, cost }, change, RESULTS)
    },
  }
}

const RESULTS = {
  toDeliveryId: ({ data }: Record<string, unknown>) => (data as { id: string }).id,
  // The first call with this confirmation may still change something, and so may a request that failed on our side.
  hasChangedNothing: ({ code }: Refusal) => code !== 'idempotency_in_progress' && ERRORS[code].status < 500,
}

function toWire({ limitCents, spentCents, resetsAt }: Spending): z.infer<typeof SpendingAnswer> {
  return { limit_cents: limitCents, spent_cents: spentCents, resets_at: resetsAt }
}

/** Plans again just before the change. Where a quote holds the price, the operation itself refuses. */
async function refuseIfChanged(plan: Plan, ask: TenantRequest, { args, facts }: Confirmed): Promise<void> {
  if (facts.length === 0) return
  const now = await plan.preview(ask, args)
  if (JSON.stringify(now.facts) === JSON.stringify(facts)) return
  const message = `The price or the delivery has changed since it was planned. A new plan would be: ${now.effect} Nothing was changed. Plan again with plan_${plan.name}.`
  throw new Refusal('option_changed', message)
}

function toCommit({ name }: Plan): string {
  return `commit_${name}`
}
