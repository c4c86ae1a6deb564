import bwipjs from 'bwip-js'
import type { Barcodes } from '../barcode-content.ts'
import { gs1Elements } from '../barcode-content.ts'

/** A square of modules, row by row; 1 is dark. */
export type Matrix = { size: number; modules: ArrayLike<number> }

/** @throws Error when the text is not what its kind allows; GS1 strings are checked against GS1's own syntax. */
export function dataMatrix({ kind, text }: Barcodes['matrix']): Matrix {
  const bcid = kind === 'gs1-datamatrix' ? 'gs1datamatrix' : 'datamatrix'
  const [symbol] = bwipjs.raw({ bcid, text })
  if (!symbol || !('pixs' in symbol)) throw new Error(`bwip-js drew no matrix for ${bcid}.`)
  return { size: symbol.pixx, modules: symbol.pixs }
}

/** Field data for ZPL's `^BX` with escape character `_`: FNC1 first and between elements in the GS1 kind. */
export function zplDataMatrix({ kind, text }: Barcodes['matrix']): string {
  if (!/^[\w.()-]*$/.test(text))
    throw new RangeError('A ZPL matrix here carries letters, digits and . _ - only.')
  if (kind === 'datamatrix') return text.replaceAll('_', '__')
  return gs1Elements(text)
    .map((element) => `_1${element}`)
    .join('')
}
