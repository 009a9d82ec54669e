import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pageHeaders } from '../../src/server/dashboard-pages.ts'
import { root } from '../support/cli/command.ts'

const text = readFileSync(join(root, 'SECURITY.md'), 'utf8')
const [, table = ''] = /^## Threats\n([\s\S]*?)^## /m.exec(text) ?? []
const rows = table.split('\n').filter((line) => /^\| (?!---|Threat )/.test(line))

/** The tests that a row names: their files, and their titles if it has them. */
function testsOf(row: string): { file: string; title: string | undefined }[] {
  return [...row.matchAll(/`(test\/[^`]+)`(?:: \*([^*]+)\*)?/g)].map(([, file = '', title]) => ({
    file,
    title,
  }))
}

/** The titles of the tests of a file, without the tags of observations at their end. */
function titlesOf(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8')
  return [...source.matchAll(/^(?: {2}|\w+(?:\.\w+)*\()'(.+?)(?: \[§.*)?',/gm)].map(
    ([, title = '']) => title,
  )
}

const threats = rows.map((row) => ({
  threat: row.split('|')[1]?.trim() ?? '',
  tests: testsOf(row),
}))

test.each(threats)('the tests that attack exist: $threat', ({ tests }) => {
  expect(tests.length).toBeGreaterThan(0)
  for (const { file, title } of tests) {
    expect(existsSync(join(root, file)), file).toBe(true)
    if (title) expect(titlesOf(file), file).toContain(title)
  }
})

test('every kind of threat is in the table', () => {
  const kinds =
    'rebinding,Cross-site,traversal,dashboard,terminal,reports,Header,expressions,Exhaustion,Secrets,recorder,links'

  for (const kind of kinds.split(','))
    expect(threats.map(({ threat }) => threat).join()).toMatch(kind)
})

test('the model fits on one page, and shows the policy that pages are served with', () => {
  expect(text.split('\n').length).toBeLessThanOrEqual(80)
  expect(text.replaceAll(/\s+/g, ' ')).toContain(pageHeaders['content-security-policy'])
})
