import { Command } from 'commander'
import { type PolicyOverrides, resolvePolicies } from '../policies/settings.ts'
import { createApiDocument } from '../server/openapi/api-document.ts'
import { createFlagOptions } from './flags.ts'

interface OpenApiFlags {
  readonly profile: string
  readonly policy: PolicyOverrides
  readonly yaml?: boolean
}

/** Those of `serve` that decide what the API answers. */
const behaviourFlags = ['--profile', '--policy']

/** The OpenAPI document of the API, for generators, validators and gateways. */
export function openApiCommand(): Command {
  const command = new Command('openapi')
    .description('Print the OpenAPI 3.1 document of the API, as a profile has it.')
    .option('--yaml', 'print YAML')
    .addHelpText(
      'after',
      '\nExamples:\n  understudy openapi > openapi.json\n  understudy openapi --profile live --yaml\n  understudy openapi --policy annotations.delete.status=404',
    )
    .action(printDocument)
  for (const option of createFlagOptions('serve', process.env)) {
    if (behaviourFlags.includes(option.long ?? '')) command.addOption(option)
  }
  return command
}

async function printDocument({ profile, policy, yaml }: OpenApiFlags): Promise<void> {
  const document = await createApiDocument(resolvePolicies(profile, policy))
  if (!yaml) return console.log(JSON.stringify(document, null, 2))
  const { stringify } = await import('./output/lazy-yaml.ts')
  // Aliases would be shorter, and not every reader of OpenAPI knows them.
  process.stdout.write(stringify(document, { aliasDuplicateObjects: false }))
}
