import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import documented from '../../src/api/openapi.json' with { type: 'json' }
import live from '../../src/api/openapi.live.json' with { type: 'json' }
import { createSimulator } from '../../src/simulator.ts'
import { collectErrors } from '../support/errors.ts'
import { isLong } from '../support/long.ts'
import { type AllowedRequest, allowedRequests, type OpenApi } from './allowed-requests.ts'

const documents = { documented: documented as unknown as OpenApi, live: live as unknown as OpenApi }

// 20 requests in each run, which begins with the same world. LONG=1 sends 20,000.
const [numRuns, length] = [isLong ? 1_000 : 50, 20]

test.each(['documented', 'live'] as const)(
  'every request that the document of the profile %s allows gets a response that it describes',
  async (profile) => {
    const { errors, onError } = collectErrors()
    const simulator = createSimulator({ profile, clock: '2024-06-15T12:00:00Z', onError })
    const start = simulator.snapshot()
    const keys = simulator.keys.list().map(({ value }) => value)
    const request = allowedRequests(documents[profile], keys)
    const requests = fc.array(request, { minLength: length, maxLength: length })
    const findProblem = createChecker(documents[profile])
    const send = ({ method, path, key, body }: AllowedRequest) =>
      simulator.fetch(path, {
        method,
        body: body?.text ?? null,
        headers: {
          ...(key !== null && { authorization: `Bearer ${key}` }),
          ...(body !== null && { 'content-type': body.type }),
        },
      })

    const run = fc.asyncProperty(requests, async (sequence) => {
      simulator.restore(start)
      for (const sent of sequence) {
        const problem = findProblem(sent.operation, await received(await send(sent)))
        expect({ sent, problem }).toEqual({ sent, problem: null })
      }
    })
    // The message has the request, so that nothing needs to be shrunk.
    await fc.assert(run, { numRuns, seed: 1, endOnFailure: true })

    expect(errors).toEqual([])
  },
  isLong ? 3_600_000 : 60_000,
)

interface Received {
  readonly status: number
  readonly type: string
  readonly text: string
}

async function received(response: Response): Promise<Received> {
  const [type = ''] = response.headers.get('content-type')?.split(';') ?? []
  return { status: response.status, type, text: await response.text() }
}

interface DescribedResponse {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
}

/** What no schema says: a row that is not there, U+0000, a URL that no plugin has, a plugin that is still global. */
const refusals = /does_not_exist|null_characters|Must be a GitHub|This plugin is marked as global/

/** Returns a function that says why a document does not describe a response to an allowed request, or null. */
function createChecker({ paths, components }: OpenApi) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const validators = new Map<object, ValidateFunction>()
  const validatorOf = (schema: object): ValidateFunction => {
    const validate = validators.get(schema) ?? ajv.compile({ ...schema, components })
    validators.set(schema, validate)
    return validate
  }
  return (id: string, { status, type, text }: Received): string | null => {
    const operation = operations.find(({ operationId }) => operationId === id)
    const described: DescribedResponse | undefined = operation?.responses[status]
    if (!described) return `status ${status}`
    const shared = components.responses[described.$ref?.split('/').at(-1) ?? '']
    const { content = {} }: DescribedResponse = shared ?? described
    if (Object.keys(content).length === 0) return text === '' ? null : `a body: ${text}`
    const media = content[type]
    if (!media) return `the type ${type}`
    const body = JSON.parse(text)
    if (status === 400 && !refusals.test(text)) return `refused: ${text}`
    const validate = validatorOf(media.schema)
    return validate(body) ? null : ajv.errorsText(validate.errors)
  }
}
