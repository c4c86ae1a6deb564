import type { Finding } from '../cli/deps.ts'
import { type DataDisk, diskWarning, readDataDisks } from '../embedded/disk-space.ts'
import { good, note, wrong } from './finding.ts'

/** Checks the free space on the disks of the home and of the embedded database. */
export async function checkDisks(home: string, read = readDataDisks): Promise<Finding[]> {
  return (await read(home)).map(judge)
}

function judge(disk: DataDisk): Finding {
  const said = diskWarning([disk], { named: true })
  if (!said) return good('disk', `The disk of ${disk.folder} has enough free space.`)
  const remedy = 'Free space on it, or move the home to a larger disk (DROVER_HOME).'
  return disk.state === 'full' ? wrong('disk', said, remedy) : note('disk', said, remedy)
}
