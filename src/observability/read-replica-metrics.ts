import { Counter, Gauge, type Registry } from 'prom-client'
import type { ReadReplica } from '../store/db/read-replica.ts'

export function registerReadReplicaMetrics(replica: ReadReplica, registry: Registry): void {
  new Counter({
    name: 'drover_reads_total',
    help: 'Requests that may read the replica, by the database that answered: `replica` or `primary`.',
    labelNames: ['database'],
    registers: [registry],
    collect() {
      const { replica: there, primary } = replica.figures()
      this.reset()
      this.inc({ database: 'replica' }, there)
      this.inc({ database: 'primary' }, primary)
    },
  })
  new Gauge({
    name: 'drover_read_replica_wait_seconds',
    help: 'How long the last read waited until the replica had everything that was committed before it.',
    registers: [registry],
    collect() {
      this.set(replica.figures().waitedMs / 1_000)
    },
  })
  new Gauge({
    name: 'drover_read_replica_used',
    help: '1 while reads go to the replica, 0 while it is late or does not answer.',
    registers: [registry],
    collect() {
      this.set(replica.whyNotUsed() === null ? 1 : 0)
    },
  })
}
