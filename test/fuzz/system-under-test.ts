import pg from 'pg'
import { type CleanUps, owned } from '../harness/clean-ups.ts'
import { type Cluster, OPERATOR, startCluster } from '../harness/cluster.ts'
import { startDatabase } from '../harness/database.ts'

/** The target: two API processes of the same account, which share a database and nothing else. */
export type SystemUnderTest = Pick<Cluster, 'apis' | 'output'> & {
  operator: string
  db: pg.Pool
  databaseUrl: string
}

/** Two `api` processes and one `worker` as shipped, on their own PostgreSQL. */
export async function startSystem(cleanUps: CleanUps): Promise<SystemUnderTest> {
  const { url: databaseUrl } = owned(cleanUps, await startDatabase('drover_tried'))
  const { apis, output } = await startCluster(cleanUps, databaseUrl)
  const db = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  cleanUps.after(() => db.end())
  return { apis, output, db, databaseUrl, operator: OPERATOR }
}
