import { isDeepStrictEqual } from 'node:util'
import { reloadWorld } from '../../sandbox/reload-world.ts'
import type { Scenario } from '../../scenarios/format/scenario.ts'
import { readScenario } from '../../scenarios/read-scenario.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { fixtureNames, readWorld } from '../../world/load/read-world.ts'
import type { WorldJson } from '../../world/world-json.ts'
import { inlineWorld } from '../inline-world.ts'
import type { ReloadListener, ReloadSummary } from '../log/reload-summary.ts'
import type { OpenedRecording, ServedSource } from './open-served.ts'
import { type FileState, type FileWatcher, readFileState, watchFile } from './watch-file.ts'

/** The flags that select the file to watch. */
export interface WatchFlags {
  readonly data: string
  readonly recording?: string
  readonly seed?: number
}

/** Returns the state of the file to watch, before the file is read. @throws UsageError if the flags name no file */
export function fileToWatch({ data, recording }: WatchFlags): FileState {
  if (recording !== undefined || !fixtureNames.includes(data)) {
    return readFileState(recording ?? data)
  }
  throw new UsageError('--watch requires a file. Name one with --data or --recording.')
}

/** Watches the file of a server, and reloads it when it has changed since it was read. */
export function watchServed(
  { simulator, recording }: ServedSource,
  { seed }: Pick<WatchFlags, 'seed'>,
  state: FileState,
  listener: ReloadListener,
): Promise<FileWatcher> {
  const { file } = state
  const reload = recording
    ? createRecordingReload(recording)
    : async () => reloadWorld(simulator, await readWorld(file, seed))
  return watchFile(state, async () => {
    try {
      listener.reloaded(file, await reload())
    } catch (error) {
      const note = 'The previous version stays in use. The file is read again when it changes.'
      listener.reloadFailed(file, `${(error as Error).message}\n${note}`)
    }
  })
}

/** Returns a function that reloads a recording. It throws for an invalid file, and then changes nothing. */
function createRecordingReload(opened: OpenedRecording): () => Promise<ReloadSummary> {
  const { file, open } = opened
  let { scenario: before, replay } = opened
  return async () => {
    const after = await readScenario(file)
    // Opens the new version in a world of its own first, because that fails if it cannot be replayed.
    const next = replay.continueWith(await open(after))
    const { simulator, changes } = next
    const world = await changedWorld(before, after)
    const rows = world && reloadWorld(simulator, world)
    await next.ready()
    simulator.replaying = next
    const ignored = ignoredChanges(before, after)
    replay = next
    before = after
    return {
      added: { ...rows?.added, ...requestCount(changes.added) },
      changed: { ...rows?.changed, ...requestCount(changes.changed) },
      removed: { ...rows?.removed, ...requestCount(changes.removed) },
      discarded: rows?.discarded ?? [],
      ignored,
    }
  }
}

function requestCount(requests: number): Record<string, number> {
  return requests === 0 ? {} : { requests }
}

/** Returns the new world of a recording, or null if its world has not changed. */
async function changedWorld(before: Scenario, after: Scenario): Promise<WorldJson | null> {
  if (isDeepStrictEqual(before.world, after.world) || !before.world || !after.world) return null
  // A new seed needs a restart.
  const { world } = await inlineWorld(after, before.seed)
  return world as WorldJson
}

/** Describes the changes that need a restart. */
function ignoredChanges(before: Scenario, after: Scenario): string[] {
  const hasWorlds = before.world !== undefined && after.world !== undefined
  return (['world', 'seed', 'profile', 'policies', 'clock'] as const)
    .filter(
      (field) =>
        !isDeepStrictEqual(before[field], after[field]) && !(field === 'world' && hasWorlds),
    )
    .map((field) => `${field}: restart the server to apply the change`)
}
