import { expect, test } from 'vitest'
import { listProblems } from '../../../src/dashboard/problem-list.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/transports/start.ts'

test('a refusal is not explained by input that was ignored', async () => {
  const { ask, simulator } = await start()
  await ask('POST', annotationsPath, { body: { content: 'x'.repeat(500), scop: 'project' } })
  const { journal } = simulator

  const problems = listProblems([], journal.mistakes(), journal.find())

  expect(problems).toMatchObject([
    { mistake: { rule: 'ignored-input' }, failures: [] },
    { failures: [{ response: { status: 400 } }] },
  ])
})
