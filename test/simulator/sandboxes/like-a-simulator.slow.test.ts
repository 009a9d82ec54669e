import { expect, test } from 'vitest'
import { generate } from '../../../src/factories.ts'
import { createSimulator, type Simulator } from '../../../src/simulator.ts'
import { createRandom, type Random } from '../../support/random.ts'

const clock = '2024-06-15T12:00:00Z'
const path = '/api/projects/1/annotations/'

/** A random step. It does the same to each simulator. */
type Act = (simulator: Simulator, key: string) => unknown

const send =
  (method: string, target: string, fields?: object): Act =>
  async (simulator, key) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const body = fields === undefined ? null : JSON.stringify(fields)
    const response = await simulator.fetch(target, { method, headers, body })
    return [response.status, [...response.headers], await response.text()]
  }

/** Rows near each other and at the ends of chunks are chosen more often. */
function chooseId({ below, pick }: Random, count: number): number {
  return Math.max(1, pick([1, 128, 256, 512, count]) + below(20) - 10)
}

function chooseAct(random: Random, count: number): Act {
  const { below, pick } = random
  const id = chooseId(random, count)
  const content = `Step ${below(1000)}`
  const moved = { content, date_marker: `20${10 + below(30)}-01-01T00:00:00Z` }
  const query = `?limit=${pick([1, 100, 256])}&offset=${below(count)}`
  return pick<Act>([
    send('GET', path + query),
    send('GET', `${path}${query}&search=step`),
    send('GET', `${path}${id}/`),
    send('POST', path, { content }),
    send('PATCH', `${path}${id}/`, { content }),
    send('PATCH', `${path}${id}/`, moved),
    send('PATCH', `${path}${id}/`, { deleted: true }),
    ({ world: { annotations } }) => annotations.delete(id),
    ({ world: { annotations } }) => annotations.get(id) ?? annotations.create({ id, content }),
    (simulator) =>
      simulator.addRows({ annotations: Array.from({ length: 20 }, () => ({ content })) }),
    ({ world }) => world.find('annotations', { offset: below(count), limit: 50 }),
    ({ settings }) => settings.set({ 'annotations.list.limit.default': pick([3, 100]) }),
    ({ faults }) =>
      faults.add({ operation: 'listAnnotations', when: { times: 1 }, effect: { status: 503 } }),
    (simulator) => simulator.clock.advance({ hours: 1 }),
    ({ snapshots }) => snapshots.save('a'),
    ({ snapshots }) => snapshots.has('a') && snapshots.restore('a'),
    (simulator) =>
      simulator.reset({ only: [pick(['rows', 'settings', 'clock', 'faults'] as const)] }),
    (simulator) => below(4) === 0 && simulator.replaceWorld('empty'),
  ])
}

test.each([3, 300, 2000])(
  'sandboxes of a world of %i annotations respond as simulators of their own',
  async (count) => {
    const random = createRandom(count)
    const world = generate({ now: clock, generate: { annotations: count } })
    const host = createSimulator({ world, clock })
    const sandbox = (id: string) => host.sandboxes.get(id) as Simulator
    const alone = Array.from({ length: 8 }, (_, number) => {
      const key = `phx_all_of_${number}`
      const { id } = host.sandboxes.create({ keys: { all: key } })
      return { id, key, simulator: createSimulator({ world, clock }) }
    })

    for (let step = 1; step <= 600; step++) {
      const { id, key, simulator } = random.pick(alone)
      const seed = random.below(2 ** 31)
      const act = () => chooseAct(createRandom(seed), count)
      const expected = await act()(simulator, 'phx_all')
      expect(await act()(sandbox(id), key), `step ${step}`).toEqual(expected)
    }

    for (const { id, simulator } of alone) {
      const { keys: _, issued_keys: __, ...rows } = sandbox(id).world.toJSON()
      const { keys: ___, issued_keys: ____, ...expected } = simulator.world.toJSON()
      expect(rows).toEqual(expected)
    }
    expect(host.world.toJSON()).toEqual(createSimulator({ world, clock }).world.toJSON())
  },
)
