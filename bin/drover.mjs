#!/usr/bin/env node
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programOf } from '../scripts/program.mjs'
import { runWithNode } from '../scripts/with-node.mjs'

/** V8's flags of a server: it collects garbage when it is idle, and has small spaces for young objects. */
const SERVER_FLAGS = ['--expose-gc', '--v8-pool-size=1', '--max-semi-space-size=16']
const SERVERS = ['start', 'api', 'worker']

const project = dirname(dirname(realpathSync(fileURLToPath(import.meta.url))))
const args = process.argv.slice(2)
const flags = SERVERS.includes(args[0]) ? SERVER_FLAGS : []
await runWithNode(programOf(project), args, flags)
