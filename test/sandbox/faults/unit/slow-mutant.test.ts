import { expect, test } from 'vitest'
import { ActiveRule } from '../../../../src/sandbox/faults/active-rule.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { jsonHeaders } from '../../../support/api/headers.ts'
import { annotationsPath } from '../../../support/api/paths.ts'

test('a slow response takes two seconds', () => {
  const rule = new ActiveRule('fault-1', { rule: { effect: { mutate: 'slow' } }, preset: null })

  expect(rule.delay(1)).toBe(2_000)
})

test('a client that gives up on a slow response does not know that its write was carried out', async () => {
  const simulator = createSimulator()
  simulator.faults.add({ operation: 'createAnnotation', effect: { mutate: 'slow' } })
  const signal = AbortSignal.timeout(20)
  const init = { method: 'POST', headers: jsonHeaders(), body: '{}', signal }

  await expect(simulator.fetch(annotationsPath, init)).rejects.toThrow()

  expect(simulator.world.annotations.count).toBe(9)
})
