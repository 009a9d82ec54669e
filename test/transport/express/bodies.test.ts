import express, { type RequestHandler } from 'express'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { annotationsPath } from '../../support/api/paths.ts'
import { createMiddleware, serveApp } from '../express.ts'

const raw = express.raw({ type: () => true, limit: '5mb' })

const parsers: { readonly parser: string; readonly parse: RequestHandler }[] = [
  { parser: 'express.json()', parse: express.json() },
  { parser: 'express.raw()', parse: raw },
  { parser: 'express.text()', parse: express.text({ type: () => true }) },
  { parser: 'a parser of other types', parse: express.urlencoded() },
]

test.each(parsers)('a body that $parser has read is handled like any other', async ({ parse }) => {
  const { mock, simulator } = createMiddleware()
  const { ask } = await serveApp(express().use(parse, mock))

  const created = await ask('POST', annotationsPath, {
    body: { content: 'Größer 🦔', deleted: false },
  })
  const patched = await ask('PATCH', `${annotationsPath}1/`, { body: { date_marker: null } })
  const refused = await ask('PATCH', `${annotationsPath}1/`, { body: { deleted: 'maybe' } })
  const listed = await ask('POST', annotationsPath, { body: [1] })
  const nothing = await ask('POST', annotationsPath)

  expect(created).toMatchObject({ status: 201, body: { content: 'Größer 🦔' } })
  expect(patched).toMatchObject({
    status: 200,
    body: { content: 'Release 1.0', date_marker: null },
  })
  expect(refused).toMatchObject({ status: 400, body: { attr: 'deleted' } })
  expect(listed).toMatchObject({
    status: 400,
    body: { detail: 'Invalid data. Expected a dictionary, but got list.' },
  })
  expect(nothing).toMatchObject({ status: 201, body: { content: null } })
  expect(simulator.world.annotations.count).toBe(10)
})

test('a body that a parser has read can be too large', async () => {
  const { mock, simulator } = createMiddleware({ settings: { 'limits.body': 64 } })
  const { ask } = await serveApp(express().use(raw, mock))

  const over = await ask('POST', annotationsPath, { body: { content: 'x'.repeat(51) } })
  const fits = await ask('POST', annotationsPath, { body: { content: 'x'.repeat(50) } })

  expect([over.status, fits.status]).toEqual([413, 201])
  expect(simulator.world.annotations.count).toBe(9)
})

test('a handler gets no body that a parser has read and that is over the limit of the server', async () => {
  const { mock, simulator } = createMiddleware({}, { bodyLimit: 100 })
  const sizes: number[] = []
  simulator.use(
    http.post('*/api/hooks/', async ({ request }) => {
      sizes.push((await request.text()).length)
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const { ask } = await serveApp(express().use(raw, mock))

  const over = await ask('POST', '/api/hooks/', { raw: 'x'.repeat(101) })
  const fits = await ask('POST', '/api/hooks/', { raw: 'x'.repeat(100) })

  expect([over.status, fits.status, sizes]).toEqual([413, 204, [100]])
})

test('a form after express.urlencoded() is still a form', async () => {
  const { mock } = createMiddleware({ profile: 'live' })
  const { ask } = await serveApp(express().use(express.urlencoded(), mock))

  const form = new URLSearchParams({ content: 'a & b = ü', deleted: 'off' })
  const created = await ask('POST', annotationsPath, { raw: form })
  const refused = await ask('POST', annotationsPath, {
    raw: new URLSearchParams({ deleted: 'maybe' }),
  })

  expect(created).toMatchObject({ status: 201, body: { content: 'a & b = ü', deleted: false } })
  expect(refused).toMatchObject({ status: 400, body: { attr: 'deleted' } })
})
