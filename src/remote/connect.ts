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

/** Options of `connect`. */
export interface ConnectOptions {
  /** The token that the server was started with (`--token`) */
  readonly token?: string
}

/**
 * Creates a client for the control API of a running server. It mirrors the simulator in-process, and each call returns
 * a promise. Nothing is sent until the first call.
 *
 * @param url the URL of the server, of one of its sandboxes, or of the control API of either
 * @throws RemoteError for an invalid URL
 * @example
 * const remote = connect('http://127.0.0.1:4010')
 * const { keys, remote: sandbox } = await remote.sandboxes.create({ from: 'empty' })
 * await sandbox.clock.set('2024-06-01T00:00:00Z')
 */
export function connect(url: string, { token }: ConnectOptions = {}): Remote {
  return createRemote(new ControlClient(url, token))
}

function createRemote(client: ControlClient): Remote {
  const { url } = client
  return {
    url,
    world: remoteWorld(client),
    sandboxes: remoteSandboxes(client),
    snapshots: remoteSnapshots(client),
    clock: remoteClock(client),
    keys: remoteKeys(client),
    policies: remotePolicies(client),
    faults: remoteFaults(client),
    journal: remoteJournal(client),
    actors: remoteActors(client),
    replaying: remoteReplay(client),
    scenarios: remoteScenarios(client),
    fetch: async (input, init) =>
      fetch(typeof input === 'string' && input.startsWith('/') ? url + input : input, init),
    reset: () => client.call('resetWorld'),
    why: (resource, id) => client.callOrUndefined('explainRow', { query: { resource, id } }),
    record: (body = {}) => client.call('recordJournal', { body }),
    vocabulary: () => client.call('readVocabulary'),
    health: () => client.call('readHealth'),
    openapi: () => client.call('readOpenapi'),
  }
}

/** A simulator in another process. Every method can throw a `RemoteError`. */
export interface Remote {
  /** The base URL of the simulated API, without a trailing slash */
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
  /** Sends a request to the simulated API. A path is resolved against `url`. */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>
  /** Resets the rows to those the simulator started with. */
  reset(): Promise<void>
  /** Shows which request, second actor or edit each field of a row comes from. Returns undefined for an unknown row. */
  why(resource: string, id: number | string): Promise<RowProvenance | undefined>
  /** Converts the requests in the journal to a scenario. */
  record(options?: RecordOptions): Promise<Recording>
  /** Checks that the server is ready. */
  health(): Promise<{ readonly status: 'ready'; readonly version: string }>
  /** Lists the names that rules and rows can use. */
  vocabulary(): Promise<Vocabulary>
  /** Returns the OpenAPI document of the control API. */
  openapi(): Promise<Record<string, unknown>>
}

/** A new sandbox, with its keys and a client for it. */
export interface CreatedSandbox extends SandboxInfo {
  readonly remote: Remote
}

/** The sandboxes of a server. */
export interface RemoteSandboxes {
  /** Creates an isolated world. The `remote` of the result controls that world only. */
  create(request?: SandboxRequest): Promise<CreatedSandbox>
  list(): Promise<SandboxInfo[]>
  /** Returns the URL, keys, projects and expiry of a sandbox, or undefined if it does not exist. */
  info(id: string): Promise<SandboxInfo | undefined>
  /** Returns a client for a sandbox, or undefined if it does not exist. */
  get(id: string): Promise<Remote | undefined>
  /** Deletes a sandbox and frees its memory. Returns false if it does not exist. */
  delete(id: string): Promise<boolean>
}

function remoteSandboxes(client: ControlClient): RemoteSandboxes {
  const info = (id: string): Promise<SandboxInfo | undefined> =>
    client.callOrUndefined('retrieveSandbox', { params: { id } })
  return {
    info,
    async create(body = {}) {
      const sandbox = await client.call<SandboxInfo>('createSandbox', { body })
      return { ...sandbox, remote: createRemote(client.at(sandbox.url)) }
    },
    list: () => client.call('listSandboxes'),
    async get(id) {
      const sandbox = await info(id)
      return sandbox && createRemote(client.at(sandbox.url))
    },
    delete: (id) => client.remove('deleteSandbox', { id }),
  }
}

/** The names that rules, filters and rows can use. */
export interface Vocabulary {
  readonly operations: readonly {
    readonly id: string
    readonly summary: string
    readonly method: string
    readonly path: string
  }[]
  /** The names of the errors of the service */
  readonly errors: readonly string[]
  readonly presets: readonly { readonly name: string; readonly description: string }[]
  readonly annotation_scopes: readonly string[]
}
