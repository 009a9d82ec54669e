import type { JournalAccess } from '../analysis/journal-access.ts'
import type { ScenarioSweep } from '../analysis/variants/sweep-scenario.ts'
import type { PolicyId, PolicySetting } from '../policies/policies.ts'
import type { PolicyInfo } from '../policies/policy-access.ts'
import type { PolicyOverrides, Profile } from '../policies/settings.ts'
import type { Actors } from '../sandbox/actors/actors.ts'
import type { Faults } from '../sandbox/faults/faults.ts'
import type { JournalEntry } from '../sandbox/journal/entry.ts'
import type { JournalFilter } from '../sandbox/journal/filter.ts'
import type { Snapshots } from '../sandbox/snapshots.ts'
import type { ListedScenario, Scenario } from '../scenarios/format/scenario.ts'
import type { Replay } from '../scenarios/replay-server/replay.ts'
import type { ReplayResult, StepResult } from '../scenarios/run/result.ts'
import type { Clock } from '../world/clock/clock.ts'
import type { AccessibleRows } from '../world/defaults.ts'
import type { AddedIds, NewRows } from '../world/edit/add-rows.ts'
import type { AnnotationQuery, FoundRows, RowQuery, Timeline } from '../world/edit/find-rows.ts'
import type { RowCounts } from '../world/edit/generate-rows.ts'
import type { Keys } from '../world/keys.ts'
import type { WorldJson } from '../world/world-json.ts'
import { type ControlClient, RemoteError, readServerSentEvents } from './client.ts'

/** The world of a simulator in another process. */
export interface RemoteWorld {
  /** Returns the whole world, in the format of fixtures. */
  read(): Promise<WorldJson>
  /**
   * Replaces the whole world. The server generates the rows that `generate` asks for. An invalid world changes nothing.
   *
   * @returns the number of rows in each list
   */
  replace(world: WorldJson): Promise<Record<string, number>>
  /** Adds rows, all or none. Missing fields get defaults. */
  add(rows: NewRows): Promise<AddedIds>
  /** Adds generated rows, by the number for each list. */
  generate(counts: RowCounts): Promise<AddedIds>
  /** Finds rows of a list, including deleted annotations. */
  find<List extends keyof AccessibleRows>(
    list: List,
    query?: RowQuery,
  ): Promise<FoundRows<AccessibleRows[List]>>
  /** Returns a row, or undefined if it does not exist. */
  get<List extends keyof AccessibleRows>(
    list: List,
    id: number | string,
  ): Promise<AccessibleRows[List] | undefined>
  /** Updates fields of a row directly, without the checks of the API. */
  update<List extends keyof AccessibleRows>(
    list: List,
    id: number | string,
    changes: Partial<AccessibleRows[List]>,
  ): Promise<AccessibleRows[List]>
  /** Removes a row from the world. Returns false if it does not exist. */
  delete(list: keyof AccessibleRows, id: number | string): Promise<boolean>
  /** Counts annotations by date_marker and scope. */
  timeline(query?: AnnotationQuery): Promise<Timeline>
}

/** The snapshots of a simulator in another process. */
export type RemoteSnapshots = Promisified<
  Pick<Snapshots, 'save' | 'list' | 'has' | 'restore' | 'get' | 'import' | 'delete'>
>

/** The clock of a simulator in another process. */
export type RemoteClock = Promisified<
  Pick<Clock, 'read' | 'set' | 'tick' | 'freeze' | 'release' | 'advance'>
>

/** The API keys of a simulator in another process. */
export type RemoteKeys = Promisified<Pick<Keys, 'list' | 'issue' | 'revoke'>>

/** The fault rules of a simulator in another process. */
export type RemoteFaults = Promisified<Pick<Faults, 'add' | 'list' | 'remove' | 'clear'>>

/** The second actors of a simulator in another process. */
export type RemoteActors = Promisified<Pick<Actors, 'add' | 'list' | 'remove' | 'clear'>>

/** The policies of a simulator in another process. */
export interface RemotePolicies {
  list(): Promise<PolicyInfo[]>
  get<Id extends PolicyId>(id: Id): Promise<PolicySetting<Id>>
  set(overrides: PolicyOverrides): Promise<void>
}

