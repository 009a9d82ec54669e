import type { FaultRule } from './rule.ts'

/** Rules for a situation, under a name. */
export interface FaultPreset {
  readonly description: string
  readonly rules: readonly FaultRule[]
}

/** The situations that have a name. */
export const presets: Readonly<Record<string, FaultPreset>> = {
  flaky: {
    description:
      'One request in five fails: half of them with a server error, the rest by a connection that breaks before or after the request was carried out.',
    // Of several rules that strike the first one does: each is asked of what those before it have left.
    rules: [
      { when: { probability: 0.1 }, effect: { error: 'server_error' } },
      { when: { probability: 0.05 / 0.9 }, effect: { drop: true } },
      { when: { probability: 0.05 / 0.85 }, phase: 'after-commit', effect: { drop: true } },
    ],
  },
  'slow-3g': {
    // As "Slow 3G" of Chrome's developer tools: 500 kbit/s at 80 %, 400 ms five times.
    description: 'Every request waits two seconds, and bodies arrive at 50 kB a second.',
    rules: [{ effect: { delay_ms: 2_000, slow_bytes_per_s: 50_000 } }],
  },
  outage: {
    description:
      'Every request is answered with a 503 page of HTML, as by a proxy whose service is down.',
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
    description: 'Every write is refused with a 403 of the service; reads are answered.',
    rules: [
      {
        method: ['POST', 'PUT', 'PATCH', 'DELETE'],
        effect: { error: 'permission_denied', detail: 'The service is read-only at the moment.' },
      },
    ],
  },
}

export const presetNames: readonly string[] = Object.keys(presets)
