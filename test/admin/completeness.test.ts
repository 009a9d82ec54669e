import { expect, test } from 'vitest'
import { connect } from '../../src/admin/connect.ts'
import document from '../../src/admin/openapi.json' with { type: 'json' }
import { operations } from '../../src/admin/operations.ts'

test('a client calls every operation of the admin API', async () => {
  const requests: string[] = []
  const originalFetch = globalThis.fetch
  globalThis.fetch = async (url, init) => {
    const { pathname } = new URL(String(url))
    requests.push(`${init?.method} ${pathname}`)
    if (pathname === '/__admin/health')
      return Response.json({ name: 'understudy-api', version: '1' })
    return Response.json({ detail: 'No.', code: 'no', attr: null }, { status: 400 })
  }
  const remote = connect('http://localhost:4010') as unknown as Record<string, object>
  for (const value of Object.values(remote)) {
    const methods = typeof value === 'function' ? [value] : Object.values(value)
    for (const method of methods) {
      const other = method === Object(remote.journal).follow ? {} : 'y'
      if (typeof method === 'function') await Promise.allSettled([method('x', other)])
    }
  }
  globalThis.fetch = originalFetch

  const described = Object.keys(operations).map((line) =>
    line.replace(' ', ' /__admin').replace(/:\w+/, 'x').replace(/:\w+/, 'y'),
  )
  const sent = requests.map((request) =>
    request.replace('undefined /__admin/health', 'GET /__admin/health'),
  )
  expect([...new Set(sent)].sort()).toEqual(described.sort())
})

test('the document has the parameters that each schema of a query knows', () => {
  const paths: Record<
    string,
    Record<string, { parameters?: { name: string; in: string }[] }>
  > = document.paths
  for (const [line, { query }] of Object.entries(operations)) {
    const [method = '', pattern = ''] = line.split(' ')
    const path = paths[pattern.replace(/:(\w+)/g, '{$1}')]
    const described = path?.[method.toLowerCase()]?.parameters ?? []
    const names = described.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
    expect.soft(names.sort(), line).toEqual(Object.keys(query?.shape ?? {}).sort())
  }
})
