import { closeSync, openSync, readSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { type Command, Option } from 'commander'
import { checkExtension } from '../report/printers.ts'
import { UsageError, unexpectedValue, unknownWord } from '../utils/errors.ts'
import { checkWritable, statsOf, unreadableFileError } from '../utils/files.ts'
import { type Input, inlineInput, isStdin } from '../utils/input.ts'
import type { CommandContext } from './command-context.ts'
import { ParsedCommand } from './parsed-command.ts'

/** A flag of a command. Its name is commander's notation, such as `--port <number>`, or `--watch`. */
export interface Flag {
  /** What it does, for the help */
  readonly text: string
  readonly default?: unknown
  /** The default value as the help shows it. By default the value */
  readonly defaultText?: string
  readonly choices?: readonly string[]
  /**
   * Reads the value. By default it is the text.
   *
   * @param source the flag, and its variable if it has one, for messages
   * @param before the value of the same flag before it, or the default
   * @throws UsageError for any other text
   */
  // A method, so that its `before` can have the type of the value.
  parse?(text: string, source: string, before: unknown): unknown
  /** Makes the value of what is in the file that the flag names. @throws UsageError */
  readonly read?: (input: Input) => unknown
  readonly required?: boolean
  /** The flags that it excludes, in camel case */
  readonly conflicts?: readonly string[]
  /** Whether an environment variable sets it: UNDERSTUDY_PORT for --port */
  readonly hasVariable?: boolean
  readonly file?: FileUse
}

/** A flag of a file says what the file is for, so that no command can overwrite a file that it reads. */
interface FileFlag extends Flag {
  readonly file: FileUse
}

/** Flags by their names. A flag that is only a text needs no more. */
type Flags = Readonly<Record<string, Flag | string>> & {
  readonly [name: `--${string} <file${string}`]: FileFlag
}

/** The values of flags, by the names of the flags in camel case. A flag without a default can be undefined. */
export type FlagValues<F extends Flags> = ValuesOf<F, true> & Partial<ValuesOf<F, false>>

/** The values of the flags that are always set, or of the others. */
type ValuesOf<F, Set extends boolean> = {
  readonly [Name in keyof F as IsSet<F[Name]> extends Set ? Key<Name> : never]: Value<Name, F[Name]>
}

type IsSet<F> = F extends { default: unknown } | { required: true } ? true : false

type Key<Name> = Name extends `--${infer Long} <${string}`
  ? CamelCase<Long>
  : Name extends `--no-${infer Long}` | `--${infer Long}`
    ? CamelCase<Long>
    : never

type CamelCase<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Text

type Value<Name, F> = F extends
  | { parse(...args: never): infer Parsed }
  | { read(...args: never): infer Parsed }
  ? Parsed
  : F extends { choices: readonly (infer Choice)[] }
    ? Choice
    : Name extends `${string}<${string}`
      ? string
      : boolean

/** An argument in commander's notation, such as `<file>`, `[text]` or `<file...>`, and what it is for. */
type Argument = readonly [name: string, text: string]

type ArgumentValues<A extends readonly Argument[]> = {
  readonly [Index in keyof A]: A[Index][0] extends `${string}...${string}`
    ? readonly string[]
    : A[Index][0] extends `<${string}`
      ? string
      : string | undefined
}

interface CommandResult {
  readonly text: string
  /** Printed in place of the text with `--json` */
  readonly json: unknown
  /** By default 0 */
  readonly exitCode?: number
}

interface CommandSpec<F extends Flags, A extends readonly Argument[]> {
  readonly name: string
  readonly summary: string
  readonly args?: A
  readonly flags: F
  /** Examples and more, after the flags */
  readonly help: string
  /** What to do in place of an argument that it does not take */
  readonly inPlaceOf?: ParsedCommand['inPlaceOf']
  /** Whether it serves, so that it does not end, fail or wait if its output is lost */
  readonly isServer?: boolean
  /** Whether stdin has a protocol, so that no file is read from it */
  readonly speaksOnStdin?: boolean
  /** @returns a result to print, or the exit code if it is not 0 */
  run(
    args: ArgumentValues<A>,
    flags: FlagValues<F>,
    context: CommandContext,
    command: Command,
  ): CommandOutcome | Promise<CommandOutcome>
}

// biome-ignore lint/suspicious/noConfusingVoidType: a command without a result returns nothing.
type CommandOutcome = CommandResult | number | void

/** Defines a command. The types of its arguments and flags follow from their names. */
export function defineCommand<const F extends Flags, const A extends readonly Argument[] = []>(
  spec: CommandSpec<F, A>,
): (context: CommandContext) => Command {
  return (context) => {
    const { name, summary, args = [], flags, help, inPlaceOf, isServer, run } = spec
    if (spec.speaksOnStdin) context.reserveStdin()
    const command = new ParsedCommand(name).description(summary)
    command.inPlaceOf = inPlaceOf
    if ((args[0] as Argument | undefined) === commandArgument) command.passThroughOptions()
    for (const [argument, text] of args) command.argument(argument, text)
    const rows = Object.entries<Flag | string>(flags).map(([flag, text]) =>
      toKnown(flag, typeof text === 'string' ? { text } : text),
    )
    for (const { option } of rows) command.addOption(option)
    return command.addHelpText('after', help).action(async (...all) => {
      const values = all.slice(0, args.length) as unknown as ArgumentValues<A>
      if (isServer) context.startServing()
      checkFiles([...filesOfArguments(args, values), ...filesOfFlags(command, rows)])
      const read = await readFlags(command, rows, context)
      const options = { ...command.opts(), ...read } as FlagValues<F> & { json?: boolean }
      const outcome = await run(values, options, context, command)
      if (typeof outcome === 'number') context.exitCode = outcome
      if (typeof outcome !== 'object') return
      context.exitCode = outcome.exitCode ?? 0
      if (options.json) context.printJson(outcome.json)
      else context.print(outcome.text)
    })
  }
}

/** The argument of a command that runs another one, which follows its flags. */
export const commandArgument = ['<command...>', 'command to run, after --'] as const

const isFile = ([name]: Argument) => /^.file/.test(name)

function filesOfArguments(args: readonly Argument[], values: readonly unknown[]): NamedFile[] {
  return args.flatMap((argument, index) =>
    isFile(argument) ? toNamedFiles(values[index], { use: 'read' }) : [],
  )
}

/** The values of the flags that are read from files, by their names in camel case. */
async function readFlags(command: Command, known: readonly KnownFlag[], context: CommandContext) {
  const values: Record<string, unknown> = {}
  for (const { flag, option } of known) {
    const key = option.attributeName()
    const file = command.getOptionValue(key)
    if (!flag.read || file === undefined) continue
    const inline = inlineInput(option.envVar ?? String(option.long), file)
    values[key] = flag.read(inline ?? (await context.read(file)))
  }
  return values
}

function filesOfFlags(command: Command, known: readonly KnownFlag[]): NamedFile[] {
  return known.flatMap(({ flag: { file: use }, option }) => {
    const value = command.getOptionValue(option.attributeName())
    return use === undefined ? [] : toNamedFiles(value, { flag: String(option.long), use })
  })
}

/** @param value a file, or several. Undefined for none */
function toNamedFiles(value: unknown, named: Omit<NamedFile, 'file'>): NamedFile[] {
  const files = [value ?? []].flat() as string[]
  return files.map((file) => ({ ...named, file }))
}

interface KnownFlag {
  readonly flag: Flag
  readonly option: Option
}

function toKnown(name: string, flag: Flag): KnownFlag {
  const option = new Option(name, flag.text)
  const variable = variableName(name)
  const source = `${option.long}${flag.hasVariable ? ` (or ${variable})` : ''}`
  const { choices } = flag
  if ('default' in flag) option.default(flag.default, flag.defaultText)
  if (choices) {
    // Unlike commander's own error, this one suggests the nearest word.
    option.choices(choices).argParser((text) => {
      if (choices.includes(text)) return text
      throw unknownWord(`read ${source}`, choices, text)
    })
  } else if (flag.parse) option.argParser((text, before) => flag.parse?.(text, source, before))
  if (flag.required) option.makeOptionMandatory()
  if (flag.conflicts) option.conflicts([...flag.conflicts])
  if (flag.hasVariable && isSet(option, variable, process.env[variable])) option.env(variable)
  return { flag, option }
}

/** The environment variable of a flag. @example variableName('--report-file') // 'UNDERSTUDY_REPORT_FILE' */
export function variableName(flag: string): string {
  const [long = ''] = flag.split(' ')
  return `UNDERSTUDY_${long.slice(2).toUpperCase().replaceAll('-', '_')}`
}

/** An empty variable counts as not set, as in `UNDERSTUDY_WORLD= npx understudy-api`. */
function isSet({ required }: Option, variable: string, value: string | undefined) {
  return required ? value !== '' : isEnabled(variable, value)
}

/** Commander turns a boolean flag on if its variable is set to anything, even to 0. */
function isEnabled(variable: string, value = 'yes') {
  if (/^(1|true|yes|on)$/i.test(value)) return true
  if (/^(0|false|no|off|)$/i.test(value)) return false
  throw unexpectedValue(`read ${variable}`, 'one of 1, true, yes, on, 0, false, no, off', value)
}

/** What a file of a command is for: it is read, or written as JSON or a report. */
type FileUse = 'read' | 'write' | 'report'

interface NamedFile {
  /** The flag that names it. Undefined for an argument */
  readonly flag?: string
  readonly file: string
  readonly use: FileUse
}

/**
 * Checks the files of a command line before the command runs. Each has a name. Each that it writes is no other file of the
 * command, can be written, and replaces only a file of its kind. A report can replace any file. Folders are created.
 *
 * @throws UsageError
 */
function checkFiles(files: readonly NamedFile[]) {
  for (const named of files) {
    const { flag, file, use } = named
    // It is empty if the variable of `--state "$FILE"` is not set.
    if (file === '' || (use !== 'read' && isStdin(file)))
      throw unexpectedValue(`read ${flag ?? 'the file'}`, 'the name of a file', file)
    if (use === 'read') continue
    const names = `${flag} names ${file}`
    const stats = statsOf(file)
    // A device such as a terminal can be read and written.
    const isOther = stats?.isFile() === false
    if (!isOther && files.some((used) => used !== named && pathOf(used.file) === pathOf(file))) {
      throw new UsageError(`${names}, which the command uses, too. Choose another file.`)
    }
    if (stats?.isDirectory()) throw new UsageError(`${names}, which is a folder. Choose a file.`)
    if (use !== 'report' && stats && !isOther && !isLikeJson(file)) {
      throw new UsageError(`${names}, which exists and is not JSON. Choose another file.`)
    }
    if (use === 'report') checkExtension(file, `read ${flag}`)
    checkWritable(file)
  }
}

/** Whether a file is empty, or begins like JSON. @throws UsageError for one that cannot be read */
function isLikeJson(file: string) {
  try {
    const start = Buffer.alloc(100)
    const descriptor = openSync(file, 'r')
    const length = readSync(descriptor, start)
    closeSync(descriptor)
    return length === 0 || /^\s*\{/.test(start.toString('utf8', 0, length))
  } catch (error) {
    throw unreadableFileError(file, error)
  }
}

/** A path without links, as far as the file exists. */
function pathOf(file: string) {
  return statsOf(file) ? realpathSync(file) : resolve(file)
}
