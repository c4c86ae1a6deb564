import { useState } from 'react'
import type { DriverJob } from '../shared/api.generated.ts'
import { Icon } from '../shared/icons.tsx'
import { readScannedCode } from '../shared/scanned-code.ts'
import {
  addUnit,
  type CollectedUnits,
  collectedUnitsOf,
  collectScanned,
  countCollected,
  formatCollected,
  type ParcelRow,
  removeUnit,
  toCollection,
  toggleRow,
} from './collected-units.ts'
import { doStep } from './outbox.ts'
import { streetOf, unitsOf } from './places.ts'
import { go } from './route.ts'
import { canScan, Scanner } from './scanner.tsx'
import { Top } from './top.tsx'

/** The parcels to collect, scanned or ticked one by one. */
export function Collect({ job }: { job: DriverJob }) {
  const [collected, setCollected] = useState<CollectedUnits>(new Map())
  const [scanning, setScanning] = useState(false)
  const [message, setSaid] = useState('')
  const have = formatCollected(collected, job)

  const scan = (text: string) => {
    const isOurs = collectScanned(collected, job, text) !== null
    // A camera may see several labels at once.
    setCollected((before) => collectScanned(before, job, text) ?? before)
    setSaid(`${readScannedCode(text)} is ${isOurs ? 'one of them' : 'not of this job'}.`)
  }
  const failScan = () => {
    setScanning(false)
    setSaid('We can’t use the camera. Allow it in the phone’s settings, or tick what you have.')
  }
  const collect = async () => {
    const body = { at: new Date().toISOString(), ...toCollection(collected, job) }
    await doStep({ jobId: job.id, verb: 'collect', body, about: streetOf(job.from) })
    go({ page: 'job', job: job.id })
  }
  return (
    <>
      <Top
        title={`Collect at ${job.from.name ?? streetOf(job.from)}`}
        back={{ page: 'job', job: job.id }}
        right={`${countCollected(collected, job)} of ${unitsOf(job)}`}
      />
      <main className="collect">
        <h1 className="q">What do you have?</h1>
        <ul className="parcels">
          {job.parcels.map((row) => (
            <Row key={row.reference} row={row} collected={collected} change={setCollected} />
          ))}
        </ul>
        <p className="said" role="status">
          {message}
        </p>
        {scanning && <Scanner onCode={scan} onEnd={() => setScanning(false)} onFail={failScan} />}
      </main>
      <nav className="thumb" aria-label="Collect">
        {canScan() && !scanning && (
          <button type="button" className="half wide" onClick={() => setScanning(true)}>
            <Icon name="camera" size={22} /> Scan labels
          </button>
        )}
        <button
          type="button"
          className="big"
          aria-disabled={have === null}
          onClick={() => have !== null && collect()}
        >
          {have === null ? 'Tick what you have' : `I have ${have}`}
        </button>
      </nav>
    </>
  )
}

type RowProps = {
  row: ParcelRow
  collected: CollectedUnits
  change(to: (before: CollectedUnits) => CollectedUnits): void
}

/** One tick for a whole row; the units of a row can also be counted one by one. */
function Row({ row, collected, change }: RowProps) {
  const { reference, description, type, quantity, weight_kg } = row
  const units = collectedUnitsOf(collected, row)
  const name = description ?? type ?? 'Parcel'
  return (
    <li>
      <label className={units === quantity ? 'on' : ''}>
        <input
          type="checkbox"
          checked={units === quantity}
          ref={(box) => {
            if (box) box.indeterminate = units > 0 && units < quantity
          }}
          onChange={() => change((before) => toggleRow(before, row))}
        />
        <span>
          <b>{name}</b>
          <small>
            {reference}, {quantity > 1 && `${units} of ${quantity}, each `}
            {weight_kg} kg
          </small>
        </span>
      </label>
      {quantity > 1 && (
        <div className="two">
          <Step
            word="One less"
            of={name}
            open={units > 0}
            onPress={() => change((now) => removeUnit(now, row))}
          />
          <Step
            word="One more"
            of={name}
            open={units < quantity}
            onPress={() => change((now) => addUnit(now, row))}
          />
        </div>
      )}
    </li>
  )
}

function Step(props: { word: string; of: string; open: boolean; onPress(): void }) {
  const { word, of, open, onPress } = props
  return (
    <button
      type="button"
      className="half"
      aria-label={`${word}: ${of}`}
      aria-disabled={!open}
      onClick={() => open && onPress()}
    >
      {word}
    </button>
  )
}
