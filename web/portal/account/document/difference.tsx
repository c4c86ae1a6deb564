import type { ReactNode } from 'react'
import { count } from '../../../shared/count.ts'
import { formatValue, inOrder, nameOf, type PlanLine, SIGNS } from './format-plan.ts'
import { lineDiff } from './line-diff.ts'

const WORDS: Readonly<Record<PlanLine['action'], string>> = {
  add: 'Added',
  change: 'Changed',
  remove: 'Removed',
}

type DifferenceProps = {
  plan: readonly PlanLine[]
  before: string
  after: string
  /** Shown beside the counts. */
  children: ReactNode
  /** Between a count and its noun. */
  question?: ReactNode
  /** Shown if the two documents mean the same. */
  same: ReactNode
}

/** The difference of two documents: counts, sentences, and lines, with unchanged lines folded. */
export function Difference({ plan, before, after, children, question, same }: DifferenceProps) {
  const figure = (action: PlanLine['action']) => plan.filter((line) => line.action === action).length
  return (
    <>
      <div className="sheet tally">
        <Tally sign="~" figure={figure('change')} word="changed" />
        <Tally sign="+" figure={figure('add')} word="added" />
        <Tally sign="−" figure={figure('remove')} word="removed" />
        <p>{children}</p>
      </div>
      {question}
      {plan.length === 0 && <div className="state">{same}</div>}
      {plan.length > 0 && (
        <div className="plan-grid">
          <ul className="sheet ch">
            {inOrder(plan).map((line) => (
              <li key={line.action + line.kind + line.name}>
                <span className="sg" aria-hidden="true">
                  {SIGNS[line.action]}
                </span>
                <h2>
                  <span className="vh">{WORDS[line.action]}: </span>
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
          {field.replaceAll(/[_.]/g, ' ')} {from !== undefined && <s>{formatValue(from, field)}</s>}{' '}
          <b>{to === undefined ? 'removed' : formatValue(to, field)}</b>
        </li>
      ))}
    </ul>
  )
}

function Lines({ before, after }: { before: string; after: string }) {
  const lines = lineDiff(before, after)
  const figure = (kind: string) => lines.filter((line) => line.kind === kind).length
  return (
    <section className="sheet code" aria-label="Changes to the document">
      <header>
        <b>The document</b>
        <span className="dim small">
          {count(figure('add'), 'line')} added, {count(figure('remove'), 'line')} removed
        </span>
      </header>
      <ol>
        {lines.map((line, index) =>
          line.kind === 'gap' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the line.
            <li key={index} className="gap">
              {count(line.lines, 'line')} unchanged
            </li>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the line.
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
