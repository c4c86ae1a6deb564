#!/usr/bin/env node
import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runWithNode } from '../scripts/with-node.mjs'

const project = dirname(dirname(realpathSync(fileURLToPath(import.meta.url))))
await runWithNode(join(project, 'src', 'main.ts'), process.argv.slice(2))
