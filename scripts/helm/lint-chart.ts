import { parse } from 'yaml'
import { CHART, CHECKSUMS, renderChecksums } from './plain-manifests.ts'
import {
  CHART_SETTINGS,
  ChartValues,
  FIXED_SETTINGS,
  renderValuesSchema,
  SECRET_SETTINGS,
} from './values-schema.ts'

/**
 * Mistakes in deploy/helm that need no Helm to find, one sentence each. `files`: text by path below deploy/;
 * `settings`: the variables that the product reads; `version`: the product's.
 */
export function lintChart(
  files: ReadonlyMap<string, string>,
  settings: ReadonlySet<string>,
  version: string,
): string[] {
  const read = (name: string) => files.get(`${CHART}/${name}`) ?? ''
  const chart = parse(read('Chart.yaml')) ?? {}
  const values = ChartValues.safeParse(parse(read('values.yaml')))
  const stale = [
    ...(read('values.schema.json') === renderValuesSchema() ? [] : [`${CHART}/values.schema.json`]),
    ...(files.get(CHECKSUMS) === renderChecksums(files) ? [] : [CHECKSUMS]),
  ]
  return [
    ...lintSettings(settings).map((mistake) => `${CHART}: ${mistake}`),
    ...(values.error?.issues ?? []).map(
      ({ path, message }) => `${CHART}/values.yaml: ${path.join('.')}: ${message}`,
    ),
    ...[chart.version, chart.appVersion]
      .filter((one) => one !== version)
      .map((one) => `${CHART}/Chart.yaml: the version is ${one}, but package.json has ${version}`),
    ...stale.map(
      (path) =>
        `${path} is out of date: run node scripts/with-node.mjs scripts/build-kubernetes.ts, which needs Helm`,
    ),
  ].map((mistake) => `deploy/${mistake}`)
}

/** Each variable is a value of the chart, a key of the secret, or fixed by the image. */
function lintSettings(settings: ReadonlySet<string>): string[] {
  const placed = [...CHART_SETTINGS, ...SECRET_SETTINGS, ...FIXED_SETTINGS]
  return [
    ...[...settings]
      .filter((name) => !placed.includes(name))
      .map(
        (name) =>
          `${name} is in neither CHART_SETTINGS, SECRET_SETTINGS nor FIXED_SETTINGS (scripts/helm/values-schema.ts): add it`,
      ),
    ...[...CHART_SETTINGS, ...SECRET_SETTINGS]
      .filter((name) => !settings.has(name))
      .map((name) => `Drover doesn’t read ${name}: remove it`),
  ]
}
