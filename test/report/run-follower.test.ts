import { expect, test } from 'vitest'
import { RunFollower } from '../../src/report/run-follower.ts'
import { createSimulator } from '../../src/simulator.ts'
import { jsonHeaders } from '../support/api/headers.ts'
import { annotationsPath } from '../support/api/paths.ts'

const row = `${annotationsPath}1/`

function startRun() {
  const simulator = createSimulator({ journal: { entries: 1 } })
  const follower = new RunFollower(simulator)
  const send = (method: string, path: string, body?: object) =>
    simulator.fetch(path, {
      method,
      headers: jsonHeaders(),
      ...(body && { body: JSON.stringify(body) }),
    })
  const mistakes = () => follower.finish().mistakes.map(({ rule, entries }) => [rule, entries])
  return { simulator, send, mistakes }
}

test('a mistake is found in more requests than the journal stores, unless a later one corrects it', async () => {
  const { send, mistakes } = startRun()
  await send('DELETE', row)
  await send('DELETE', `${annotationsPath}2/`)
  await send('PATCH', row, { deleted: true })

  expect(mistakes()).toEqual([['swallowed-delete', [2]]])
})

test('requests after a reset correct no mistake before it', async () => {
  const { simulator, send, mistakes } = startRun()
  await send('DELETE', row)
  simulator.reset()
  await send('PATCH', row, { deleted: true })

  expect(mistakes()).toEqual([['swallowed-delete', [1]]])
})

test('mistakes are looked for among the latest 1,000 requests', async () => {
  const { send, mistakes } = startRun()
  await send('DELETE', row)
  await send('DELETE', `${annotationsPath}2/`)
  for (let sent = 0; sent < 999; sent += 1) await send('GET', '/api/projects/')

  expect(mistakes()).toEqual([['swallowed-delete', [2]]])
})
