import { acme, annotationsPath } from '../../../support/api/paths.ts'
import type { ReportClient } from './client.ts'

const plugins = `/api/organizations/${acme}/plugins/`

/** Clients that write a value, a name or a key in a form that the service may not read as they mean it. */
export const requestClients: readonly ReportClient[] = [
  {
    client: 'writes times in UTC',
    mistakes: [],
    run: ({ post }) => post(annotationsPath, { date_marker: '2024-06-20T09:00:00Z' }),
  },
  {
    client: 'writes times with the offset of its time zone',
    mistakes: [],
    run: ({ post }) => post(annotationsPath, { date_marker: '2024-06-20T11:00:00+02:00' }),
  },
  {
    client: 'writes times in UTC with an offset of zero',
    mistakes: [],
    run: ({ post }) => post(annotationsPath, { date_marker: '2024-06-20T09:00:00+00:00' }),
  },
  {
    client: 'writes an old date',
    mistakes: [],
    run: ({ post }) => post(annotationsPath, { date_marker: '1901-12-13T20:45:52Z' }),
  },
  {
    client: 'writes no date',
    mistakes: [],
    run: ({ post }) => post(annotationsPath, { content: 'To do', date_marker: null }),
  },
  {
    client: 'corrects a misspelt scope after its refusal',
    mistakes: [],
    run: async ({ post }) => {
      const { status } = await post(annotationsPath, { content: 'Launch', scope: 'organisation' })
      if (status === 400) await post(annotationsPath, { content: 'Launch', scope: 'organization' })
    },
  },
  {
    client: 'is a test that expects the refusal of an unknown scope, and that no row is added',
    mistakes: [],
    run: async (service) => {
      const test = service.with({ headers: { 'understudy-test': 'an unknown scope is refused' } })
      await test.post(annotationsPath, { content: 'Launch', scope: 'nonsense' })
      await test.get(annotationsPath)
    },
  },
  {
    client: 'takes project and organization from the list of projects',
    mistakes: [],
    run: async ({ get }) => {
      const { body } = await get('/api/projects/')
      const [project] = body.results as unknown as { id: number; organization: string }[]
      await get(`/api/projects/${project?.id}/annotations/`)
      await get(`/api/organizations/${project?.organization}/plugins/`)
    },
  },
  {
    client: 'uses @current in place of both ids',
    mistakes: [],
    run: async ({ get }) => {
      await get('/api/projects/@current/annotations/')
      await get('/api/organizations/@current/plugins/')
    },
  },
  {
    client: 'writes the zero time of Go with a key that cannot write, and is refused for that',
    mistakes: [],
    run: (service) =>
      service
        .with({ key: 'phx_annotation_read' })
        .post(annotationsPath, { content: 'Launch', date_marker: '0001-01-01T00:00:00Z' }),
  },
  {
    client: 'writes the zero time of Go for a date that was never set',
    mistakes: ['zero-time'],
    run: ({ post }) =>
      post(annotationsPath, { content: 'Launch', date_marker: '0001-01-01T00:00:00Z' }),
  },
  {
    client: 'writes the local time without its offset, as datetime.now().isoformat() does',
    mistakes: ['local-time'],
    run: ({ post }) =>
      post(annotationsPath, { content: 'Launch', date_marker: '2024-06-20T11:00:00.123456' }),
  },
  {
    client: 'writes the zero time of C# with a text',
    mistakes: ['zero-time'],
    run: ({ patch }) => patch(`${annotationsPath}1/`, { date_marker: '0001-01-01T00:00:00+00:00' }),
  },
  {
    client: 'writes the creation type in small letters, and does not look at the status',
    mistakes: ['misspelled-value'],
    run: ({ post }) => post(annotationsPath, { content: 'Launch', creation_type: 'usr' }),
  },
  {
    client: 'misspells the type of a plugin, and does not look at the status',
    mistakes: ['misspelled-value'],
    run: ({ post }) => post(plugins, { name: 'Sampler', plugin_type: 'costum' }),
  },
  {
    client: 'writes a word in place of true, and does not look at the status',
    mistakes: ['text-for-boolean'],
    run: async ({ get, patch }) => {
      await patch(`${annotationsPath}1/`, { deleted: 'yes please' })
      await get(annotationsPath)
    },
  },
  {
    client: 'misspells the scope organization, and does not look at the status',
    mistakes: ['misspelled-value'],
    run: async ({ get, post }) => {
      await post(annotationsPath, { content: 'Launch', scope: 'organisation' })
      await get(annotationsPath)
    },
  },
  {
    client: 'sends the key in the query, where logs and links show it',
    mistakes: ['key-in-query'],
    options: { policies: { 'keys.places': 'header_body_query' } },
    run: (service) =>
      service.with({ key: null }).get(`${annotationsPath}?personal_api_key=phx_all`),
  },
  {
    client: 'misspells the parameter search',
    mistakes: ['ignored-input'],
    run: ({ get }) => get(`${annotationsPath}?serch=release`),
  },
  {
    client: 'writes dateMarker in place of date_marker',
    mistakes: ['ignored-input'],
    run: ({ post }) =>
      post(annotationsPath, { content: 'Launch', dateMarker: '2024-06-20T09:00:00Z' }),
  },
  {
    client: 'sends the fields of a PATCH in the query',
    mistakes: ['ignored-input'],
    run: ({ patch }) => patch(`${annotationsPath}1/?content=Release`, {}),
  },
  {
    client: 'writes the id of the project in place of the organization',
    mistakes: ['swapped-id'],
    run: ({ get }) => get('/api/organizations/1/plugins/'),
  },
  {
    client: 'writes the id of the organization in place of the project',
    mistakes: ['swapped-id'],
    run: ({ get }) => get(`/api/projects/${acme}/annotations/`),
  },
  {
    client: 'sends the id with a new plugin',
    mistakes: ['response-only-field'],
    run: ({ post }) => post(plugins, { id: 99, name: 'Sampler', plugin_type: 'local' }),
  },
]
