import { expect, test } from 'vitest'
import type { Step } from '../../../../src/index.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { jsonHeaders } from '../../../support/api/headers.ts'
import { annotationsPath, noon } from '../../../support/api/paths.ts'
import { stepDifferences } from '../../../support/scenarios/exchanges.ts'

/** A step in a word: the method of a request, `rows`, or `fault` and what it skips. */
function nameStep(step: Step): string {
  if ('method' in step) return step.method
  if ('rows' in step) return 'rows'
  const { when } = (step as { fault: { when: { times: number; skip?: number } } }).fault
  return `fault ${JSON.stringify(when)}`
}

const [once, onceAfter1, onceAfter2] = [
  'fault {"times":1}',
  'fault {"times":1,"skip":1}',
  'fault {"times":1,"skip":2}',
]

test.each([
  [1, 'POST stale', [once, 'POST', 'GET']],
  [1, 'GET stale', ['GET', 'GET']],
  [1, 'GET POST stale', ['GET', once, 'POST', 'GET']],
  [1, 'POST POST stale', ['POST', once, 'POST', 'GET']],
  [2, 'POST POST POST stale', ['POST', once, 'POST', 'POST', 'GET']],
  [2, 'POST stale', [once, 'POST', 'GET']],
  [1, 'POST refused stale', [once, 'POST', 'POST', 'GET']],
  [1, 'POST GET HEAD refused stale', [onceAfter2, 'POST', 'GET', 'HEAD', 'POST', 'GET']],
  [1, 'POST stale stale', [once, onceAfter1, 'POST', 'GET', 'GET']],
  [1, 'POST edit stale', ['POST', once, 'rows', 'GET']],
  [1, 'POST edit edit stale', ['POST', once, 'rows', 'GET']],
  [2, 'POST edit stale', [once, 'POST', 'rows', 'GET']],
  [2, 'POST GET edit GET POST stale', ['POST', 'GET', onceAfter1, 'rows', 'GET', 'POST', 'GET']],
  [1, 'edit stale', [once, 'rows', 'GET']],
  [5, 'edit GET POST stale', [onceAfter1, 'rows', 'GET', 'POST', 'GET']],
])('a read that misses %i writes after %s is recorded as %j', async (writes, actions, names) => {
  const simulator = createSimulator({ clock: noon })
  simulator.faults.add({ key: 'annotation:read', effect: { stale: { writes } } })
  for (const action of actions.split(' ')) {
    if (action === 'edit') simulator.world.annotations.create({ content: 'By hand' })
    else {
      const method = { stale: 'GET', refused: 'POST' }[action] ?? action
      await simulator.fetch(annotationsPath, {
        method,
        headers: jsonHeaders(action === 'stale' ? 'phx_annotation_read' : 'phx_all'),
        ...(method === 'POST' && { body: action === 'POST' ? '{"content":"Launch"}' : '{' }),
      })
    }
  }

  const { scenario } = simulator.record()
  simulator.reset()

  expect(scenario.steps.map(nameStep)).toEqual(names)
  expect(stepDifferences(await simulator.replay(scenario))).toEqual([])
})
