import type { FaultRule } from './fault.ts'

interface FaultPreset {
  readonly description: string
  readonly rules: readonly FaultRule[]
}

/** A 429 as a proxy sends it: the service itself names the wait only in its sentence. */
const throttled = {
  error: 'throttled',
  retry_after_s: 1,
  headers: { 'retry-after': '1' },
} as const

export const presets = {
  flaky: {
    description:
      'About one request in five fails: with a server error, a 429, or a dropped connection before or after the server handled the request.',
    // Only the first rule that matches applies, so each probability is a share of the requests that remain.
    rules: [
      { when: { probability: 0.05 }, effect: { error: 'server_error' } },
      { when: { probability: 0.05 / 0.95 }, effect: throttled },
      { when: { probability: 0.05 / 0.9 }, effect: { drop: true } },
      { when: { probability: 0.05 / 0.85 }, phase: 'after-commit', effect: { drop: true } },
    ],
  },
  throttled: {
    description: 'The first request for a path of the API gets a 429 with Retry-After: 1.',
    rules: [{ when: { times: 1 }, effect: throttled }],
  },
  'lost-create': {
    description:
      'The first request to create an annotation, and the first one to create a plugin, is handled, and its response is lost, even if it is a refusal.',
    rules: (['createAnnotation', 'createPlugin'] as const).map((operation) => ({
      operation,
      when: { times: 1 },
      phase: 'after-commit',
      effect: { drop: true },
    })),
  },
  'failed-page': {
    description:
      'The second request for a list of annotations, of plugins or of projects gets a 500: the second page, if one client reads the list.',
    rules: (['listAnnotations', 'listPlugins', 'listProjects'] as const).map((operation) => ({
      operation,
      when: { skip: 1, times: 1 },
      effect: { error: 'server_error' },
    })),
  },
  'slow-3g': {
    // "Slow 3G" of Chrome's developer tools has a latency of five times 400 ms.
    description: 'Every response of a path of the API is two seconds late.',
    rules: [{ effect: { delay_ms: 2_000 } }],
  },
  outage: {
    description: 'Every request for a path of the API gets a 503 HTML page, as from a proxy.',
    rules: [
      {
        effect: {
          status: 503,
          headers: { 'content-type': 'text/html' },
          body: '<html><head><title>503 Service Unavailable</title></head><body><h1>503 Service Unavailable</h1></body></html>',
        },
      },
    ],
  },
  'read-only': {
    description: 'Every POST, PUT, PATCH and DELETE for a path of the API gets a 403. GET works.',
    rules: [
      {
        method: ['POST', 'PUT', 'PATCH', 'DELETE'],
        effect: { error: 'permission_denied', detail: 'The service is read-only at the moment.' },
      },
    ],
  },
} satisfies Readonly<Record<string, FaultPreset>>

/** The name of a preset. */
export type PresetName = keyof typeof presets

export const presetNames = Object.keys(presets) as readonly PresetName[]
