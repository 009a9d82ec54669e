import type { PolicySettings } from '../policies/policies.ts'
import type { Caller } from './access.ts'
import type { Call } from './call.ts'
import type { Place } from './place.ts'

/** What `handle` is given, as far as it is known. Its address is put together only when somebody asks. */
export class Asked {
  readonly #call: Call
  readonly settings: PolicySettings
  readonly caller: Caller | undefined
  readonly project: Place['project']
  readonly organization: Place['organization']
  params: unknown = undefined
  query: unknown = undefined
  subject: unknown = undefined
  body: unknown = undefined

  constructor(call: Call, settings: PolicySettings, entered: Place & { caller?: Caller }) {
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
