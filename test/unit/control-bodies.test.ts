import { expect, test } from 'vitest'
import { doorOf, meetingOf } from '../../src/adapters/msw.ts'
import { controlHandlers } from '../../src/control/index.ts'
import { createSimulator } from '../../src/simulator.ts'

test('of who is refused by the control API no body is kept', () => {
  const handlers = controlHandlers(createSimulator(), {
    guard: { token: 'secret', isExposed: true },
    generate: async (world) => world,
    fixture: async () => null,
    scenarios: { list: async () => [], read: async () => undefined },
    report: () => {},
  })
  const replaceWorld = handlers.find(({ info }) => info.header === 'PUT */__admin/world')
  const limitFor = (authorization: string) => {
    const head = { url: 'http://a.test/__admin/world', headers: new Headers({ authorization }) }
    const door = replaceWorld && doorOf(replaceWorld)
    return door && meetingOf(door, 'PUT', head)?.bodyLimit
  }

  expect([limitFor('Bearer other'), limitFor('Bearer secret')]).toEqual([0, 536_870_912])
})
