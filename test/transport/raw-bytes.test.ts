import { expect, test } from 'vitest'
import { annotationsPath } from '../support/api/paths.ts'
import { collectErrors } from '../support/errors.ts'
import { formatRequest, RawConnection } from '../support/transports/raw-connection.ts'
import { serve } from '../support/transports/start.ts'
import { attacks, post } from './raw-bytes.table.ts'

// fetch cannot send these bytes.
test.each(Object.entries(attacks))(
  '%s gets its response, changes nothing, and the server goes on',
  async (_, { sent, status, detail, closes = false }) => {
    const { errors, onError } = collectErrors()
    const { origin, simulator } = await serve({ onError }, { onError })
    const before = simulator.world.toJSON()
    const connection = (await RawConnection.to(origin)).send(...sent)

    const response = await connection.readResponse()

    expect(response?.status).toBe(status)
    expect(response?.headers['content-type']).toBe('application/json')
    const body = JSON.parse(response?.text ?? '')
    if (status >= 400) expect(Object.keys(body)).toEqual(['type', 'code', 'detail', 'attr'])
    if (detail !== undefined) expect(body.detail).toBe(detail)
    expect(response?.headers.connection).toBe(closes ? 'close' : 'keep-alive')
    if (closes) {
      connection.socket.end()
      await connection.closed()
    }
    expect(simulator.world.toJSON()).toEqual(before)
    expect(errors).toEqual([])
    const next = await (await RawConnection.to(origin))
      .send(formatRequest('GET', `${annotationsPath}1/`))
      .readResponse()
    expect(next?.status).toBe(200)
  },
)

test('__proto__ and constructor are ordinary unknown fields', async () => {
  const { origin, simulator } = await serve()
  const connection = await RawConnection.to(origin)
  const hostile =
    '{"__proto__":{"content":"x","deleted":true,"polluted":1},"constructor":{"prototype":{"polluted":1}}}'

  const response = await connection.send(post(hostile)).readResponse()

  expect(response?.status).toBe(201)
  expect(JSON.parse(response?.text ?? '')).toMatchObject({ content: null, deleted: false })
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  expect(simulator.world.annotations.count).toBe(9)
})

test('links use the Host header if it is valid in a URL, or else localhost', async () => {
  const { origin } = await serve()
  const linkFor = async (host: string, path = annotationsPath) => {
    const connection = await RawConnection.to(origin)
    connection.send(formatRequest('GET', `${path}?limit=1`, { headers: { host } }))
    return JSON.parse((await connection.readResponse())?.text ?? '').next
  }

  const query = `${annotationsPath}?limit=1&offset=1`
  expect(await linkFor('api.test:81')).toBe(`http://api.test:81${query}`)
  expect(await linkFor('[::1]:4010')).toBe(`http://[::1]:4010${query}`)
  for (const host of ['a b', 'a/b?c', 'a:99999', '999.999.999.999', 'user@a', '', '<script>'])
    expect.soft(await linkFor(host), host).toBe(`http://localhost${query}`)
  expect(await linkFor('proxy.test', `http://api.test${annotationsPath}`)).toBe(
    `http://api.test${query}`,
  )
})
