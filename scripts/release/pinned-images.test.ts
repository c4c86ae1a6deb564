import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { parse, parseAllDocuments } from 'yaml'
import { lintDeploy } from '../lint-deploy.ts'
import { pinImages, readImage } from './pinned-images.ts'

const paths = globSync('deploy/**/{*.*,Dockerfile}').map((path) => path.replaceAll('\\', '/'))
const files = new Map(paths.map((path) => [path.slice('deploy/'.length), readFileSync(path, 'utf8')]))
const digest = (letter: string) => `sha256:${letter.repeat(64)}`
const OWN = `ghcr.test/shop/drover:1.2.3@${digest('a')}`
const OTHERS = [
  `node:24.21-bookworm-slim@${digest('b')}`,
  `postgres:17@${digest('c')}`,
  `nginx:1.28@${digest('d')}`,
]

test('release manifests pin every image by the digest that was pushed', () => {
  const { pinned, unpinned } = pinImages(files, [OWN, ...OTHERS].map(readImage))
  assert.deepEqual(unpinned, [])
  assert.deepEqual(parse(pinned.get('kubernetes/kustomization.yaml') ?? '').images, [
    { name: 'drover', newName: 'ghcr.test/shop/drover', digest: digest('a') },
  ])
  const [job] = parseAllDocuments(pinned.get('kubernetes/migrate.yaml') ?? '')
  assert.equal(job?.toJS().spec.template.spec.containers[0].image, OWN)
  assert.deepEqual(parse(pinned.get('helm/drover/values.yaml') ?? '').image, {
    repository: 'ghcr.test/shop/drover',
    tag: '1.2.3',
    digest: digest('a'),
  })
  assert.equal(pinned.get('Dockerfile')?.match(/^FROM node:24\.21-bookworm-slim@sha256:b{64}/gm)?.length, 2)
  const { services } = parse(pinned.get('compose.yaml') ?? '', { merge: true })
  assert.deepEqual([services.postgres.image, services.proxy.image], OTHERS.slice(1))
})

test('the pinned manifests pass the checks of the deploy folder', () => {
  const { pinned } = pinImages(files, [OWN, ...OTHERS].map(readImage))
  const complaints = lintDeploy({
    files: new Map([...pinned].filter(([path]) => /^(kubernetes|Dockerfile)/.test(path))),
    settings: new Set(['PUBLIC_URL', 'DROVER_LIVE', 'DROVER_TRUSTED_PROXIES']),
    metrics: new Set(),
    runbook: '',
    dashboard: '',
    version: '',
    exists: existsSync,
  })
  assert.deepEqual(complaints, [])
})

test('an image without a digest is reported, and a misspelt one is rejected', () => {
  const { unpinned } = pinImages(files, [readImage(OWN)])
  assert.deepEqual(unpinned, ['nginx:1.28', 'node:24.21-bookworm-slim', 'postgres:17'])
  for (const wrong of ['drover', 'drover:1', `drover@${digest('a')}`, 'drover:1@sha256:abc'])
    assert.throws(() => readImage(wrong), /not an image with a digest/)
})
