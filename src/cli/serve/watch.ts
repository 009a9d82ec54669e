import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { reloadWorld } from '../../sandbox/reload-world.ts'
import type { Scenario } from '../../scenarios/format/scenario.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { fixtureNames, readWorld } from '../../world/load/read-world.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { CommandContext } from '../command-context.ts'
import { namingFile } from '../from-flags.ts'
import type { ReloadSummary, RequestLog } from '../log.ts'
import {
  inlineWorld,
  type OpenedRecording,
  type ServedSource,
  type ServeFlags,
} from './open-served.ts'

/** Returns the state of the file to watch, before the file is read. @throws UsageError if the flags name no file */
export function fileToWatch({ data, recording }: ServeFlags): FileState {
  if (recording === undefined && fixtureNames.includes(data)) {
    throw new UsageError('--watch requires a file. Name one with --data or --recording.')
  }
  return readFileState(recording ?? data)
}

/** Watches the file of a server, and reloads it when it has changed since it was read. */
export function watchServed(
  { simulator, recording }: ServedSource,
  { seed }: ServeFlags,
  state: FileState,
  log: RequestLog | null,
  context: CommandContext,
): Promise<() => Promise<void>> {
  const { file } = state
  const reload = recording
    ? createRecordingReload(recording)
    : () =>
        namingFile('world', file, async () => reloadWorld(simulator, await readWorld(file, seed)))
  return watchFile(state, async () => {
    try {
      const summary = await reload()
      log?.reloaded(file, summary)
    } catch (error) {
      const kind = recording ? 'recording' : 'world'
      const message = `${(error as Error).message}\nKeeping the previous ${kind}; will retry on the next change.`
      if (log) log.reloadFailed(file, message)
      else context.printError(message)
    }
  })
}

/** Returns a function that reloads a recording. It throws for an invalid file, and then changes nothing. */
function createRecordingReload(opened: OpenedRecording): () => Promise<ReloadSummary> {
  const { file, open } = opened
  let { scenario: before, replay } = opened
  return async () => {
    const { readScenario } = await import('../../scenarios/library.ts')
    const after = await readScenario(file)
    // Opens the new version in a world of its own first, because that fails if it cannot be replayed.
    const next = replay.continueWith(await open(after))
    const { simulator, changes } = next
    const hasNewWorld = before.world && after.world && !isDeepStrictEqual(before.world, after.world)
    // A new seed needs a restart.
    const world = hasNewWorld ? (await inlineWorld(after, before.seed)).world : undefined
    const rows = world ? reloadWorld(simulator, world as WorldJson) : null
    await next.ready()
    simulator.replaying = next
    const ignored = ignoredChanges(before, after)
    replay = next
    before = after
    const counts = (kind: 'added' | 'changed' | 'removed'): Record<string, number> => ({
      ...rows?.[kind],
      ...(changes[kind] > 0 && { requests: changes[kind] }),
    })
    const [added, changed, removed] = [counts('added'), counts('changed'), counts('removed')]
    return { added, changed, removed, discarded: rows?.discarded ?? [], ignored }
  }
}

function ignoredChanges(before: Scenario, after: Scenario): string[] {
  const hasWorlds = before.world !== undefined && after.world !== undefined
  return (
    [...(hasWorlds ? [] : ['world' as const]), 'seed', 'profile', 'policies', 'clock'] as const
  )
    .filter((field) => !isDeepStrictEqual(before[field], after[field]))
    .map((field) => `${field}: restart the server to apply the change`)
}

export interface FileState {
  /** The path as the user wrote it */
  readonly file: string
  /** Differs if the content differs */
  readonly fingerprint: string
}

export function readFileState(file: string): FileState {
  try {
    const { ino, size, mtimeNs } = statSync(file, { bigint: true })
    return { file, fingerprint: [ino, size, mtimeNs].join(' ') }
  } catch {
    // Reading the file reports the error.
    return { file, fingerprint: 'none' }
  }
}

/**
 * Runs a function each time that a file has changed, one run after another. Editors may save the file by replacing it.
 * A file that is being written is waited for, unless it changed before the watch started. `onChange` must not throw.
 */
export async function watchFile(
  state: FileState,
  onChange: () => Promise<void>,
): Promise<() => Promise<void>> {
  const { watch } = await import('chokidar')
  const file = resolve(state.file)
  const folder = dirname(file)
  // Watches the folder, because the watch of a file can get lost when the file is replaced.
  const watcher = watch(folder, {
    depth: 0,
    ignored: (path) => path !== folder && path !== file,
    ignoreInitial: true,
    awaitWriteFinish: { stabilityThreshold: 50, pollInterval: 10 },
  })
  let seen = state.fingerprint
  let running = Promise.resolve()
  const run = (): void => {
    running = running.then(async () => {
      const { fingerprint } = readFileState(file)
      // One change can cause several events.
      if (fingerprint === seen) return
      seen = fingerprint
      await onChange()
    })
  }
  watcher.on('all', (_event, path) => {
    if (path === file) run()
  })
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()))
  // The file may have changed between its reading and its watch.
  run()
  return async () => {
    await watcher.close()
    await running
  }
}
