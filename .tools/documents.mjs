// What is generated, file by file: `npm run docs` writes it, and tests compare it.
import { extname } from 'node:path'
import { endpoints } from '../src/api/endpoints.ts'
import { isEndpointEnabled } from '../src/http/endpoint.ts'
import { resolveSettings } from '../src/settings/resolve.ts'
import { formatJson } from '../src/utils/format-json.ts'
import { entities } from '../src/world/entities/entities.ts'
import { packageExports } from './exports.mjs'
import { contributorDocuments, documents, readDocument, root } from './markdown.ts'
import { createAdminDocument } from './openapi/admin-document.ts'
import { observeAdmin } from './openapi/admin-examples.ts'
import { createApiDocument } from './openapi/document.ts'
import { rowTexts, scenarioJsonSchema, worldJsonSchema } from './schemas.mjs'
import {
  adminTable,
  clientRuleTable,
  commandTable,
  endpointTable,
  fieldTable,
  keyTable,
  presetTable,
  settingTable,
} from './tables.ts'

const documented = resolveSettings('documented')

/** What stands between `<!-- NAME -->` and `<!-- end of NAME -->` in a Markdown file. */
export const parts = {
  operations: () =>
    endpointTable(
      endpoints.filter((endpoint) => isEndpointEnabled(endpoint, documented)),
      documented,
    ),
  settings: () => settingTable(),
  admin: () => adminTable(),
  commands: () => commandTable(),
  presets: () => presetTable(),
  client_rules: () => clientRuleTable(),
  keys: () => keyTable(),
  fields: (list) => fieldTable(entities[list], rowTexts()[list]),
  consumer: consumerBlock,
}

const languages = {
  ...{ mjs: 'js', mts: 'ts', cts: 'ts', py: 'python', rb: 'ruby', cs: 'csharp' },
}

/** A file of a project in `test/consumers` as a code block. */
function consumerBlock(file) {
  const text = readDocument(`test/consumers/${file}`)
  const extension = extname(file).slice(1)
  return `\`\`\`${languages[extension] ?? extension}\n${text.trimEnd()}\n\`\`\``
}

async function withParts(document) {
  const pattern = /(<!-- (\w+)(?: (\S+))? -->\n)[\s\S]*?(<!-- end of \2 -->)/g
  const text = readDocument(document)
  const written = [...text.matchAll(pattern)].map(
    async ([whole, begin, name = '', of = '', end]) => {
      // A table needs blank lines around it.
      const gap = name === 'consumer' ? '' : '\n'
      const part = await parts[name]?.(of)
      return part === undefined ? whole : `${begin}${gap}${part}\n${gap}${end}`
    },
  )
  const texts = await Promise.all(written)
  return text.replace(pattern, () => texts.shift() ?? '')
}

const asJson = (value) => `${JSON.stringify(value, null, 2)}\n`

/** How each generated file is made, by its path. */
export const generated = {
  ...Object.fromEntries(
    [...documents, ...contributorDocuments].map((name) => [name, () => withParts(name)]),
  ),
  'package.json': () =>
    asJson({ ...JSON.parse(readDocument('package.json')), exports: packageExports() }),
  'fixtures/world.schema.json': () => `${formatJson(worldJsonSchema())}\n`,
  'scenarios/scenario.schema.json': () => `${formatJson(scenarioJsonSchema())}\n`,
  'src/api/openapi.json': async () => asJson(await createApiDocument(documented)),
  'src/api/openapi.live.json': async () => asJson(await createApiDocument(resolveSettings('live'))),
  'src/admin/openapi.json': async () =>
    `${formatJson(createAdminDocument(root, await observeAdmin()))}\n`,
}
