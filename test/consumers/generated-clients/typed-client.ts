// An application of somebody else: it knows the service by its OpenAPI document alone.
import createClient from 'openapi-fetch'
import type { paths } from './service.js'

const [baseUrl = '', key = '', organization_id = ''] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } })

const projects = await client.GET('/api/projects')
const project_id = projects.data?.results[0]?.id ?? 0
const created = await client.POST('/api/projects/{project_id}/annotations', {
  params: { path: { project_id } },
  body: { content: 'Launch', scope: 'project', date_marker: '2024-06-20T09:00:00Z' },
})
const id = created.data?.id ?? 0
const annotation = { params: { path: { project_id, id } } }
await client.GET('/api/projects/{project_id}/annotations', {
  params: { path: { project_id }, query: { limit: 2 } },
})
await client.PATCH('/api/projects/{project_id}/annotations/{id}', {
  ...annotation,
  body: { deleted: true },
})
await client.DELETE('/api/projects/{project_id}/annotations/{id}', annotation)
const plugin = await client.POST('/api/organizations/{organization_id}/plugins', {
  params: { path: { organization_id } },
  body: { name: 'Ours', plugin_type: 'source' },
})
const place = { params: { path: { organization_id, id: plugin.data?.id ?? 0 } } }
await client.GET('/api/organizations/{organization_id}/plugins/{id}/check_for_updates', place)
await client.DELETE('/api/organizations/{organization_id}/plugins/{id}', place)

console.log([projects, created, plugin].map(({ response }) => response.status).join(' '))
