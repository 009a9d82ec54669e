import { expect, test } from 'vitest'
import { IdRegistry } from '../../../../src/scenarios/recording/id-registry.ts'

const createRegistry = () =>
  new IdRegistry((key, step) => ({
    pointer: `/${step}/${key}`,
    name: key.replace(/ .*/, '_id'),
    type: 'number',
  }))

test('an id of a response is saved by the first step that contains it', () => {
  const registry = createRegistry()
  registry.addFromResponse('annotation 12', 0)
  registry.addMention('annotation 12', 0)
  registry.addFromResponse('annotation 12', 2)
  registry.addMention('annotation 12', 2)
  registry.addMention('annotation 12', 3)

  expect(registry.useInRequest('annotation 12', 4)).toBe('annotation_id')
  expect(registry.useInRequest('annotation 12', 5, 'number')).toBe('annotation_id')
  expect(registry.savesOf(0)).toEqual({ annotation_id: '/0/annotation 12' })
  expect([...registry.takeChanged()]).toEqual([0, 2, 3])
  expect([...registry.takeChanged()]).toEqual([])
  expect([0, 1, 5].map((step) => registry.nameAt('annotation 12', step))).toEqual([
    null,
    'annotation_id',
    'annotation_id',
  ])
})

test('an id of another type than in the response is not saved', () => {
  const registry = createRegistry()
  registry.addFromResponse('annotation 12', 0)

  expect(registry.useInRequest('annotation 12', 1, 'boolean')).toBe(null)
  expect(registry.nameAt('annotation 12', 2)).toBe(null)
  expect(registry.savesOf(0)).toBe(undefined)
})

test('an id that a request introduces is never saved', () => {
  const registry = createRegistry()

  expect(registry.useInRequest('annotation 12', 1)).toBe(null)
  registry.addFromResponse('annotation 12', 1)
  registry.addMention('annotation 12', 2)

  expect(registry.useInRequest('annotation 12', 3)).toBe(null)
  expect([0, 1, 2].map((step) => registry.isSentBy('annotation 12', step))).toEqual([
    false,
    true,
    true,
  ])
  expect([registry.isKnown('annotation 12'), registry.isKnown('annotation 13')]).toEqual([
    true,
    false,
  ])
  expect([...registry.takeChanged()]).toEqual([])
})

test('two ids of one kind have two names', () => {
  const registry = createRegistry()
  for (const id of [1, 2, 3]) registry.addFromResponse(`annotation ${id}`, 0)

  const names = [1, 2, 3].map((id) => registry.useInRequest(`annotation ${id}`, 1))

  expect(names).toEqual(['annotation_id', 'annotation_id_2', 'annotation_id_3'])
})

test('a time counts as sent from its first request on, in any notation', () => {
  const registry = createRegistry()
  expect(registry.isTimeSentBy('2024-06-15T12:00:00Z', 9)).toBe(false)
  const time = Date.parse('2024-06-15T12:00:00Z')
  registry.addSentTimes([time], 2)
  registry.addSentTimes([time], 5)

  const isSent = (step: number) => registry.isTimeSentBy('2024-06-15T14:00:00+02:00', step)

  expect([1, 2, 3].map(isSent)).toEqual([false, true, true])
  expect(registry.isTimeSentBy('2024-06-15T12:00:01Z', 9)).toBe(false)
})
