import process from 'node:process'
import { type Command, CommanderError } from 'commander'
import { didYouMean, isUsageError, UsageError } from '../utils/errors.ts'
import { isJsonFile } from '../utils/files.ts'
import { UnreachableError } from '../utils/network.ts'
import { quoteForShell } from '../utils/text.ts'
import { version } from '../utils/version.ts'
import {
  CommandContext,
  type CommandStreams,
  exitCodes,
  hasColours,
  InterruptedError,
  painter,
} from './command-context.ts'
import { BadUseError, ParsedCommand } from './parsed-command.ts'

/** Runs the command line. `argv` does not contain Node and the script. @returns the exit code */
export async function main(argv: readonly string[], streams: CommandStreams): Promise<number> {
  const context = new CommandContext(streams, argv)
  const [first] = argv
  try {
    checkCommandName(first === 'help' ? argv[1] : first)
    // Commander has no help for the command help.
    const words = /^help (help|-h|--help)$/.test(argv.join(' ')) ? ['help'] : argv
    await (await createProgram(first, context)).parseAsync(words, { from: 'user' })
    return context.exitCode
  } catch (error) {
    const command = commandNames.find((name) => name === first) ?? ''
    return reportFailure(error, { command, json: wantsJson(argv) }, context)
  }
}

async function createProgram(first: string | undefined, context: CommandContext): Promise<Command> {
  const program = new ParsedCommand('npx understudy-api')
    .description('A simulator of the Plugin and Annotation Management API.')
    .version(version)
    // Options after the name of a command belong to the command. `exec` passes them on.
    .enablePositionalOptions()
    .addHelpText(
      'after',
      '\nWithout a command, npx understudy-api serves. Run npx understudy-api COMMAND --help for details.',
    )
  for (const command of await loadCommands(commandsToLoad(first), context)) {
    program.addCommand(command, { isDefault: command.name() === 'serve' })
  }
  for (const command of [program, ...program.commands]) configure(command, context)
  return program
}

function configure(command: Command, context: CommandContext) {
  const { stdout, stderr, paint } = context
  const name = (text: string) => paint('name', text)
  command
    .exitOverride()
    .configureHelp({
      styleTitle: (text) => paint('strong', text),
      styleCommandText: name,
      styleSubcommandText: name,
      styleOptionText: name,
      styleArgumentText: name,
    })
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      // reportFailure prints errors.
      outputError() {},
      getOutHasColors: () => hasColours(stdout),
      getOutHelpWidth: () => stdout.columns ?? 80,
    })
}

function commandsToLoad(first = '--') {
  if (commandNames.includes(first)) return [first]
  if (['-V', '--version'].includes(first)) return []
  return ['help', '-h', '--help'].includes(first) ? commandNames : ['serve']
}

/** Without this check commander would pass a mistyped command to `serve` as an argument, or print the whole help. */
function checkCommandName(first = '--') {
  if (first.startsWith('-') || first === 'help' || commandNames.includes(first)) return
  const file = `serve --world ${quoteForShell(first)}`
  const meant = isJsonFile(first) ? file : didYouMean(first, commandNames)
  throw new UsageError(
    `Unknown command ${JSON.stringify(first)}.${meant ? ` Did you mean ${meant}?` : ''} The commands are ${commandNames.join(', ')}.`,
  )
}

/** Reads the arguments themselves, because they may be the reason why parsing failed. */
function wantsJson(argv: readonly string[]) {
  const [command = 'serve'] = argv
  // The arguments of exec belong to the command that it runs.
  if (command === 'exec') return false
  const isServing = command === 'serve' || command.startsWith('-')
  const variable = isServing ? process.env.UNDERSTUDY_JSON : undefined
  // The arguments after -- belong to the command that sweep runs.
  const end = command === 'sweep' ? argv.indexOf('--') : -1
  const own = end < 0 ? argv : argv.slice(0, end)
  return own.includes('--json') || /^(1|true|yes|on)$/i.test(variable ?? '')
}

/** Each command is loaded on demand: most of them import much that the others do not need. */
const commands: Readonly<Record<string, () => Promise<{ default: CreateCommand }>>> = {
  serve: () => import('./serve.ts'),
  exec: () => import('./exec.ts'),
  sweep: () => import('./sweep.ts'),
  replay: () => import('./replay.ts'),
  record: () => import('./record.ts'),
  import: () => import('./import.ts'),
  compare: () => import('./compare.ts'),
  explain: () => import('./explain.ts'),
  settings: () => import('./settings.ts'),
  mcp: () => import('./mcp.ts'),
  validate: () => import('./validate.ts'),
}

type CreateCommand = (context: CommandContext) => Command

export const commandNames: readonly string[] = Object.keys(commands)

export async function loadCommands(
  names: readonly string[],
  context: CommandContext,
): Promise<Command[]> {
  const loaded = await Promise.all(names.flatMap((name) => commands[name]?.() ?? []))
  return loaded.map(({ default: create }) => create(context))
}

/** Prints why a command failed, without a stack. @param command empty if none was named @returns the exit code */
async function reportFailure(
  error: unknown,
  { command, json }: { readonly command: string; readonly json: boolean },
  context: CommandContext,
) {
  if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok
  const { redactMessage } = await import('./command-line.ts')
  const { message: whole, code } = await toFailure(error, command, context)
  const message = redactMessage(whole)
  const { issues = [] } = error as { issues?: readonly string[] }
  // The start is coloured: the task that failed, or the first sentence.
  const [start = ''] = /^[^\n]*?(?::(?= )|\.(?=\s|$))/.exec(message) ?? []
  const colouredStart = start && painter(context.stderr)('bad', start)
  context.printError(colouredStart + message.slice(start.length))
  if (json)
    context.printJson({ error: { message, issues: issues.map(redactMessage), exit_code: code } }, 0)
  return code
}

async function toFailure(
  error: unknown,
  command: string,
  context: CommandContext,
): Promise<{ message: string; code: number }> {
  const badUse = (message: string) => ({ message, code: exitCodes.usageError })
  if (error instanceof BadUseError) return badUse(await describeBadUse(error, command, context))
  const { code, message, syscall } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return { message, code: exitCodes.portTaken }
  if (syscall === 'listen' || syscall === 'getaddrinfo') return badUse(message)
  if (error instanceof UnreachableError) return { message, code: exitCodes.unreachable }
  if (error instanceof InterruptedError) return { message, code: exitCodes.interrupted }
  return isUsageError(error) ? badUse(message) : { message, code: exitCodes.failed }
}

async function describeBadUse(
  { message, unknownFlag }: BadUseError,
  command: string,
  context: CommandContext,
) {
  const others = (await loadCommands(commandNames, context)).filter(({ options }) =>
    options.some(({ long }) => long === unknownFlag),
  )
  if (others.length > 0) {
    const names = new Intl.ListFormat('en-GB').format(others.map((other) => other.name()))
    return `${unknownFlag} is a flag of ${names}, not of ${command || 'serve'}.`
  }
  return `${message} Run npx understudy-api ${command && `${command} `}--help for usage.`
}
