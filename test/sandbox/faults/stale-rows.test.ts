import { expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../../src/simulator.ts'
import { authorization } from '../../support/api/headers.ts'
import { annotationsPath, noon } from '../../support/api/paths.ts'

const headers = authorization()
const stale = (writes: number) => ({ effect: { stale: { writes } } })

/** Writes the contents one after the other. */
function write({ world }: Simulator, ...contents: readonly string[]): void {
  for (const content of contents) world.annotations.update(1, { content })
}

async function read(simulator: Simulator): Promise<string> {
  const response = await simulator.fetch(`${annotationsPath}1/`, { headers })
  return (await response.json()).content
}

test('rows are stored from when the first rule is added, as deep as the deepest rule says', async () => {
  const simulator = createSimulator()
  const { faults } = simulator
  const [shallow] = faults.add(stale(1))
  write(simulator, 'a', 'b', 'c')
  const first = await read(simulator)
  const [deep] = faults.add(stale(3))
  const deeper = await read(simulator)
  write(simulator, 'd', 'e')
  const deepest = await read(simulator)

  faults.remove(deep?.id ?? '')
  const shallower = await read(simulator)
  faults.remove(shallow?.id ?? '')
  faults.add(stale(3))
  const again = await read(simulator)
  write(simulator, 'f')

  expect([first, deeper, deepest, shallower, again, await read(simulator)]).toEqual([
    'b',
    'b',
    'b',
    'd',
    'e',
    'e',
  ])
})

test('a shallower rule forgets the rows that only a deeper one showed', async () => {
  const simulator = createSimulator()
  simulator.faults.add(stale(1))
  const [deep] = simulator.faults.add(stale(3))
  write(simulator, 'a', 'b', 'c')

  simulator.faults.remove(deep?.id ?? '')
  simulator.faults.add(stale(3))

  expect(await read(simulator)).toBe('b')
})

test('stale reads count for the limit of requests', async () => {
  const simulator = createSimulator({ clock: noon, policies: { 'limits.rate': 'observed' } })
  simulator.faults.add(stale(1))
  write(simulator, 'a')
  const statusOf = async () => (await simulator.fetch('/api/projects/', { headers })).status

  for (let count = 0; count < 479; count++) await statusOf()

  expect([await statusOf(), await statusOf()]).toEqual([200, 429])
})

test('the journal names the policies that a stale read depends on', async () => {
  const simulator = createSimulator()
  await read(simulator)
  simulator.faults.add(stale(1))
  write(simulator, 'a')
  await read(simulator)

  const [fresh, outdated] = simulator.journal.find()

  expect(outdated?.fault?.id).toBe('fault-1')
  expect(outdated?.policies).toEqual(fresh?.policies)
  expect(outdated?.policies).not.toEqual([])
})
