import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ApplyAnswer } from '../../../shared/api.generated.ts'
import { lineDiff } from './line-diff.ts'
import { inOrder, nameOf, type PlanLine, SIGNS, valueWords } from './plan-words.ts'

type PlanViewProps = {
  plan: ApplyAnswer['data']['plan']
  version: number
  before: string
  after: string
  busy: boolean
  apply(): void
  back(): void
}

const REMOVE = 'remove'

/** What would change: counts, sentences, and the lines of the document; removals want the word typed. */
export function PlanView({ plan, version, before, after, busy, apply, back }: PlanViewProps) {
  const [typed, setTyped] = useState('')
  const count = (action: PlanLine['action']) => plan.filter((line) => line.action === action).length
  const removes = count('remove')
  const closed = removes > 0 && typed.trim().toLowerCase() !== REMOVE
  return (
    <>
      <div className="head">
        <h1>Plan</h1>
        <span className="dim">
          version {version}, in use → <b>version {version + 1}</b>, yours, not applied
        </span>
        <span className="right">
          <button type="button" className="b" onClick={back}>
            Back to the document
          </button>
          <button
            type="button"
            className="b next"
            disabled={busy || closed || plan.length === 0}
            onClick={apply}
          >
            Apply version {version + 1}
          </button>
        </span>
      </div>
      <div className="sheet tally">
        <Tally sign="~" figure={count('change')} word="changed" />
        <Tally sign="+" figure={count('add')} word="added" />
        <Tally sign="−" figure={removes} word="removed" />
        <p>
          <b>Applied whole or not at all, without stopping traffic.</b> What is booked keeps the version it
          was decided under; what still waits is decided under the new one. You can go back to {version} at
          any time.
        </p>
      </div>
      {removes > 0 && (
        <div className="narrow">
          <TextInput
            label={`Type “${REMOVE}” to take these away`}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </div>
      )}
      {plan.length === 0 && (
        <div className="state">
          <h2>Nothing would change.</h2>
          <p>The document says what is in use already.</p>
        </div>
      )}
      {plan.length > 0 && (
        <div className="plan-grid">
          <ul className="sheet ch">
            {inOrder(plan).map((line) => (
              <li key={line.action + line.what + line.name}>
                <span className="sg" aria-hidden="true">
                  {SIGNS[line.action]}
                </span>
                <h2>
                  <span className="vh">{line.action}: </span>
                  {nameOf(line)}
                </h2>
                {line.changes.length > 0 && <Changes changes={line.changes} />}
              </li>
            ))}
          </ul>
          <Lines before={before} after={after} />
        </div>
      )}
    </>
  )
}

function Tally({ sign, figure, word }: { sign: string; figure: number; word: string }) {
  return (
    <div>
      <span className="sg" aria-hidden="true">
        {sign}
      </span>
      <b>{figure}</b>
      <span>{word}</span>
    </div>
  )
}

function Changes({ changes }: { changes: PlanLine['changes'] }) {
  return (
    <ul className="wh">
      {changes.map(({ field, from, to }) => (
        <li key={field}>
          {field.replaceAll(/[_.]/g, ' ')} {from !== undefined && <s>{valueWords(from)}</s>}{' '}
          <b>{to === undefined ? 'taken away' : valueWords(to)}</b>
        </li>
      ))}
    </ul>
  )
}

function Lines({ before, after }: { before: string; after: string }) {
  const lines = lineDiff(before, after)
  const count = (kind: string) => lines.filter((line) => line.kind === kind).length
  return (
    <section className="sheet code" aria-label="The document’s lines">
      <header>
        <b>The document</b>
        <span className="dim small">
          {count('add')} lines in, {count('remove')} out
        </span>
      </header>
      <ol>
        {lines.map((line, index) =>
          line.kind === 'gap' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place.
            <li key={index} className="gap">
              {line.lines} lines as they were
            </li>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place.
            <li key={index} className={line.kind}>
              <i>{line.number}</i>
              <em>{line.kind === 'add' ? '+' : line.kind === 'remove' ? '−' : ''}</em>
              <span>{line.text}</span>
            </li>
          ),
        )}
      </ol>
    </section>
  )
}
