import process from 'node:process'
import { Command } from 'commander'
import { resolvePolicies } from '../policies/settings.ts'
import { createApiDocument } from '../server/openapi/api-document.ts'
import type { CommandContext } from './command-context.ts'
import { createFlagOptions, type SimulatorFlags } from './flags.ts'
import { policiesFromFlags } from './open-simulator.ts'

type OpenApiFlags = Pick<SimulatorFlags, 'profile' | 'asOf' | 'policy'> & {
  readonly yaml?: boolean
}

export function openApiCommand(context: CommandContext): Command {
  const command = new Command('openapi')
    .description('Print the OpenAPI 3.1 document of the API.')
    .option('--yaml', 'print YAML')
    .addHelpText(
      'after',
      '\nExamples:\n  npx understudy-api openapi > openapi.json\n  npx understudy-api openapi --profile live --yaml\n  npx understudy-api openapi --policy annotations.delete.status=404',
    )
    .action(async ({ profile, yaml, ...flags }: OpenApiFlags) => {
      const document = await createApiDocument(resolvePolicies(profile, policiesFromFlags(flags)))
      if (!yaml) return context.printJson(document)
      // See startProgressBar for the default export.
      const { stringify } = (await import('yaml')).default
      // Aliases would be shorter, but some readers of OpenAPI do not support them.
      context.stdout.write(stringify(document, { aliasDuplicateObjects: false }))
    })
  for (const option of createFlagOptions('openapi', process.env)) command.addOption(option)
  return command
}
