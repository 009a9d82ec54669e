import { expect, test } from 'vitest'
import type { SettingOverrides } from '../../src/settings/resolve.ts'
import { settingIds } from '../../src/settings/setting.ts'
import { createSimulator } from '../../src/simulator/simulator.ts'

test('undefined leaves a value unchanged', () => {
  const { settings } = createSimulator({ settings: { 'methods.put': 'on' } })

  settings.set({ 'methods.put': undefined, 'paths.current': 'on' } as unknown as SettingOverrides)

  expect([settings.get('methods.put'), settings.get('paths.current')]).toEqual(['on', 'on'])
})

test('a number can be set as a number or as a text, up to its bounds', () => {
  const { settings } = createSimulator()
  const values = [1, 536_870_888, '4096', '536870888'].map((value) => {
    settings.set({ 'limits.body': value as number })
    return settings.get('limits.body')
  })
  settings.set({ 'annotations.delete.status': 404 })

  expect(values).toEqual([1, 536_870_888, 4096, 536_870_888])
  expect(settings.get('annotations.delete.status')).toBe('404')
})

test.each(['1e3', ' 4096', '', '0x10', '40.0', '0', '536870889'])(
  '%j is no number within the bounds',
  (text) => {
    const settings = { 'limits.body': text as unknown as number }

    expect(() => createSimulator({ settings })).toThrow(
      `Failed to create a simulator: settings.limits.body: expected a whole number from 1 to 536870888, got ${JSON.stringify(text)}.`,
    )
  },
)

test('the list has every setting with its value, its profiles and its values', () => {
  const { settings } = createSimulator({ profile: 'live', settings: { 'methods.put': 'off' } })

  expect(settings.list().map(({ id }) => id)).toEqual(settingIds)
  expect(settings.list().find(({ id }) => id === 'methods.put')).toEqual({
    id: 'methods.put',
    documentation: 'The documentation lists no PUT.',
    question: 'Do PUT …/plugins/:id and PUT …/annotations/:id work?',
    value: 'off',
    default: 'off',
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
        meaning: 'Yes, like PATCH, but only for annotations that GET returns.',
        evidence: 'source',
        source: "in the service's source",
      },
    ],
  })
})
