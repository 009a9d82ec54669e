import type { FaultRule } from './rule.ts'

/** Named rules for a situation. */
export interface FaultPreset {
  readonly description: string
  readonly rules: readonly FaultRule[]
}

/** The presets by name. */
export const presets: Readonly<Record<string, FaultPreset>> = {
  flaky: {
    description:
      'One request in five fails: half of them with a server error, the others with a dropped connection before or after the request was carried out.',
    // Only the first rule that matches applies, so each probability is a share of the requests that remain.
    rules: [
      { when: { probability: 0.1 }, effect: { error: 'server_error' } },
      { when: { probability: 0.05 / 0.9 }, effect: { drop: true } },
      { when: { probability: 0.05 / 0.85 }, phase: 'after-commit', effect: { drop: true } },
    ],
  },
  'slow-3g': {
    // "Slow 3G" of Chrome's developer tools: 500 kbit/s at 80 %, and five times 400 ms.
    description: 'Every request waits two seconds, and bodies arrive at 50 kB per second.',
    rules: [{ effect: { delay_ms: 2_000, slow_bytes_per_s: 50_000 } }],
  },
  outage: {
    description: 'Every request gets a 503 HTML page, as from a proxy whose backend is down.',
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
    description: "Every write gets the service's 403. Reads work.",
    rules: [
      {
        method: ['POST', 'PUT', 'PATCH', 'DELETE'],
        effect: { error: 'permission_denied', detail: 'The service is read-only at the moment.' },
      },
    ],
  },
}

export const presetNames: readonly string[] = Object.keys(presets)
