import { expect, test } from 'vitest'
import { generate } from '../../../src/factories.ts'
import type { SimulatorOptions } from '../../../src/simulator/options.ts'
import { createSimulator, type Simulator } from '../../../src/simulator.ts'
import { annotationsPath, noon } from '../../support/api/paths.ts'

/** A client of a real style that makes no mistake. */
interface CarefulClient {
  readonly client: string
  readonly options?: SimulatorOptions
  readonly run: (service: Service) => Promise<unknown>
}

/** What responses have that the clients read. */
interface Body {
  readonly id: number
  readonly content: string
  readonly date_marker: string
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly Body[]
  readonly detail: string
}

interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

interface Sending {
  readonly key?: string | null
  readonly headers?: Record<string, string>
  readonly signal?: AbortSignal
}

/** Sends requests to a simulator, as one client does. It rejects if the connection breaks. */
class Service {
  readonly simulator: Simulator
  readonly #sending: Sending

  constructor(simulator: Simulator, sending: Sending = {}) {
    this.simulator = simulator
    this.#sending = sending
  }

  /** The same service with another key or more headers. */
  with(sending: Sending): Service {
    const headers = { ...this.#sending.headers, ...sending.headers }
    return new Service(this.simulator, { ...this.#sending, ...sending, headers })
  }

  get = (path: string) => this.send('GET', path)
  post = (path: string, body: unknown) => this.send('POST', path, body)
  patch = (path: string, body: unknown) => this.send('PATCH', path, body)
  delete = (path: string) => this.send('DELETE', path)
  wait = (seconds: number) => this.simulator.clock.advance({ seconds })

  async send(method: string, path: string, body?: unknown): Promise<Reply> {
    const { key = 'phx_all', headers, signal = null } = this.#sending
    const response = await this.simulator.fetch(path, {
      method,
      signal,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const parsed = text.startsWith('{') ? JSON.parse(text) : {}
    return { status: response.status, headers: response.headers, body: parsed }
  }
}

const many = generate({ generate: { annotations: 250 } })
const first = `${annotationsPath}1/`
const launch = { content: 'Launch', date_marker: '2024-06-20T09:00:00Z', scope: 'project' }
const search = `${annotationsPath}?search=Launch`
const numbers = Array.from({ length: 12 }, (_, index) => index + 1)

/** The world `default` shows six annotations in project 1: 5, 4, 1, 3, 8, 2. */
const clients: readonly CarefulClient[] = [
  {
    client: 'follows next until it is null',
    run: async ({ get }) => {
      let next: string | null = `${annotationsPath}?limit=2`
      while (next) next = (await get(next)).body.next
    },
  },
  {
    client: 'adds the number of rows that came to the offset, with its own limit',
    options: { world: many, settings: { 'lists.limit.maximum': '100' } },
    run: async ({ get }) => {
      for (let offset = 0, count = 1; offset < count; ) {
        const { body } = await get(`${annotationsPath}?limit=200&offset=${offset}`)
        offset += body.results.length
        count = body.count
      }
    },
  },
  {
    client: 'begins again when the count changes',
    run: async ({ get, simulator }) => {
      const first = await get(`${annotationsPath}?limit=2`)
      simulator.world.annotations.create({ date_marker: null, scope: 'project' })
      const second = await get(String(first.body.next))
      if (second.body.count === first.body.count) return
      let next: string | null = `${annotationsPath}?limit=2`
      while (next) next = (await get(next)).body.next
    },
  },
  {
    client: 'polls all pages of a list every two seconds',
    run: async ({ get, simulator }) => {
      for (let poll = 0; poll < 30; poll += 1) {
        let next: string | null = `${annotationsPath}?limit=3`
        while (next) next = (await get(next)).body.next
        simulator.clock.advance({ seconds: 2 })
      }
    },
  },
  {
    client: 'imports twenty rows of different contents',
    run: async ({ post }) => {
      for (let number = 1; number <= 20; number += 1) {
        await post(annotationsPath, { ...launch, content: `Deploy ${number}` })
      }
    },
  },
  {
    client: 'looks after a lost response, and finds the row',
    run: async (service) => {
      loseResponse(service, 'after-commit')
      await service.post(annotationsPath, launch).catch(() => service.get(search))
    },
  },
  {
    client: 'looks after a lost request, finds nothing, and creates the row',
    run: async (service) => {
      loseResponse(service, 'before')
      await service.post(annotationsPath, launch).catch(async () => {
        const { body } = await service.get(search)
        if (body.count === 0) await service.post(annotationsPath, launch)
      })
    },
  },
  {
    client: 'creates a row again after it was refused, with a shorter text',
    run: async ({ post }) => {
      const { status } = await post(annotationsPath, { ...launch, content: 'x'.repeat(401) })
      if (status === 400) await post(annotationsPath, { ...launch, content: 'x'.repeat(400) })
    },
  },
  {
    client: 'changes one field while another client changes another',
    run: async (service) => {
      await service.get(first)
      await another(service).patch(first, { date_marker: '2024-06-04T09:00:00Z' })
      await service.patch(first, { content: 'Release 1.0 is out' })
    },
  },
  {
    client: 'is a script that sets a text which it never read, after another client changed it',
    run: async (service) => {
      await another(service).patch(first, { content: 'Release 1.0.0' })
      await service.patch(first, { content: 'Release 1.0 (3f2c1d0)' })
    },
  },
  {
    client: 'deletes a row, and restores it when the user clicks Undo',
    run: async ({ patch }) => {
      await patch(first, { deleted: true })
      await patch(first, { deleted: false })
    },
  },
  {
    client: 'tries DELETE, and sends the PATCH that the refusal names',
    run: async (service) => {
      const { status } = await service.delete(first)
      if (status === 405) await service.patch(first, { deleted: true })
    },
  },
  {
    client: 'writes times with the offset of its time zone',
    run: ({ post }) => post(annotationsPath, { date_marker: '2024-06-20T11:00:00+02:00' }),
  },
  {
    client: 'is twelve tests that list all rows, with a reset before each',
    run: async ({ get, simulator }) => {
      for (const _ of numbers) {
        simulator.reset()
        await get(annotationsPath)
      }
    },
  },
  {
    client: 'is two named tests that create the same row at once',
    run: (service) =>
      Promise.all(
        ['creates', 'creates and reads'].map((test) => {
          return named(service, test).post(annotationsPath, { content: 'Launch' })
        }),
      ),
  },
  {
    client: 'waits as long as a 429 says in words',
    run: async (service) => {
      throttle(service)
      while ((await service.get(first)).status === 429) service.wait(3)
    },
  },
  {
    client: 'waits 1, 2, 4, … seconds during an outage, and gives up after eight tries',
    run: async (service) => {
      service.simulator.faults.add({ preset: 'outage' })
      for (let wait = 1; wait <= 128; wait *= 2) {
        await service.get(annotationsPath)
        service.wait(wait)
      }
    },
  },
  {
    client: 'repeats a PATCH whose response was lost, which changes nothing more',
    run: async (service) => {
      const effect = { drop: true } as const
      service.simulator.faults.add({
        path: first,
        phase: 'after-commit',
        when: { times: 1 },
        effect,
      })
      const change = () => service.patch(first, { content: 'Release 1' })
      await change().catch(change)
    },
  },
]

test.for(clients.map((client) => [client.client, client] as const))(
  'no mistake is found in a client that %s',
  async ([, { options, run }]) => {
    const simulator = createSimulator({ clock: noon, ...options })

    await run(new Service(simulator))

    expect(simulator.journal.mistakes()).toEqual([])
  },
)

const another = (service: Service): Service => service.with({ key: 'phx_old' })

const named = (service: Service, test: string): Service =>
  service.with({ headers: { 'understudy-test': test } })

/** The connection of the next create breaks, before or after the row is created. */
function loseResponse({ simulator }: Service, phase: 'before' | 'after-commit'): void {
  simulator.faults.add({
    operation: 'createAnnotation',
    when: { times: 1 },
    phase,
    effect: { drop: true },
  })
}

/** The next two requests are refused, and can be repeated after three seconds. */
function throttle({ simulator }: Service): void {
  const effect = { error: 'throttled', retry_after_s: 3 } as const
  simulator.faults.add({ operation: 'retrieveAnnotation', when: { times: 2 }, effect })
}
