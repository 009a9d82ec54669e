import process from 'node:process'
import { Command, type Help } from 'commander'
import { didYouMean, UsageError, unexpectedValue } from '../utils/usage-error.ts'
import { version } from '../utils/version.ts'
import { exitCodes, reportFailure } from './exit.ts'
import { hasColours, painter } from './output/print.ts'

/** The command line: its commands, and what a shell learns of how they ended. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const program = new Command('understudy')
    .description('A stand-in for the Plugin and Annotation Management API.')
    .version(version)
    // What stands behind a command is that command's: exec leaves it to what it runs.
    .enablePositionalOptions()
    .addHelpText(
      'after',
      '\nWithout a command it serves. understudy COMMAND --help tells more of each.',
    )
  let code: number = exitCodes.ok
  try {
    checkCommandName(args[0])
    for (const command of await loadCommands(commandsToLoad(args[0]), (ended) => (code = ended))) {
      program.addCommand(command, { isDefault: command.name() === 'serve' })
    }
    for (const command of [program, ...program.commands]) {
      command
        .exitOverride()
        .configureHelp(helpStyle())
        .configureOutput({ outputError() {}, getOutHasColors: () => hasColours(process.stdout) })
    }
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    const [first = ''] = args
    const command = commandNames.includes(first) ? first : ''
    return reportFailure(error, { command, json: wantsJson(args) })
  }
}

/** What has to be there to answer: help tells of all of them, and without a word for a command it serves. */
function commandsToLoad(first = ''): readonly string[] {
  if (commandNames.includes(first)) return [first]
  return ['help', '-h', '--help', '-V', '--version'].includes(first) ? commandNames : ['serve']
}

/** Without this a mistyped command would count as a word too many for the default one. */
function checkCommandName(first = '-'): void {
  if (first.startsWith('-') || first === 'help' || commandNames.includes(first)) return
  if (Object.hasOwn(removedCommands, first)) {
    throw new UsageError(`"understudy ${first}" was removed. ${removedCommands[first]}`)
  }
  throw unexpectedValue(
    'run',
    `a command: ${commandNames.join(', ')}`,
    first,
    /\.json$/.test(first) ? `serve --data ${first}` : didYouMean(first, commandNames),
  )
}

/** Asked of what was typed: a command line that cannot be read is told in the form that was wanted, too. */
function wantsJson(args: readonly string[]): boolean {
  const [command = 'serve'] = args
  // What stands behind exec is what it runs.
  if (command === 'exec') return false
  const isServing = command === 'serve' || command.startsWith('-')
  const variable = isServing ? process.env.UNDERSTUDY_JSON : undefined
  return args.includes('--json') || /^(1|true|yes|on)$/i.test(variable ?? '')
}

/** Commands of earlier versions, and what to do instead. */
const removedCommands: Readonly<Record<string, string>> = {
  completion: '`understudy COMMAND --help` lists commands and flags.',
  doctor: 'Run `understudy serve`: it says what is wrong and what to do.',
}

function helpStyle(): Partial<Help> {
  const paint = painter(process.stdout)
  const name = (text: string): string => paint('name', text)
  return {
    styleTitle: (text) => paint('strong', text),
    styleCommandText: name,
    styleSubcommandText: name,
    styleOptionText: name,
    styleArgumentText: name,
  }
}

/** Told how a command ended that ended well, and yet not as was hoped. */
export type SetExitCode = (code: number) => void

/** Every command, loaded when it is asked for: most of them need much that the others do not. */
const commands: Readonly<Record<string, (ended: SetExitCode) => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand(),
  exec: async (ended) => (await import('./exec.ts')).execCommand(ended),
  replay: async (ended) => (await import('./replay.ts')).replayCommand(ended),
  record: async () => (await import('./record.ts')).recordCommand(),
  import: async () => (await import('./import.ts')).importCommand(),
  shrink: async (ended) => (await import('./shrink.ts')).shrinkCommand(ended),
  policies: async () => (await import('./policies.ts')).policiesCommand(),
  worlds: async () => (await import('./worlds.ts')).worldsCommand(),
  openapi: async () => (await import('./openapi.ts')).openApiCommand(),
  validate: async () => (await import('./validate.ts')).validateCommand(),
  init: async () => (await import('./init.ts')).initCommand(),
}

/** The names of all commands. */
export const commandNames: readonly string[] = Object.keys(commands)

/** Loads some commands, by their names. */
export function loadCommands(
  names: readonly string[] = commandNames,
  ended: SetExitCode = () => {},
): Promise<Command[]> {
  return Promise.all(names.flatMap((name) => commands[name]?.(ended) ?? []))
}
