import { pathText } from '../domain/account/validation/mistake.ts'
import type { LocatedMistake } from './account-file.ts'

const SHOWN = 100

/** `file:line:column path what is wrong → remedy`, one per line, in the order of the file. */
export function printMistakes(file: string, mistakes: readonly LocatedMistake[], json?: true): void {
  if (json) {
    const rows = mistakes.map(({ line, column, path, wrong, remedy }) => ({
      file,
      line,
      column,
      path: pathText(path),
      wrong,
      remedy,
    }))
    console.log(JSON.stringify({ mistakes: rows }))
    return
  }
  for (const { line, column, path, wrong, remedy, others } of mistakes.slice(0, SHOWN)) {
    const place = path.length === 0 ? '' : `${pathText(path)}  `
    const more = others === 0 ? '' : ` (and ${others} more that use these lines)`
    console.error(`${file}:${line}:${column}  ${place}${wrong}${more}  → ${remedy}`)
  }
  if (mistakes.length > SHOWN) console.error(`… and ${mistakes.length - SHOWN} more`)
  console.error(mistakes.length === 1 ? '1 mistake.' : `${mistakes.length} mistakes.`)
}
