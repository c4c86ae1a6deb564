const ORIENTATION = 0x0112
const SHORT = 3

/**
 * The display orientation of an image (EXIF 2.32, 1 to 8) from its TIFF block; null when the block is
 * unreadable.
 */
export function orientationOf(tiff: Buffer): number | null {
  const order = tiff.toString('latin1', 0, 2)
  if (order !== 'II' && order !== 'MM') return null
  const little = order === 'II'
  const short = (at: number): number => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const long = (at: number): number => (little ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  try {
    const first = long(4)
    const entries = short(first)
    for (let entry = 0; entry < entries; entry++) {
      const at = first + 2 + entry * 12
      if (short(at) !== ORIENTATION || short(at + 2) !== SHORT) continue
      const value = short(at + 8)
      return value >= 1 && value <= 8 ? value : null
    }
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
  return null
}

/** A TIFF block with only the orientation. */
export function orientationTiff(orientation: number): Buffer {
  const tiff = Buffer.alloc(26)
  tiff.write('MM', 0, 'latin1')
  tiff.writeUInt16BE(42, 2)
  tiff.writeUInt32BE(8, 4)
  tiff.writeUInt16BE(1, 8)
  tiff.writeUInt16BE(ORIENTATION, 10)
  tiff.writeUInt16BE(SHORT, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(orientation, 18)
  return tiff
}
