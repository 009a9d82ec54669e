// Each client creates an annotation, lists, writes null, and deletes: with types of its generator, and without a cast.
import createClient from 'openapi-fetch'
import { test as base } from 'understudy-api/vitest'
import { describe, expect } from 'vitest'
import * as hey from './generated/documented/hey-api'
import { client as heyClient } from './generated/documented/hey-api/client.gen'
import * as kubb from './generated/documented/kubb'
import type { paths } from './generated/documented/openapi-typescript'
import * as orval from './generated/documented/orval'

const baseUrl = 'https://app.example.com'
const body = { content: 'Launch', scope: 'project', deleted: false } as const
const changes = { content: null, date_marker: null, dashboard_item: null }
describe.each(['documented', 'live'] as const)('%s', (profile) => {
  const test = base.extend('simulatorOptions', { profile })

  test('openapi-typescript', async ({ as }) => {
    const client = createClient<paths>({ baseUrl, headers: as('all').headers })
    const annotations = '/api/projects/{project_id}/annotations'

    const projects = await client.GET('/api/projects')
    const project_id = projects.data?.results[0]?.id ?? 0
    const created = await client.POST(annotations, { params: { path: { project_id } }, body })
    const id = created.data?.id ?? 0
    const params = { path: { project_id, id } }
    const page = await client.GET(annotations, {
      params: { path: { project_id }, query: { search: 'launch', limit: 1 } },
    })
    const updated = await client.PATCH(`${annotations}/{id}`, { params, body: changes })
    const deleted = await client.DELETE(`${annotations}/{id}`, { params })

    expect([page.data?.count, page.data?.results[0]?.content]).toEqual([1, 'Launch'])
    expect(updated.data?.content).toBeNull()
    expect(deleted.response.status).toBe(405)
  })

  test('hey-api', async ({ as }) => {
    heyClient.setConfig({ baseUrl, auth: as('all').key })

    const projects = await hey.listProjects()
    const project_id = projects.data?.results[0]?.id ?? 0
    const created = await hey.createAnnotation({ path: { project_id }, body })
    const path = { project_id, id: created.data?.id ?? 0 }
    const page = await hey.listAnnotations({ path, query: { search: 'launch', limit: 1 } })
    const updated = await hey.updateAnnotation({ path, body: changes })
    const deleted = await hey.deleteAnnotation({ path })

    expect([page.data?.count, page.data?.results[0]?.content]).toEqual([1, 'Launch'])
    expect(updated.data?.content).toBeNull()
    expect(deleted.response?.status).toBe(405)
  })

  test('orval', async ({ as }) => {
    const { headers } = as('all')

    const projects = await orval.listProjects({}, { headers })
    const project = projects.status === 200 ? (projects.data.results[0]?.id ?? 0) : 0
    const created = await orval.createAnnotation(project, body, { headers })
    const id = created.status === 201 ? created.data.id : 0
    const query = { search: 'launch', limit: 1 }
    const page = await orval.listAnnotations(project, query, { headers })
    const updated = await orval.updateAnnotation(project, id, changes, { headers })
    const deleted = await orval.deleteAnnotation(project, id, { headers })

    expect(page.status === 200 && [page.data.count, page.data.results[0]?.content]).toEqual([
      1,
      'Launch',
    ])
    expect(updated.status === 200 && updated.data.content).toBeNull()
    expect(deleted.status).toBe(405)
  })

  test('kubb', async ({ as }) => {
    // Its client sends JSON as a text, unless it is told so.
    const headers = { ...as('all').headers, 'content-type': 'application/json' }

    const { data: projects } = await kubb.listProjects({}, { headers })
    const project = projects.results[0]?.id ?? 0
    const { data: created } = await kubb.createAnnotation(project, body, { headers })
    const query = { search: 'launch', limit: 1 }
    const { data: page } = await kubb.listAnnotations(project, query, { headers })
    const { data: updated } = await kubb.updateAnnotation(project, created.id, changes, { headers })
    const deleted = await kubb.deleteAnnotation(project, created.id, { headers })

    expect([page.count, page.results[0]?.content]).toEqual([1, 'Launch'])
    expect(updated.content).toBeNull()
    expect(deleted.status).toBe(405)
  })
})
