import { expect, test } from 'vitest'
import { annotationsPath, noon } from '../support/api/paths.ts'
import { formatRequest, RawConnection } from '../support/lanes/raw-connection.ts'
import { servers, start } from '../support/lanes/start.ts'

const kinds = servers.map(({ name, serving }) => [name, serving] as const)
const path = `${annotationsPath}1/`
const errorOf = (text = '{}') => {
  const { code, detail } = JSON.parse(text)
  return [code, detail]
}

test.each(kinds)(
  'a URL of the limit is accepted by %s, and a longer one gets 414',
  async (_name, serving) => {
    const { origin } = await start({}, { ...serving, maxUrlLength: path.length + 4 })
    const connection = await RawConnection.to(origin)

    connection.send(formatRequest('GET', `${path}?a=1`), formatRequest('GET', `${path}?a=12`))
    const responses = [await connection.readResponse(), await connection.readResponse()]
    connection.send(formatRequest('GET', path))
    const next = await connection.readResponse()

    expect(responses.map((response) => response?.status)).toEqual([200, 414])
    expect(errorOf(responses[1]?.text)).toEqual([
      'uri_too_long',
      `The URL is too long: the limit is ${path.length + 4} characters.`,
    ])
    expect(next?.status).toBe(200)
  },
)

/** A GET with this number of headers. */
const withHeaders = (count: number) => {
  const more = Array.from({ length: count - 2 }, (_, index) => `x-${index}: 1\r\n`)
  return `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer phx_all\r\n${more.join('')}\r\n`
}

test.each(kinds)(
  'as many headers as the limit are accepted by %s, and one more gets 431',
  async (_name, serving) => {
    for (const maxHeaders of [3, 100, 1000, 2100]) {
      const limit = maxHeaders === 1000 ? {} : { maxHeaders }
      const { origin } = await start({}, { ...serving, ...limit, maxHeaderSize: 100_000 })
      const connection = await RawConnection.to(origin)

      connection.send(withHeaders(maxHeaders), withHeaders(maxHeaders + 1), withHeaders(5000))
      const responses = [
        await connection.readResponse(),
        await connection.readResponse(),
        await connection.readResponse(),
      ]

      expect(responses.map((response) => response?.status)).toEqual([200, 431, 431])
      expect(errorOf(responses[1]?.text)).toEqual([
        'headers_too_large',
        `The request has too many headers: the limit is ${maxHeaders}.`,
      ])
    }
  },
)

test.each(kinds)(
  'a request whose Host comes after too many headers gets 431 from %s',
  async (_name, serving) => {
    const { origin } = await start({}, { ...serving, maxHeaders: 3 })
    const headers = 'x-1: 1\r\nx-2: 1\r\nx-3: 1\r\nx-4: 1\r\nhost: localhost\r\n'

    const connection = (await RawConnection.to(origin)).send(
      `GET ${path} HTTP/1.1\r\n${headers}\r\n`,
    )
    const response = await connection.readResponse()

    expect([response?.status, ...errorOf(response?.text)]).toEqual([
      431,
      'headers_too_large',
      'The request has too many headers: the limit is 3.',
    ])
  },
)

test.each(kinds)(
  'larger headers than the limit get 431 from %s, and the error has the limit',
  async (_name, serving) => {
    const { origin } = await start({}, { ...serving, maxHeaderSize: 600 })
    const send = async (size: number) => {
      const headers = { 'x-long': 'a'.repeat(size) }
      const connection = (await RawConnection.to(origin)).send(
        formatRequest('GET', path, { headers }),
      )
      return connection.readResponse()
    }

    const [fits, over] = [await send(300), await send(600)]

    expect([fits?.status, over?.status]).toEqual([200, 431])
    expect(errorOf(over?.text)).toEqual([
      'headers_too_large',
      'Request headers are too large: the limit is 600 bytes.',
    ])
  },
)

test.each(kinds)(
  'the last response of a connection says so, and further requests get 503 from %s',
  async (_name, serving) => {
    const { origin } = await start({}, { ...serving, maxRequestsPerSocket: 2 })
    const connection = await RawConnection.to(origin)

    connection.send(formatRequest('GET', path))
    const first = await connection.readResponse()
    connection.send(formatRequest('GET', path))
    const last = await connection.readResponse()
    connection.send(formatRequest('GET', path))
    const further = await connection.readResponse()

    expect([first?.status, last?.status, further?.status]).toEqual([200, 200, 503])
    expect([first?.headers.connection, last?.headers.connection]).toEqual(['keep-alive', 'close'])
  },
)

test.each(kinds)(
  '%s closes connections beyond the limit, until another one ends',
  async (_name, serving) => {
    const { origin } = await start({}, { ...serving, maxConnections: 1 })
    const status = async (connection: RawConnection) =>
      (await connection.send(formatRequest('GET', path)).readResponse())?.status
    const first = await RawConnection.to(origin)

    const used = await status(first)
    await (await RawConnection.to(origin)).closed()
    const still = await status(first)
    first.end()
    await first.closed()
    const next = await status(await RawConnection.to(origin))

    expect([used, still, next]).toEqual([200, 200, 200])
  },
)

test.each(kinds)(
  'slow clients get 408 from %s: for headers, and for a body',
  async (_name, serving) => {
    const slow = [
      { limits: { headersTimeout: 60 }, text: 'GET / HTTP/1.1\r\nhost: localhost\r\n' },
      {
        limits: { requestTimeout: 60 },
        text: formatRequest('POST', annotationsPath, { headers: { 'content-length': '9' } }),
      },
    ]
    const texts = slow.map(async ({ limits, text }) => {
      const { origin } = await start({ clock: noon }, { ...serving, ...limits })
      const connection = (await RawConnection.to(origin)).send(text)
      const response = await connection.readResponse()
      await connection.closed()
      return [response?.status, ...errorOf(response?.text)]
    })

    const expected = [408, 'request_timeout', 'The request did not arrive in time.']
    expect(await Promise.all(texts)).toEqual([expected, expected])
  },
)
