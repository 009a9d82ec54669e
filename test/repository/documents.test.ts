import { existsSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createApiDocument } from '../../.tools/openapi/document.ts'
import {
  adminTable,
  clientRuleTable,
  commandTable,
  endpointTable,
  fieldTable,
  keyTable,
  presetTable,
  settingTable,
} from '../../.tools/tables.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { endpoints } from '../../src/api/endpoints.ts'
import { isEndpointEnabled, type Operation } from '../../src/http/endpoint.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { journalEntrySchema } from '../../src/simulator/journal/entry.ts'
import { formatJson } from '../../src/utils/format-json.ts'
import { version } from '../../src/utils/version.ts'
import { entities } from '../../src/world/entities/entities.ts'
import { root } from '../support/cli/command.ts'
import {
  contributorDocuments,
  documents,
  readDocument,
  relativeLinks,
} from '../support/repository/readme.ts'

const documentedEndpoints: readonly Operation[] = endpoints.filter((endpoint) =>
  isEndpointEnabled(endpoint, resolveSettings('documented')),
)

// npm run docs writes what these tests compare.
const rootUrl = new URL('../../', import.meta.url)

const schemas = await import(new URL('.tools/schemas.mjs', rootUrl).href)
const texts = schemas.rowTexts()
const commands = await commandTable()

const languages: Readonly<Record<string, string>> = {
  ...{ mjs: 'js', mts: 'ts', cts: 'ts', py: 'python', rb: 'ruby', cs: 'csharp' },
}

/** A file of a project in `test/consumers` as a code block. */
function consumerBlock(file: string): string {
  const text = readDocument(`test/consumers/${file}`)
  const extension = extname(file).slice(1)
  return `\`\`\`${languages[extension] ?? extension}\n${text.trimEnd()}\n\`\`\``
}

const generated: Readonly<Record<string, (file: string) => string>> = {
  operations: () => endpointTable(documentedEndpoints, resolveSettings('documented')),
  settings: () => settingTable(),
  admin: () => adminTable(),
  commands: () => commands,
  presets: () => presetTable(),
  client_rules: () => clientRuleTable(),
  keys: () => keyTable(),
  fields: (list) => fieldTable(entities[list as 'annotations'], texts[list]),
  consumer: consumerBlock,
}

test.each([...documents, ...contributorDocuments])(
  'the tables and examples of %s are up to date',
  async (document) => {
    const text = readDocument(document)

    const updated = text.replace(
      /(<!-- (\w+)(?: (\S+))? -->\n)[\s\S]*?(<!-- end of \2 -->)/g,
      (whole, begin: string, name: string, file: string, end: string) => {
        const write = generated[name]
        // A table needs blank lines around it.
        const gap = name === 'consumer' ? '' : '\n'
        return write ? `${begin}${gap}${write(file)}\n${gap}${end}` : whole
      },
    )

    await expect(updated).toMatchFileSnapshot(join(root, document))
  },
)

test.each(['CONTRIBUTING.md', ...contributorDocuments])('%s names files that exist', (document) => {
  const spans = [
    ...readDocument(document).matchAll(/`(?!understudy-api)((?:\.?[\w-]+\/)+[\w.-]*)`/g),
  ]
  const named = [...relativeLinks(document), ...spans.map(([, path = '']) => path)]

  const missing = named.filter((path) => {
    const places = [root, join(root, 'src'), join(root, dirname(document))]
    return !places.some((place) => existsSync(join(place, path)))
  })

  expect(missing).toEqual([])
})

test('every generated table is in a document', () => {
  const all = documents.map(readDocument).join('\n')

  for (const name of Object.keys(generated)) expect.soft(all).toMatch(`<!-- ${name} `)
})

test.each([
  ['documented', 'openapi.json'],
  ['live', 'openapi.live.json'],
] as const)(
  'the OpenAPI document of the profile %s matches the endpoints',
  async (profile, file) => {
    const document = await createApiDocument(resolveSettings(profile))

    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot(
      join(root, 'src/api', file),
    )
  },
)

test.each([
  ['fixtures/world.schema.json', () => schemas.worldJsonSchema()],
  ['scenarios/scenario.schema.json', () => schemas.scenarioJsonSchema()],
] as const)('%s matches the schemas of the code', async (file, schema) => {
  await expect(`${formatJson(schema())}\n`).toMatchFileSnapshot(join(root, file))
})

// Importing package.json would add all of it to the code of a page.
test('the version in the code is that of the package', () => {
  expect(version).toBe(packageJson.version)
})

test('the document of the journal names each field of an entry', () => {
  const text = readFileSync(join(root, 'src/simulator/README.md'), 'utf8')
  const [paragraph = ''] = /^An entry has [\s\S]*?\n\n/m.exec(text) ?? []

  const missing = Object.keys(journalEntrySchema.shape).filter(
    (name) => !paragraph.includes(`\`${name}\``),
  )
  expect(missing).toEqual([])
})
