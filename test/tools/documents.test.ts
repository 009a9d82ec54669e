import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { endpointTable, policyTable } from '../../src/adapters/markdown.ts'
import { commandTable } from '../../src/cli/command-table.ts'
import { flagTable } from '../../src/cli/flag-table.ts'
import { presetTable } from '../../src/faults/preset-table.ts'
import { policies } from '../../src/policies/policies.ts'
import { resolvePolicies } from '../../src/policies/settings.ts'
import { allControlEndpoints } from '../../src/server/control/endpoints.ts'
import { createApiDocument } from '../../src/server/openapi/api-document.ts'
import { consumerBlock } from '../support/consumer-block.ts'
import { coverage, tagged } from '../support/coverage.ts'
import { observed } from '../support/observed.ts'
import { callsFile } from '../support/remote-calls.ts'
import { documented } from '../support/walk.ts'

// npm run docs writes what these tests compare.
const root = new URL('../../', import.meta.url)
const tests = fileURLToPath(new URL('test', root))

const commands = await commandTable()

const generated: Readonly<Record<string, (file: string) => string>> = {
  operations: () => endpointTable(documented, resolvePolicies('documented')),
  policies: () => policyTable(policies),
  control: () => endpointTable(allControlEndpoints, resolvePolicies('documented')),
  commands: () => commands,
  flags: () => flagTable(),
  presets: () => presetTable(),
  consumer: (file) => consumerBlock(file),
}

test('the tables of the README are what the code says, its examples what projects run', async () => {
  const readme = readFileSync(new URL('README.md', root), 'utf8')

  const written = readme.replace(
    /(<!-- (\w+)(?: (\S+))? -->\n)[\s\S]*?(<!-- end of \w+ -->)/g,
    (_, begin: string, name: string, file: string, end: string) =>
      `${begin}\n${generated[name]?.(file)}\n\n${end}`,
  )

  for (const name of Object.keys(generated)) expect(readme).toMatch(`<!-- ${name} `)
  await expect(written).toMatchFileSnapshot(fileURLToPath(new URL('README.md', root)))
})

test('the remote client knows every endpoint of the control API', async () => {
  await expect(callsFile(allControlEndpoints)).toMatchFileSnapshot(
    fileURLToPath(new URL('src/remote/control-operations.ts', root)),
  )
})

test('openapi.json is what the API says of itself, and what it answers', async () => {
  const document = await createApiDocument(resolvePolicies('documented'))

  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot(
    fileURLToPath(new URL('openapi.json', root)),
  )
})

test('every observation has a test, or a reason why it is not built', async () => {
  const tags = tagged(tests)
  const built = Object.entries(observed).filter(([, entry]) => typeof entry === 'string')

  expect([...tags.keys()].filter((tag) => !(tag in observed))).toEqual([])
  expect(built.map(([tag]) => tag).filter((tag) => !tags.has(tag))).toEqual([])
  await expect(coverage(tests)).toMatchFileSnapshot(
    fileURLToPath(new URL('test/COVERAGE.md', root)),
  )
})
