import http from 'node:http'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../support/random.ts'

export interface Target {
  readonly url: string
  readonly key: string
}

/** Counts what was done. */
export type Counts = Record<string, number>

const pathOf = '/api/projects/1/annotations/'

/** Clients of one server. Each reads back what the server acknowledged, and throws if it is missing. */
export class Traffic {
  readonly #target: Target
  readonly #random: Random
  #agent = new http.Agent({ keepAlive: true })
  readonly counts: Counts = {}

  constructor(target: Target, random: Random) {
    this.#target = target
    this.#random = random
  }

  /** Runs all kinds of clients until the time is over, and until each has finished what it began. */
  async run(milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds
    this.#agent = new http.Agent({ keepAlive: true })
    const loop = async (step: () => Promise<void>) => {
      while (performance.now() < end) await step()
    }
    await Promise.all([
      ...[1, 2, 3, 4].map((id) => loop(() => this.#updateRow(id))),
      ...[1, 2, 3].map(() => loop(() => this.#liveInSandbox())),
      loop(() => this.#addAndRemove()),
      loop(() => this.#refused()),
      loop(() => this.#vanish()),
      loop(() => this.#readSlowly()),
      loop(() => this.#writeSlowly()),
      this.#followWithoutReading(end),
    ])
    this.#agent.destroy()
  }

  async #updateRow(id: number): Promise<void> {
    const content = `update ${this.#random.below(1e9)}`
    const { body } = await this.#send('PATCH', `${pathOf}${id}/`, { content })
    const read = await this.#send('GET', `${pathOf}${id}/`)
    expectSame([body.content, read.body.content], [content, content])
  }

  async #liveInSandbox(): Promise<void> {
    const created = await this.#send('POST', '/__admin/sandboxes', { ttl_s: 600 })
    const { id, keys } = created.body as { id: string; keys: { value: string }[] }
    const base = `/__sandbox/${id}`
    const key = keys[0]?.value
    const contents = Array.from(
      { length: 5 + this.#random.below(60) },
      (_, index) => `row ${index}`,
    )
    const ids: number[] = []
    for (const content of contents) {
      const { status, body } = await this.#send(
        'POST',
        `${base}/api/projects/1/annotations/`,
        { content },
        key,
      )
      expectSame(status, 201)
      ids.push(body.id as number)
    }
    await this.#send('POST', `${base}/__admin/snapshots`, { name: 'full' })
    const { body } = await this.#send(
      'GET',
      `${base}/api/projects/1/annotations/?limit=100`,
      undefined,
      key,
    )
    const rows = body.results as { id: number; content: string }[]
    const read = new Map(rows.map((row) => [row.id, row.content]))
    expectSame(
      ids.map((each) => read.get(each)),
      contents,
    )
    expectSame((await this.#send('DELETE', `/__admin/sandboxes/${id}`)).status, 204)
    this.#count('sandboxes')
  }

  async #addAndRemove(): Promise<void> {
    const content = `added ${this.#random.below(1e9)}`
    const { body } = await this.#send('POST', pathOf, { content })
    await this.#expectStored(body.id as number, content)
  }

  async #expectStored(id: number, content: string): Promise<void> {
    const read = await this.#send('GET', `${pathOf}${id}/`)
    expectSame(read.body.content, content)
    expectSame((await this.#send('DELETE', `/__admin/world/annotations/${id}`)).status, 204)
  }

  async #refused(): Promise<void> {
    const statuses = [
      (await this.#send('GET', pathOf, undefined, 'phx_wrong')).status,
      (await this.#send('POST', pathOf, { content: 'x'.repeat(500) })).status,
      (await this.#send('DELETE', `${pathOf}1/`)).status,
      (await this.#send('GET', '/api/nothing')).status,
      (await this.#send('PUT', '/__admin/clock', { mode: 'nonsense' })).status,
    ]
    expectSame(statuses, [401, 400, 405, 404, 400])
    await sleep(20)
  }

  /** Clients that go away in the middle of a request or of a response. */
  async #vanish(): Promise<void> {
    const socket = await this.#connect()
    socket.write(this.#head('POST', pathOf, 500).slice(0, this.#random.below(300)))
    if (this.#random.below(2) === 0) socket.write(this.#head('GET', pathOf, 0))
    await sleep(this.#random.below(10))
    if (this.#random.below(2) === 0) socket.resetAndDestroy()
    else socket.destroy()
    this.#count('vanished')
  }

  async #readSlowly(): Promise<void> {
    const socket = await this.#connect()
    socket.write(this.#head('GET', pathOf, 0, 'close'))
    let bytes = 0
    for (;;) {
      const chunk: Buffer | null = socket.read(Math.min(200, socket.readableLength || 1))
      bytes += chunk?.length ?? 0
      if (chunk === null && (socket.readableEnded || socket.destroyed || bytes > 3_000)) break
      await sleep(5)
    }
    if (bytes < 300) throw new Error(`A slow reader got ${bytes} bytes.`)
    socket.destroy()
    this.#count('slow readers')
  }

  async #writeSlowly(): Promise<void> {
    const socket = await this.#connect()
    const content = `slow ${this.#random.below(1e9)}`
    const body = JSON.stringify({ content })
    let text = ''
    const closed = new Promise<void>((resolve) => socket.once('close', resolve))
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.write(this.#head('POST', pathOf, body.length, 'close'))
    for (const sign of body) {
      socket.write(sign)
      await sleep(8)
    }
    await closed
    expectSame(text.slice(9, 12), '201')
    await this.#expectStored(JSON.parse(text.slice(text.indexOf('\r\n\r\n'))).id, content)
    this.#count('slow writers')
  }

  async #followWithoutReading(end: number): Promise<void> {
    const followers: net.Socket[] = []
    while (performance.now() < end) {
      const socket = await this.#connect()
      socket.pause()
      socket.write(this.#head('GET', '/__admin/journal/events', 0))
      this.#count('followers')
      followers.push(socket)
      if (followers.length > 20) followers.shift()?.destroy()
      await sleep(100)
    }
    for (const socket of followers) socket.destroy()
  }

  async #send(method: string, path: string, body?: object, key = this.#target.key) {
    const headers = path.includes('/__admin/')
      ? { 'content-type': 'application/json' }
      : { 'content-type': 'application/json', authorization: `Bearer ${key}` }
    const { status, text } = await this.#exchange(method, path, headers, body)
    this.#count('requests')
    if (status >= 500) throw new Error(`${method} ${path}: ${status} ${text}`)
    const parsed = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
    return { status, body: parsed }
  }

  /** Connections are used again during one run only: the server closes them after five idle seconds. */
  #exchange(method: string, path: string, headers: Record<string, string>, body?: object) {
    return new Promise<{ status: number; text: string }>((resolve, reject) => {
      const options = { method, headers, agent: this.#agent }
      const request = http.request(this.#target.url + path, options, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        response.on('error', reject)
      })
      request.on('error', (error: NodeJS.ErrnoException) => {
        // The server closed the idle connection while this side used it again.
        const isStale = request.reusedSocket && error.code === 'ECONNRESET'
        if (isStale) this.#exchange(method, path, headers, body).then(resolve, reject)
        else reject(error)
      })
      request.end(body && JSON.stringify(body))
    })
  }

  #head(method: string, path: string, length: number, connection = 'keep-alive'): string {
    const { host } = new URL(this.#target.url)
    const authorization = path.includes('/__admin/')
      ? ''
      : `authorization: Bearer ${this.#target.key}\r\n`
    return `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${authorization}content-type: application/json\r\ncontent-length: ${length}\r\nconnection: ${connection}\r\n\r\n`
  }

  async #connect(): Promise<net.Socket> {
    const { hostname, port } = new URL(this.#target.url)
    const socket = net.connect(Number(port), hostname)
    socket.on('error', () => {})
    await new Promise((resolve) => socket.once('connect', resolve))
    return socket
  }

  #count(name: string): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1
  }
}

function expectSame(actual: unknown, expected: unknown): void {
  const [one, two] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (one !== two) throw new Error(`Expected ${two}, got ${one}`)
}
