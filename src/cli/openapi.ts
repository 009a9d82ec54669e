import { resolvePolicies } from '../policies/settings.ts'
import { createApiDocument } from '../server/openapi/api-document.ts'
import { defineCommand } from './command.ts'
import { flagsOf } from './flags.ts'
import { policiesFromFlags } from './from-flags.ts'

const help = `
Examples:
  npx understudy-api openapi > openapi.json
  npx understudy-api openapi --profile live --yaml
  npx understudy-api openapi --policy annotations.delete.status=404`

export default defineCommand({
  name: 'openapi',
  summary: 'Print the OpenAPI 3.1 document of the API.',
  flags: { '--yaml': 'print YAML', ...flagsOf('openapi') },
  help,
  async run(_args, { profile, yaml, ...flags }, context) {
    const document = await createApiDocument(resolvePolicies(profile, policiesFromFlags(flags)))
    if (!yaml) return context.printJson(document)
    // See startProgressBar for the default export.
    const { stringify } = await import('yaml')
    // Aliases would be shorter, but some readers of OpenAPI do not support them.
    context.stdout.write(stringify(document, { aliasDuplicateObjects: false }))
  },
})
