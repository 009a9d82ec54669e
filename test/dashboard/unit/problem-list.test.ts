import { expect, test } from 'vitest'
import { listProblems } from '../../../src/dashboard/problem-list.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/transports/start.ts'

test('a request that waits is the first problem, and a refusal is not explained by input that was ignored', async () => {
  const { ask, simulator } = await start()
  await ask('POST', annotationsPath, { body: { content: 'x'.repeat(500), scop: 'project' } })
  const { journal } = simulator

  const held = { waiting: [{ id: 9 }] } as never
  const problems = listProblems([held], journal.mistakes(), journal.find())

  expect(problems).toMatchObject([
    { waiting: [held, { id: 9 }], failures: [] },
    { mistake: { rule: 'ignored-input' }, failures: [] },
    { failures: [{ response: { status: 400 } }] },
  ])
})
