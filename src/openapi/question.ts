import type { Simulator } from '../simulator.ts'

/** A request that an endpoint is asked, to see what it answers. */
export interface ExampleRequest {
  /** What is shown of it: the name of an example. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** What is arranged before it is asked. */
  readonly prepare?: (simulator: Simulator) => void
}

/** What came of a question. */
export interface ExampleResponse {
  readonly name: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
