import type { Logger } from 'pino'
import { Gauge, type Registry } from 'prom-client'
import { type DataDisk, diskWarning, readDataDisks } from '../embedded/disk-space.ts'

const READ_EVERY_MS = 10_000

export type DiskWatch = {
  /** Which disk is short of space, without paths, as of the last reading; null if all have enough. */
  warning(): string | null
  stop(): void
}

/**
 * Reads the free space on the data disks at intervals, for the log, the metrics and health checks. No request
 * waits for it, so a file system that hangs doesn't block requests.
 */
export async function watchDisks({
  home,
  registry,
  log,
  read = readDataDisks,
}: {
  home: string
  registry: Registry
  log: Logger
  read?: (home: string) => Promise<DataDisk[]>
}): Promise<DiskWatch> {
  let disks: readonly DataDisk[] = []
  let states = ''
  const look = async (): Promise<void> => {
    disks = await read(home).catch(() => [])
    const before = states
    states = disks.map(({ place, state }) => `${place} ${state}`).join()
    const warning = diskWarning(disks, { named: true })
    if (states !== before && warning) log.warn(warning)
    if (states !== before && !warning && before !== '')
      log.info('The data disks have enough free space again.')
  }
  const figures = [
    [
      'drover_disk_free_bytes',
      'Free space on a disk that holds data.',
      ({ freeBytes }: DataDisk) => freeBytes,
    ],
    ['drover_disk_size_bytes', 'Size of a disk that holds data.', ({ sizeBytes }: DataDisk) => sizeBytes],
  ] as const
  for (const [name, help, bytesOf] of figures) {
    new Gauge({
      name,
      help: `${help} \`volume\`: the home, and the database where its files are elsewhere.`,
      labelNames: ['volume'],
      registers: [registry],
      collect() {
        this.reset()
        for (const disk of disks) this.set({ volume: disk.place }, bytesOf(disk))
      },
    })
  }
  await look()
  const timer = setInterval(() => void look(), READ_EVERY_MS).unref()
  return { warning: () => diskWarning(disks, { named: false }), stop: () => clearInterval(timer) }
}
