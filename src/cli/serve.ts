import process from 'node:process'
import { Command } from 'commander'
import { listen } from '../server/listen.ts'
import { UsageError } from '../utils/usage-error.ts'
import { persistInFile } from '../world/persistence/persist-in-file.ts'
import type { CommandContext } from './command-context.ts'
import { createFlagOptions, warnAboutVariables } from './flags.ts'
import { RequestLog } from './log/request-log.ts'
import { openServed, type ServeFlags, unusedRequestsMessage } from './serve/open-served.ts'
import { startReport, startText } from './serve/start-text.ts'
import { fileToWatch, watchServed } from './serve/watch.ts'
import { addFaultsFromFlags } from './simulator-from-flags.ts'

const help = `
Examples:
  understudy                                   world "default" at http://127.0.0.1:4010
  understudy serve --port 0 --data odd         another fixture, on any free port
  understudy serve --data ./world.json --profile live
  understudy serve --data ./world.json --watch   reload the file when it changes
  understudy serve --state ./state.json        keep changes across restarts
  understudy serve --recording ./story.json    respond with recorded responses only
  understudy serve --recording ./story.json --mode fallback
  understudy serve --policy annotations.delete.status=404 --policy limits.rate=observed

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

async function serve(flags: ServeFlags, context: CommandContext): Promise<void> {
  // An empty token counts as none, because no client can send it.
  if (flags.requireToken && !flags.token) {
    throw new UsageError(
      '--require-token (or UNDERSTUDY_REQUIRE_TOKEN) requires a token for the control API. ' +
        'Set it with --token (or UNDERSTUDY_TOKEN).',
    )
  }
  for (const warning of warnAboutVariables(process.env)) context.printError(warning)
  const fileState = flags.watch ? fileToWatch(flags) : null
  const log = flags.quiet ? null : new RequestLog(flags.logFormat, context)
  const source = await openServed(flags, context, (request) => log?.unexpectedRequest(request))
  const { simulator } = source
  addFaultsFromFlags(simulator, flags, context)
  const onError = (error: unknown) => context.printError((error as Error).message)
  const persistence = flags.state ? await persistInFile(simulator, flags.state, onError) : null
  const server = await listen(simulator, {
    ...flags,
    onNotFound: (method, url) => log?.notFound(method, simulator.journal.redactUrl(url)),
  }).catch(async (error) => {
    await persistence?.close()
    throw error
  })
  log?.follow(simulator)
  const stopWatching = fileState && (await watchServed(source, flags, fileState, log, context))
  // Before the URL is printed, because its reader may interrupt at once.
  const interrupted = context.interrupted()
  if (flags.json) context.printJsonLine(startReport(simulator, server.url, flags))
  else if (!flags.quiet) context.print(startText(simulator, server.url, flags, context.paint))
  await interrupted
  await stopWatching?.()
  await server.close()
  log?.flush()
  const unused = simulator.replaying && unusedRequestsMessage(simulator.replaying)
  if (unused && !flags.quiet) context.printError(unused)
  if (persistence && !(await persistence.close())) {
    throw new Error(`The last changes were not saved to ${flags.state}.`)
  }
}
