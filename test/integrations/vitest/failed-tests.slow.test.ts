import { expect, test } from 'vitest'
import { runVitest } from '../../support/run-vitest.ts'

test('a failed test prints its latest requests, and other tests print nothing', async () => {
  const { code, stdout, stderr } = await runVitest('failing')

  expect(code).toBe(1)
  expect(stdout).toContain('6 failed | 3 passed | 1 expected fail (10)')
  const printed = stderr.split(/(?:^|\n)stderr \| /).map((text) => text.trim())
  const by = (name: string) =>
    printed
      .filter((text) => text.startsWith(`failing.example.ts > ${name}\n`))
      .map((text) => text.slice(text.indexOf('\n') + 1).split('\n\n')[0])
  expect(by('a write with a key that can only read')).toEqual([
    expect.stringMatching(
      new RegExp(
        '^Requests to the simulator, the latest last:\n' +
          '  200 GET /api/projects/1/annotations/\\?limit=1, key "all"\n' +
          '  403 POST /api/projects/1/annotations/, key "annotation:read" – .*annotation:write.*$',
      ),
    ),
  ])
  expect(by('another prefix')).toEqual([
    'The simulator has no operation at https://app.example.com/v1/projects/1/annotations/. Did you mean /api/projects/1/annotations/?',
    'No handler answers GET https://app.example.com/v1/projects/1/annotations/, so it fails. Add one with simulator.use(…).',
    'The simulator received no requests.',
  ])
  const elsewhere =
    'Meanwhile 2 requests reached the simulators of other tests. A client that batches requests of concurrent tests sends them all from one of the tests.'
  expect(by('in a batch > comes second')).toEqual([
    `The simulator received no requests.\n${elsewhere}`,
  ])
  expect(stderr).toContain(`found 0 in 0 requests.\n${elsewhere}\n`)
  expect(by('a handler of the test throws').at(-1)).toBe(
    'The simulator received no requests.\nYour handler GET https://flags.example.com/ threw Error: no flags.',
  )
  for (const name of [
    'fetch was replaced',
    'a hook restores fetch > fetch was replaced until then',
  ]) {
    expect
      .soft(by(name))
      .toEqual([
        expect.stringMatching(
          /^The simulator received no requests.\nglobalThis.fetch was replaced by another function, so that /,
        ),
      ])
  }
  for (const name of ['passes', 'fails as expected', 'in a batch > starts the timer']) {
    expect.soft(by(name)).toEqual([])
  }
})
