/**
 * Writes what is derived from the chart in deploy/helm/drover: its values.schema.json, the manifests in
 * deploy/kubernetes, and their checksums. Needs Helm 3, on the PATH or named by HELM; with Go,
 * `go install helm.sh/helm/v3/cmd/helm@v3.19.0` installs it.
 *
 *   node scripts/with-node.mjs scripts/build-kubernetes.ts
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { renderPlainManifests } from './helm/helm.ts'
import { CHECKSUMS, renderChecksums } from './helm/plain-manifests.ts'
import { renderValuesSchema } from './helm/values-schema.ts'

writeFileSync('deploy/helm/drover/values.schema.json', renderValuesSchema())
const rendered = renderPlainManifests()
for (const [name, text] of rendered) writeFileSync(`deploy/kubernetes/${name}`, text)
const paths = globSync('deploy/{helm,kubernetes}/**/*.*').map((path) => path.replaceAll('\\', '/'))
const files = new Map(paths.map((path) => [path.slice('deploy/'.length), readFileSync(path, 'utf8')]))
writeFileSync(`deploy/${CHECKSUMS}`, renderChecksums(files))
console.log(`deploy/kubernetes: ${rendered.size} files.`)
