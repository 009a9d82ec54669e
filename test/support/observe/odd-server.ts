import type { Observation } from '../../../src/analysis/observe/observe.ts'
import type { ObserverOptions } from '../../../src/analysis/observe/observer.ts'
import type { PolicyOverrides } from '../../../src/policies/settings.ts'
import type { Simulator } from '../../../src/simulator.ts'
import { createHiddenServer, observeSimulator } from './hidden-server.ts'

/** Replaces the response to a request, by its number from 1 on. Null leaves it as it is. */
type Replace = (number: number, url: string, init: RequestInit) => Response | null

export interface OddObservation extends Observation {
  readonly simulator: Simulator
  /** The ids of policies with another value than the server has */
  readonly wrong: readonly string[]
  readonly methods: readonly string[]
  readonly waits: readonly number[]
}

/** Observes a server that responds properly to some requests only. */
export async function observeOddServer(
  replace: Replace,
  { policies = {}, ...options }: Partial<ObserverOptions> & { policies?: PolicyOverrides } = {},
): Promise<OddObservation> {
  const simulator = createHiddenServer(policies)
  const methods: string[] = []
  const waits: number[] = []
  const fetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    methods.push(init.method ?? 'GET')
    const other = replace(methods.length, String(url), init)
    return other ?? simulator.fetch(url, init)
  }
  const wait = async (milliseconds: number): Promise<void> => void waits.push(milliseconds)
  const observation = await observeSimulator({ fetch }, { wait, ...options })
  const { settings } = simulator.policies
  const wrong = observation.findings.filter(
    ({ id, value }) => value !== null && value !== settings[id],
  )
  return { ...observation, simulator, methods, waits, wrong: wrong.map(({ id }) => id) }
}

export const htmlPage = (status: number): Response =>
  new Response('<!doctype html><title>Oops</title>', {
    status,
    headers: { 'content-type': 'text/html' },
  })

export const throttled = (headers: Record<string, string> = {}, detail = 'Slow down.'): Response =>
  Response.json(
    { type: 'throttled_error', code: 'throttled', detail, attr: null },
    { status: 429, headers },
  )

/** Responses that a server, or something before it, may give once although they are wrong. */
export const lies: Readonly<Record<string, () => Response>> = {
  'an HTML page': () => htmlPage(200),
  'an error in HTML': () => htmlPage(404),
  'a failure': () => htmlPage(502),
  'an empty success': () => Response.json({}),
  'an empty list': () => Response.json({ count: 0, next: null, previous: null, results: [] }),
  'a missing row': () =>
    Response.json(
      { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
      { status: 404 },
    ),
  'an unknown key': () =>
    Response.json(
      {
        type: 'authentication_error',
        code: 'not_authenticated',
        detail: 'Authentication credentials were not provided.',
        attr: null,
      },
      { status: 401 },
    ),
  'an invalid body': () =>
    Response.json(
      { type: 'validation_error', code: 'invalid_input', detail: 'No.', attr: null },
      { status: 400 },
    ),
}
