import { isDeepStrictEqual } from 'node:util'
import { type ReloadedRows, reloadWorld } from '../../sandbox/reload-world.ts'
import type { Scenario } from '../../scenarios/format/scenario.ts'
import { readScenario } from '../../scenarios/read-scenario.ts'
import type { Replay } from '../../scenarios/replay-server/replay.ts'
import type { Simulator } from '../../simulator.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'
import { fixtureNames, readWorld } from '../../world/load/read-world.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { CommandContext } from '../command-context.ts'
import type { OpenedRecording, ServedSource } from './open-served.ts'
import { type FileState, type FileWatcher, readFileState, watchFile } from './watch-file.ts'

/** The flags that say what is watched. */
export interface WatchFlags {
  readonly watch?: boolean
  readonly data: string
  readonly recording?: string
  readonly seed?: number
}

/** Who is told what came of it. */
export interface ReloadListener {
  reloaded(file: string, reloaded: ReloadSummary): void
  /** Of a file with faults: all is as it was. */
  reloadFailed(file: string, message: string): void
}

/** Tells faults alone. */
export function logErrorsOnly(context: CommandContext): ReloadListener {
  return { reloaded() {}, reloadFailed: (_file, message) => context.printError(message) }
}

/** The file that flags say to watch, as it is before it is read. @throws UsageError where there is none */
export function fileToWatch({ watch, data, recording }: WatchFlags): FileState | null {
  if (!watch) return null
  if (recording !== undefined || !fixtureNames.includes(data))
    return readFileState(recording ?? data)
  const expected = 'a file to watch, by --data or --recording'
  throw unexpectedValue('read --watch', expected, `the world ${data} of the package`)
}

/** Watches the file that a server answers from, and takes over what changed in it since it was seen. */
export function watchServed(
  { simulator, recording }: ServedSource,
  { seed }: Pick<WatchFlags, 'seed'>,
  seen: FileState,
  listener: ReloadListener,
): Promise<FileWatcher> {
  const { file } = seen
  const reloader = recording
    ? new RecordingReloader(recording)
    : new WorldReloader(simulator, file, seed)
  return watchFile(seen, async () => {
    try {
      listener.reloaded(file, await reloader.reload())
    } catch (error) {
      const { message } = error as Error
      const cure = 'All is as it was before; it is read again when it changes.'
      listener.reloadFailed(file, `${message}\n${cure}`)
    }
  })
}

/** What a reload of a changed file did. */
export interface ReloadSummary {
  /** How many rows of each list; for a recording, also how many requests */
  readonly added: Readonly<Record<string, number>>
  readonly changed: Readonly<Record<string, number>>
  readonly removed: Readonly<Record<string, number>>
  /** Rows written since the last load, which the reload overwrote */
  readonly discarded: ReloadedRows['discarded']
  /** Changes that need a restart, each in a sentence; recordings only */
  readonly ignored?: readonly string[]
}

/** Describes a reload. @example 'annotations: 1 added, 2 changed; keys: 1 removed; discarded writes: annotations 1, 7' */
export function formatReloadSummary(reloaded: ReloadSummary): string {
  const { added, changed, removed, discarded } = reloaded
  const kinds = Object.entries({ added, changed, removed })
  const lists = [...new Set(kinds.flatMap(([, rows]) => Object.keys(rows)))]
  const parts = lists.map((list) => {
    const counts = kinds.flatMap(([kind, rows]) => (rows[list] ? `${rows[list]} ${kind}` : []))
    return `${list}: ${counts.join(', ')}`
  })
  if (parts.length === 0) parts.push('no changes')
  if (discarded.length > 0) parts.push(`discarded writes: ${formatDiscarded(discarded)}`)
  return parts.join('; ')
}

const maxDiscarded = 10

function formatDiscarded(discarded: ReloadedRows['discarded']): string {
  const shown = discarded.slice(0, maxDiscarded)
  const lists = [...new Set(shown.map(({ list }) => list))].map((list) => {
    const ids = shown.filter((row) => row.list === list).map(({ id }) => id)
    return `${list} ${ids.join(', ')}`
  })
  const rest = discarded.length - shown.length
  return [...lists, ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ')
}

/** Reloads a world file. */
class WorldReloader {
  readonly #simulator: Simulator
  readonly #file: string
  readonly #seed: number | undefined

  constructor(simulator: Simulator, file: string, seed: number | undefined) {
    this.#simulator = simulator
    this.#file = file
    this.#seed = seed
  }

  /** @throws UsageError for a bad file; then nothing changes */
  async reload(): Promise<ReloadSummary> {
    return reloadWorld(this.#simulator, await readWorld(this.#file, this.#seed))
  }
}

/** Takes over what has changed in a file of a recording, each time that it is asked to. */
class RecordingReloader {
  readonly #file: string
  readonly #open: OpenedRecording['open']
  #scenario: Scenario
  #replay: Replay<Simulator>

  constructor({ replay, file, scenario, open }: OpenedRecording) {
    this.#replay = replay
    this.#file = file
    this.#scenario = scenario
    this.#open = open
  }

  /** @throws UsageError for a file with faults; then all is as it was */
  async reload(): Promise<ReloadSummary> {
    const [before, after] = [this.#scenario, await readScenario(this.#file)]
    // Whether it can be replayed at all is tried in a world of its own.
    const tried = await this.#open(after)
    const next = this.#replay.continueWith(tried)
    const { simulator } = next
    const world = await changedWorld(before, after)
    const rows = world && reloadWorld(simulator, world)
    await next.ready()
    simulator.replaying = next
    this.#replay = next
    this.#scenario = after
    const { added, changed, removed } = next.changes
    return {
      added: { ...rows?.added, ...requestCount(added) },
      changed: { ...rows?.changed, ...requestCount(changed) },
      removed: { ...rows?.removed, ...requestCount(removed) },
      discarded: rows?.discarded ?? [],
      ignored: ignoredChanges(before, after),
    }
  }
}

const requestCount = (requests: number): Record<string, number> =>
  requests === 0 ? {} : { requests }

/** The world of the later version, if it differs from the world of the earlier version. */
async function changedWorld(before: Scenario, after: Scenario): Promise<WorldJson | null> {
  if (isDeepStrictEqual(before.world, after.world) || !before.world || !after.world) return null
  // A new seed needs a restart.
  return readScenarioWorld(after.world, before.seed)
}

async function readScenarioWorld(
  world: NonNullable<Scenario['world']>,
  seed: number | undefined,
): Promise<WorldJson> {
  return typeof world === 'string' ? readWorld(world, seed) : world
}

/** What is decided when the server starts. */
function ignoredChanges(before: Scenario, after: Scenario): string[] {
  const hasWorlds = before.world !== undefined && after.world !== undefined
  return (['world', 'seed', 'profile', 'policies', 'clock'] as const)
    .filter(
      (field) =>
        !isDeepStrictEqual(before[field], after[field]) && !(field === 'world' && hasWorlds),
    )
    .map((field) => `${field} stays as it was when the server started: start it anew for another`)
}
