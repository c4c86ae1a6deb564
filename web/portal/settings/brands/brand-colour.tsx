import { TextInput } from '@mantine/core'
import { checkColour } from '../../../../src/domain/account/brand-colours.ts'
import type { Place } from '../edits.ts'
import { textField, useSettings } from '../settings.ts'

/** A brand's colour, with how legible text on it is. */
export function BrandColour({ place }: { place: Place }) {
  const settings = useSettings()
  const colour = textField(settings, place)
  return (
    <>
      <div className="fields-row">
        <TextInput label="Colour" placeholder="#17513f" {...colour} />
        <label className="swatch">
          Pick a colour
          <input type="color" {...colour} value={isColour(colour.value) ? colour.value : '#17513f'} />
        </label>
      </div>
      {isColour(colour.value) && (
        <Contrast colour={colour.value} choose={(shade) => settings.set(place, shade)} />
      )}
    </>
  )
}

export function isColour(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text)
}

function Contrast({ colour, choose }: { colour: string; choose(shade: string): void }) {
  const { white, ink, isLegible, nearest } = checkColour(colour)
  if (isLegible) {
    const [text, ratio] = white >= ink ? ['White', white] : ['Dark', ink]
    return (
      <p className="dim">
        {text} text is easy to read on this colour: the contrast is {formatRatio(ratio)}, and the minimum is
        4.5:1.
      </p>
    )
  }
  return (
    <div role="status">
      <p className="warn">
        Text on this colour is hard to read: white text has a contrast of {formatRatio(white)} and dark text{' '}
        {formatRatio(ink)}. The minimum is 4.5:1, so customers will see a darker colour.
      </p>
      <button type="button" className="b s" onClick={() => choose(nearest)}>
        Use {nearest} instead
      </button>
    </div>
  )
}

/** Rounded down: 4.49 is not enough. */
function formatRatio(ratio: number): string {
  return `${(Math.floor(ratio * 10) / 10).toFixed(1)}:1`
}
