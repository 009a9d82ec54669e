import type { ExecFileException } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { root } from '../support/cli/command.ts'
import { exec } from '../support/exec.ts'
import { consumerPath } from '../support/packed/consumers.ts'
import { codeBlocks, countClaims, documents, withClaims } from '../support/repository/readme.ts'
import { writeUserFiles } from './user-project.ts'

// Runs every script of the documents in a project that has installed the package. Blocks that are files of a project in
// test/consumers run there.
const reader = { name: 'reader' }
const cwd = consumerPath(reader)
const own = documents.flatMap(codeBlocks).filter(({ isOfConsumer }) => !isOfConsumer)
const scripts = own.filter(({ language }) => language === 'ts')
let compiled = ''
beforeAll(async () => {
  writeUserFiles(cwd)
  for (const { name, text } of scripts) writeFileSync(consumerPath(reader, `${name}.ts`), text)
  // Stubs for the storage of a browser, and for the comparison that replaces a line `expression // value`.
  writeFileSync(
    consumerPath(reader, 'stubs.mjs'),
    `import assert from 'node:assert'
    const items = new Map()
    globalThis.sessionStorage = {
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => void items.set(key, value),
    }
    globalThis.__same = (got, value, line) => assert.deepEqual(got, value, line)`,
  )
  // The first test reports type errors. JavaScript is written anyway.
  compiled = await compile()
})

async function compile(): Promise<string> {
  // The compiler of this repository is faster. Tests of the package compile the types with an older one.
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const flags = [
    ...['--strict', '--skipLibCheck', '--target', 'es2022', '--lib', 'es2023,dom,dom.iterable'],
    ...['--module', 'nodenext', '--types', 'node', '--exactOptionalPropertyTypes'],
    ...['--noUncheckedIndexedAccess', '--verbatimModuleSyntax'],
  ]
  const files = scripts.map(({ name }) => `${name}.ts`)
  const run = exec(process.execPath, [tsc, ...flags, ...files], { cwd })
  const { stdout } = await run.catch((error: ExecFileException) => error)
  return stdout ?? ''
}

test('every code block has a language that is tested', () => {
  const languages = [...new Set(own.map(({ language }) => language))]

  // test/repository compares what a console prints.
  expect(languages.sort()).toEqual(['console', 'json', 'sh', 'ts'])
})

test('the types of all scripts hold', () => {
  expect(compiled).toBe('')
})

test.for(scripts)(
  '$name runs, and its lines have the values of their comments',
  { concurrent: true },
  async ({ name }) => {
    const code = readFileSync(consumerPath(reader, `${name}.js`), 'utf8')
    writeFileSync(consumerPath(reader, `${name}.mjs`), withClaims(code))

    const args = ['--import', './stubs.mjs', `${name}.mjs`]
    const { stderr } = await exec(process.execPath, args, { cwd })

    expect(stderr).toBe('')
  },
)

test('comments in the scripts are compared with values', () => {
  const claims = scripts.map(countClaims)

  expect(claims.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(20)
})
