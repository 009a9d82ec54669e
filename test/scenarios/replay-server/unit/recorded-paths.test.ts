import { expect, test } from 'vitest'
import { replayHandlers } from '../../../../src/index.ts'
import { intercept, startOtherServer } from '../../../support/api/intercept.ts'

const recording = {
  title: 'A path outside the API description',
  steps: [{ method: 'GET', path: '/api/other/', expect: { status: 200, body: { a: 1 } } }],
}

test('without a base URL, the handlers respond to recorded paths, and to no other unknown path', async () => {
  const { unhandled } = intercept(replayHandlers(recording))
  const other = await startOtherServer()

  const recorded = await fetch('http://a.test/api/other/')
  await fetch(`${other}/api/unknown/`)

  expect([recorded.status, await recorded.json()]).toEqual([200, { a: 1 }])
  expect(unhandled).toEqual([`${other}/api/unknown/`])
})

test('a handler of a recording serves every method of its path', () => {
  for (const { info } of replayHandlers(recording)) expect(info.method).toEqual(/.+/)
})
