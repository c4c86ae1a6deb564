import { useEffect, useRef } from 'react'
import { Icon } from '../shared/icons.tsx'

type Detector = { detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]> }
type DetectorClass = new (options: { formats: string[] }) => Detector
const FORMATS = ['code_128', 'data_matrix', 'qr_code']
const EVERY_MS = 250

/** Whether this phone can read labels; without that, drivers tick parcels. */
export function canScan(): boolean {
  return 'BarcodeDetector' in globalThis && navigator.mediaDevices !== undefined
}

type ScannerProps = {
  onCode(code: string): void
  onEnd(): void
  /** No camera, or no permission: drivers can still tick. */
  onFail(): void
}

/** The camera's picture, and each label that it sees, once. */
export function Scanner({ onCode, onEnd, onFail }: ScannerProps) {
  const video = useRef<HTMLVideoElement>(null)
  const tell = useRef({ onCode, onFail })
  tell.current = { onCode, onFail }
  useEffect(() => {
    const seen = new Set<string>()
    let stream: MediaStream | null = null
    let timer: ReturnType<typeof setInterval> | undefined
    let gone = false
    const look = async () => {
      const Class = (globalThis as unknown as { BarcodeDetector: DetectorClass }).BarcodeDetector
      const detector = new Class({ formats: FORMATS })
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
      if (gone || !video.current) return stop(stream)
      video.current.srcObject = stream
      await video.current.play()
      timer = setInterval(async () => {
        const codes = video.current ? await detector.detect(video.current).catch(() => []) : []
        for (const { rawValue } of codes) {
          if (seen.has(rawValue)) continue
          seen.add(rawValue)
          tell.current.onCode(rawValue)
        }
      }, EVERY_MS)
    }
    look().catch(() => {
      if (!gone) tell.current.onFail()
    })
    return () => {
      gone = true
      clearInterval(timer)
      if (stream) stop(stream)
    }
  }, [])
  return (
    <div className="scan">
      <video ref={video} muted playsInline aria-label="The camera’s picture" />
      <button type="button" className="half" onClick={onEnd}>
        <Icon name="tick" size={20} /> Done scanning
      </button>
    </div>
  )
}

function stop(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}
