/** Generates docs/state-diagrams.md from the tables of states in src/domain. */
import { writeFileSync } from 'node:fs'
import { stateDiagramsText } from './state-diagrams.ts'

writeFileSync(new URL('../docs/state-diagrams.md', import.meta.url), stateDiagramsText())
