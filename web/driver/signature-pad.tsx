import { type PointerEvent, useRef, useState } from 'react'
import { ActionButton } from '../shared/action-button.tsx'

/** Lines of x, y, x, y … in a box of 1000 by 400, as the API takes them. */
export type Strokes = number[][]

const BOX = { width: 1_000, height: 400 }
/** The maximum that the API accepts. */
const MOST = { strokes: 200, numbers: 4_000 }

/** The field for a finger signature. */
export function SignaturePad({ strokes, onChange }: { strokes: Strokes; onChange(strokes: Strokes): void }) {
  const [drawing, setDrawing] = useState<number[] | null>(null)
  const pad = useRef<SVGSVGElement>(null)
  const pointOf = ({ clientX, clientY }: PointerEvent): [number, number] => {
    const { left, top, width, height } = (pad.current as SVGSVGElement).getBoundingClientRect()
    const held = (value: number, max: number) => Math.round(Math.min(max, Math.max(0, value)))
    return [
      held(((clientX - left) / width) * BOX.width, BOX.width),
      held(((clientY - top) / height) * BOX.height, BOX.height),
    ]
  }
  const end = () => {
    if (drawing && drawing.length >= 4 && strokes.length < MOST.strokes) onChange([...strokes, drawing])
    setDrawing(null)
  }
  return (
    <div className="pad">
      <svg
        ref={pad}
        viewBox={`0 0 ${BOX.width} ${BOX.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={strokes.length > 0 ? 'Signed' : 'Sign here with a finger'}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          setDrawing(pointOf(event))
        }}
        onPointerMove={(event) =>
          setDrawing((line) => line && (line.length < MOST.numbers ? [...line, ...pointOf(event)] : line))
        }
        onPointerUp={end}
        onPointerCancel={end}
      >
        {[...strokes, ...(drawing ? [drawing] : [])].map((line) => (
          <polyline key={line.slice(0, 4).join()} points={line.join(' ')} />
        ))}
      </svg>
      <ActionButton
        type="button"
        className="half"
        disabledReason={strokes.length === 0 && 'Nothing is signed yet.'}
        onClick={() => onChange([])}
      >
        Clear
      </ActionButton>
    </div>
  )
}
