import process from 'node:process'
import { Command } from 'commander'
import { listen } from '../server/listen.ts'
import { UsageError, unexpectedValue } from '../utils/usage-error.ts'
import { persistInFile } from '../world/persistence/persist-in-file.ts'
import type { CommandContext } from './command-context.ts'
import { createFlagOptions } from './flags.ts'
import type { LogFormat } from './log/request-line.ts'
import { RequestLog } from './log/request-log.ts'
import { openServed, type RecordingFlags, unusedRequestsMessage } from './serve/open-served.ts'
import { startReport, startText } from './serve/start-text.ts'
import { fileToWatch, logErrorsOnly, watchServed } from './serve/watch-served.ts'
import { addFaultsFromFlags } from './simulator-from-flags.ts'

interface ServeFlags extends RecordingFlags {
  readonly port: number
  readonly host: string
  readonly requireToken?: boolean
  readonly cors: boolean
  readonly dashboard: boolean
  readonly scenarios?: string
  readonly json?: boolean
  readonly watch?: boolean
  readonly logFormat: LogFormat
}

const examples = `
Examples:
  understudy                                   the world "default" on http://127.0.0.1:4010
  understudy serve --port 0 --data odd         another fixture, on any free port
  understudy serve --data ./world.json --profile live
  understudy serve --state ./state.json        what is changed is there again after a restart
  understudy serve --recording ./story.json    answers as they were recorded, and nothing else
  understudy serve --recording ./story.json --mode fallback
  understudy serve --data ./world.json --watch   reload the file when it changes
  understudy serve --policy annotations.delete.status=404 --policy limits.rate=observed

Each flag has an environment variable; the flag wins.`

export function serveCommand(context: CommandContext): Command {
  const command = new Command('serve')
    .description('Serve the API over HTTP until it is interrupted.')
    .addHelpText('after', examples)
    .allowExcessArguments()
    .action((flags: ServeFlags, { args }: Command) => {
      checkNoArguments(args)
      return serve(flags, context)
    })
  for (const option of createFlagOptions('serve', process.env)) command.addOption(option)
  return command
}

/** It takes flags alone; a word among them is most often the world. */
function checkNoArguments([word]: readonly string[]): void {
  if (word !== undefined) throw unexpectedValue('serve', 'flags only', word, `--data ${word}`)
}

async function serve(flags: ServeFlags, context: CommandContext): Promise<void> {
  checkToken(flags)
  const seen = fileToWatch(flags)
  const log = flags.quiet ? null : new RequestLog(flags.logFormat, context)
  const served = await openServed(flags, context, (request) => log?.unexpectedRequest(request))
  const { simulator } = served
  addFaultsFromFlags(simulator, flags, context)
  const tell = (error: unknown) => context.printError((error as Error).message)
  const kept = flags.state ? await persistInFile(simulator, flags.state, tell) : null
  const server = await listen(simulator, {
    ...flags,
    onNotFound: (method, url) => log?.notFound(method, simulator.journal.redactUrl(url)),
  }).catch(async (error) => {
    await kept?.close()
    throw error
  })
  log?.follow(simulator)
  const watched = seen && (await watchServed(served, flags, seen, log ?? logErrorsOnly(context)))
  // Before it says that it listens: who reads that may end it at once.
  const ended = context.interrupted()
  if (flags.json) context.printJsonLine(startReport(simulator, server.url, flags))
  else if (!flags.quiet) {
    context.print(startText(simulator, server.url, flags, context.paint))
  }
  await ended
  await watched?.close()
  await server.close()
  log?.flush()
  const unused = simulator.replaying && unusedRequestsMessage(simulator.replaying)
  if (unused && !flags.quiet) context.printError(unused)
  if (kept && !(await kept.close())) {
    throw new Error(`The last changes of the world are not in ${flags.state}.`)
  }
}

/** An empty one is none: nobody could send it. */
function checkToken({ requireToken, token }: ServeFlags): void {
  if (!requireToken || token) return
  throw new UsageError(
    'Failed to serve: expected a token for the control API, since --require-token ' +
      '(or UNDERSTUDY_REQUIRE_TOKEN) asks for one, got none. Set UNDERSTUDY_TOKEN, or --token.',
  )
}
