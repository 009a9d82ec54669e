import { LiveMistakes } from '../mistakes/follow-mistakes.ts'
import { isFailing } from '../report/mistake-lines.ts'
import { listen } from '../server/listen.ts'
import { startReport, startText } from '../server/start-text.ts'
import { reportToRun } from '../sweep/swept-run.ts'
import { didYouMean, UsageError } from '../utils/errors.ts'
import { isJsonFile } from '../utils/files.ts'
import { fixtureNames } from '../world/load/read-world.ts'
import { persistInFile } from '../world/persistence/persist-in-file.ts'
import { defineCommand } from './command.ts'
import type { CommandContext } from './command-context.ts'
import { openServed, type ServeFlags, serveFlags, toListenOptions } from './from-flags.ts'
import { RequestLog } from './log.ts'
import { watchWorld, worldToWatch } from './watched-world.ts'

const help = `
Examples:
  npx understudy-api                                   world "default" at http://127.0.0.1:4010
  npx understudy-api serve --port 0 --world odd         another fixture, on any free port
  npx understudy-api serve --world ./world.json --watch   reload the file when it changes
  npx understudy-api serve --state ./state.json        keep changes across restarts
  npx understudy-api serve --scenario ./story.json     the world and the faults of a scenario
  npx understudy-api serve --set annotations.delete.status=404 --set limits.rate=480_per_minute

Each flag has an environment variable. The flag takes precedence.`

export default defineCommand({
  name: 'serve',
  isServer: true,
  summary: 'Serve the API over HTTP.',
  flags: serveFlags,
  help,
  configure: (command) => command.allowExcessArguments(),
  run(_args, flags, context, { args: [argument] }) {
    // An argument is most often the world.
    if (argument === undefined) return serve(flags, context)
    const isWorld = fixtureNames.includes(argument) || isJsonFile(argument)
    const world = isWorld ? argument : didYouMean(argument, fixtureNames)
    const hint =
      world === undefined ? 'Name a world with --world.' : `Did you mean --world ${world}?`
    throw new UsageError(`Unexpected argument ${JSON.stringify(argument)}. ${hint}`)
  },
})

/** Serves until the user interrupts. @param use gets the URL of the server, which ends when it is done */
export async function serve(
  flags: ServeFlags,
  context: CommandContext,
  use?: (url: string) => Promise<void>,
): Promise<number> {
  const { quiet, mistakes: mode, state } = flags
  const watched = flags.watch ? worldToWatch(flags) : null
  const options = await toListenOptions(flags)
  const log = quiet ? null : new RequestLog(context)
  const { simulator, scenario } = await openServed(flags, context)
  reportToRun(simulator)
  simulator.faults.addInitial(flags.fault)
  log?.follow(simulator)
  const isSilent = mode === 'off' || (!log && mode === 'print')
  const mistakes = isSilent ? null : new LiveMistakes(simulator, (found) => log?.liveMistake(found))
  const onError = (error: unknown) => context.printError((error as Error).message)
  const persistence = state ? await persistInFile(simulator, state, onError) : null
  const server = await listen(simulator, { ...options, ...log?.listeners }).catch(async (error) => {
    await persistence?.close()
    throw error
  })
  const stopWatching = watched && watchWorld(simulator, watched, flags.seed, log, context)
  // Before the URL is printed, because its reader may interrupt at once.
  const interrupted = context.interrupted()
  const { url } = server
  const resumed = persistence?.resumed ?? false
  const started = { ...flags, simulator, scenario, url, resumed, watched: watched?.file }
  if (flags.json) context.printJson(startReport(started), 0)
  else context.print(quiet ? url : startText(started, context.paint))
  let isSaved = true
  try {
    await Promise.race([interrupted, ...(use ? [use(url)] : [])])
  } finally {
    await stopWatching?.()
    await server.close({ timeout: 5_000 })
    if (persistence) isSaved = await persistence.close()
  }
  const breaches = mistakes?.finish() ?? []
  log?.flush()
  if (!isSaved) throw new Error(`The last changes were not saved to ${state}.`)
  return mode === 'fail' && breaches.some(isFailing) ? 1 : 0
}
