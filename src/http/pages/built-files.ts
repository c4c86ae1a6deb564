import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { Encoding } from '../contract/encodings.ts'

export type BuiltFile = {
  path: string
  bytes: number
  type: string
  etag: string
  /** True if its name contains a hash of its content, so the file never changes. */
  immutable: boolean
  /** Compressed copies stored beside it: `br`, `gzip`. */
  packed: Partial<Record<Encoding, { path: string; bytes: number }>>
}
const SUFFIXES: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' }
const STAMP = 'made-of'
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/**
 * The files of one built app by their path in its folder, e.g. `assets/x.js`; only their location is kept in memory.
 */
export type BuiltFiles = { find(path: string): BuiltFile | null }

/** Lists the folder at the first request, and again after another build. */
export function builtFiles(folder: string): BuiltFiles {
  let files: ReadonlyMap<string, BuiltFile> = new Map()
  let readAt = Number.NaN
  return {
    find(path) {
      const builtAtMs = findBuildTimeMs(folder)
      if (builtAtMs !== readAt) {
        files = builtAtMs === null ? new Map() : readFiles(folder)
        readAt = builtAtMs ?? Number.NaN
      }
      return files.get(path) ?? null
    },
  }
}

function findBuildTimeMs(folder: string): number | null {
  return statSync(join(folder, STAMP), { throwIfNoEntry: false })?.mtimeMs ?? null
}

function readFiles(folder: string): Map<string, BuiltFile> {
  const found = new Map<string, BuiltFile>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)]
    if (!entry.isFile() || !type) continue
    const path = join(entry.parentPath, entry.name)
    const name = relative(folder, path).split(sep).join('/')
    found.set(name, {
      path,
      bytes: statSync(path).size,
      type,
      ...identity(path, name),
      packed: findPacked(path),
    })
  }
  return found
}

function identity(path: string, name: string): Pick<BuiltFile, 'etag' | 'immutable'> {
  const immutable = name.startsWith('assets/')
  const message = immutable ? name : readFileSync(path)
  return { immutable, etag: `"${createHash('sha256').update(message).digest('base64url').slice(0, 22)}"` }
}

function findPacked(path: string): BuiltFile['packed'] {
  const sizes = Object.entries(SUFFIXES).flatMap(([encoding, suffix]) =>
    existsSync(path + suffix)
      ? [[encoding, { path: path + suffix, bytes: statSync(path + suffix).size }] as const]
      : [],
  )
  return Object.fromEntries(sizes)
}
