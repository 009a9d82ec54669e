import { Ajv2020 } from 'ajv/dist/2020.js'

/** A response, as far as a document describes it. */
interface ReceivedResponse {
  readonly status: number
  /** The media type; empty without a body */
  readonly type: string
  readonly text: string
}

/** Reads a response to the end. */
export async function receive(response: Response): Promise<ReceivedResponse> {
  const [type = ''] = response.headers.get('content-type')?.split(';') ?? []
  return { status: response.status, type, text: await response.text() }
}

/** What is read of an OpenAPI document. */
interface DescribedOperations {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: { readonly responses: Readonly<Record<string, object>> }
}

interface DescribedOperation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, object>>
}

interface DescribedResponse {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
}

const pointerTo = (...names: readonly (string | number)[]) =>
  names.map((name) => encodeURIComponent(String(name).replaceAll('/', '~1'))).join('/')

/** Returns a function that says why a document, which may be stale, does not describe a response of an operation, or null. */
export function createChecker(document: object) {
  const { paths, components } = document as DescribedOperations
  // As one schema, so that what operations share is compiled once.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false })
  ajv.addSchema(document, 'document')
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method })),
  )
  return (id: string, { status, type, text }: ReceivedResponse): string | null => {
    const operation = operations.find(({ operationId }) => operationId === id)
    const described: DescribedResponse | undefined = operation?.responses[status]
    if (!operation || !described) return `status ${status}`
    const shared = components.responses[described.$ref?.split('/').at(-1) ?? '']
    const { content = {} }: DescribedResponse = shared ?? described
    if (Object.keys(content).length === 0) return text === '' ? null : `a body: ${text}`
    const media = content[type]
    if (!media) return `the type ${type}`
    if (type !== 'application/json') return null
    const { path, method } = operation
    const place = described.$ref?.slice(2) ?? pointerTo('paths', path, method, 'responses', status)
    const pointer = `document#/${place}/${pointerTo('content', type, 'schema')}`
    const validate = ajv.getSchema(pointer)
    if (!validate) return `no schema at ${pointer}`
    const isDescribed = validate(JSON.parse(text))
    return isDescribed
      ? null
      : `${ajv.errorsText(validate.errors)}; npm run docs writes the document`
  }
}
