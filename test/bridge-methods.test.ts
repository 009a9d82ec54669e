import { expect, test } from 'vitest'
import { overHttp, servers, start } from './support/start.ts'
import { requestText, Wire } from './support/wire.ts'

const list = '/api/projects/1/annotations/'

test.each(servers)(
  'HEAD answers as GET does, without the body, from $name [§3:head] [§7:head]',
  async ({ serving }) => {
    const client = await start({}, serving)

    for (const path of [list, `${list}1/`, `${list}999/`, '/api/projects/']) {
      const full = await client.send('GET', path)
      const head = await client.send('HEAD', path)
      const length = (await full.clone().arrayBuffer()).byteLength
      expect(head.status, path).toBe(full.status)
      expect(head.headers.get('content-type')).toBe(full.headers.get('content-type'))
      expect(head.headers.get('content-length')).toBe(String(length))
      expect(await head.text()).toBe('')
    }
  },
)

test.each(servers)(
  'HEAD asks for the key and the scope of GET, from $name [§7:head]',
  async ({ serving }) => {
    const client = await start({}, serving)

    const answers = [
      await client.ask('HEAD', list, { key: null }),
      await client.ask('HEAD', list, { key: 'phx_annotation_write' }),
      await client.ask('HEAD', list, { key: 'phx_annotation_read' }),
    ]

    expect(answers).toEqual([
      { status: 401, body: undefined },
      { status: 403, body: undefined },
      { status: 200, body: undefined },
    ])
  },
)

overHttp.each(servers)(
  'after the answer to HEAD the same connection goes on, from $name (over HTTP only)',
  async ({ serving }) => {
    const wire = await Wire.to((await start({}, serving)).origin)

    wire.send(requestText('HEAD', list))
    const head = await wire.answer('HEAD')
    wire.send(requestText('GET', `${list}1/`))
    const next = await wire.answer()

    expect(head).toMatchObject({ status: 200, text: '' })
    expect(Number(head?.headers['content-length'])).toBeGreaterThan(100)
    expect(next?.status).toBe(200)
    expect(JSON.parse(next?.text ?? '')).toMatchObject({ id: 1 })
  },
)

test.each(servers)(
  'OPTIONS tells what a path offers, from $name [§7:options]',
  async ({ serving }) => {
    const client = await start({}, serving)

    const answer = await client.send('OPTIONS', list)

    expect(answer.status).toBe(200)
    expect(answer.headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS')
    expect(await answer.json()).toEqual({
      name: 'Annotations List',
      description: '',
      renders: ['application/json'],
      parses: ['application/json'],
    })
  },
)

test.each(servers)(
  'a method that a path does not have answers 405 and what it does have, from $name [§1:method]',
  async ({ serving }) => {
    const client = await start({}, serving)

    for (const method of ['PUT', 'DELETE', 'PROPFIND']) {
      const answer = await client.send(method, list)
      expect(answer.status, method).toBe(405)
      expect(answer.headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS')
      expect(await answer.json()).toEqual({
        type: 'invalid_request',
        code: 'method_not_allowed',
        detail: `Method "${method}" not allowed.`,
        attr: null,
      })
    }
  },
)

overHttp.each(servers)(
  'so does TRACE, which fetch cannot send, from $name (over HTTP only)',
  async ({ serving }) => {
    const errors: unknown[] = []
    const onError = (error: unknown) => void errors.push(error)
    const { origin } = await start({ onError }, { ...serving, onError })
    const wire = await Wire.to(origin)

    wire.send(requestText('TRACE', list)).send(requestText('TRACE', '/api/nothing'))
    const known = await wire.answer()
    const unknown = await wire.answer()

    expect(known?.status).toBe(405)
    expect(known?.headers.allow).toBe('GET, POST, HEAD, OPTIONS')
    expect(JSON.parse(known?.text ?? '').detail).toBe('Method "TRACE" not allowed.')
    expect(unknown?.status).toBe(404)
    expect(errors).toEqual([])
  },
)
