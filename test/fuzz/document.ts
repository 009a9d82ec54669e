import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

type Schema = object

export interface Parameter {
  readonly name: string
  readonly in: string
}

/** An operation of an OpenAPI document. */
export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** The example of a body, or null for an operation without one */
  readonly body: object | null
  readonly responses: ReadonlyMap<number, Described>
}

/** Validators by media type; empty for a response without a body. */
type Described = ReadonlyMap<string, ValidateFunction>

interface Content {
  readonly content?: Readonly<
    Record<string, { readonly schema: Schema; readonly example?: object }>
  >
}

interface RawOperation {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content & { readonly $ref?: string }>>
}

export interface RawDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>
  readonly components: object
}

export interface ReceivedResponse {
  readonly status: number
  /** By lower-case name */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

const formats = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  uuid: /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/i,
  // The service returns the e-mail address as it is stored, and a user of one fixture has an invalid one.
  email: true,
} as const

const text = { type: 'string' } as const
const errorSchema: Schema = {
  type: 'object',
  properties: { type: text, code: text, detail: text, attr: { type: ['string', 'null'] } },
  required: ['type', 'code', 'detail', 'attr'],
  additionalProperties: false,
}

/** Says whether a response is one that an OpenAPI document describes. */
export class FuzzDocument {
  readonly operations: readonly Operation[]
  readonly #ajv = new Ajv2020({ strict: false, formats: { ...formats } })
  readonly #document: RawDocument
  readonly #looseByStatus = new Map<number, readonly Described[]>()
  readonly #validators = new Map<Schema, ValidateFunction>()

  constructor(document: object) {
    this.#document = document as RawDocument
    this.operations = Object.entries(this.#document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, raw]) => this.#operation(method, path, raw)),
    )
  }

  /**
   * Returns what is wrong with a response, or null.
   *
   * @param operation null if the request can have reached any operation, or none
   */
  violation(operation: Operation | null, method: string, response: ReceivedResponse) {
    const { status, text, headers } = response
    if (status >= 500) return `own ${status}`
    const length = headers['content-length']
    const bytes = Buffer.byteLength(text)
    if (method !== 'HEAD' && length !== undefined && Number(length) !== bytes) {
      return `content-length ${length} for ${bytes} bytes`
    }
    const described = operation?.responses.get(status)
    if (operation && !described) return `status ${status} is not described`
    // The document leaves OPTIONS out.
    if (method === 'OPTIONS' && status === 200 && headers.allow) return null
    const all = described ? [described] : this.#loose(status)
    if (method === 'HEAD') return text === '' ? null : 'a body for HEAD'
    let reason: string | null = `status ${status} is described nowhere`
    for (const one of all) {
      reason = this.#mismatch(one, text, headers['content-type'])
      if (reason === null) break
    }
    return reason
  }

  /** The responses with a status of any operation, or the error response that all operations share. */
  #loose(status: number): readonly Described[] {
    const known = this.#looseByStatus.get(status)
    if (known) return known
    const all = this.operations.flatMap(({ responses }) => responses.get(status) ?? [])
    const error = this.operations.flatMap(({ responses }) => responses.get(406) ?? []).slice(0, 1)
    // An unknown sandbox has no settings, so its error always has this form.
    const envelope = new Map([['application/json', this.#validator(errorSchema)]])
    const loose = [...new Set(status >= 400 ? [envelope, ...error, ...all] : all)]
    this.#looseByStatus.set(status, loose)
    return loose
  }

  #mismatch(described: Described, text: string, type: string | undefined): string | null {
    if (described.size === 0) return text === '' ? null : 'a body where none is described'
    const mediaType = type?.split(';')[0]?.trim() ?? ''
    const validate = described.get(mediaType)
    if (!validate) return `content-type ${type}`
    if (mediaType !== 'application/json') return null
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch (error) {
      return `invalid JSON: ${(error as Error).message}`
    }
    return validate(body) ? null : this.#ajv.errorsText(validate.errors)
  }

  #operation(method: string, path: string, raw: RawOperation): Operation {
    const responses = Object.entries(raw.responses).map(([status, response]) => {
      const { content = {} } = response.$ref ? (this.#lookUp(response.$ref) as Content) : response
      const validators = Object.entries(content).map(
        ([type, { schema = {} }]) => [type, this.#validator(schema)] as const,
      )
      return [Number(status), new Map(validators)] as const
    })
    return {
      id: raw.operationId,
      method: method.toUpperCase(),
      path,
      parameters: raw.parameters ?? [],
      body: raw.requestBody ? (raw.requestBody.content?.['application/json']?.example ?? {}) : null,
      responses: new Map(responses),
    }
  }

  #validator(schema: Schema): ValidateFunction {
    const validator =
      this.#validators.get(schema) ??
      this.#ajv.compile({ ...schema, components: this.#document.components })
    this.#validators.set(schema, validator)
    return validator
  }

  #lookUp(ref: string): Schema {
    const names = ref.replace(/^#\//, '').split('/')
    return names.reduce((value: object, name) => Reflect.get(value, name), this.#document)
  }
}
