import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { journalEntrySchema } from '../../src/simulator/journal/entry.ts'
import { version } from '../../src/utils/version.ts'
import {
  contributorDocuments,
  documents,
  readDocument,
  relativeLinks,
} from '../support/repository/readme.ts'
import { root } from '../support/root.ts'

const { generated, parts } = await import(new URL('.tools/documents.mjs', `file://${root}`).href)

// That of the admin API has a slow test.
const files = Object.keys(generated).filter((file) => file !== 'src/admin/openapi.json')

test.each(files)('%s is what npm run docs writes', async (file) => {
  expect(readDocument(file), 'Run npm run docs.').toBe(await generated[file]?.())
})

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

/** Sources, tests and tools; and the Markdown files. */
const texts = ['src', 'test', '.tools', '.ci'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => /\.(tsx?|mjs)$|^\.ci/.test(name) && !/consumers|node_modules/.test(name)),
)

test('no comment and no sentence names a file of this repository that is gone', () => {
  const files = [...texts, ...documents, ...contributorDocuments]
  const missing = files.flatMap((file) =>
    [...readDocument(file).matchAll(named)]
      .filter(([, name = '']) => !existsSync(join(root, name)))
      .map(([, name]) => `${file} names ${name}`),
  )

  expect(missing).toEqual([])
})

// Users have folders `src` and `scenarios`, too, and mutants.mjs writes two files that start with its name.
const named =
  /(?<![\w./@-])((?:src\/[\w-]+|test|\.tools|fixtures)\/(?!mutants)[\w./-]+\.(?:tsx?|mjs|md|json|txt))\b/g

test('no test has a limit of seconds of its own, which a busy machine would exceed', () => {
  const limit = /^\}, [\d_]+\)$|vi\.waitFor\(|expect\.poll\(.*timeout/m

  const limited = texts.filter(
    (file) => file.endsWith('.test.ts') && limit.test(readDocument(file)),
  )
  expect(limited).toEqual([])
})

test('every generated part is in a document', () => {
  const all = documents.map(readDocument).join('\n')

  for (const name of Object.keys(parts)) expect.soft(all).toMatch(`<!-- ${name} `)
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
