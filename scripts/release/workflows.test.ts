import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { parse } from 'yaml'

type Step = { uses?: string }
type Job = { needs?: string; permissions?: Record<string, string>; steps: Step[] }
type Workflow = { on: unknown; permissions: object; jobs: Record<string, Job> }

const PATHS = globSync('.github/workflows/*.{yml,yaml}')
const PINNED = /uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/

test('workflows pin every action by its commit and give each job only its own permissions', () => {
  assert.ok(PATHS.length > 0)
  for (const path of PATHS) {
    const text = readFileSync(path, 'utf8')
    for (const line of text.split('\n').filter((one) => /\buses:/.test(one))) assert.match(line, PINNED, path)
    const { permissions, jobs } = parse(text) as Workflow
    assert.deepEqual(permissions, {}, path)
    for (const [name, job] of Object.entries(jobs)) {
      assert.ok(job.permissions, `${path}: ${name}`)
      assert.ok(!Object.values(job.permissions).includes('write-all'), `${path}: ${name}`)
    }
  }
})

test('only a release tag publishes the documentation site, and only the job that publishes may write', () => {
  const { on, jobs } = parse(readFileSync('.github/workflows/publish-site.yml', 'utf8')) as Workflow
  assert.deepEqual(on, { push: { tags: ['v[0-9]+.[0-9]+.[0-9]+'] } })
  assert.deepEqual(jobs.build?.permissions, { contents: 'read' })
  assert.deepEqual(jobs.publish?.permissions, { pages: 'write', 'id-token': 'write' })
  // What the writing job runs was built without its permissions.
  assert.deepEqual(
    jobs.publish?.steps.map(({ uses }) => uses?.split('@')[0]),
    ['actions/deploy-pages'],
  )
})

test('a release is tested before anything is published, and only its own jobs may write', () => {
  const { jobs } = parse(readFileSync('.github/workflows/release.yml', 'utf8')) as Workflow
  assert.deepEqual(
    Object.entries(jobs).map(([name, { needs, permissions }]) => [name, needs, permissions?.contents]),
    [
      ['test', undefined, 'read'],
      ['packages', 'test', 'read'],
      ['publish', 'packages', 'write'],
      ['publish-python', 'packages', undefined],
      ['image', 'test', 'read'],
    ],
  )
  // The jobs that publish packages run no code of the repository.
  for (const job of [jobs.publish, jobs['publish-python']]) {
    assert.ok(job)
    for (const { uses } of job.steps) assert.doesNotMatch(uses ?? '', /^actions\/checkout@/)
  }
})
