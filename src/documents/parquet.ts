import { ByteWriter, ParquetWriter } from 'hyparquet-writer'

export type ParquetColumn = { name: string; type: 'STRING' | 'TIMESTAMP' | 'INT32' | 'INT64' | 'BOOLEAN' }

/** How Parquet writes our types: all values may be null. */
const ELEMENTS = {
  STRING: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  TIMESTAMP: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  INT32: { type: 'INT32' },
  INT64: { type: 'INT64' },
  BOOLEAN: { type: 'BOOLEAN' },
} as const

/**
 * An Apache Parquet file in memory, compressed with Snappy, one row group for each call of `add`. Instants are
 * milliseconds since 1970. Rows hold a value for each column, in their order.
 */
export function makeParquetFile(columns: readonly ParquetColumn[]): {
  add(rows: readonly (readonly unknown[])[]): void
  finish(): Buffer
} {
  const writer = new ByteWriter()
  const file = new ParquetWriter({
    writer,
    createdBy: 'drover',
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.map(({ name, type }) => ({ name, repetition_type: 'OPTIONAL' as const, ...ELEMENTS[type] })),
    ],
  })
  return {
    add(rows) {
      if (rows.length === 0) return
      void file.write({
        rowGroupSize: rows.length,
        columnData: columns.map(({ name, type }, index) => ({
          name,
          data: rows.map((row) => toValue(type, row[index])),
        })),
      })
    },
    finish() {
      void file.finish()
      return Buffer.from(writer.getBuffer())
    },
  }
}

function toValue(type: ParquetColumn['type'], value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (type === 'INT64') return BigInt(value as number)
  return type === 'TIMESTAMP' ? new Date(value as number) : value
}
