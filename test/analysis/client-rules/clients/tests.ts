import { annotationsPath } from '../../../support/api/paths.ts'
import type { ReportClient, Service } from './client.ts'

const first = `${annotationsPath}1/`
const numbers = Array.from({ length: 12 }, (_, index) => index + 1)

/** Correct tests and tabs that share a key. A clock that stands still tells nothing of the time between requests. */
export const sharingClients: readonly ReportClient[] = [
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
