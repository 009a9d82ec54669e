import { expect, test } from 'vitest'
import { bodyText } from '../../../../src/http/messages.ts'
import type { Step } from '../../../../src/index.ts'
import { askReplay, openStory } from '../../../support/scenarios/direct-replay.ts'
import {
  annotationsPath,
  createStep,
  listStep,
  readStep,
} from '../../../support/scenarios/story.ts'

const mode = 'fallback' as const
const path = `${annotationsPath}1/`
const post = { method: 'POST', body: '{"content": "Launch"}' }
const answering = (expect: object, more: object = {}) => ({ ...readStep, expect, ...more }) as Step

test('the recording of a service that was added to is continued', async () => {
  const other = { ...listStep, query: { limit: 1 } }
  const former = openStory([readStep, listStep, { ...readStep, title: 'again' }])
  await askReplay(former, path)
  await askReplay(former, annotationsPath)
  const later = openStory([
    readStep,
    other,
    answering({ status: 404 }, { title: 'again' }),
    answering({ status: 410 }),
  ])

  const next = former.continueWith(later)

  expect(former.changes).toEqual({ added: 3, changed: 0, removed: 0 })
  expect(next.changes).toEqual({ added: 2, changed: 1, removed: 1 })
  expect(next.requests.map(({ step, count }) => [step, count])).toEqual([
    [1, 1],
    [2, 0],
    [3, 0],
    [4, 0],
  ])
  expect([next.simulator, next.mode]).toEqual([former.simulator, 'strict'])
  expect(await askReplay(next, path)).toMatchObject({ status: 404 })
  expect(await askReplay(next, path)).toMatchObject({ status: 410 })
})

test('the next version of a recording continues in the same simulation', async () => {
  const first: Step = { rows: { annotations: [{ content: 'First' }] } }
  const second: Step = { rows: { annotations: [{ content: 'Second' }] } }
  const read = { ...readStep, path: `${annotationsPath}{id}/` }
  const steps = [first, createStep, second, read]
  const former = openStory(steps, { mode })
  await former.ready()
  const { simulator } = former
  const { id: recorded } = simulator.world.annotations.create({ content: 'Before' })
  await askReplay(former, annotationsPath, post)
  const pathOf = (id: number) => `${annotationsPath}${id}/`

  const next = former.continueWith(openStory([...steps, { ...read, title: 'again' }], { mode }))
  const response = await askReplay(next, pathOf(recorded + 1))

  expect(next.simulator).toBe(simulator)
  expect([response.status, JSON.parse(bodyText(response.body))]).toMatchObject([
    200,
    { id: recorded + 1, content: 'Launch' },
  ])
  expect([next.unused.length, next.unexpected]).toEqual([1, []])
  expect(simulator.world.annotations.list().map(({ content }) => content)).toEqual(
    expect.arrayContaining(['First', 'Second']),
  )
  next.rewind()
  await askReplay(next, pathOf(recorded + 2))
  expect(next.unused).toHaveLength(3)
  expect(next.unexpected[0]?.nearest?.differences[0]).toMatch(pathOf(recorded).slice(0, -1))
})
