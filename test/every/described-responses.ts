import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

/** A response, as far as a document describes it. */
export interface ReceivedResponse {
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
export interface DescribedOperations {
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

/** Returns a function that says why a document, which may be stale, does not describe a response of an operation, or null. */
export function createChecker(document: object) {
  const { paths, components } = document as DescribedOperations
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const validators = new Map<object, ValidateFunction>()
  const validatorOf = (schema: object): ValidateFunction => {
    const validate = validators.get(schema) ?? ajv.compile({ ...schema, components })
    validators.set(schema, validate)
    return validate
  }
  return (id: string, { status, type, text }: ReceivedResponse): string | null => {
    const operation = operations.find(({ operationId }) => operationId === id)
    const described: DescribedResponse | undefined = operation?.responses[status]
    if (!described) return `status ${status}`
    const shared = components.responses[described.$ref?.split('/').at(-1) ?? '']
    const { content = {} }: DescribedResponse = shared ?? described
    if (Object.keys(content).length === 0) return text === '' ? null : `a body: ${text}`
    const media = content[type]
    if (!media) return `the type ${type}`
    if (type !== 'application/json') return null
    const validate = validatorOf(media.schema)
    const isDescribed = validate(JSON.parse(text))
    return isDescribed
      ? null
      : `${ajv.errorsText(validate.errors)}; npm run docs writes the document`
  }
}
