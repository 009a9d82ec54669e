import { expect, test } from 'vitest'
import { policyIds } from '../../src/policies/policies.ts'
import type { PolicyOverrides } from '../../src/policies/settings.ts'
import { createSimulator } from '../../src/simulator.ts'
import { authorization } from '../support/api/headers.ts'

test('a setting applies from the next request on, and does not change others', async () => {
  const simulator = createSimulator()
  const { policies } = simulator
  const before = policies.settings
  const remove = async () => {
    const headers = authorization()
    return simulator.fetch('/api/projects/1/annotations/1/', { method: 'DELETE', headers })
  }

  const first = await remove()
  policies.set({ 'annotations.delete.status': 403 })
  const second = await remove()

  expect([first.status, second.status]).toEqual([405, 403])
  expect(policies.settings).toEqual({ ...before, 'annotations.delete.status': '403' })
  expect(before['annotations.delete.status']).toBe('405')
})

test('undefined leaves a setting unchanged', () => {
  const { policies } = createSimulator({ policies: { 'methods.put': 'on' } })

  policies.set({ 'methods.put': undefined, 'paths.current': 'on' } as unknown as PolicyOverrides)

  expect([policies.get('methods.put'), policies.get('paths.current')]).toEqual(['on', 'on'])
})

test('a number can be set as a number or as a text, up to its bounds', () => {
  const { policies } = createSimulator()
  const settings = [1, 536_870_888, '4096', '536870888'].map((value) => {
    policies.set({ 'limits.body': value as number })
    return policies.get('limits.body')
  })
  policies.set({ 'annotations.delete.status': 404 })

  expect(settings).toEqual([1, 536_870_888, 4096, 536_870_888])
  expect(policies.get('annotations.delete.status')).toBe('404')
})

test('the list has every policy with its setting, its profiles and its values', () => {
  const { policies } = createSimulator({ profile: 'live', policies: { 'methods.put': 'off' } })

  expect(policies.list().map(({ id }) => id)).toEqual(policyIds)
  expect(policies.list().find(({ id }) => id === 'methods.put')).toEqual({
    id: 'methods.put',
    documentation: 'The documentation lists no PUT.',
    question: 'Do PUT …/plugins/:id and PUT …/annotations/:id work?',
    setting: 'off',
    documented: 'off',
    live: 'on',
    values: [
      {
        value: 'off',
        meaning: 'No, they return 405.',
        evidence: 'assumed',
        source: 'the documentation lists no PUT, and shows no status of errors',
      },
      {
        value: 'on',
        meaning: 'Yes, like PATCH.',
        evidence: 'observed',
        source: 'read in the source of the live service',
      },
    ],
  })
})
