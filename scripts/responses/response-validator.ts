import { Ajv2020 } from 'ajv/dist/2020.js'
import { allEndpoints } from '../../src/http/api/endpoints.ts'
import { listOperations } from '../../src/http/docs/operation.ts'
import { openApiDocument } from '../../src/http/openapi/document.ts'

const document = JSON.parse(
  JSON.stringify(openApiDocument({ version: '0', publicUrl: 'http://x' }, allEndpoints())),
)
const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'openapi')

/** Whether a body is what an operation's JSON response of this status should be. Throws if it has no such response. */
export function responseValidator(operationId: string, status: number): (body: unknown) => boolean {
  const listed = listOperations(document).find(({ operation }) => operation.operationId === operationId)
  if (!listed) throw new Error(`There is no operation ${operationId}.`)
  const steps = [
    'paths',
    listed.path,
    listed.method,
    'responses',
    String(status),
    'content',
    'application/json',
    'schema',
  ]
  const pointer = steps.map((step) => encodeURIComponent(step.replaceAll('/', '~1'))).join('/')
  const validate = ajv.compile({ $ref: `openapi#/${pointer}` })
  return (body) => validate(body) === true
}
