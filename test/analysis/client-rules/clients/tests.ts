import { annotationsPath } from '../../../support/api/paths.ts'
import type { ReportClient, Service } from './client.ts'

const first = `${annotationsPath}1/`
const numbers = Array.from({ length: 12 }, (_, index) => index + 1)

/** Correct tests and tabs that share a key. A clock that stands still tells nothing of the time between requests. */
export const sharingClients: readonly ReportClient[] = [
  {
    client: 'is twelve tests that list all rows, with a reset before each',
    mistakes: [],
    run: async ({ get, simulator }) => {
      for (const _ of numbers) {
        simulator.reset()
        await get(annotationsPath)
      }
    },
  },
  {
    client: 'is twelve tests that list two rows, with a reset before each',
    mistakes: [],
    run: async ({ get, simulator }) => {
      for (const _ of numbers) {
        simulator.reset()
        await get(`${annotationsPath}?limit=2`)
      }
    },
  },
  {
    client: 'is twelve named tests that list all rows, without a reset',
    mistakes: [],
    run: async (service) => {
      for (const number of numbers) await named(service, `test ${number}`).get(annotationsPath)
    },
  },
  {
    client: 'is twelve tests, each in a sandbox of its own',
    mistakes: [],
    run: async (service) => {
      for (const _ of numbers) {
        const { key } = service.simulator.sandboxes.create({ from: 'default' })
        await service.with({ key }).get(annotationsPath)
      }
    },
  },
  {
    client: 'is twelve tabs that open the same list at once',
    mistakes: [],
    run: ({ get }) => Promise.all(numbers.map(() => get(annotationsPath))),
  },
  {
    client: 'is twelve tabs that open the same list one after the other, on a frozen clock',
    mistakes: [],
    run: async ({ get }) => {
      for (const _ of numbers) await get(annotationsPath)
    },
  },
  {
    client: 'is twelve tests of a refused key, with a reset before each',
    mistakes: [],
    run: async (service) => {
      for (const _ of numbers) {
        service.simulator.reset()
        await service.with({ key: 'phx_revoked' }).get(annotationsPath)
      }
    },
  },
  {
    client: 'is twelve named tests, each of another value that is refused',
    mistakes: [],
    run: async (service) => {
      for (const number of numbers) {
        await named(service, `scope ${number}`).post(annotationsPath, { scope: `wrong-${number}` })
      }
    },
  },
  {
    client: 'is twelve tests, each of another value that is refused, with a reset before each',
    mistakes: [],
    run: async ({ post, simulator }) => {
      for (const number of numbers) {
        simulator.reset()
        await post(annotationsPath, { scope: `wrong-${number}` })
      }
    },
  },
  {
    client: 'is two named tests that create the same row at once',
    mistakes: [],
    run: (service) =>
      Promise.all(
        ['creates', 'creates and reads'].map((test) => {
          return named(service, test).post(annotationsPath, { content: 'Launch' })
        }),
      ),
  },
  {
    client: 'is two tests that lose the response of the same create, with a reset between',
    mistakes: [],
    run: async (service) => {
      for (const _ of [1, 2]) {
        service.simulator.reset()
        service.simulator.faults.add({
          operation: 'createAnnotation',
          phase: 'after-commit',
          effect: { drop: true },
        })
        await service.post(annotationsPath, { content: 'Launch' }).catch(() => 'shown to the user')
      }
    },
  },
  {
    client: 'is two named tests, the second of which reads soon after the 429 of the first',
    mistakes: [],
    run: async (service) => {
      const effect = { error: 'throttled', retry_after_s: 30 } as const
      service.simulator.faults.add({ path: first, when: { times: 1 }, effect })
      await named(service, 'shows the wait').get(first)
      service.wait(1)
      await named(service, 'shows the row').get(first)
    },
  },
  {
    client: 'is two tests, the first of which reads one page, and the second changes the list',
    mistakes: [],
    run: async (service) => {
      await named(service, 'shows the latest two').get(`${annotationsPath}?limit=2`)
      const writes = named(service, 'deletes a row')
      await writes.patch(`${annotationsPath}5/`, { deleted: true })
      await writes.get(`${annotationsPath}?limit=2&offset=2`)
    },
  },
  {
    client: 'is two named tests, the second of which writes what the first one had read',
    mistakes: [],
    run: async (service) => {
      const { body } = await named(service, 'shows a row').get(first)
      await named(service, 'renames a row').patch(first, { content: 'Release 1' })
      await named(service, 'writes the usual text').patch(first, { content: body.content })
    },
  },
]

const named = (service: Service, test: string): Service =>
  service.with({ headers: { 'understudy-test': test } })
