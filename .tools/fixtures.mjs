// Writes fixtures/ from .tools/fixtures/ with the built factories, and the schemas. With --check it writes nothing, lists
// the files that would change, and exits with code 1 if there are any.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { endpoints } from '../dist/api/endpoints.js'
import { generate } from '../dist/factories.js'
import { scenarioVersion } from '../dist/scenarios/format/scenario.js'
import * as scenarioSchemas from '../dist/scenarios/format/schema.js'
import { matchers } from '../dist/scenarios/format/values.js'
import { settingsById as settings } from '../dist/settings/setting.js'
import { timePattern } from '../dist/world/schema/field-schemas.js'
import { worldSchema, writtenWorldSchema } from '../dist/world/schema/world-schema.js'
import { fixtureFiles } from './fixtures/files.mjs'
import { scenarioJsonSchema } from './fixtures/scenario-json-schema.mjs'
import { importSource } from './import-source.mjs'

const { formatJson } = await importSource('utils/format-json.ts')

const root = fileURLToPath(new URL('../', import.meta.url))
const files = [
  ...Object.entries(
    fixtureFiles({ formatJson, generate, writtenWorldSchema: writtenWorldSchema() }),
  ).map(([name, text]) => [`fixtures/${name}`, text]),
  [
    'scenarios/scenario.schema.json',
    `${formatJson(
      scenarioJsonSchema({
        ...scenarioSchemas,
        endpoints,
        matchers,
        settings,
        scenarioVersion,
        timePattern,
        worldSchema: worldSchema(),
      }),
    )}\n`,
  ],
]
const changed = files.filter(
  ([name, text]) => !existsSync(root + name) || readFileSync(root + name, 'utf8') !== text,
)

if (process.argv.includes('--check')) {
  for (const [name] of changed) console.error(`${name} would change: run npm run fixtures.`)
  process.exitCode = changed.length > 0 ? 1 : 0
} else {
  for (const [name, text] of changed) writeFileSync(root + name, text)
  console.log(changed.map(([name]) => name).join('\n') || 'No fixture changes.')
}
