import type { SettingValues } from '../settings/setting.ts'
import { type ParsedBody, parseBody } from './body.ts'
import type { ApiRequest } from './messages.ts'
import { type ParameterNotes, type Parameters, readParameters } from './parameters.ts'
import type { PathParams } from './url.ts'

/** Where a request can have its key. */
export type KeyLocation = 'Authorization header' | 'body' | 'query string'

/** Reads the parameters and the body of a request, each once, and knows how far the checks came. */
export class ReadInput {
  readonly request: ApiRequest
  readonly params: PathParams
  readonly settings: SettingValues
  /** Where the key was found, if one was. */
  keyLocation: KeyLocation | undefined
  /** Whether the parameters were read */
  isQueryRead = false
  /** Whether the fields of the body were read, or would have been */
  isBodyRead = false
  /** What was ignored of each parameter */
  readonly notes: ParameterNotes = new Map()
  #query: URLSearchParams | undefined
  /** The body, if it was parsed */
  parsed: ParsedBody | undefined

  constructor(request: ApiRequest, params: PathParams, settings: SettingValues) {
    this.request = request
    this.params = params
    this.settings = settings
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.request.query)
    return this.#query
  }

  /** @throws Failure for a body of another type, and for one that cannot be parsed */
  get body(): ParsedBody {
    this.parsed ??= parseBody(this.request, this.settings)
    return this.parsed
  }

  /** Reads the parameters of the query, each by its last value. @throws Failure for one that the service refuses */
  readQuery(parameters: Parameters): Record<string, unknown> {
    this.isQueryRead = true
    const texts = this.request.query === '' ? {} : Object.fromEntries(this.query)
    return readParameters(parameters, texts, this.settings, this.notes)
  }
}
