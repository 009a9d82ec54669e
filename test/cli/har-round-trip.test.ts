import { readFileSync } from 'node:fs'
import type { Entry, Har } from 'har-format'
import { expect, test } from 'vitest'
import type { Scenario } from '../../src/index.ts'
import { run } from '../support/cli/command.ts'
import { temporaryFile } from '../support/files.ts'
import { findHarIssues, sessionArchive } from '../support/scenarios/har.ts'

test('an archive of a replayed import has the same requests and responses', async () => {
  const [story, out] = [temporaryFile(''), temporaryFile('')]
  const session = sessionArchive('playwright')
  const before: Har = read(session)
  await run(['import', session, '--out', story, '--keep', '--world', 'default'])

  const clock = '2024-06-15T12:00:00Z'
  const frozen = temporaryFile({ ...read<object>(story), clock })
  const { code } = await run(['replay', frozen, '--har', out, '--keep'])

  const after: Har = read(out)
  const apiEntries = before.log.entries.filter(({ request }) => request.url.includes('/api/'))
  expect([code, findHarIssues(after)]).toEqual([0, null])
  expect(after.log.entries.map(summarize)).toEqual(apiEntries.map(summarize))
})

test('importing the archive of a replay gives the same scenario', async () => {
  const [first, archive, second] = [temporaryFile(''), temporaryFile(''), temporaryFile('')]
  const options = ['--title', 'A launch', '--world', 'default']
  await run(['import', sessionArchive('chromium'), '--out', first, ...options])
  await run(['replay', first, '--har', archive, '--keep'])

  await run(['import', archive, '--out', second, ...options])

  expect(read(second)).toEqual(read(first))
})

test('the archive of a replay has no keys and no personal data', async () => {
  const [story, out] = [temporaryFile(''), temporaryFile('')]
  await run(['import', sessionArchive('chromium'), '--out', story])

  await run(['replay', story, '--har', out])

  expect(readFileSync(out, 'utf8')).not.toMatch(/phx_all|ada@example/)
})

test('the archive of a replay keeps the labels of keys', async () => {
  const [story, archive, again] = [temporaryFile(''), temporaryFile(''), temporaryFile('')]
  await run(['import', sessionArchive('chromium'), '--out', story, '--title', 'A launch'])
  await run(['replay', story, '--har', archive])

  const { stderr } = await run(['import', archive, '--out', again, '--title', 'A launch'])

  const labels = (file: string) => read<Scenario>(file).steps.map((step) => 'as' in step && step.as)
  expect([stderr, labels(again)]).toEqual(['', labels(story)])
  expect(labels(again)).toContain('all')
  expect(findHarIssues(read(archive))).toBeNull()
})

/** The parts of an entry that a replay reproduces: no times, no headers of the browser, no spacing of JSON. */
function summarize({ request, response }: Entry): unknown {
  const origin = new URL(request.url).origin
  const withoutOrigin = (text: string): string => text.replaceAll(origin, '')
  return {
    method: request.method,
    url: withoutOrigin(request.url).replaceAll('+', '%20'),
    query: request.queryString,
    sent: request.postData && JSON.parse(request.postData.text ?? ''),
    key: request.headers.find(({ name }) => name.toLowerCase() === 'authorization')?.value,
    status: response.status,
    received: JSON.parse(withoutOrigin(response.content.text ?? '')),
  }
}

function read<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8'))
}
