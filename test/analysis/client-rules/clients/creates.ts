import { acme, annotationsPath } from '../../../support/api/paths.ts'
import type { ReportClient, Service } from './client.ts'

const launch = { content: 'Launch', date_marker: '2024-06-20T09:00:00Z', scope: 'project' }
const search = `${annotationsPath}?search=Launch`
const current = '/api/projects/@current/annotations/?search=Launch'

/** Clients that create rows, also when a response is lost. */
export const createClients: readonly ReportClient[] = [
  {
    client: 'creates a row and reads it',
    mistakes: [],
    run: async ({ get, post }) => {
      const { body } = await post(annotationsPath, launch)
      await get(`${annotationsPath}${body.id}/`)
    },
  },
  {
    client: 'imports twenty rows of different contents',
    mistakes: [],
    run: async ({ post }) => {
      for (let number = 1; number <= 20; number += 1) {
        await post(annotationsPath, { ...launch, content: `Deploy ${number}` })
      }
    },
  },
  {
    client: 'imports five rows of different contents at once',
    mistakes: [],
    run: ({ post }) =>
      Promise.all([1, 2, 3, 4, 5].map((n) => post(annotationsPath, { content: `Deploy ${n}` }))),
  },
  {
    client: 'marks the same event on two days',
    mistakes: [],
    run: async ({ post }) => {
      await post(annotationsPath, launch)
      await post(annotationsPath, { ...launch, date_marker: '2024-06-21T09:00:00Z' })
    },
  },
  {
    client: 'creates the same row in each of two projects',
    mistakes: [],
    run: async ({ post }) => {
      await post(annotationsPath, launch)
      await post('/api/projects/2/annotations/', launch)
    },
  },
  {
    client: 'is two people with keys of their own, who mark the same event at once',
    mistakes: [],
    run: (service) => {
      const other = service.with({ key: 'phx_old' })
      return Promise.all([service, other].map(({ post }) => post(annotationsPath, launch)))
    },
  },
  {
    client: 'looks after a lost response, and finds the row',
    mistakes: [],
    run: async (service) => {
      loseResponse(service, 'after-commit')
      await service.post(annotationsPath, launch).catch(() => service.get(search))
    },
  },
  {
    client: 'looks after a lost request, finds nothing, and creates the row',
    mistakes: [],
    run: async (service) => {
      loseResponse(service, 'before')
      await service.post(annotationsPath, launch).catch(async () => {
        const { body } = await service.get(search)
        if (body.count === 0) await service.post(annotationsPath, launch)
      })
    },
  },
  {
    client: 'looks through @current after a lost request, and creates the row',
    mistakes: [],
    run: async (service) => {
      loseResponse(service, 'before')
      await service.post(annotationsPath, launch).catch(async () => {
        const { body } = await service.get(current)
        if (body.count === 0) await service.post(annotationsPath, launch)
      })
    },
  },
  {
    client: 'writes with a key that cannot read, and looks with another after a lost request',
    mistakes: [],
    run: async (service) => {
      const writer = service.with({ key: 'phx_annotation_write' })
      loseResponse(service, 'before')
      await writer.post(annotationsPath, launch).catch(async () => {
        const { body } = await service.with({ key: 'phx_annotation_read' }).get(search)
        if (body.count === 0) await writer.post(annotationsPath, launch)
      })
    },
  },
  {
    client: 'looks through the whole list after a lost request, and creates the row',
    mistakes: [],
    run: async (service) => {
      loseResponse(service, 'before')
      await service.post(annotationsPath, launch).catch(async () => {
        const contents: string[] = []
        for (let next: string | null = `${annotationsPath}?limit=4`; next; ) {
          const { body } = await service.get(next)
          contents.push(...body.results.map(({ content }) => content))
          next = body.next
        }
        if (!contents.includes(launch.content)) await service.post(annotationsPath, launch)
      })
    },
  },
  {
    client: 'creates a row again after it was refused, with a shorter text',
    mistakes: [],
    run: async ({ post }) => {
      const { status } = await post(annotationsPath, { ...launch, content: 'x'.repeat(401) })
      if (status === 400) await post(annotationsPath, { ...launch, content: 'x'.repeat(400) })
    },
  },
  {
    client: 'compares times as points in time, and does not import a row again',
    mistakes: [],
    run: async ({ get, post }) => {
      const date_marker = '2024-06-20T11:00:00+02:00'
      for (let run = 0; run < 2; run += 1) {
        const { body } = await get(search)
        const isSame = (at: string) => Date.parse(at) === Date.parse(date_marker)
        if (body.results.some((row) => isSame(row.date_marker))) continue
        await post(annotationsPath, { ...launch, date_marker })
      }
    },
  },
  {
    client: 'creates a plugin with the fields that the documentation lists',
    mistakes: [],
    run: ({ post }) =>
      post(`/api/organizations/${acme}/plugins/`, {
        plugin_type: 'local',
        name: 'Sampler',
        description: 'Keeps a share of the events.',
        config_schema: [],
        is_global: false,
      }),
  },
  {
    client: 'repeats a create whose response was lost',
    mistakes: ['repeated-create'],
    run: async (service) => {
      loseResponse(service, 'after-commit')
      await service.post(annotationsPath, launch).catch(() => service.post(annotationsPath, launch))
    },
  },
  {
    client: 'repeats a create whose response was lost, and writes its fields in another order',
    mistakes: ['repeated-create'],
    run: async (service) => {
      loseResponse(service, 'after-commit')
      const { scope, ...others } = launch
      await service
        .post(annotationsPath, launch)
        .catch(() => service.post(annotationsPath, { scope, ...others }))
    },
  },
  {
    client: 'repeats the create of a plugin that a gateway answered with 502',
    mistakes: ['repeated-create'],
    run: async ({ post, simulator }) => {
      const [operation, body] = ['createPlugin', { name: 'Sampler', plugin_type: 'local' }] as const
      simulator.faults.add({
        operation,
        when: { times: 1 },
        phase: 'after-commit',
        effect: { status: 502 },
      })
      const plugins = `/api/organizations/${acme}/plugins/`
      if ((await post(plugins, body)).status === 502) await post(plugins, body)
    },
  },
  {
    client: 'repeats a create three times that a proxy answered with 504',
    mistakes: ['repeated-create'],
    run: async ({ post, simulator }) => {
      simulator.faults.add({
        operation: 'createAnnotation',
        when: { times: 3 },
        phase: 'after-commit',
        effect: { status: 504 },
      })
      for (let tries = 0; tries < 4; tries += 1) {
        if ((await post(annotationsPath, launch)).status === 201) return
        simulator.clock.advance({ seconds: 2 })
      }
    },
  },
  {
    client: 'sends a create twice at once, as the button is clicked twice',
    mistakes: ['repeated-create'],
    run: ({ post }) => Promise.all([post(annotationsPath, launch), post(annotationsPath, launch)]),
  },
  {
    client: 'gives up within a slow response, and creates the row again',
    mistakes: ['repeated-create'],
    run: async (service) => {
      service.simulator.faults.add({
        operation: 'createAnnotation',
        when: { times: 1 },
        effect: { slow_bytes_per_s: 1_000 },
      })
      await service
        .with({ signal: AbortSignal.timeout(60) })
        .post(annotationsPath, launch)
        .catch(() => service.post(annotationsPath, launch))
    },
  },
  {
    client: 'compares times as texts, and imports a row again at each run',
    mistakes: ['duplicate-row'],
    run: async ({ get, post }) => {
      const date_marker = '2024-06-20T09:00:00.000Z'
      for (let run = 0; run < 2; run += 1) {
        const { body } = await get(search)
        if (body.results.some((row) => row.date_marker === date_marker)) continue
        await post(annotationsPath, { ...launch, date_marker })
      }
    },
  },
]

/** The connection of the next create breaks, before or after the row is created. */
function loseResponse({ simulator }: Service, phase: 'before' | 'after-commit'): void {
  simulator.faults.add({
    operation: 'createAnnotation',
    when: { times: 1 },
    phase,
    effect: { drop: true },
  })
}