/** The same methods, each of which returns a promise. */
type Promisified<T> = {
  readonly [Name in keyof T]: T[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Result>
    : never
}

/** Which journals are read behind a proxy with several replicas. */
export interface ReplicaSelection {
  /** `all` merges the journals of all replicas by time. Each entry has the number of its `replica`. */
  readonly replicas?: 'all'
}

/** Options of `journal.follow`. */
export interface FollowOptions extends ReplicaSelection {
  /** The id of an entry. Following starts with the entries after it that are still stored. */
  readonly after?: number
  /** Called with the number of entries that were skipped because they arrived faster than they were read. */
  readonly onMissed?: (entries: number) => void
  /** Called with the number of a replica that does not respond. It is tried again each second. */
  readonly onUnavailable?: (replica: number) => void
  /** Called with errors of the connection and of the listener. By default console.error. */
  readonly onError?: (error: unknown) => void
  /** Called when the server ends the stream, as it does when a sandbox ends. */
  readonly onEnd?: () => void
}

/** The journal of a simulator in another process. */
export interface RemoteJournal
  extends Promisified<Pick<JournalAccess, 'get' | 'verify' | 'mistakes' | 'toHar' | 'clear'>> {
  /** Finds the entries that match a filter, in the order in which the requests arrived. */
  find(filter?: JournalFilter & ReplicaSelection): Promise<JournalEntry[]>
  /**
   * Calls the listener with each new entry, over a connection that stays open.
   *
   * @returns a function that closes the connection
   */
  follow(listener: (entry: JournalEntry) => void, options?: FollowOptions): Promise<() => void>
}

export function remoteJournal(client: ControlClient): RemoteJournal {
  return {
    find: (filter = {}) => client.call('listJournal', { query: filter }),
    get: (id) => client.callOrUndefined('retrieveJournalEntry', { params: { id } }),
    verify: (body) => client.call('verifyRequests', { body }),
    mistakes: () => client.call('listMistakes'),
    toHar: (filter = {}) => client.call('exportHar', { query: filter }),
    clear: () => client.call('clearJournal'),
    follow: (listener, options = {}) => followJournal(client, listener, options),
  }
}

async function followJournal(
  client: ControlClient,
  listener: (entry: JournalEntry) => void,
  options: FollowOptions,
): Promise<() => void> {
  const { after, replicas, onMissed, onUnavailable, onError = console.error, onEnd } = options
  const controller = new AbortController()
  const { signal } = controller
  const headers: HeadersInit = after === undefined ? {} : { 'last-event-id': String(after) }
  const query = replicas === undefined ? {} : { replicas }
  const response = await client.send('followJournal', { query, init: { signal, headers } })
  const read = async (): Promise<void> => {
    for await (const { event, data } of readServerSentEvents(response)) {
      if (signal.aborted) return
      try {
        if (event === 'missed') onMissed?.(JSON.parse(data).entries)
        else if (event === 'unavailable') onUnavailable?.(JSON.parse(data).replica)
        else listener(JSON.parse(data))
      } catch (error) {
        onError(error)
      }
    }
    if (!signal.aborted) onEnd?.()
  }
  read().catch((error) => {
    if (!signal.aborted) onError(error)
  })
  return () => controller.abort()
}

/** The world of a file that names none, for the command line and the dashboard. */
export const defaultWorld = 'default'

/** Options of `scenarios.replay`. */
export interface RemoteReplayOptions {
  /** The world of a scenario that names none: a fixture or a snapshot. By default the current rows. */
  readonly world?: string
  /** Replaces the profile of the scenario. */
  readonly profile?: Profile
  /** Overrides policies of the scenario. */
  readonly policies?: PolicyOverrides
  /** Called after each step. */
  readonly onStep?: (step: StepResult) => void
}

/** The scenarios of a server. */
export interface RemoteScenarios {
  list(): Promise<ListedScenario[]>
  /** Returns a scenario, or undefined for an unknown name. */
  get(name: string): Promise<Scenario | undefined>
  /** Replays a scenario, or a listed one by its name, in a world of its own. */
  replay(scenario: string | Scenario, options?: RemoteReplayOptions): Promise<ReplayResult>
  /** Replays a scenario under each other plausible value of each policy that it depends on. It must pass as it is. */
  sweep(
    scenario: string | Scenario,
    options?: Omit<RemoteReplayOptions, 'onStep'>,
  ): Promise<ScenarioSweep>
}

/** Replays a scenario on a server. Each step, then the result, arrives as a server-sent event. */
export async function replayRemotely(
  client: ControlClient,
  scenario: string | Scenario,
  { onStep, ...options }: RemoteReplayOptions = {},
): Promise<ReplayResult> {
  const response = await client.send('replayScenario', { body: { scenario, ...options } })
  for await (const { event, data } of readServerSentEvents(response)) {
    const value = JSON.parse(data)
    if (event === 'step') onStep?.(value)
    if (event === 'error') throw new RemoteError(value.message)
    if (event === 'result') return value
  }
  throw new RemoteError(
    'The server closed the connection before the replay was complete. See its output.',
  )
}

/** The recording that a server replays to its clients. */
export type RemoteReplay = Promisified<Pick<Replay, 'rewind'>> & {
  /** Returns the progress of the recording, or null without one. */
  read(): Promise<Pick<Replay, 'title' | 'mode' | 'requests' | 'unused' | 'unexpected'> | null>
}
