import { Command } from 'commander'
import { nearest, unexpected } from '../usage-error.ts'
import { version } from '../version.ts'
import { exitCodeOf, exitCodes } from './exit.ts'

/** Told how a command ended that ended well, and yet not as was hoped. */
type Ended = (code: number) => void

/** Every command, loaded when it is asked for: most of them need much that the others do not. */
const commands: Readonly<Record<string, (ended: Ended) => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand(),
  exec: async (ended) => (await import('./exec.ts')).execCommand(ended),
  replay: async (ended) => (await import('./replay.ts')).replayCommand(ended),
  record: async () => (await import('./record.ts')).recordCommand(),
  import: async () => (await import('./import.ts')).importCommand(),
  shrink: async (ended) => (await import('./shrink/shrink.ts')).shrinkCommand(ended),
  policies: async () => (await import('./policies.ts')).policiesCommand(),
  openapi: async () => (await import('./openapi.ts')).openApiCommand(),
  validate: async () => (await import('./validate.ts')).validateCommand(),
  init: async () => (await import('./init.ts')).initCommand(),
}

/** The names of all commands. */
export const commandNames: readonly string[] = Object.keys(commands)

/** The command line: its commands, and what a shell learns of how they ended. */
export async function run(args: readonly string[]): Promise<number> {
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
    checkCommand(args[0])
    for (const name of namesFor(args[0])) {
      const command = await commands[name]?.((ended) => (code = ended))
      if (command) program.addCommand(command, { isDefault: name === 'serve' })
    }
    for (const command of [program, ...program.commands])
      command.exitOverride().configureOutput({ outputError() {} })
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    return exitCodeOf(error)
  }
}

/** What has to be there to answer: help tells of all of them, and without a word for a command it serves. */
function namesFor(first = ''): readonly string[] {
  if (commandNames.includes(first)) return [first]
  return ['help', '-h', '--help', '-V', '--version'].includes(first) ? commandNames : ['serve']
}

/** Without this a mistyped command would count as a word too many for the default one. */
function checkCommand(first = '-'): void {
  if (first.startsWith('-') || first === 'help' || commandNames.includes(first)) return
  throw unexpected(
    'run',
    `a command: ${commandNames.join(', ')}`,
    first,
    nearest(first, commandNames),
  )
}
