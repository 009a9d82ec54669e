// Writes fixtures/ from .tools/fixtures/ with the built factories, and the schemas. With --check it writes nothing, lists
// the files that would change, and exits with code 1 if there are any.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { generate } from '../dist/factories.js'
import * as scenarioSchemas from '../dist/scenarios/format/schema.js'
import { worldSchema } from '../dist/world/schema/world-schema.js'
import { fixtureFiles } from './fixtures/files.mjs'
import { scenarioJsonSchema } from './fixtures/scenario-json-schema.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const files = [
  ...Object.entries(fixtureFiles({ generate, worldSchema })).map(([name, text]) => [
    `fixtures/${name}`,
    text,
  ]),
  [
    'scenarios/scenario.schema.json',
    `${JSON.stringify(scenarioJsonSchema(scenarioSchemas), null, 2)}\n`,
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
