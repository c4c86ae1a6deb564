/** Generates docs/operations/statements.md from the SQL in src. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { statementsText } from './statement-list.ts'
import { findStatements } from './statements.ts'

const sources = globSync('src/**/*.ts')
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(path, 'utf8') }))
writeFileSync(
  new URL('../docs/operations/statements.md', import.meta.url),
  statementsText(findStatements(sources)),
)
