import Fastify from 'fastify'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../src/embedded/embedded-postgres.ts'
import { HOST } from '../environment/service.ts'

/**
 * The minimal server that starts without data and stores durably: bare Fastify, one connection, the same PostgreSQL.
 */
const [home = '', port = ''] = process.argv.slice(2)
const database = await startEmbeddedPostgres({ home, log: () => {} })
const pool = new pg.Pool({ connectionString: database.url, max: 1 })
pool.on('error', () => {})
await pool.query(
  'create table if not exists things (id bigint generated always as identity primary key, body text)',
)
const app = Fastify()
app.post('/things', async (request, reply) => {
  await pool.query('insert into things (body) values ($1)', [JSON.stringify(request.body)])
  return reply.code(201).send({})
})
await app.listen({ host: HOST, port: Number(port) })

process.once('SIGTERM', async () => {
  await app.close()
  await pool.end()
  await database.stop()
})
