import { Link } from '@tanstack/react-router'
import { ActionButton } from '../../shared/action-button.tsx'
import { count } from '../../shared/count.ts'
import { Icon } from '../../shared/icon.tsx'
import { toProblem } from '../../shared/problem.ts'
import { useKeys } from '../keys/use-keys.ts'
import { MAX_PRINTED, ZPL_FILE } from '../print-labels.ts'
import { BatchWays } from './batch-ways.tsx'
import { OnPrinter } from './on-printer.tsx'
import { formatLabelCount, formatPrinted } from './print-batch.ts'
import type { Batch } from './use-batch.ts'
import type { Printing } from './use-printing.ts'

type SelectionToolbarProps = {
  ticked: number
  /** The selected deliveries with a label; absent if labels cannot be printed together. */
  batch: Batch | null
  manifestable: readonly string[]
  printing: Printing
  clear(): void
}

const NO_KEYS = {}

/** The toolbar of the selected rows; and after printing, the question whether the labels came out. */
export function SelectionToolbar({ ticked, batch, manifestable, printing, clear }: SelectionToolbarProps) {
  const { asked, error, print, printAgain, printerOf, answer, isPending } = printing
  useKeys(asked ? { y: () => answer(true) } : NO_KEYS)
  if (asked) {
    const isFile = asked.format === 'zpl'
    return (
      <div className="dock" role="toolbar" aria-label="After printing">
        <b>
          {isFile && `We saved ${ZPL_FILE}. `}Did {formatPrinted(asked.labels, asked.ids.length)} print
          {asked.printer && ` on ${asked.printer}`}?
        </b>
        {asked.leftOut && <span role="status">{asked.leftOut}</span>}
        {error && <b role="alert">{toProblem(error).message}</b>}
        <button type="button" className="b next" onClick={() => answer(true)}>
          Yes <kbd>Y</kbd>
        </button>
        <ActionButton type="button" className="b" busy={isPending} onClick={printAgain}>
          Print again
        </ActionButton>
        {isFile ? (
          <a className="b quiet" href={asked.address} download={ZPL_FILE}>
            Save the file again
          </a>
        ) : (
          <a className="b quiet" href={asked.address} target="_blank" rel="noreferrer">
            Open the PDF
          </a>
        )}
        <button type="button" className="b quiet" onClick={() => answer(false)}>
          No
        </button>
      </div>
    )
  }
  if (ticked === 0 && !error) return null
  const chosen = `${count(ticked, 'delivery', 'deliveries')} ticked`
  return (
    <div className="dock" role="toolbar" aria-label={ticked === 0 ? 'Labels' : chosen}>
      {error ? <b role="alert">{toProblem(error).message}</b> : <b>{chosen}</b>}
      {batch && <BatchWays batch={batch} />}
      {batch && batch.ids.length > 0 && (
        <ActionButton
          type="button"
          className="b next"
          busy={isPending}
          disabledReason={
            batch.ids.length > MAX_PRINTED && `Select at most ${MAX_PRINTED} deliveries to print at once.`
          }
          onClick={() => print(batch.deliveries)}
        >
          <Icon name="print" /> Print {formatLabelCount(batch.labels, batch.ids.length)}{' '}
          <OnPrinter name={printerOf(batch.deliveries)} /> <kbd>P</kbd>
        </ActionButton>
      )}
      {manifestable.length > 0 && (
        <Link to="/manifest" search={{ only: manifestable.join(',') }} className="b">
          Manifest {count(manifestable.length, 'delivery', 'deliveries')} <kbd>M</kbd>
        </Link>
      )}
      {!error && batch?.size === 0 && manifestable.length === 0 && (
        <span className="dim">
          You can’t print labels or create manifests for{' '}
          {ticked === 1 ? 'this delivery' : 'any of these deliveries'} here.
        </span>
      )}
      <button type="button" className="b quiet" onClick={clear}>
        Clear {batch && <kbd>Esc</kbd>}
      </button>
    </div>
  )
}
