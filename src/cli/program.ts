import { Command, CommanderError } from 'commander'
import { version } from '../version.ts'
import { exitCodeOf, exitCodes } from './exit.ts'
import { policiesCommand } from './policies.ts'
import { serveCommand } from './serve.ts'
import { validateCommand } from './validate.ts'

/** The command line: its commands, and what a shell learns of how they ended. */
export async function run(args: readonly string[]): Promise<number> {
  const program = new Command('understudy')
    .description('A stand-in for the Plugin and Annotation Management API.')
    .version(version)
    .addHelpText(
      'after',
      '\nWithout a command it serves. understudy COMMAND --help tells more of each.',
    )
  program.addCommand(serveCommand(), { isDefault: true })
  program.addCommand(policiesCommand())
  program.addCommand(validateCommand())
  for (const command of [program, ...program.commands])
    command.exitOverride().showHelpAfterError(false)
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCodes.ok
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitCodes.ok : exitCodes.badUse
    return exitCodeOf(error)
  }
}
