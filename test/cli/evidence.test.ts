import { expect, test } from 'vitest'
import { createCatalogue } from '../../src/analysis/reasons/catalogue.ts'
import { documentLines } from '../../src/policies/document.ts'
import { policyIds } from '../../src/policies/setting-ranges.ts'
import { run } from '../support/cli/command.ts'

test('evidence prints every policy, rule and statement as one page of Markdown', async () => {
  const { code, stdout } = await run(['evidence'])
  const { constants } = createCatalogue()

  expect(code).toBe(0)
  expect(stdout).toBe((await run(['evidence', '--md'])).stdout)
  expect(stdout).toMatch(/^# What is known of the API, and how\n/)
  expect(stdout.match(/^(?:#.*|\|.*\n\| -.*)$/gm)).toEqual([
    '# What is known of the API, and how',
    '## Policies',
    expect.stringMatching(/^\| Policy \| Answer \| Setting \| Profiles \| Evidence \| Source \|\n/),
    '## Rules that no policy changes',
    expect.stringMatching(/^\| Rule \| Sentence \| Evidence \| Source \|\n/),
    '## Statements of the documentation',
    expect.stringMatching(/^\| Line \| Statement \| Cited by \|\n/),
  ])
  const ids = [...policyIds, ...constants.map(({ id }) => id), ...Object.keys(documentLines)]
  expect(ids.filter((id) => !stdout.includes(`\n| ${id} | `))).toEqual([])
  expect(stdout).toContain('| annotation.scope | scope: enumerated string;')
})

test('the lines of a policy show its values in both profiles', async () => {
  const { stdout } = await run(['evidence'])
  const linesOf = (id: string) => stdout.split('\n').filter((line) => line.startsWith(`| ${id} | `))

  expect(linesOf('limits.body')).toMatchInlineSnapshot(`
    [
      "| limits.body | How many bytes may a body have before the response is 413? At most this number. | 1048576, or another number | documented | assumed | the live service configures 20 MB, but does not apply it to JSON |",
      "| limits.body | How many bytes may a body have before the response is 413? At most this number. | 20971520, or another number | live | assumed | the live service configures 20 MB, but does not apply it to JSON |",
    ]
  `)
  expect(linesOf('plugins.list.limit.default')).toMatchInlineSnapshot(`
    [
      "| plugins.list.limit.default | How many plugins does GET …/plugins return without limit? At most 100. | 100 | documented, live | observed | read in the source of the live service |",
      "| plugins.list.limit.default | How many plugins does GET …/plugins return without limit? At most this number. | another number |  | assumed | never seen; a robust client tolerates it |",
    ]
  `)
  expect(linesOf('lists.limit.maximum')).toMatchInlineSnapshot(`
    [
      "| lists.limit.maximum | What is the largest limit of a list? A higher limit counts as 100. | 100 |  | assumed | never seen; a robust client tolerates it |",
      "| lists.limit.maximum | What is the largest limit of a list? A higher limit counts as 1000. | 1000 |  | assumed | never seen; a robust client tolerates it |",
      "| lists.limit.maximum | What is the largest limit of a list? There is no maximum. | none | documented, live | observed | read in the source of the live service |",
    ]
  `)
  expect(linesOf('annotations.delete.status')).toMatchInlineSnapshot(`
    [
      "| annotations.delete.status | What does DELETE …/annotations/:id return? The same message, for any id. | 403 |  | assumed | never seen; a robust client tolerates it |",
      "| annotations.delete.status | What does DELETE …/annotations/:id return? The error of a missing annotation, for any id. | 404 |  | assumed | never seen; a robust client tolerates it |",
      "| annotations.delete.status | What does DELETE …/annotations/:id return? A message to use PATCH instead, for any id. | 405 | documented | assumed | the documentation says that the caller is told to use PATCH, and shows no status |",
      "| annotations.delete.status | What does DELETE …/annotations/:id return? No body and no content type, for any id. | 405_empty | live | observed | seen in the live service's own tests |",
    ]
  `)
})

test('every table of the Markdown has as many cells in each line as in its heading', async () => {
  const { stdout } = await run(['evidence'])

  const widths = stdout
    .trimEnd()
    .split(/\n\n/)
    .filter((block) => block.startsWith('|'))
    .map((block) => block.split('\n').map((line) => line.replaceAll('\\|', '').split('|').length))
  expect(widths.map((lines) => new Set(lines).size)).toEqual([1, 1, 1])
})

test('evidence --html prints a page that loads nothing, and --json the catalogue', async () => {
  const { stdout: html } = await run(['evidence', '--html'])
  const { stdout: json } = await run(['evidence', '--json'])

  expect(html).toMatch(/^<!doctype html>/)
  expect(html.match(/(?<=<h[12]>)[^<]*|(?<=<th scope="col">)[^<]*/g)).toEqual([
    'What is known of the API, and how',
    ...['Policies', 'Policy', 'Answer', 'Setting', 'Profiles', 'Evidence', 'Source'],
    ...['Rules that no policy changes', 'Rule', 'Sentence', 'Evidence', 'Source'],
    ...['Statements of the documentation', 'Line', 'Statement', 'Cited by'],
  ])
  expect(html).toContain('<span class="assumed">assumed</span>')
  expect(html).toContain('&lt;object&gt;:&lt;read|write&gt;')
  expect(html).not.toMatch(/src=|href="[^#]/)
  expect(JSON.parse(json)).toEqual(createCatalogue())
})

test('evidence prints in one format', async () => {
  const { code, stderr } = await run(['evidence', '--html', '--json'])

  expect([code, stderr]).toEqual([2, expect.stringContaining('--html')])
})
