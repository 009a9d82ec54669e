import { expect, test } from 'vitest'
import type { Scope } from '../../../src/index.ts'
import { forbidden, notAllowed } from '../../support/api/errors.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/lanes/start.ts'

const projects = '/api/projects/'
const missing = (scope: string) => forbidden(`API key missing required scope '${scope}'`)

interface Permissions {
  readonly scopes: Scope[] | null
  readonly profile: 'documented' | 'live'
  readonly may: readonly ('read' | 'write' | 'projects')[]
}

/** What a key with these scopes may do: read or write annotations, or list projects. */
const permissions: readonly Permissions[] = [
  { scopes: ['annotation:read'], profile: 'documented', may: ['read', 'projects'] },
  { scopes: ['annotation:read'], profile: 'live', may: ['read'] },
  { scopes: ['annotation:write'], profile: 'documented', may: ['write', 'projects'] },
  { scopes: ['annotation:write'], profile: 'live', may: ['read', 'write'] },
  {
    scopes: ['annotation:write', 'annotation:read'],
    profile: 'documented',
    may: ['read', 'write', 'projects'],
  },
  { scopes: ['plugin:write', 'plugin:read'], profile: 'documented', may: ['projects'] },
  { scopes: ['plugin:write', 'plugin:read'], profile: 'live', may: [] },
  { scopes: ['project:read'], profile: 'documented', may: ['projects'] },
  { scopes: ['project:read'], profile: 'live', may: ['projects'] },
  { scopes: ['project:write'], profile: 'live', may: ['projects'] },
  { scopes: ['*'], profile: 'documented', may: ['read', 'write', 'projects'] },
  { scopes: ['*'], profile: 'live', may: ['read', 'write', 'projects'] },
  { scopes: null, profile: 'documented', may: ['read', 'write', 'projects'] },
  { scopes: null, profile: 'live', may: ['read', 'write', 'projects'] },
  { scopes: [], profile: 'documented', may: ['projects'] },
  { scopes: [], profile: 'live', may: ['read', 'write', 'projects'] },
]

test.each(permissions)(
  'in $profile a key with the scopes $scopes may $may',
  async ({ scopes, profile, may }) => {
    const { ask, simulator } = await start({ profile })
    const key = simulator.keys.issue({ scopes })
    const before = simulator.world.annotations.list()
    const send = (method: string, path: string) =>
      ask(method, path, method === 'POST' || method === 'PATCH' ? { key, body: {} } : { key })

    for (const [method, path, status] of [
      ['GET', annotationsPath, 200],
      ['GET', `${annotationsPath}1/`, 200],
      ['OPTIONS', annotationsPath, 200],
      ['OPTIONS', `${annotationsPath}1/`, 200],
    ] as const) {
      const response = await send(method, path)
      if (may.includes('read')) expect(response.status, `${method} ${path}`).toBe(status)
      else expect(response, `${method} ${path}`).toEqual(missing('annotation:read'))
    }
    for (const [method, path, status] of [
      ['DELETE', `${annotationsPath}1/`, 405],
      ['PATCH', `${annotationsPath}1/`, 200],
      ['POST', annotationsPath, 201],
    ] as const) {
      const response = await send(method, path)
      if (may.includes('write')) expect(response.status, method).toBe(status)
      else expect(response, method).toEqual(missing('annotation:write'))
    }
    const listed = await send('GET', projects)
    if (may.includes('projects')) expect(listed.status).toBe(200)
    else expect(listed).toEqual(missing('project:read'))
    if (!may.includes('write')) expect(simulator.world.annotations.list()).toEqual(before)
  },
)

test('live, a method that the path does not have rejects keys with scopes', async () => {
  const { ask } = await start({ profile: 'live' })
  const refused = forbidden('This action does not support Personal API Key access')

  for (const [method, path] of [
    ['POST', `${annotationsPath}1/`],
    ['PUT', annotationsPath],
    ['DELETE', annotationsPath],
    ['POST', projects],
    ['PROPFIND', annotationsPath],
  ] as const) {
    for (const key of ['phx_all', 'phx_annotations', 'phx_plugins']) {
      expect(await ask(method, path, { key }), `${method} ${path}`).toEqual(refused)
    }
    for (const key of ['phx_old', 'phx_none']) {
      expect(await ask(method, path, { key }), `${method} ${path}`).toEqual(notAllowed(method))
    }
  }
  for (const key of ['phx_all', 'phx_annotation_write', 'phx_old']) {
    expect(await ask('PATCH', annotationsPath, { key, body: {} })).toEqual(notAllowed('PATCH'))
  }
})
