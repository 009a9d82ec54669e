import { basename } from 'node:path'
import process from 'node:process'
import { SimulatorBase } from '../sandbox/simulator-base.ts'
import { listen } from '../server/listen.ts'
import { currentRun } from '../server/replicas/replica-options.ts'
import { UsageError } from '../utils/usage-error.ts'
import { persistInFile } from '../world/persistence/persist-in-file.ts'
import { defineCommand } from './command.ts'
import type { CommandContext } from './command-context.ts'
import { warnAboutVariables } from './flags.ts'
import { addFaultsFromFlags, toListenOptions } from './from-flags.ts'
import { RequestLog } from './log.ts'
import {
  fileToWatch,
  openServed,
  type ServeFlags,
  serveFlags,
  unusedRequestsMessage,
  watchServed,
} from './serve/served-source.ts'
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

export default defineCommand({
  name: 'serve',
  summary: 'Serve the API over HTTP.',
  flags: serveFlags,
  help,
  configure: (command) => command.allowExcessArguments(),
  run(_args, flags, context, { args: [argument] }) {
    // An argument is most often the world.
    if (argument === undefined) return serve(flags, context)
    throw new UsageError(
      `Unexpected argument ${JSON.stringify(argument)}. Did you mean --data ${argument}?`,
    )
  },
})

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
  const options = toListenOptions(flags)
  let onConflict: (message: string) => void = () => {}
  const conflict = new Promise<string>((resolve) => {
    onConflict = resolve
  })
  const onWarning = (message: string) => context.printError(message)
  const replica = toReplicaOptions(flags)
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
    ...options,
    ...(replica && { replica: { ...replica, onConflict, onWarning } }),
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

/** Which replica the flags describe. Without `--seed`, each run issues other keys. @throws UsageError */
function toReplicaOptions({ replica, replicaUrl: url, seed }: ServeFlags) {
  if (replica === undefined && url !== undefined) {
    throw new UsageError('--replica-url requires --replica.')
  }
  const run = seed === undefined ? { run: currentRun() } : {}
  return replica && { ...replica, ...run, ...(url !== undefined && { url }) }
}
