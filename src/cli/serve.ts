import { Command } from 'commander'
import { persistInFile } from '../persistence/persist-in-file.ts'
import { listen } from '../server.ts'
import { addFaults, beginSimulator } from './begin.ts'
import { optionsOf } from './flags.ts'
import { beginReplay, type RecordingFlags, unusedLine } from './recorded.ts'
import { untilSignal } from './signals.ts'
import { startReport, startText } from './start-text.ts'

interface ServeFlags extends RecordingFlags {
  readonly port: number
  readonly host: string
  readonly cors: boolean
  readonly dashboard: boolean
  readonly scenarios?: string
  readonly lane: 'direct' | 'msw'
  readonly stock?: boolean
  readonly json?: boolean
}

const examples = `
Examples:
  understudy                                   the world "default" on http://127.0.0.1:4010
  understudy serve --port 0 --data odd         another fixture, on any free port
  understudy serve --data ./world.json --profile live
  understudy serve --state ./state.json        what is changed is there again after a restart
  understudy serve --recording ./story.json    answers as they were recorded, and nothing else
  understudy serve --recording ./story.json --mode fallback
  understudy serve --policy annotations.delete.status=404 --policy limits.rate=observed

Each flag has an environment variable; the flag wins.`

export function serveCommand(): Command {
  const command = new Command('serve')
    .description('Serve the API over HTTP until it is interrupted.')
    .addHelpText('after', examples)
    .action(serve)
  for (const option of optionsOf('serve', process.env)) command.addOption(option)
  return command
}

async function serve(flags: ServeFlags): Promise<void> {
  const replay = await beginReplay(flags)
  const simulator = replay?.simulator ?? (await beginSimulator(flags))
  addFaults(simulator, flags)
  const tell = (error: unknown) => console.error((error as Error).message)
  const kept = flags.state ? await persistInFile(simulator, flags.state, tell) : null
  const server = await listen(simulator, {
    ...flags,
    onNotFound(method, url, nearest) {
      if (!flags.quiet) console.error(`404 ${method} ${url} – nearest: ${nearest}`)
    },
  }).catch(async (error) => {
    await kept?.close()
    throw error
  })
  // Before it says that it listens: who reads that may end it at once.
  const ended = untilSignal()
  if (flags.json) console.log(JSON.stringify(startReport(simulator, server.url, flags)))
  else if (!flags.quiet) console.log(startText(simulator, server.url, flags))
  await ended
  await server.close()
  const unused = replay && unusedLine(replay)
  if (unused && !flags.quiet) console.error(unused)
  if (kept && !(await kept.close())) {
    throw new Error(`The last changes of the world are not in ${flags.state}.`)
  }
}
