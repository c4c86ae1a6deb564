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
  // Checks bounds rather than catch a RangeError: an image may have thousands of damaged blocks, and each exception costs
  // 60 µs.
  const first = tiff.length >= 8 ? long(4) : tiff.length
  const entries = first + 2 <= tiff.length ? short(first) : 0
  for (let at = first + 2; at + 10 <= tiff.length && at < first + 2 + entries * 12; at += 12) {
    if (short(at) !== ORIENTATION || short(at + 2) !== SHORT) continue
    const value = short(at + 8)
    return value >= 1 && value <= 8 ? value : null
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
