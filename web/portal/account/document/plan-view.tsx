import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { ActionButton } from '../../../shared/action-button.tsx'
import type { ApplyAnswer } from '../../../shared/api.generated.ts'
import { Difference } from './difference.tsx'

type PlanViewProps = {
  plan: ApplyAnswer['data']['plan']
  warnings: ApplyAnswer['data']['warnings']
  version: number
  before: string
  after: string
  busy: boolean
  apply(): void
  back(): void
}

const REMOVE = 'remove'

/** The planned changes: counts, sentences, and lines of the document; a removal needs a typed confirmation. */
export function PlanView({ plan, warnings, version, before, after, busy, apply, back }: PlanViewProps) {
  const [typed, setTyped] = useState('')
  const removes = plan.filter(({ action }) => action === 'remove').length
  const isUnconfirmed = removes > 0 && typed.trim().toLowerCase() !== REMOVE
  const disabledReason =
    plan.length === 0
      ? 'There are no changes to apply.'
      : isUnconfirmed && `This plan removes things from the account. Type “${REMOVE}” below to confirm.`
  return (
    <>
      <div className="head">
        <h1>Plan</h1>
        <span className="dim">
          Version {version} (in use) → <b>version {version + 1}</b> (yours, not applied yet)
        </span>
        <span className="right">
          <button type="button" className="b" onClick={back}>
            Back to the document
          </button>
          <ActionButton
            type="button"
            className="b next"
            busy={busy}
            disabledReason={disabledReason}
            onClick={apply}
          >
            Apply version {version + 1}
          </ActionButton>
        </span>
      </div>
      {warnings.map(({ field, message }) => (
        <p key={`${field} ${message}`} className="warn" role="status">
          {field && <b>{field}: </b>}
          {message}
        </p>
      ))}
      <Difference
        plan={plan}
        before={before}
        after={after}
        question={
          removes > 0 && (
            <div className="narrow">
              <TextInput
                label={`Type “${REMOVE}” to confirm the removals`}
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
              />
            </div>
          )
        }
        same={
          <>
            <h2>Nothing would change.</h2>
            <p>This document has the same effect as the one in use.</p>
          </>
        }
      >
        {plan.length > 0 && (
          <>
            <b>We’ll apply all of these changes or none of them, without downtime.</b> Existing deliveries
            keep the version they were created with. New deliveries use version {version + 1}. You can go back
            to version {version} at any time.
          </>
        )}
      </Difference>
    </>
  )
}
