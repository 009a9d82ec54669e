// A suite of 50 tests that depend on more than 20 settings, for the reporter of sweeps.
import { test } from 'understudy-api/vitest'
import { expect } from 'vitest'

const json = { 'content-type': 'application/json' }

test.for(Array.from({ length: 50 }, (_, index) => [index]))(
  'client %i',
  async ([index], { as, simulator }) => {
    const { fetch } = as('all')
    const annotations = '/api/projects/1/annotations/'
    const plugins = `/api/organizations/${simulator.defaults.organization_id}/plugins/`
    const body = JSON.stringify({ content: `Release ${index}` })
    const created = await fetch(annotations, { method: 'POST', headers: json, body })
    const { id } = await created.json()
    expect(id).toBeGreaterThan(0)
    const deleted = JSON.stringify({ deleted: true })
    await fetch(`${annotations}${id}/`, { method: 'PATCH', headers: json, body: deleted })
    const paths = [
      annotations,
      plugins,
      `${plugins}activity/`,
      `${plugins}repository/`,
      `${plugins}21/source/`,
    ]
    for (const path of [...paths, '/api/projects/', `${annotations}${id}/`]) {
      expect((await fetch(path)).status).toBeLessThan(500)
    }
  },
)
