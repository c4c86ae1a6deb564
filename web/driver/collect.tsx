import { useState } from 'react'
import type { DriverJob } from '../shared/api.generated.ts'
import { Icon } from '../shared/icons.tsx'
import { scannedCode } from '../shared/scanned.ts'
import { doStep } from './outbox.ts'
import { codesOf, parcelsWords, streetOf } from './places.ts'
import { go } from './route.ts'
import { canScan, Scanner } from './scanner.tsx'
import { Top } from './top.tsx'

/** What is taken along, scanned or ticked, one by one. */
export function Collect({ job }: { job: DriverJob }) {
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set())
  const [scanning, setScanning] = useState(false)
  const [said, setSaid] = useState('')
  const all = job.parcels.map(({ reference }) => reference)
  const have = all.filter((reference) => taken.has(reference))

  const toggle = (reference: string) =>
    setTaken((before) => {
      const after = new Set(before)
      if (!after.delete(reference)) after.add(reference)
      return after
    })
  const scanned = (text: string) => {
    const code = scannedCode(text)
    const found = codesOf(job).find(({ codes }) => codes.includes(code))
    const isWhole = code === job.id || code === job.consignment_number
    if (found) setTaken((before) => new Set(before).add(found.reference))
    else if (isWhole && all.length === 1) setTaken(new Set(all))
    setSaid(
      found || (isWhole && all.length === 1) ? `${code} is one of them.` : `${code} is not of this job.`,
    )
  }
  const collect = async () => {
    const body = {
      at: new Date().toISOString(),
      ...(have.length < all.length && { parcel_references: have }),
    }
    await doStep({ jobId: job.id, verb: 'collect', body, about: streetOf(job.from) })
    go({ page: 'job', job: job.id })
  }
  return (
    <>
      <Top
        title={`Collect at ${job.from.name ?? streetOf(job.from)}`}
        back={{ page: 'job', job: job.id }}
        right={`${have.length} of ${all.length}`}
      />
      <main className="collect">
        <h1 className="q">What do you have?</h1>
        <ul className="parcels">
          {job.parcels.map(({ reference, description, type, quantity, weight_kg }) => (
            <li key={reference}>
              <label className={taken.has(reference) ? 'on' : ''}>
                <input type="checkbox" checked={taken.has(reference)} onChange={() => toggle(reference)} />
                <span>
                  <b>{description ?? type ?? 'Parcel'}</b>
                  <small>
                    {reference}, {quantity > 1 && `${quantity} of them, `}
                    {weight_kg} kg
                  </small>
                </span>
              </label>
            </li>
          ))}
        </ul>
        <p className="said" role="status">
          {said}
        </p>
        {scanning && <Scanner onCode={scanned} onEnd={() => setScanning(false)} />}
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
          aria-disabled={have.length === 0}
          onClick={() => have.length > 0 && collect()}
        >
          {have.length === 0
            ? 'Tick what you have'
            : `I have ${have.length === all.length ? parcelsWords(all.length) : `${have.length} of ${all.length}`}`}
        </button>
      </nav>
    </>
  )
}
