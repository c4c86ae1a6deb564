#!/usr/bin/env node
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programOf } from '../scripts/program.mjs'
import { runWithNode } from '../scripts/with-node.mjs'

const project = dirname(dirname(realpathSync(fileURLToPath(import.meta.url))))
await runWithNode(programOf(project), process.argv.slice(2))
