import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'

/** The names of the modules that a new process loads for these files. */
function loadedBy(...files: string[]): string[] {
  const program = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
    for (const file of ${JSON.stringify(files.map((file) => new URL(file, import.meta.url).href))}) await import(file)
    console.log(loaded.join('\\n'))`
  const run = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  return run.split('\n')
}

test('a process that starts loads neither the MCP SDK nor the tools', () => {
  const [server, root] = ['../../server/server.ts', '../../../bootstrap/composition-root.ts']
  const isMcp = (url: string) => /@modelcontextprotocol|api\/mcp\/(?!mcp-routes)/.test(url)
  const started = loadedBy(server, root)
  assert.ok(started.some((url) => url.endsWith('api/mcp/mcp-routes.ts')))
  assert.deepEqual(started.filter(isMcp), [])
  const asked = loadedBy('./answer-mcp.ts')
  assert.ok(
    asked.some((url) => url.includes('@modelcontextprotocol/server')),
    'the first request loads them',
  )
})
