import { expect, test } from 'vitest'
import { parseFault, parseFaultRequest } from '../../../../src/sandbox/faults/fault-request.ts'
import { presets } from '../../../../src/sandbox/faults/rule.ts'

const effect = { drop: true } as const
const when = { skip: 0, every: 1, probability: 1, times: 0 }

test('a rule is one rule without a preset, and a preset is all of its rules', () => {
  const rule = { method: ['GET', 'HEAD'], path: '/api/projects', key: 'a', when, effect } as const

  expect(parseFaultRequest(rule)).toEqual([{ rule, preset: null }])
  expect(parseFaultRequest({ operation: 'listProjects', phase: 'before', effect })).toEqual([
    { rule: { operation: 'listProjects', phase: 'before', effect }, preset: null },
  ])
  for (const [name, { rules }] of Object.entries(presets))
    expect(parseFaultRequest({ preset: name })).toEqual(
      rules.map((each) => ({ rule: each, preset: name })),
    )
})

const readable =
  'expected a preset (flaky, slow-3g, outage, read-only), a mutant as mutate:FIELD=KIND, or a rule as JSON'

test.each([
  ['outag', `${readable}, got "outag". Did you mean outage?`],
  ['zzz', `${readable}, got "zzz".`],
  ['{outage', `${readable}, got "{outage".`],
  ['', `${readable}, got "".`],
])('the text %j is no fault', (text, message) => {
  expect(() => parseFault(text)).toThrow(
    expect.objectContaining({ field: 'fault', message: `Failed to read a fault: ${message}` }),
  )
})
