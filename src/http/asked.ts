import type { PolicySettings } from '../policies/policies.ts'
import type { ApiCaller } from './access.ts'
import type { ApiRequest } from './call.ts'
import type { ProjectContext } from './place.ts'

/** What `handle` is given, as far as it is known. Its address is put together only when somebody asks. */
export class HandlerInput {
  readonly #call: ApiRequest
  readonly settings: PolicySettings
  readonly caller: ApiCaller | undefined
  readonly project: ProjectContext['project']
  readonly organization: ProjectContext['organization']
  params: unknown = undefined
  query: unknown = undefined
  subject: unknown = undefined
  body: unknown = undefined

  constructor(
    call: ApiRequest,
    settings: PolicySettings,
    entered: ProjectContext & { caller?: ApiCaller },
  ) {
    this.#call = call
    this.settings = settings
    this.caller = entered.caller
    this.project = entered.project
    this.organization = entered.organization
  }

  get method(): string {
    return this.#call.method
  }

  header(name: string): string | null {
    return this.#call.headers.get(name)
  }

  get url(): string {
    return this.#call.url
  }
}
