import {
  Connection,
  type OperationInput,
  type OperationName,
  RemoteError,
} from '../admin/connection.ts'
import { type AnyOperation, runOperation, simulatorOf } from '../admin/operation.ts'
import { type Health, operations } from '../admin/operations.ts'
import { Failure } from '../http/failures.ts'
import { bodyText, failureResponse, isStream } from '../http/messages.ts'
import { splitSandboxPath } from '../http/route.ts'
import { ServedRun } from '../report/usage.ts'
import type { ScenarioLibrary } from '../scenarios/format/scenario.ts'
import { resolveSettings } from '../settings/resolve.ts'
import type { Simulator } from '../simulator/simulator.ts'

/** A page has no files. */
const noScenarios: ScenarioLibrary = {
  names: async () => [],
  list: async () => [],
  read: async () => undefined,
}

/** Runs the operations of the admin API in the process of the simulator. Nothing is sent. */
export class LocalConnection extends Connection {
  readonly #server: Simulator
  readonly #run: ServedRun

  /** @param url the base URL of the simulator, or of one of its sandboxes */
  constructor(server: Simulator, url: string, run = new ServedRun(server)) {
    super(url, undefined, Promise.resolve())
    this.#server = server
    this.#run = run
  }

  override at(url: string): LocalConnection {
    return new LocalConnection(this.#server, url, this.#run)
  }

  override health(): Promise<Health> {
    return this.call('GET /health')
  }

  override async send<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name> = {},
  ): Promise<Response> {
    const { params = [], query = {}, body = {}, init = {} } = input
    const { origin, pathname } = new URL(this.url)
    const server = this.#server
    try {
      const call = {
        simulator: simulatorOf(server, splitSandboxPath(pathname).sandboxId),
        server,
        run: this.#run,
        ...{ origin, query: query as Readonly<Record<string, unknown>>, body },
        ...{ world: undefined, scenarios: noScenarios },
        setHeader() {},
        lastEventId: init.headers?.['last-event-id'] ?? null,
        closed: init.signal ?? new AbortController().signal,
      }
      const result = await runOperation(
        operations[name] as object as AnyOperation,
        call,
        params.map(String),
      )
      if (result === undefined) return new Response()
      return new Response(isStream(result) ? result : JSON.stringify(result))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const { status, body } = failureResponse(error, resolveSettings())
      throw new RemoteError(status, JSON.parse(bodyText(body)))
    }
  }
}
