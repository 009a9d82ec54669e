// Writes fixtures/ from .tools/fixtures/ with the built factories; with --check it writes nothing, names the
// files that would change, and exits 1 if there are any.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { generate } from '../dist/factories.js'
import { worldJsonSchema } from '../dist/world/json-schema.js'
import { fixtureFiles } from './fixtures/files.mjs'

const folder = fileURLToPath(new URL('../fixtures/', import.meta.url))
const changed = Object.entries(fixtureFiles({ generate, worldJsonSchema })).filter(
  ([name, text]) => !existsSync(folder + name) || readFileSync(folder + name, 'utf8') !== text,
)

if (process.argv.includes('--check')) {
  for (const [name] of changed)
    console.error(`fixtures/${name} would change: run npm run fixtures.`)
  process.exitCode = changed.length > 0 ? 1 : 0
} else {
  for (const [name, text] of changed) writeFileSync(folder + name, text)
  console.log(changed.map(([name]) => `fixtures/${name}`).join('\n') || 'No fixture changes.')
}
