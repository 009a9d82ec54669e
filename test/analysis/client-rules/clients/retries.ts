import { acme, annotationsPath } from '../../../support/api/paths.ts'
import type { Reply, ReportClient, Service } from './client.ts'

const first = `${annotationsPath}1/`

/** Clients that try again, and clients that are refused. */
export const retryClients: readonly ReportClient[] = [
  {
    client: 'waits as long as a 429 says in words',
    mistakes: [],
    run: async (service) => {
      throttle(service)
      while ((await service.get(first)).status === 429) service.wait(3)
    },
  },
  {
    client: 'waits as long as Retry-After says',
    mistakes: [],
    options: { policies: { 'limits.retry_after': 'present' } },
    run: async (service) => {
      throttle(service)
      for (let reply: Reply; ; service.wait(Number(reply.headers.get('retry-after')))) {
        reply = await service.get(first)
        if (reply.status !== 429) return
      }
    },
  },
  {
    client: 'waits 1, 2, 4, … seconds during an outage, and gives up after eight tries',
    mistakes: [],
    run: async (service) => {
      service.simulator.faults.add({ preset: 'outage' })
      for (let wait = 1; wait <= 128; wait *= 2) {
        await service.get(annotationsPath)
        service.wait(wait)
      }
    },
  },
  {
    client: 'polls once a minute, before and during an outage of an hour',
    mistakes: [],
    run: async (service) => {
      for (let minute = 0; minute < 70; minute += 1) {
        if (minute === 10) service.simulator.faults.add({ preset: 'outage' })
        await service.get(annotationsPath)
        service.wait(60)
      }
    },
  },
  {
    client: 'reads again after a broken connection, three times',
    mistakes: [],
    run: async (service) => {
      service.simulator.faults.add({ path: first, when: { times: 3 }, effect: { drop: true } })
      for (let tries = 0; tries < 4; tries += 1) {
        const reply = await service.get(first).catch(() => null)
        if (reply) return
        service.wait(1)
      }
    },
  },
  {
    client: 'repeats a PATCH whose response was lost, which changes nothing more',
    mistakes: [],
    run: async (service) => {
      const effect = { drop: true } as const
      service.simulator.faults.add({
        path: first,
        phase: 'after-commit',
        when: { times: 1 },
        effect,
      })
      const change = () => service.patch(first, { content: 'Release 1' })
      await change().catch(change)
    },
  },
  {
    client: 'asks for another key after a 401',
    mistakes: [],
    run: async (service) => {
      const { status } = await service.with({ key: 'phx_revoked' }).get(annotationsPath)
      if (status === 401) await service.get(annotationsPath)
    },
  },
  {
    client: 'shows what is wrong with a form, and the user corrects it at the third try',
    mistakes: [],
    run: async ({ post, simulator }) => {
      for (const content of ['x'.repeat(500), 'x'.repeat(450), 'Launch']) {
        await post(annotationsPath, { content })
        simulator.clock.advance({ seconds: 20 })
      }
    },
  },
  {
    client: 'checks what a key may do, by one request of each kind',
    mistakes: [],
    run: async (service) => {
      const { get, post, patch } = service.with({ key: 'phx_none' })
      const plugins = `/api/organizations/${acme}/plugins/`
      for (const path of [annotationsPath, first, plugins, `${plugins}21/`]) await get(path)
      for (const path of [annotationsPath, plugins]) await post(path, {})
      for (const path of [first, `${plugins}21/`]) await patch(path, {})
    },
  },
  {
    client: 'opens ten links of a report, whose rows are gone',
    mistakes: [],
    run: async ({ get }) => {
      for (let id = 100; id < 110; id += 1) await get(`${annotationsPath}${id}/`)
    },
  },
  {
    client: 'tries again at once, without the wait that the 429 names',
    mistakes: ['early-retry'],
    run: async (service) => {
      throttle(service)
      while ((await service.get(first)).status === 429) service.wait(0.05)
    },
  },
  {
    client: 'tries again for ever during an outage, four times a second',
    mistakes: ['endless-retry'],
    run: async (service) => {
      service.simulator.faults.add({ preset: 'outage' })
      for (let tries = 0; tries < 100; tries += 1) {
        await service.get(annotationsPath)
        service.wait(0.25)
      }
    },
  },
  {
    client: 'tries again every second for ten minutes, as the connection breaks each time',
    mistakes: ['endless-retry'],
    run: async (service) => {
      service.simulator.faults.add({ path: first, effect: { drop: true } })
      for (let tries = 0; tries < 600; tries += 1) {
        await service.get(first).catch(() => 'again')
        service.wait(1)
      }
    },
  },
  {
    client: 'tries again after a second, although Retry-After says three',
    mistakes: ['early-retry'],
    options: { policies: { 'limits.retry_after': 'present' } },
    run: async (service) => {
      throttle(service)
      while ((await service.get(first)).status === 429) service.wait(1)
    },
  },
  {
    client: 'goes on through twenty rows with a key that is refused',
    mistakes: ['repeated-refusal'],
    run: async (service) => {
      const refused = service.with({ key: 'phx_revoked' })
      for (let id = 1; id <= 20; id += 1) {
        await refused.patch(`${annotationsPath}${id}/`, { content: 'Launch' })
        service.wait(0.1)
      }
    },
  },
  {
    client: 'tries again every five seconds for an hour',
    mistakes: ['endless-retry'],
    run: async (service) => {
      service.simulator.faults.add({ preset: 'outage' })
      for (let tries = 0; tries < 720; tries += 1) {
        await service.get(annotationsPath)
        service.wait(5)
      }
    },
  },
  {
    client: 'asks fifty times for a row that is not there, without a pause',
    mistakes: ['repeated-refusal'],
    run: async (service) => {
      for (let tries = 0; tries < 50; tries += 1) {
        await service.get(`${annotationsPath}99999/`)
        service.wait(0.1)
      }
    },
  },
  {
    client: 'repeats a request with a key that is refused',
    mistakes: ['repeated-refusal'],
    run: async (service) => {
      const refused = service.with({ key: 'phx_revoked' })
      for (let tries = 0; tries < 20; tries += 1) {
        await refused.get(annotationsPath)
        service.wait(0.2)
      }
    },
  },
  {
    client: 'repeats a body that is refused',
    mistakes: ['repeated-refusal'],
    run: async (service) => {
      for (let tries = 0; tries < 20; tries += 1) {
        await service.post(annotationsPath, { content: 'x'.repeat(500) })
        service.wait(0.2)
      }
    },
  },
  {
    client: 'repeats a body that is refused, with the number of the try in its text',
    mistakes: ['repeated-refusal'],
    run: async (service) => {
      for (let tries = 0; tries < 20; tries += 1) {
        await service.post(annotationsPath, { content: `Try ${tries}`, scope: 'nonsense' })
        service.wait(0.2)
      }
    },
  },
]

/** The next two requests are refused, and can be repeated after three seconds. */
function throttle({ simulator }: Service): void {
  const effect = { error: 'throttled', retry_after_s: 3 } as const
  simulator.faults.add({ operation: 'retrieveAnnotation', when: { times: 2 }, effect })
}
