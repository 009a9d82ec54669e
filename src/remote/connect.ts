import type { RowProvenance } from '../sandbox/history/provenance.ts'
import type { SandboxRequest } from '../sandbox/sandboxes/sandbox-request.ts'
import type { SandboxInfo } from '../sandbox/sandboxes/sandboxes.ts'
import type { RecordOptions } from '../scenarios/recording/journal-span.ts'
import type { Recording } from '../scenarios/recording/write-scenario.ts'

import { ControlClient } from './client.ts'
import { type RemoteJournal, remoteJournal } from './journal.ts'
import {
  type RemoteActors,
  type RemoteClock,
  type RemoteFaults,
  type RemoteKeys,
  type RemotePolicies,
  type RemoteSnapshots,
  type RemoteWorld,
  remoteActors,
  remoteClock,
  remoteFaults,
  remoteKeys,
  remotePolicies,
  remoteSnapshots,
  remoteWorld,
} from './resources.ts'
import {
  type RemoteReplay,
  type RemoteScenarios,
  remoteReplay,
  remoteScenarios,
} from './scenarios.ts'

/** How a server is reached. */
export interface ConnectOptions {
  /** What the server was started with as `--token`. */
  readonly token?: string
}

/**
 * A client of a server's control API, in the words of a simulator in-process. Connecting asks nothing yet.
 *
 * @param url of the server, of one of its sandboxes, or of the control API of either
 * @throws RemoteError for what is no address
 * @example
 * const remote = connect('http://127.0.0.1:4010')
 * const { keys, remote: mine } = await remote.sandboxes.create({ from: 'empty' })
 * await mine.clock.set('2024-06-01T00:00:00Z')
 */
export function connect(url: string, { token }: ConnectOptions = {}): Remote {
  return createRemote(new ControlClient(url, token))
}

function createRemote(line: ControlClient): Remote {
  return {
    url: line.url,
    world: remoteWorld(line),
    sandboxes: remoteSandboxes(line, createRemote),
    snapshots: remoteSnapshots(line),
    clock: remoteClock(line),
    keys: remoteKeys(line),
    policies: remotePolicies(line),
    faults: remoteFaults(line),
    journal: remoteJournal(line),
    actors: remoteActors(line),
    replaying: remoteReplay(line),
    scenarios: remoteScenarios(line),
    fetch: async (input, init) =>
      fetch(typeof input === 'string' && input.startsWith('/') ? line.url + input : input, init),
    reset: () => line.call('resetWorld'),
    why: (resource, id) => line.callOrUndefined('explainRow', { query: { resource, id } }),
    record: (body = {}) => line.call('recordJournal', { body }),
    words: () => line.call('listWords'),
    health: () => line.call('readHealth'),
    openapi: () => line.call('readOpenapi'),
  }
}

/** A simulator in another process, in the words of the one in-process. Each call may throw a RemoteError. */
export interface Remote {
  /** Where the API of this simulator begins, without a slash at its end. */
  readonly url: string
  readonly world: RemoteWorld
  readonly sandboxes: RemoteSandboxes
  readonly snapshots: RemoteSnapshots
  readonly clock: RemoteClock
  readonly keys: RemoteKeys
  readonly policies: RemotePolicies
  readonly faults: RemoteFaults
  readonly journal: RemoteJournal
  readonly actors: RemoteActors
  readonly replaying: RemoteReplay
  readonly scenarios: RemoteScenarios
  /** Asks the API itself; a path is taken from `url` on. */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>
  /** Goes back to the rows it began with. */
  reset(): Promise<void>
  /** Which request, second actor or edit each field of a row comes from; undefined for a row that never was. */
  why(resource: string, id: number | string): Promise<RowProvenance | undefined>
  /** What was asked as a scenario, as far as the journal keeps it. */
  record(options?: RecordOptions): Promise<Recording>
  /** Whether the server is ready, and its version. */
  health(): Promise<{ readonly status: 'ready'; readonly version: string }>
  /** The words that rules and rows take. */
  words(): Promise<Words>
  /** The OpenAPI document of the control API. */
  openapi(): Promise<Record<string, unknown>>
}

/** A sandbox that was made, with its keys, and a client of its own. */
export interface CreatedSandbox extends SandboxInfo {
  readonly remote: Remote
}

/** The sandboxes of a server, as in-process. */
export interface RemoteSandboxes {
  /** Begins another world. `remote` of what it gives controls that world alone. */
  create(request?: SandboxRequest): Promise<CreatedSandbox>
  list(): Promise<SandboxInfo[]>
  /** What a caller needs to know of one; undefined where there is none. */
  info(id: string): Promise<SandboxInfo | undefined>
  /** A client of one; undefined where there is none. */
  get(id: string): Promise<Remote | undefined>
  /** Ends one and frees what it holds; false when there is none of that id. */
  delete(id: string): Promise<boolean>
}

/** @param open makes a client of a line */
function remoteSandboxes(
  line: ControlClient,
  open: (line: ControlClient) => Remote,
): RemoteSandboxes {
  const info = (id: string): Promise<SandboxInfo | undefined> =>
    line.callOrUndefined('retrieveSandbox', { params: { id } })
  return {
    info,
    async create(body = {}) {
      const made = await line.call<SandboxInfo>('createSandbox', { body })
      return { ...made, remote: open(line.at(made.url)) }
    },
    list: () => line.call('listSandboxes'),
    async get(id) {
      const found = await info(id)
      return found && open(line.at(found.url))
    },
    delete: (id) => line.remove('deleteSandbox', { id }),
  }
}

/** The words that rules, filters and rows take. */
export interface Words {
  readonly operations: readonly {
    readonly id: string
    readonly summary: string
    readonly method: string
    readonly path: string
  }[]
  /** The names of the service's errors */
  readonly errors: readonly string[]
  readonly presets: readonly { readonly name: string; readonly description: string }[]
  readonly annotation_scopes: readonly string[]
}
