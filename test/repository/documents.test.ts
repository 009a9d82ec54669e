import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import {
  commandTable,
  endpointTable,
  flagTable,
  policyTable,
  presetTable,
} from '../../.tools/readme-tables.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { policies } from '../../src/policies/policies.ts'
import { resolvePolicies } from '../../src/policies/settings.ts'
import { allControlEndpoints } from '../../src/server/control/endpoints.ts'
import { createApiDocument } from '../../src/server/openapi/api-document.ts'
import { version } from '../../src/utils/version.ts'
import { documentedEndpoints } from '../support/api/endpoints.ts'
import { root } from '../support/cli/command.ts'
import { consumerBlock } from '../support/repository/consumer-block.ts'
import { controlOperationsFile } from '../support/repository/control-operations.ts'
import { collectTags, coverageTable } from '../support/repository/coverage.ts'
import { observations } from '../support/repository/observations.ts'

// npm run docs writes what these tests compare.
const rootUrl = new URL('../../', import.meta.url)
const tests = fileURLToPath(new URL('test', rootUrl))

const commands = await commandTable()

const generated: Readonly<Record<string, (file: string) => string>> = {
  operations: () => endpointTable(documentedEndpoints, resolvePolicies('documented')),
  policies: () => policyTable(policies),
  control: () => endpointTable(allControlEndpoints, resolvePolicies('documented')),
  commands: () => commands,
  flags: () => flagTable(),
  presets: () => presetTable(),
  consumer: (file) => consumerBlock(file),
}

test('the tables of the README match the code, and its examples the projects that run them', async () => {
  const readme = readFileSync(new URL('README.md', rootUrl), 'utf8')

  const written = readme.replace(
    /(<!-- (\w+)(?: (\S+))? -->\n)[\s\S]*?(<!-- end of \w+ -->)/g,
    (_, begin: string, name: string, file: string, end: string) =>
      `${begin}\n${generated[name]?.(file)}\n\n${end}`,
  )

  for (const name of Object.keys(generated)) expect(readme).toMatch(`<!-- ${name} `)
  await expect(written).toMatchFileSnapshot(fileURLToPath(new URL('README.md', rootUrl)))
})

test('the remote client knows every endpoint of the control API', async () => {
  await expect(controlOperationsFile(allControlEndpoints)).toMatchFileSnapshot(
    fileURLToPath(new URL('src/remote/control-operations.ts', rootUrl)),
  )
})

test('openapi.json matches the endpoints', async () => {
  const document = await createApiDocument(resolvePolicies('documented'))

  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot(
    fileURLToPath(new URL('src/api/openapi.json', rootUrl)),
  )
})

test('every observation has a test, or a reason why it is not built', async () => {
  const tags = collectTags(tests)
  const built = Object.entries(observations).filter(([, entry]) => typeof entry === 'string')

  expect([...tags.keys()].filter((tag) => !(tag in observations))).toEqual([])
  expect(built.map(([tag]) => tag).filter((tag) => !tags.has(tag))).toEqual([])
  await expect(coverageTable(tests)).toMatchFileSnapshot(
    fileURLToPath(new URL('test/COVERAGE.md', rootUrl)),
  )
})

const documents = ['README.md', 'MIGRATING.md', 'CONTRIBUTING.md', 'CHANGELOG.md']

test.each(documents)('every link of %s leads to an existing file or heading', (document) => {
  const text = readFileSync(join(root, document), 'utf8')
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => anchorOf(title))

  const broken = targets.filter((target) => {
    if (/^https?:/.test(target)) return false
    return target.startsWith('#') ? !headings.includes(target) : !existsSync(join(root, target))
  })

  expect(broken).toEqual([])
})

/** The anchor of a heading on GitHub. */
function anchorOf(title: string): string {
  return `#${title
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')}`
}

// Importing package.json would add all of it to the code of a page.
test('the version in the code is that of the package', () => {
  expect(version).toBe(packageJson.version)
})
