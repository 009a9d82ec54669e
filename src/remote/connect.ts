import { remoteActors, remoteClock, remoteFaults, remoteKeys, remoteSnapshots } from './groups.ts'
import { remoteJournal } from './journal.ts'
import { ControlClient } from './line.ts'
import { remotePolicies } from './policies.ts'
import type { Remote } from './remote.ts'
import { remoteReplay } from './replaying.ts'
import { remoteSandboxes } from './sandboxes.ts'
import { remoteScenarios } from './scenarios.ts'
import { remoteWorld } from './world.ts'

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
