import Fastify from 'fastify'
import { QuoteRequestBody } from '../../src/http/api/deliveries/delivery-request-schema.ts'
import { toJsonSchema } from '../../src/http/input/validate.ts'
import { answerParent } from '../environment/child.ts'
import { HOST } from '../environment/service.ts'

/**
 * The least that any server does with these requests: bare Fastify parses the JSON, validates it by the service's
 * own schema, and returns a prepared text as long as the service's response.
 */
answerParent(async ({ answers }: { answers: Record<string, string> }) => {
  const app = Fastify({
    ajv: {
      customOptions: {
        coerceTypes: false,
        useDefaults: false,
        removeAdditional: false,
        formats: { 'iso-8601': true },
        keywords: ['x-rule'],
      },
    },
  })
  const { $schema: _, ...body } = toJsonSchema(QuoteRequestBody)
  for (const [path, answer] of Object.entries(answers)) {
    app.post(path, { schema: { body } }, (_request, reply) => {
      reply.type('application/json; charset=utf-8').send(answer)
    })
  }
  await app.listen({ host: HOST, port: 0 })
  return app.server.address()
})
