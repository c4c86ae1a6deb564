/** Writes deploy/grafana/drover.generated.json from the table in dashboard.ts. */
import { writeFileSync } from 'node:fs'
import { dashboardText } from './dashboard.ts'

writeFileSync(new URL('../deploy/grafana/drover.generated.json', import.meta.url), dashboardText())
