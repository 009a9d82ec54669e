import { Command } from 'commander'
import { nearest, unexpected } from '../usage-error.ts'
import { version } from '../version.ts'
import { execCommand } from './exec.ts'
import { exitCodeOf, exitCodes } from './exit.ts'
import { importCommand } from './import.ts'
import { openApiCommand } from './openapi.ts'
import { policiesCommand } from './policies.ts'
import { recordCommand } from './record.ts'
import { replayCommand } from './replay.ts'
import { serveCommand } from './serve.ts'
import { shrinkCommand } from './shrink/shrink.ts'
import { validateCommand } from './validate.ts'

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
    program.addCommand(serveCommand(), { isDefault: true })
    program.addCommand(execCommand((ended) => (code = ended)))
    program.addCommand(replayCommand((ended) => (code = ended)))
    program.addCommand(recordCommand())
    program.addCommand(importCommand())
    program.addCommand(shrinkCommand((ended) => (code = ended)))
    program.addCommand(policiesCommand())
    program.addCommand(openApiCommand())
    program.addCommand(validateCommand())
    for (const command of [program, ...program.commands])
      command.exitOverride().configureOutput({ outputError() {} })
    checkCommand(
      args[0],
      program.commands.map((command) => command.name()),
    )
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    return exitCodeOf(error)
  }
}

/** Without this a mistyped command would count as a word too many for the default one. */
function checkCommand(first: string | undefined, names: readonly string[]): void {
  if (first === undefined || first.startsWith('-') || first === 'help' || names.includes(first))
    return
  throw unexpected('run', `a command: ${names.join(', ')}`, first, nearest(first, names))
}
