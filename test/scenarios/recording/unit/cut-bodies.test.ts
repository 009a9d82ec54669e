import { expect, test } from 'vitest'
import type { FaultRule } from '../../../../src/sandbox/faults/rule.ts'
import { isBodyCut } from '../../../../src/scenarios/recording/run-recorder.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { authorization } from '../../../support/api/headers.ts'
import { annotationsPath } from '../../../support/api/paths.ts'

const plugin = '/api/organizations/018f2b6e-0000-7000-8000-00000000000a/plugins/21/'

const faults: readonly [what: string, rule: FaultRule, method: string, path: string, boolean][] = [
  ['a cut within the body', { effect: { cut_bytes: 5 } }, 'GET', annotationsPath, true],
  ['a cut of the whole body', { effect: { cut_bytes: 0 } }, 'GET', annotationsPath, true],
  ['a cut after the body', { effect: { cut_bytes: 1e6 } }, 'GET', annotationsPath, false],
  [
    'a drop within the body',
    { phase: 'mid-body', effect: { drop: true } },
    'GET',
    annotationsPath,
    true,
  ],
  ['a drop before the response', { effect: { drop: true } }, 'GET', annotationsPath, false],
  ['a slow body', { effect: { slow_bytes_per_s: 1e9 } }, 'GET', annotationsPath, false],
  ['a cut of a HEAD', { effect: { cut_bytes: 0 } }, 'HEAD', annotationsPath, false],
  ['a cut of a 204', { effect: { cut_bytes: 0 } }, 'DELETE', plugin, false],
]

test.each(faults)('isBodyCut of %s', async (_, rule, method, path, expected) => {
  const simulator = createSimulator()
  const received: boolean[] = []
  simulator.journal.followRecords((record) => received.push(isBodyCut(record)))
  simulator.faults.add(rule)

  await simulator.fetch(path, { method, headers: authorization() }).catch(() => null)

  expect(received).toEqual([expected])
})

test('isBodyCut of a body that the journal omitted', async () => {
  const simulator = createSimulator({ journal: { bytes: 4_000 } })
  const received: boolean[] = []
  simulator.journal.followRecords((record) => received.push(isBodyCut(record)))
  simulator.faults.add({ effect: { cut_bytes: 5 } })

  await simulator.fetch(annotationsPath, { headers: authorization() })

  expect(simulator.journal.find()[0]?.response.omitted).toBe(true)
  expect(received).toEqual([true])
})
