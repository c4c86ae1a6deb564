import { existsSync, realpathSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export type DiskSpace = { freeBytes: number; sizeBytes: number }

/** A disk with data of this process: the disk of the home, and of the database if its files are elsewhere. */
export type DataDisk = DiskSpace & {
  place: 'home' | 'database'
  folder: string
  /** `full`: PostgreSQL needs 16 MiB for its next log segment, and stops without it. */
  state: 'enough' | 'short' | 'full'
}

/** Below this, operators get a warning: a busy day writes about as much. */
export const SHORT_BYTES = 1_024 ** 3
/** Below this, writes fail, or soon will. */
export const FULL_BYTES = 64 * 1_024 ** 2

/** The disks of a home with an embedded database, each disk once; a disk that cannot be read is left out. */
export async function readDataDisks(
  home: string,
  readSpace: (folder: string) => Promise<DiskSpace> = readFileSystem,
): Promise<DataDisk[]> {
  const disks: DataDisk[] = []
  const devices = new Set<number>()
  for (const [place, folder] of [
    ['home', nearestFolder(home)],
    ['database', databaseFolder(home)],
  ] as const) {
    try {
      if (folder === null || devices.has(statSync(folder).dev)) continue
      devices.add(statSync(folder).dev)
      const space = await readSpace(folder)
      disks.push({ place, folder, ...space, state: judgeSpace(space) })
    } catch {
      // The folder was removed meanwhile, or its file system reports no sizes.
    }
  }
  return disks
}

/** A sentence about the disk with too little space; null if all have enough. `named`: with the folder, for operators only. */
export function diskWarning(disks: readonly DataDisk[], { named }: { named: boolean }): string | null {
  const worst = disks.find(({ state }) => state === 'full') ?? disks.find(({ state }) => state === 'short')
  if (!worst) return null
  const { state, folder, freeBytes, sizeBytes } = worst
  const disk = named ? `The disk of ${folder}` : 'The data disk'
  const space = `${toWords(freeBytes)} of ${toWords(sizeBytes)} free`
  return state === 'full'
    ? `${disk} is full (${space}): free space on it. Until then, requests that change data get 503.`
    : `${disk} is nearly full (${space}).`
}

/** Names the full disk; empty if no disk is full. */
export async function fullDiskSentence(home: string): Promise<string> {
  const full = (await readDataDisks(home)).filter(({ state }) => state === 'full')
  return diskWarning(full, { named: true }) ?? ''
}

function judgeSpace({ freeBytes }: DiskSpace): DataDisk['state'] {
  if (freeBytes < FULL_BYTES) return 'full'
  return freeBytes < SHORT_BYTES ? 'short' : 'enough'
}

async function readFileSystem(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize }
}

/**
 * Where the files of the embedded database are, possibly outside the home (see `choosePlace`); null: there
 * are no files yet.
 */
function databaseFolder(home: string): string | null {
  const folder = join(home, 'postgres')
  return existsSync(folder) ? realpathSync(folder) : null
}

function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder))
}

function toWords(bytes: number): string {
  const gib = bytes / 1_024 ** 3
  return gib >= 1 ? `${gib.toFixed(1)} GiB` : `${Math.floor(bytes / 1_024 ** 2)} MiB`
}
