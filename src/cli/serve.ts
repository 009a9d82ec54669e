import { statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import process from 'node:process'
import { isDeepStrictEqual } from 'node:util'
import { Command } from 'commander'
import { reloadWorld } from '../sandbox/reload-world.ts'
import { SimulatorBase } from '../sandbox/simulator-base.ts'
import type { Scenario } from '../scenarios/format/scenario.ts'
import { listen, pickListenOptions } from '../server/listen.ts'
import { UsageError } from '../utils/usage-error.ts'
import { fixtureNames, readWorld } from '../world/load/read-world.ts'
import { persistInFile } from '../world/persistence/persist-in-file.ts'
import type { WorldJson } from '../world/world-json.ts'
import type { CommandContext } from './command-context.ts'
import { createFlagOptions, warnAboutVariables } from './flags.ts'
import { type ReloadSummary, RequestLog } from './log.ts'
import { readReplica, readTlsFiles } from './network-flags.ts'
import { addFaultsFromFlags, namingFile } from './open-simulator.ts'
import {
  inlineWorld,
  type OpenedRecording,
  openServed,
  type ServedSource,
  type ServeFlags,
  unusedRequestsMessage,
} from './serve/open-served.ts'
import { startReport, startText } from './serve/start-text.ts'

const help = `
Examples:
  npx understudy-api                                   world "default" at http://127.0.0.1:4010
  npx understudy-api serve --port 0 --data odd         another fixture, on any free port
  npx understudy-api serve --data ./world.json --profile live
  npx understudy-api serve --data ./world.json --watch   reload the file when it changes
  npx understudy-api serve --state ./state.json        keep changes across restarts
  npx understudy-api serve --recording ./story.json    respond with recorded responses only
  npx understudy-api serve --recording ./story.json --mode fallback
  npx understudy-api serve --policy annotations.delete.status=404 --policy limits.rate=observed

Each flag has an environment variable. The flag takes precedence.`

export function serveCommand(context: CommandContext): Command {
  const command = new Command('serve')
    .description('Serve the API over HTTP.')
    .addHelpText('after', help)
    .allowExcessArguments()
    .action((flags: ServeFlags, { args: [argument] }: Command) => {
      // An argument is most often the world.
      if (argument === undefined) return serve(flags, context)
      throw new UsageError(
        `Unexpected argument ${JSON.stringify(argument)}. Did you mean --data ${argument}?`,
      )
    })
  for (const option of createFlagOptions('serve', process.env)) command.addOption(option)
  return command
}

/** Serves until the user interrupts. @param onStart called with the URL of the server */
export async function serve(
  flags: ServeFlags,
  context: CommandContext,
  onStart?: (url: string) => void,
): Promise<void> {
  // An empty token counts as none, because no client can send it.
  if (flags.requireToken && !flags.token) {
    throw new UsageError(
      '--require-token (or UNDERSTUDY_REQUIRE_TOKEN) requires a token for the control API. ' +
        'Set it with --token (or UNDERSTUDY_TOKEN).',
    )
  }
  for (const warning of warnAboutVariables(process.env)) context.printError(warning)
  const tls = readTlsFiles(flags)
  let onConflict: (message: string) => void = () => {}
  const conflict = new Promise<string>((resolve) => {
    onConflict = resolve
  })
  const onWarning = (message: string) => context.printError(message)
  const replica = readReplica(flags, { onConflict, onWarning })
  const fileState = flags.watch ? fileToWatch(flags) : null
  const log = flags.quiet ? null : new RequestLog(flags.logFormat, context)
  const source = await openServed(flags, context, (request) => log?.unexpectedRequest(request))
  const { simulator } = source
  addFaultsFromFlags(simulator, flags, context)
  // Without the folder, because health is open to anyone.
  const world = basename(flags.state ?? flags.recording ?? flags.data)
  SimulatorBase.sandboxOf(simulator).source = { world }
  const onError = (error: unknown) => context.printError((error as Error).message)
  const persistence = flags.state ? await persistInFile(simulator, flags.state, onError) : null
  // Before the first request.
  const stopTracing = process.env.OTEL_EXPORTER_OTLP_ENDPOINT
    ? await (await import('../server/tracing.ts')).startTracing(simulator, onWarning)
    : null
  const server = await listen(simulator, {
    ...pickListenOptions({ ...flags, ...tls, ...replica }),
    onForward: (method, url, status, ms) =>
      log?.forwarded({ method, path: simulator.journal.redactUrl(url), status, ms }),
    onNotFound: (method, url) => log?.notFound(method, simulator.journal.redactUrl(url)),
  }).catch(async (error) => {
    await stopTracing?.()
    await persistence?.close()
    throw error
  })
  log?.follow(simulator)
  const stopWatching = fileState && (await watchServed(source, flags, fileState, log, context))
  // Before the URL is printed, because its reader may interrupt at once.
  const interrupted = context.interrupted()
  if (flags.json) context.printJsonLine(startReport(simulator, server.url, flags))
  else if (!flags.quiet) context.print(startText(simulator, server.url, flags, context.paint))
  onStart?.(server.url)
  const problem = await Promise.race([interrupted, conflict])
  await stopWatching?.()
  await server.close()
  await stopTracing?.()
  log?.flush()
  const unused = simulator.replaying && unusedRequestsMessage(simulator.replaying)
  if (unused && !flags.quiet) context.printError(unused)
  if (persistence && !(await persistence.close())) {
    throw new Error(`The last changes were not saved to ${flags.state}.`)
  }
  if (problem) throw new UsageError(problem)
}

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
    const { readScenario } = await import('../scenarios/library.ts')
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
